/** Labels of the generated documents: several for each part, some unknown to the extractor. */

export type Part =
  | "title"
  | "number"
  | "date"
  | "due"
  | "customer"
  | "order"
  | "delivered"
  | "to"
  | "text"
  | "quantity"
  | "price"
  | "amount"
  | "net"
  | "tax"
  | "gross"
  | "vat"
  | "iban"
  | "thanks";

export interface Wording {
  language: string;
  currency: string;
  sign: string;
  /** Numbers have a decimal comma. */
  comma: boolean;
  date: "iso" | "dots" | "slashes" | "us" | "words";
  months: string[];
  parts: Record<Part, string[]>;
  goods: string[];
  names: string[];
}

const split = (list: string): string[] => list.split("|");

/** The order of the parts in each wording. */
const PART_ORDER: Part[] = [
  "title",
  "number",
  "date",
  "due",
  "customer",
  "order",
  "delivered",
  "to",
  "text",
  "quantity",
  "price",
  "amount",
  "net",
  "tax",
  "gross",
  "vat",
  "iban",
  "thanks",
];

const partsOf = (lists: string[]): Record<Part, string[]> => {
  const parts: Partial<Record<Part, string[]>> = {};
  for (const [at, part] of PART_ORDER.entries()) parts[part] = split(lists[at] ?? "");
  return parts as Record<Part, string[]>;
};

export const WORDINGS: Wording[] = [
  {
    language: "en",
    currency: "GBP",
    sign: "£",
    comma: false,
    date: "words",
    months: split("January|February|March|April|May|June|July|August|September|October|November|December"),
    parts: partsOf([
      "Invoice|TAX INVOICE",
      "Invoice no.|Invoice number|Our ref|Document ID",
      "Invoice date|Date|Dated|Tax point",
      "Due date|Payment due|Pay by|Settle before",
      "Customer no.|Account|Client code",
      "Your order|PO number|Order ref",
      "Delivered on|Despatch date",
      "Bill to|Invoice to|Sold to|Client",
      "Description|Item|Details",
      "Qty|Quantity|Units",
      "Unit price|Price|Rate each",
      "Amount|Line total|Value",
      "Subtotal|Net total|Total excl. VAT|Goods",
      "VAT|VAT 20 %|Tax",
      "Total|Total incl. VAT|Amount payable|Grand total",
      "VAT no.|VAT registration",
      "IBAN",
      "Thank you for your custom.|Please quote our reference with your payment.",
    ]),
    goods: split(
      "Copper pipe 15 mm|Desk lamp|Hosting plan, small|Paper A4, white|Garden hose|Site visit|Oak board|Filter cartridge",
    ),
    names: split(
      "Harrow & Pike Ltd|Northgate Supplies Ltd|Eleanor Marsh|Blue Kiln Pottery|Tamar Boatyard Ltd|Owen Price",
    ),
  },
  {
    language: "en",
    currency: "USD",
    sign: "$",
    comma: false,
    date: "us",
    months: split("Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"),
    parts: partsOf([
      "INVOICE|Statement of charges",
      "Invoice #|Invoice ID|No.",
      "Issued|Invoice Date|Billing date",
      "Due|Payment due date|Net due",
      "Customer ID|Account #",
      "P.O. #|Order #",
      "Ship date|Shipped",
      "Bill To|Customer|Billed to",
      "Item|Description of work",
      "Qty|Hrs",
      "Unit Price|Rate|Each",
      "Amount|Total|Ext. price",
      "Subtotal|Sub-total",
      "Sales tax|Tax|Tax 8 %",
      "Total|Balance due|Total due|Invoice total",
      "Tax ID|EIN",
      "IBAN|Wire to",
      "Remit within the terms above.|We appreciate your business.",
    ]),
    goods: split(
      "Drywall sheet|Labor, electrician|Web design hours|Coffee beans 5 lb|Brake pads|Window cleaning|Toner|Cable tray",
    ),
    names: split(
      "Redwood Plumbing Inc.|Maya Torres|Lakeshore Media LLC|Frank's Auto Body|Prairie Dental Group|Cole & Sons Corp.",
    ),
  },
  {
    language: "de",
    currency: "EUR",
    sign: "€",
    comma: true,
    date: "dots",
    months: split("Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember"),
    parts: partsOf([
      "Rechnung|RECHNUNG",
      "Rechnungsnummer|Rechnungs-Nr.|Belegnr.|Unser Zeichen",
      "Rechnungsdatum|Datum|Ausgestellt am",
      "Fällig am|Zahlbar bis|Zahlungsziel|Bitte zahlen bis",
      "Kundennummer|Kd.-Nr.",
      "Bestellnummer|Ihre Bestellung",
      "Lieferdatum|Leistungsdatum",
      "Rechnungsempfänger|Kunde|An",
      "Bezeichnung|Artikel|Leistung",
      "Menge|Anzahl",
      "Einzelpreis|E-Preis|Preis",
      "Betrag|Gesamt|Summe",
      "Nettobetrag|Zwischensumme|Summe netto",
      "MwSt. 19 %|USt.|Umsatzsteuer 19 %",
      "Gesamtbetrag|Rechnungsbetrag|Endbetrag|Zu zahlen",
      "USt-IdNr.|UID",
      "IBAN",
      "Vielen Dank für Ihren Auftrag.|Bitte geben Sie die Belegnummer an.",
    ]),
    goods: split(
      "Kabeltrommel|Wartung Heizung|Schreibtisch Buche|Druckerpapier|Montagestunde|Fliesen grau|Gartenschere|Filtereinsatz",
    ),
    names: split("Kranich Bau GmbH|Ines Vogel|Tischlerei Harms|Nordlicht Software AG|Bäckerei Sommer KG|Peter Anders"),
  },
  {
    language: "fr",
    currency: "EUR",
    sign: "€",
    comma: true,
    date: "slashes",
    months: split("janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre"),
    parts: partsOf([
      "Facture|FACTURE",
      "Facture n°|Numéro de facture|Réf.",
      "Date de facture|Date|Émise le",
      "Échéance|Date d'échéance|À régler avant",
      "N° client|Code client",
      "Commande n°|Votre commande",
      "Livrée le|Date de livraison",
      "Client|Facturé à|Adressée à",
      "Désignation|Article",
      "Qté|Quantité",
      "Prix unitaire|P.U.",
      "Montant|Total",
      "Total HT|Sous-total|Montant hors taxes",
      "TVA 20 %|TVA|Taxe",
      "Total TTC|Net à payer|Montant total",
      "N° TVA|TVA intracommunautaire",
      "IBAN",
      "Merci de votre confiance.|Paiement par virement.",
    ]),
    goods: split(
      "Lampe de bureau|Ramette de papier|Heure de conseil|Chaise pliante|Carton de vin|Pose de parquet|Tuyau cuivre|Peinture blanche",
    ),
    names: split(
      "Atelier du Port SARL|Claire Fontaine|Menuiserie Roux SAS|Les Jardins d'Anjou|Luc Besnard|Imprimerie Vidal SA",
    ),
  },
  {
    language: "nl",
    currency: "EUR",
    sign: "€",
    comma: true,
    date: "iso",
    months: split("januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december"),
    parts: partsOf([
      "Factuur|FACTUUR",
      "Factuurnummer|Factuurnr.|Kenmerk",
      "Factuurdatum|Datum|Opgemaakt op",
      "Vervaldatum|Te betalen voor|Uiterste datum",
      "Klantnummer|Debiteur",
      "Ordernummer|Uw order",
      "Leverdatum|Geleverd op",
      "Factuur aan|Klant|Aan",
      "Omschrijving|Artikel",
      "Aantal|Stuks",
      "Prijs|Stukprijs",
      "Bedrag|Totaal",
      "Subtotaal|Totaal excl. btw",
      "Btw 21 %|Btw",
      "Totaal incl. btw|Te betalen|Totaalbedrag",
      "Btw-nummer|Btw-nr.",
      "IBAN",
      "Dank voor uw bestelling.|Graag het kenmerk vermelden.",
    ]),
    goods: split("Fietsband|Bureaulamp|Uur advies|Kopieerpapier|Tegels wit|Onderhoud ketel|Verfrol|Tuinstoel"),
    names: split(
      "Van Dijk Techniek B.V.|Sanne Bakker|De Wilde Meubels|Waterland Advies B.V.|Joris Smit|Molenaar & Zn.",
    ),
  },
  {
    language: "es",
    currency: "EUR",
    sign: "€",
    comma: true,
    date: "slashes",
    months: split("enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre"),
    parts: partsOf([
      "Factura|FACTURA",
      "Factura nº|Número de factura|Ref.",
      "Fecha de factura|Fecha|Emitida el",
      "Vencimiento|Fecha de vencimiento|Pagar antes de",
      "Nº cliente|Código de cliente",
      "Pedido nº|Su pedido",
      "Fecha de entrega|Entregado",
      "Cliente|Facturar a|Destinatario",
      "Descripción|Concepto",
      "Cantidad|Uds.",
      "Precio|Precio unitario",
      "Importe|Total",
      "Base imponible|Subtotal",
      "IVA 21 %|IVA",
      "Total factura|Total a pagar|Total",
      "NIF|CIF",
      "IBAN",
      "Gracias por su confianza.|Pago por transferencia.",
    ]),
    goods: split(
      "Silla plegable|Hora de trabajo|Caja de azulejos|Papel A4|Lámpara de mesa|Bomba de agua|Pintura blanca|Cable 10 m",
    ),
    names: split(
      "Talleres Rubio S.L.|Marta Cano|Papelería Sol S.A.|Construcciones Vega S.L.|Iván Prieto|Viveros del Sur",
    ),
  },
];
