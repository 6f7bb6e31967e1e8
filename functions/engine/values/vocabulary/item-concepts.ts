import type { Concept } from "./concept.ts";

/** Columns of line items. */
export const ITEMS: Concept[] = [
  {
    id: "line-position",
    value: "code",
    names: "position|line number|pos|line nr|row|line id|index",
    labels: {
      en: "line|pos|line no|line number|sl no|s no|sr no|item no",
      de: "pos|position|pos nr|lfd nr",
      fr: "ligne|pos|n° ligne",
      es: "línea|pos",
      nl: "pos|regel",
      it: "riga|pos",
    },
  },
  {
    id: "item-description",
    value: "text",
    names:
      "description|item description|product|item|article|service|name|item name|product name|title|details|designation|label|product description|line description|desc|descr|item desc",
    labels: {
      en: "description|item description|product description|details|particulars|service|services|product|products|item|items|item name|product name|activity|task|work description|description of goods|description of services|article|item & description|item details",
      de: "bezeichnung|beschreibung|artikel|artikelbezeichnung|leistung|produkt|text|leistungsbeschreibung|artikelbeschreibung|warenbezeichnung|ware|position bezeichnung|produktbezeichnung|dienstleistung|leistungsart|artikeltext|positionstext",
      fr: "désignation|description|libellé|article|produit|prestation|détail|désignation des produits|prestations|articles|produits|désignation du produit|intitulé",
      es: "descripción|concepto|artículo|producto|detalle|servicio|denominación|conceptos",
      nl: "omschrijving|beschrijving|artikel|product|artikelomschrijving|dienst|productomschrijving|naam product",
      it: "descrizione|articolo|prodotto|servizio|denominazione|descrizione prodotto|descrizione articolo",
    },
  },
  {
    id: "quantity",
    value: "quantity",
    names: "qty|count|units|number of units|amount of items|hours|quantity billed|pieces",
    labels: {
      en: "quantity|qty|units|hours|hrs|qty.|quantity ordered|qty shipped|no of units|qty billed|pcs|hrs qty|hours qty|count",
      de: "menge|anzahl|anz|stück|stk|stunden|std|mge|menge einheit",
      fr: "quantité|qté|qte|quant|nombre|nb|heures",
      es: "cantidad|cant|uds|unid|unidades|ud|horas|cdad",
      nl: "aantal|hoeveelheid|uren|stuks|aant",
      it: "quantità|q.tà|qta|qtà|q.ta|ore|pezzi|quant",
    },
  },
  {
    id: "unit",
    value: "text",
    names: "unit of measure|uom|measure unit|unit code",
    labels: {
      en: "unit|uom|unit of measure|u m",
      de: "einheit|einh|me|mengeneinheit|eh",
      fr: "unité|u",
      es: "unidad|unidad de medida",
      nl: "eenheid|eenh",
      it: "unità|u.m.|um|unità di misura",
    },
  },
  {
    id: "unit-price",
    value: "amount",
    names:
      "price per unit|item price|price|rate|unit cost|cost per unit|price each|net price per unit|net unit price|hourly rate|price per item",
    labels: {
      en: "unit price|price per unit|unit cost|price each|rate|price|item price|hourly rate|price unit|each|cost|rate hr|list price|net price each",
      de: "einzelpreis|stückpreis|e preis|ep|preis pro einheit|einheitspreis|einzel|preis stück|preis je einheit|einzelpreis netto|einzelpreis brutto|preis|vk preis|nettopreis|stückpreis netto|stundensatz|preis einheit|preis pro stück|e-preis",
      fr: "prix unitaire|p.u.|pu|pu ht|prix unitaire ht|p.u. ht|prix u|prix|tarif|prix unit|pu ttc|prix unit ht|prix unitaire net",
      es: "precio unitario|precio|precio ud|precio unidad|p unitario|p. unit.|p.u.|precio unit|tarifa|pvp",
      nl: "prijs per stuk|stukprijs|eenheidsprijs|prijs|tarief|prijs per eenheid|prijs p st|stuksprijs|uurtarief",
      it: "prezzo unitario|prezzo|prezzo unit|p. unitario|costo unitario|pr unitario",
    },
  },
  {
    id: "line-amount",
    value: "amount",
    names:
      "line total|amount|total|item total|total price|price total|line net amount|extended price|line price|net amount|sum|value|line sum|total amount|subtotal|price subtotal|amount subtotal",
    labels: {
      en: "line total|amount|extended price|item total|line amount|ext price|total price|net amount|total|extended|line net amount|item subtotal|item amount|charge|charges|extension|value|price total|subtotal",
      de: "gesamtpreis|betrag|gesamt|summe|preis gesamt|gesamtbetrag|positionsbetrag|g preis|nettobetrag|wert|gp|zeilensumme|gesamt netto|betrag netto|netto|total|positionspreis|gesamtpreis netto|g-preis|nettopreis|gesamtpreis brutto|brutto|zeilenbetrag|positionsbetrag ohne ust|zeilensumme netto|gesamtwert|warenwert",
      fr: "montant|montant ht|total ht|total|prix total|total ligne|montant ttc|total ttc|prix total ht|montant net ht|prix ht|net ht",
      es: "importe|total|importe total|total línea|subtotal|importe neto|neto",
      nl: "bedrag|totaal|totaalprijs|regeltotaal|totaal excl btw|bedrag excl btw|totaal excl|subtotaal",
      it: "importo|totale|importo totale|prezzo totale|totale riga|imponibile|totale netto",
    },
    // Beside a column of amounts these are prices of one.
    weak: {
      en: "price incl vat|price excl vat|price incl tax|price excl tax|price including vat|price excluding vat",
      de: "preis inkl mwst|preis exkl mwst|preis inkl ust|preis zzgl mwst",
      fr: "prix ttc",
      es: "precio con iva|precio sin iva|precio iva incluido",
      nl: "prijs incl btw|prijs excl btw|prijs inclusief btw|prijs exclusief btw",
      it: "prezzo con iva|prezzo iva inclusa|prezzo iva esclusa",
    },
  },
  {
    id: "line-debit",
    value: "amount",
    names: "debit|withdrawal|money out|paid out",
    labels: {
      en: "debit|debits|withdrawal|withdrawals|money out|paid out|payments out|debit amount",
      de: "soll|lastschrift|belastung|ausgang|zu ihren lasten|ausgaben",
      fr: "débit|débits",
      es: "debe|cargo|cargos|débito",
      nl: "af|debet|uitgaven",
      it: "dare|addebiti|uscite",
    },
  },
  {
    id: "line-credit",
    value: "amount",
    names: "credit|deposit|money in|paid in",
    labels: {
      en: "credit|credits|deposit|deposits|money in|paid in|payments in|credit amount",
      de: "haben|gutschrift|eingang|zu ihren gunsten|einnahmen",
      fr: "crédit|crédits",
      es: "haber|abono|abonos|crédito",
      nl: "bij|credit|inkomsten",
      it: "avere|accrediti|entrate",
    },
  },
];
