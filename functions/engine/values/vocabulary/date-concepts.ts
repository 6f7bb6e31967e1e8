import type { Concept } from "./concept.ts";

/** Dates of a business document. */
export const DATES: Concept[] = [
  {
    id: "issue-date",
    value: "date",
    names:
      "date|datum|fecha|data|invoice date|date issued|document date|bill date|date of invoice|issued at|issued on|transaction date|purchase date|receipt date|invoice issue date|created date",
    labels: {
      en: "invoice date|date of issue|issue date|date issued|issued|issued on|billing date|bill date|document date|tax date|date of invoice|receipt date|tax point|invoice issue date|tax point date|credit note date|invoiced on|credit memo date|credit date|invoiced|statement date|dated",
      de: "rechnungsdatum|rechnung vom|ausstellungsdatum|belegdatum|datum der rechnung|rechnungs datum|ausgestellt am|dokumentdatum|ausstellungstag|datum rechnung|gutschriftsdatum|gutschriftdatum|stornodatum|korrekturdatum|datum der gutschrift|rechnungstag|druckdatum",
      fr: "date de facture|date de facturation|date facture|date d'émission|émise le|émis le|facture du|date de la facture|en date du|facturé le|date du document|date d'émission de la facture|date édition|date d'édition|date pièce|date de l'avoir|date d'avoir|date avoir",
      es: "fecha de factura|fecha de emisión|fecha factura|fecha de expedición|fecha de la factura|fecha emisión|fecha documento|fecha de facturación|fecha expedición|fecha de abono|fecha abono|fecha rectificativa|fecha nota de crédito|fecha de la nota de crédito",
      nl: "factuurdatum|datum factuur|factuur datum|datum van uitgifte|notadatum|datum van facturatie|creditdatum|datum creditnota|creditnotadatum|creditfactuurdatum",
      it: "data fattura|data di emissione|data emissione|data della fattura|data documento|emessa il|fattura del|data di fatturazione",
    },
    weak: {
      en: "date|date paid|transaction date|purchase date|payment date|paid on|date of purchase|printed|date time",
      de: "datum|kaufdatum|zahlungsdatum",
      fr: "date|date d'achat",
      es: "fecha|fecha de compra",
      nl: "datum|aankoopdatum|besteldatum",
      it: "data|data di acquisto",
    },
  },
  {
    id: "due-date",
    value: "date",
    names: "payment due date|date due|pay by|payment date due|payment deadline|due on|due by",
    labels: {
      en: "due date|payment due date|date due|payment due|pay by|due by|due on|payable by|payment date due|payment deadline|pay before|please pay by|payment due by|invoice due date|balance due date|due no later than|to be paid by|invoice due|payable before|payment is due on|payment due on",
      de: "fälligkeitsdatum|fällig am|fälligkeit|fällig|zahlbar bis|zahlbar bis zum|fällig bis|zu zahlen bis|zahlungsziel|zahlungsfrist|zahlung bis|zahlungstermin|bitte zahlen sie bis|zahlbar am|fälligkeitstag|zahlung fällig am|fällig zum|bis spätestens|bis zum|spätestens am|spätestens bis|spätestens bis zum",
      fr: "date d'échéance|échéance|date échéance|à payer avant le|à régler avant le|date limite de paiement|payable avant le|échéance le|à payer le|date de règlement|payable le|règlement avant le|date d'échéance de paiement|échéance du paiement|échéance de paiement|au plus tard le|date limite de règlement|date limite",
      es: "fecha de vencimiento|vencimiento|fecha vencimiento|vence|vence el|pagar antes del|fecha límite de pago|fecha de pago|fecha límite",
      nl: "vervaldatum|verval datum|te betalen voor|te betalen vóór|uiterste betaaldatum|betalen voor|betaaldatum|betaling voor|uiterlijk betalen|te voldoen voor|vervaldag|uiterlijk|betaal voor|te betalen uiterlijk|betaaltermijn",
      it: "data di scadenza|scadenza|data scadenza|da pagare entro|pagare entro|scade il|scadenza pagamento|pagamento entro|entro il|termine di pagamento",
    },
    weak: { en: "due|terms", de: "bis", fr: "avant le", nl: "voor" },
  },
  {
    id: "payment-date",
    value: "date",
    names: "date paid|paid on|paid at|payment received date|date of payment",
    labels: {
      en: "date paid|paid on|payment date|date of payment|payment received on",
      de: "zahlungsdatum|bezahlt am|zahlung vom|zahlungseingang am|gezahlt am",
      fr: "date de paiement|payé le|réglé le|payée le",
      es: "pagado el|fecha del pago",
      nl: "betaald op|datum betaling",
      it: "pagato il|data pagamento|data di pagamento",
    },
  },
  {
    id: "delivery-date",
    value: "date",
    names:
      "service date|date of supply|supply date|shipping date|ship date|date of service|date of delivery|performance date",
    labels: {
      en: "delivery date|date of delivery|service date|date of service|supply date|date of supply|ship date|shipping date|shipped on|date shipped|delivered on",
      de: "lieferdatum|leistungsdatum|liefertag|leistungszeitpunkt|lieferzeitpunkt|datum der leistung|datum der lieferung|tag der leistung|liefertermin|leistung vom|leistungstag|lieferung vom|lieferscheindatum|versanddatum|auslieferungsdatum|liefer leistungsdatum",
      fr: "date de livraison|date livraison|livré le|date de prestation|date d'exécution|date de la prestation|date d'expédition|livraison le|date de la vente",
      es: "fecha de entrega|fecha de servicio|fecha de envío|fecha de operación|fecha operación|fecha entrega",
      nl: "leverdatum|leveringsdatum|datum levering|verzenddatum|datum van levering|prestatiedatum",
      it: "data di consegna|data consegna|data prestazione|data spedizione",
    },
  },
  {
    id: "order-date",
    value: "date",
    names: "purchase order date|date ordered|date of order|booking date",
    labels: {
      en: "order date|date of order|date ordered|ordered on|po date|purchase order date|order placed|booking date",
      de: "bestelldatum|auftragsdatum|bestellung vom|bestellt am|datum der bestellung|auftrag vom|buchungsdatum|ihr auftrag vom",
      fr: "date de commande|commande du|date commande|date de la commande",
      es: "fecha de pedido|fecha pedido|fecha del pedido",
      nl: "besteldatum|orderdatum|datum bestelling",
      it: "data ordine|ordine del|data dell'ordine",
    },
  },
  {
    id: "period-start",
    value: "date",
    names:
      "billing period start|service period start|start date|period from|from date|valid from|date from|period begin",
    labels: {
      en: "period start|start date|period from|valid from|service period|billing period|from date|begin date|period|statement period|service from",
      de: "leistungszeitraum|abrechnungszeitraum|lieferzeitraum|beginn|startdatum|zeitraum|zeitraum vom|gültig ab|vertragsbeginn|rechnungszeitraum|lieferperiode",
      fr: "période|période du|date de début|début de période|période de facturation|période facturée",
      es: "período|periodo|fecha de inicio|periodo de facturación|período de facturación|inicio",
      nl: "periode|begindatum|startdatum|factuurperiode|ingangsdatum",
      it: "periodo|data inizio|periodo di riferimento|data di inizio",
    },
  },
  {
    id: "period-end",
    value: "date",
    names:
      "billing period end|service period end|end date|period to|to date|valid until|date to|expiry date|expiration date",
    labels: {
      en: "period end|end date|period to|valid until|valid to|to date|expiry date|expiration date|expires|expires on|valid through",
      de: "enddatum|gültig bis|vertragsende|ablaufdatum|ende",
      fr: "date de fin|fin de période|valable jusqu'au|date d'expiration|expire le",
      es: "fecha de fin|fin|válido hasta|fecha de caducidad|fecha de expiración",
      nl: "einddatum|geldig tot|vervalt op",
      it: "data fine|data di fine|valido fino al|data di fine validità",
    },
  },
  {
    id: "birth-date",
    value: "date",
    names: "date of birth|dob|birthday|born",
    labels: {
      en: "date of birth|birth date|dob|born|born on|birthday",
      de: "geburtsdatum|geboren am|geb am|geb datum|geb",
      fr: "date de naissance|né le|née le",
      es: "fecha de nacimiento|nacido el|nacida el",
      nl: "geboortedatum|geboren op",
      it: "data di nascita|nato il|nata il",
    },
  },
];
