import type { Concept } from "./concept.ts";

/** Sums of money in the totals of a document, and the currency they are in. */
export const AMOUNTS: Concept[] = [
  {
    id: "net-total",
    value: "amount",
    names:
      "subtotal|sub total|net amount|total net|amount net|total without tax|tax exclusive amount|net sum|taxable amount|total excluding tax|total excl vat|line total amount|total before tax|pre tax total|net",
    labels: {
      en: "subtotal|sub total|net total|total net|net amount|total net amount|amount net|total excluding tax|total excluding vat|total excl tax|total excl vat|total ex vat|total ex tax|total before tax|total without tax|total without vat|subtotal excl vat|net value|taxable amount|total taxable amount|tax basis|total before vat|subtotal before tax|net subtotal|goods total|total exclusive of vat|total (excl. vat)|total (excl. tax)|total (ex. vat)|subtotal excluding vat|net price|sub-total excl tax|amount excl vat|amount before tax|total amount excluding tax|total amount excl vat|sum excluding vat|invoice subtotal",
      de: "nettobetrag|netto betrag|summe netto|netto summe|nettosumme|gesamt netto|netto gesamt|gesamtbetrag netto|zwischensumme|zwischensumme netto|total netto|nettowert|gesamtsumme netto|rechnungsbetrag netto|netto total|betrag netto|summe ohne mwst|summe ohne ust|summe ohne umsatzsteuer|gesamtnetto|warenwert netto|nettogesamtbetrag|gesamtnettobetrag|steuerbasisbetrag|steuerbasis|bemessungsgrundlage|rechnungssumme netto|positionssumme|summe positionen|nettorechnungsbetrag|total exkl mwst|total ohne mwst|zwischentotal|gesamtbetrag ohne mwst|gesamtbetrag ohne ust|gesamtbetrag exkl mwst|nettobetrag gesamt|endsumme netto|gesamt ohne ust|gesamt ohne mwst|warenwert|summe der positionen|nettoentgelt|summe nettobeträge|zu versteuern|gesamtpreis netto|summe exkl mwst|summe exkl ust|summe (netto)|rechnungssumme ohne ust|rechnungssumme ohne mwst|rechnungsbetrag ohne ust|rechnungsbetrag ohne mwst|rechnungssumme ohne umsatzsteuer|gesamtsumme ohne ust|gesamtsumme ohne mwst|gesamtsumme ohne umsatzsteuer|gesamt ohne umsatzsteuer|gesamtbetrag ohne umsatzsteuer|betrag ohne mwst|betrag ohne ust|exkl mwst|zzgl mwst netto|entgelt netto|gesamtentgelt netto",
      fr: "total ht|montant ht|sous total|sous total ht|total hors taxes|total hors taxe|montant hors taxes|total net ht|montant total ht|net ht|base ht|total h.t.|montant total hors taxes|total hors tva|base imposable|montant net ht|montant net|total général ht|total htva|montant htva|sous total hors taxes",
      es: "base imponible|subtotal|importe neto|total neto|total sin iva|base|total base imponible|neto|importe sin iva|total sin impuestos|suma base imponible|importe base|subtotal sin iva",
      nl: "subtotaal|totaal excl btw|totaal exclusief btw|totaal ex btw|bedrag excl btw|netto bedrag|nettobedrag|totaal netto|subtotaal excl btw|netto totaal|bedrag exclusief btw|totaalbedrag excl btw|totaalbedrag exclusief btw|maatstaf van heffing|subtotaal exclusief btw|te belasten bedrag|totaal zonder btw",
      it: "imponibile|totale imponibile|subtotale|totale netto|importo netto|totale senza iva|totale esclusa iva|base imponibile|totale merce|totale iva esclusa|netto merce",
    },
    weak: {
      en: "net|amount before taxes|taxable",
      de: "netto|summe",
      fr: "ht|hors taxes|net",
      nl: "netto|excl btw|exclusief btw",
      it: "netto",
    },
  },
  {
    id: "tax-total",
    value: "amount",
    names:
      "tax|tax amount|vat|vat amount|total tax|total vat|vat total|sales tax|gst|mwst|ust|tva|iva|btw|tax sum|tax total amount",
    labels: {
      en: "total tax|tax total|tax amount|vat amount|total vat|vat total|sales tax|total tax amount|gst amount|total gst|vat payable|value added tax|total taxes|amount of vat|sales taxes|hst|pst|estimated tax|total vat amount|taxes",
      de: "mwst betrag|ust betrag|umsatzsteuerbetrag|mehrwertsteuerbetrag|summe mwst|summe ust|steuerbetrag|gesamt mwst|mehrwertsteuer|umsatzsteuer|summe umsatzsteuer|summe mehrwertsteuer|mwst gesamt|ust gesamt|zzgl mwst|zzgl ust|zuzüglich mwst|gesamtbetrag mwst|gesamtbetrag ust|umsatzsteuer gesamt|zzgl umsatzsteuer|zzgl mehrwertsteuer|zuzüglich umsatzsteuer|zuzüglich mehrwertsteuer|zzgl gesetzl mwst|gesetzliche mwst|steuer gesamt|steuern gesamt|steuersumme|gesamtsteuerbetrag|total mwst|mwst total|enthaltene mwst|enthaltene ust|enthaltene umsatzsteuer|gesetzliche umsatzsteuer|steuerbeträge|summe steuer|gesamtsteuer|summe steuerbeträge",
      fr: "total tva|montant tva|montant de la tva|tva totale|montant total tva|total taxes|taxes|total des taxes|total de la tva|montant de tva|t.v.a.|montant total de la tva|dont tva|total t.v.a.",
      es: "total iva|cuota iva|importe iva|cuota|iva total|total impuestos|impuestos|cuota de iva|importe del iva|total cuota|i.v.a.|igic|total impuesto",
      nl: "btw bedrag|totaal btw|bedrag btw|btw totaal|omzetbelasting|totaal btw bedrag|btw laag|btw hoog|totaalbedrag btw|waarvan btw",
      it: "totale iva|importo iva|imposta|totale imposta|ammontare iva|i.v.a.|totale imposte|di cui iva|importo imposta",
    },
    weak: { en: "tax|vat|gst", de: "mwst|ust|steuer|mwst satz|ust satz", fr: "tva", es: "iva", nl: "btw", it: "iva" },
  },
  {
    id: "gross-total",
    value: "amount",
    names:
      "total|total amount|grand total|invoice total|amount|total gross|gross amount|total price|sum|total with tax|total incl vat|tax inclusive amount|invoice amount|total including tax|gross|total sum|total value|order total|total cost|final amount|total paid",
    labels: {
      en: "grand total|invoice total|total incl vat|total including vat|total including tax|total incl tax|total inc vat|gross total|total gross|gross amount|total amount|invoice amount|total price|total invoice amount|total cost|total sum|order total|total with tax|total inclusive of vat|total (incl. vat)|total (incl. tax)|total (inc. vat)|total charges|total invoice|total invoice value|amount including vat|amount incl vat|total for this invoice|gross invoice amount|invoice value|total sale|final total|total amount incl vat|total amount including tax|total fee|bill total",
      de: "gesamtbetrag|gesamtsumme|rechnungsbetrag|bruttobetrag|brutto betrag|summe brutto|gesamt brutto|brutto gesamt|endbetrag|gesamtbetrag brutto|rechnungssumme|bruttosumme|gesamtpreis|endsumme|total inkl mwst|summe inkl mwst|gesamt inkl mwst|gesamtbetrag inkl mwst|gesamt|total brutto|bruttorechnungsbetrag|bruttogesamtbetrag|gesamtbruttobetrag|rechnungsbetrag brutto|gesamtbetrag inkl ust|gesamtbetrag inkl umsatzsteuer|summe inkl ust|rechnungsendbetrag|gesamtbetrag inkl mehrwertsteuer|gesamt inkl ust|brutto summe|summe gesamt|gesamttotal|totalbetrag|gesamtrechnungsbetrag|brutto total|total chf|total eur|gesamtbetrag eur|rechnungstotal|rechnungsgesamtbetrag|rechnungs endbetrag|bruttowert|gesamtsumme brutto|brutto-rechnungsbetrag",
      fr: "total ttc|montant ttc|montant total ttc|total toutes taxes comprises|total général|montant total|total facture|montant de la facture|net ttc|total t.t.c.|total tvac|montant tvac|total de la facture|montant toutes taxes comprises|total général ttc|prix total ttc|somme totale|montant total de la facture|montant facture",
      es: "total factura|importe total|total con iva|total iva incluido|total general|total importe|importe de la factura|total (iva incluido)|importe total factura|total con impuestos|total eur|total euros|total de la factura|importe total con iva",
      nl: "totaal incl btw|totaal inclusief btw|totaalbedrag|factuurbedrag|eindtotaal|totaal bedrag|factuurtotaal|totaal factuur|totaal in btw|totaalbedrag incl btw|totaalbedrag inclusief btw|totaal generaal|bedrag incl btw|bedrag inclusief btw|totaalprijs|totaal factuurbedrag",
      it: "totale fattura|totale documento|importo totale|totale complessivo|totale ivato|totale con iva|totale iva inclusa|totale generale|totale compresa iva|totale lordo|totale ordine|totale euro",
    },
    weak: {
      en: "total|gross|amount|sum|total usd|total eur|total gbp|value",
      de: "summe|brutto|total|betrag|gesamtwert|preis",
      fr: "total|ttc|montant",
      es: "total|importe|suma",
      nl: "totaal|bedrag|te betalen totaal",
      it: "totale|importo",
    },
  },
  {
    id: "amount-due",
    value: "amount",
    names:
      "balance due|total due|amount payable|payable amount|outstanding amount|amount to pay|due amount|balance|total payable|open amount|remaining balance|amount outstanding|amount owed|due payable amount",
    labels: {
      en: "amount due|balance due|total due|total amount due|amount payable|total payable|please pay|amount to pay|outstanding balance|outstanding amount|balance|balance payable|balance outstanding|amount owing|you owe|pay this amount|net payable|net amount due|net amount payable|payable amount|due amount|new balance|balance owing|payment due amount|total to pay|to pay|amount owed|remaining balance|total balance due|current balance|total balance|amount outstanding|please pay this amount|total now due|amount now due|due for payment|invoice balance|residual|residual amount|amount residual",
      de: "zahlbetrag|zu zahlen|zu zahlender betrag|fälliger betrag|offener betrag|restbetrag|zahlungsbetrag|zu zahlender gesamtbetrag|noch zu zahlen|zu überweisen|zu überweisender betrag|forderungsbetrag|offener restbetrag|zahlbetrag gesamt|zu begleichen|bitte überweisen sie|überweisungsbetrag|fällige zahlung|zu zahlen in eur|zahlungsbetrag gesamt|noch offen|offene summe|restforderung|schlussbetrag|zu bezahlen|zu bezahlender betrag|saldo|auszahlungsbetrag|betrag fällig|fälligkeitsbetrag|fälliger rechnungsbetrag|fälliger gesamtbetrag|verbleibender betrag",
      fr: "net à payer|montant à payer|à payer|reste à payer|solde à payer|total à payer|montant dû|solde dû|total net à payer|somme à payer|solde|à régler|montant à régler|reste dû|net à payer ttc|total à régler|net à régler|montant restant dû|restant dû|montant net à payer|montant exigible",
      es: "total a pagar|importe a pagar|a pagar|saldo pendiente|importe pendiente|líquido a percibir|total pendiente|importe líquido|neto a pagar|pendiente de pago|saldo|líquido|importe debido|saldo a pagar",
      nl: "te betalen|te betalen bedrag|openstaand bedrag|totaal te betalen|te voldoen|openstaand saldo|nog te betalen|saldo|te voldoen bedrag|bedrag te betalen|verschuldigd bedrag|totaal te voldoen|totaalbedrag te betalen|te betalen totaal",
      it: "totale da pagare|netto a pagare|importo da pagare|da pagare|saldo|importo dovuto|totale dovuto|residuo|totale a pagare|saldo da pagare|importo a pagare|netto da pagare",
    },
  },
  {
    id: "prepaid",
    value: "amount",
    names:
      "amount paid|paid amount|deposit|prepayment|advance payment|down payment|payments|paid|prepaid amount|payment received",
    labels: {
      en: "amount paid|paid|prepaid|prepaid amount|deposit|payment received|less payment|payments received|advance payment|down payment|payments|already paid|less deposit|payment|retainer|credits|total paid|payments and credits|less paid|paid to date|less payments",
      de: "anzahlung|bereits bezahlt|vorauszahlung|gezahlt|bezahlt|abschlag|abschlagszahlung|erhaltene anzahlung|geleistete zahlung|bereits gezahlt|abzüglich anzahlung|anzahlungen|geleistete anzahlung|zahlung erhalten|abschlagszahlungen|erhaltene zahlungen|gezahlter betrag|anzahlungsbetrag",
      fr: "acompte|acompte versé|déjà payé|avance|arrhes|montant payé|montant réglé|déjà réglé|acomptes|payé|acompte déjà versé|acompte reçu|réglé|règlement reçu|acompte à déduire",
      es: "anticipo|pagado|a cuenta|importe pagado|entrega a cuenta|anticipos|depósito",
      nl: "aanbetaling|reeds betaald|betaald|voorschot|vooruitbetaald|al betaald|vooruitbetaling",
      it: "acconto|già pagato|anticipo|pagato|importo pagato|acconti|acconto versato",
    },
  },
  {
    id: "discount",
    value: "amount",
    names: "discount amount|rebate|total discount|allowance total|discount total",
    labels: {
      en: "discount|total discount|rebate|discount amount|less discount|discounts|allowance|savings|you saved|promotion|coupon",
      de: "rabatt|nachlass|skonto|abzug|gesamtrabatt|abzüglich rabatt|preisnachlass|nachlässe|summe rabatte|rabattbetrag|skontobetrag|abschläge|summe nachlässe",
      fr: "remise|rabais|escompte|ristourne|total remise|montant remise|remises|remise globale",
      es: "descuento|dto|descuentos|descuento total|rebaja",
      nl: "korting|kortingsbedrag|totale korting",
      it: "sconto|sconti|abbuono|totale sconto",
    },
  },
  {
    id: "shipping",
    value: "amount",
    names:
      "shipping cost|shipping fee|freight|delivery fee|shipping amount|postage|handling|charges total|shipping and handling",
    labels: {
      en: "shipping|shipping and handling|shipping & handling|shipping cost|freight|delivery charge|delivery fee|postage|delivery|shipping charges|carriage|handling|s&h|handling fee|shipping fee|postage and packing",
      de: "versandkosten|versand|fracht|lieferkosten|porto|porto und verpackung|frachtkosten|versandkostenpauschale|zuschläge|summe zuschläge",
      fr: "frais de port|port|frais de livraison|livraison|frais d'expédition|frais d'envoi|transport|frais de transport",
      es: "gastos de envío|portes|envío|transporte|gastos envío",
      nl: "verzendkosten|porto|bezorgkosten|verzending|transportkosten",
      it: "spese di spedizione|spedizione|trasporto|spese trasporto|spese di trasporto",
    },
  },
  {
    id: "rounding",
    value: "amount",
    names: "rounding amount|rounding difference",
    labels: {
      en: "rounding|round off|rounding adjustment",
      de: "rundung|rundungsdifferenz|rundungsbetrag",
      fr: "arrondi",
      es: "redondeo",
      nl: "afronding",
      it: "arrotondamento",
    },
  },
  {
    id: "tip",
    value: "amount",
    names: "gratuity|tip amount|service charge",
    labels: {
      en: "tip|gratuity|service charge",
      de: "trinkgeld",
      fr: "pourboire",
      es: "propina",
      nl: "fooi",
      it: "mancia",
    },
  },
  {
    id: "previous-balance",
    value: "amount",
    names: "balance forward|previous unpaid balance|opening balance|carried forward",
    labels: {
      en: "previous balance|previous unpaid balance|balance forward|opening balance|carried forward|brought forward|past due|overdue balance|prior balance|last balance|unpaid balance|previous amount due",
      de: "vorheriger saldo|übertrag|alter saldo|anfangssaldo|saldovortrag|vortrag",
      fr: "solde précédent|report|solde antérieur|ancien solde",
      es: "saldo anterior",
      nl: "vorig saldo|beginsaldo",
      it: "saldo precedente",
    },
  },
  {
    id: "cash-given",
    value: "amount",
    names: "change|cash tendered|tendered",
    labels: {
      en: "change|cash tendered|tendered|cash|change due|amount tendered",
      de: "rückgeld|gegeben|bar|wechselgeld",
      fr: "rendu|espèces|monnaie",
      es: "cambio|entregado|efectivo",
      nl: "wisselgeld|contant",
      it: "resto|contanti",
    },
  },
  {
    id: "tax-rate",
    value: "rate",
    names: "vat rate|tax percent|vat percent|tax percentage|vat percentage",
    labels: {
      en: "tax rate|vat rate|vat %|tax %|rate of vat|gst rate|% vat",
      de: "steuersatz|mwst satz|ust satz|ust %|mwst %|mehrwertsteuersatz|umsatzsteuersatz|mwst in %|ust in %",
      fr: "taux tva|taux de tva|tva %|% tva|taux",
      es: "tipo iva|% iva|iva %|tipo impositivo|tipo de iva",
      nl: "btw percentage|btw tarief|btw %|% btw",
      it: "aliquota|aliquota iva|iva %|% iva",
    },
  },
  {
    id: "currency",
    value: "currency",
    names: "currency code|iso currency|document currency|invoice currency",
    labels: {
      en: "currency|currency code|invoice currency|all amounts in|amounts in|prices in",
      de: "währung|beträge in|alle beträge in|währungscode|preise in|betrag in|rechnungswährung",
      fr: "devise|monnaie|montants en|code devise",
      es: "moneda|divisa",
      nl: "valuta|munteenheid|bedragen in",
      it: "valuta|divisa|importi in",
    },
  },
];
