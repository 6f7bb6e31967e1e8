/** Words of invented invoices in five languages, with their formats of numbers and dates. */

export type Tongue = "en" | "de" | "fr" | "es" | "nl";

export interface Words {
  invoice: string;
  credit: string;
  number: string;
  creditNumber: string;
  date: string;
  due: string;
  billTo: string;
  from: string;
  columns: [description: string, quantity: string, price: string, amount: string];
  position: string;
  article: string;
  note: string;
  net: string;
  tax: string;
  gross: string;
  toPay: string;
  thanks: string;
  currency: "EUR" | "GBP" | "USD";
  sign: string;
  number2: (value: number) => string;
  dateText: (year: number, month: number, day: number) => string;
  sellers: readonly string[];
  buyers: readonly string[];
  streets: readonly string[];
  places: readonly string[];
  items: readonly string[];
}

/** 1234.5 → `1,234.50` with the given separators; a minus sign comes first. */
function grouped(value: number, group: string, mark: string): string {
  const [whole = "", cents = ""] = Math.abs(value).toFixed(2).split(".");
  return `${value < 0 ? "-" : ""}${whole.replace(/\B(?=(\d{3})+$)/g, group)}${mark}${cents}`;
}

const two = (value: number): string => String(value).padStart(2, "0");

const MONTHS: Record<"en" | "fr" | "nl", string> = {
  en: "January February March April May June July August September October November December",
  fr: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
  nl: "januari februari maart april mei juni juli augustus september oktober november december",
};
const month = (tongue: "en" | "fr" | "nl", at: number): string => MONTHS[tongue].split(" ")[at - 1] ?? "";

export const WORDS: Record<Tongue, Words> = {
  en: {
    invoice: "Invoice",
    credit: "Credit note",
    number: "Invoice no.",
    creditNumber: "Credit note no.",
    date: "Invoice date",
    due: "Payment due",
    billTo: "Bill to",
    from: "From",
    columns: ["Description", "Qty", "Unit price", "Amount"],
    position: "No.",
    article: "Item code",
    note: "as agreed by telephone",
    net: "Subtotal",
    tax: "VAT 20%",
    gross: "Total",
    toPay: "Amount due",
    thanks: "Thank you for your custom. Please quote our number with your payment.",
    currency: "GBP",
    sign: "£",
    number2: (value) => grouped(value, ",", "."),
    dateText: (year, at, day) => `${day} ${month("en", at)} ${year}`,
    sellers: ["Harrow & Finch Ltd", "Bexley Timber Limited", "Northgate Print Works Ltd"],
    buyers: ["Orchard Lane Bakery", "Tilbury Freight PLC", "Mrs Eleanor Vance"],
    streets: ["14 Mill Lane", "220 Station Road", "7 Harbour Street"],
    places: ["Leeds LS1 4AP", "Bristol BS1 5TR", "York YO1 7HH"],
    items: ["Oak shelf, oiled", "Fitting on site", "Brass hinge", "Delivery crate"],
  },
  de: {
    invoice: "Rechnung",
    credit: "Gutschrift",
    number: "Rechnungsnummer",
    creditNumber: "Gutschrift-Nr.",
    date: "Rechnungsdatum",
    due: "Fällig am",
    billTo: "Rechnungsempfänger",
    from: "Rechnungssteller",
    columns: ["Bezeichnung", "Menge", "Einzelpreis", "Gesamtpreis"],
    position: "Pos.",
    article: "Art.-Nr.",
    note: "wie besprochen",
    net: "Nettobetrag",
    tax: "zzgl. 19 % MwSt.",
    gross: "Gesamtbetrag",
    toPay: "Zahlbetrag",
    thanks: "Vielen Dank für Ihren Auftrag. Bitte geben Sie bei der Zahlung unsere Nummer an.",
    currency: "EUR",
    sign: "€",
    number2: (value) => grouped(value, ".", ","),
    dateText: (year, at, day) => `${two(day)}.${two(at)}.${year}`,
    sellers: ["Schreinerei Kolb GmbH", "Elbtal Druck KG", "Wagner Haustechnik GmbH & Co. KG"],
    buyers: ["Kinderhaus Sonnenhof e.V.", "Brauerei Lindner AG", "Herr Matthias Oehme"],
    streets: ["Gartenstraße 12", "Am Mühlbach 4", "Lindenallee 77"],
    places: ["01099 Dresden", "70173 Stuttgart", "24103 Kiel"],
    items: ["Eichenregal, geölt", "Montage vor Ort", "Messingscharnier", "Anfahrt"],
  },
  fr: {
    invoice: "Facture",
    credit: "Avoir",
    number: "Facture n°",
    creditNumber: "Avoir n°",
    date: "Date de facture",
    due: "Date d'échéance",
    billTo: "Facturé à",
    from: "Émetteur",
    columns: ["Désignation", "Quantité", "Prix unitaire", "Montant HT"],
    position: "N°",
    article: "Réf.",
    note: "selon accord",
    net: "Total HT",
    tax: "TVA 20 %",
    gross: "Total TTC",
    toPay: "Net à payer",
    thanks: "Merci de votre confiance. Veuillez rappeler notre numéro lors du règlement.",
    currency: "EUR",
    sign: "€",
    number2: (value) => grouped(value, " ", ","),
    dateText: (year, at, day) => `${day} ${month("fr", at)} ${year}`,
    sellers: ["Menuiserie Ardouin SARL", "Imprimerie du Quai SAS", "Atelier Blanchet SARL"],
    buyers: ["Boulangerie Mercier", "Transports Lacombe SA", "Madame Claire Fontaine"],
    streets: ["12 rue des Tilleuls", "5 avenue Foch", "33 quai de la Marne"],
    places: ["69003 Lyon", "44000 Nantes", "75011 Paris"],
    items: ["Étagère en chêne", "Pose sur place", "Charnière en laiton", "Livraison"],
  },
  es: {
    invoice: "Factura",
    credit: "Factura rectificativa",
    number: "Número de factura",
    creditNumber: "Número de factura",
    date: "Fecha de factura",
    due: "Fecha de vencimiento",
    billTo: "Facturar a",
    from: "Emisor",
    columns: ["Descripción", "Cantidad", "Precio unitario", "Importe"],
    position: "Pos.",
    article: "Código",
    note: "según acuerdo",
    net: "Base imponible",
    tax: "IVA 21%",
    gross: "Total factura",
    toPay: "Total a pagar",
    thanks: "Gracias por su compra. Indique nuestro número al realizar el pago.",
    currency: "EUR",
    sign: "€",
    number2: (value) => grouped(value, ".", ","),
    dateText: (year, at, day) => `${two(day)}/${two(at)}/${year}`,
    sellers: ["Carpintería Robledo S.L.", "Gráficas del Sur S.A.", "Talleres Navarro S.L."],
    buyers: ["Panadería La Espiga", "Transportes Ibarra S.A.", "Sra. Lucía Ferrer"],
    streets: ["Calle Mayor 18", "Avenida del Puerto 9", "Plaza Nueva 3"],
    places: ["28013 Madrid", "46001 Valencia", "41001 Sevilla"],
    items: ["Estante de roble", "Montaje en domicilio", "Bisagra de latón", "Transporte"],
  },
  nl: {
    invoice: "Factuur",
    credit: "Creditfactuur",
    number: "Factuurnummer",
    creditNumber: "Factuurnummer",
    date: "Factuurdatum",
    due: "Vervaldatum",
    billTo: "Factuur aan",
    from: "Leverancier",
    columns: ["Omschrijving", "Aantal", "Stukprijs", "Bedrag"],
    position: "Pos.",
    article: "Artikelnr.",
    note: "zoals afgesproken",
    net: "Subtotaal",
    tax: "BTW 21%",
    gross: "Totaal incl. btw",
    toPay: "Te betalen",
    thanks: "Bedankt voor uw opdracht. Vermeld bij betaling ons nummer.",
    currency: "EUR",
    sign: "€",
    number2: (value) => grouped(value, ".", ","),
    dateText: (year, at, day) => `${day} ${month("nl", at)} ${year}`,
    sellers: ["Timmerbedrijf Hoekstra B.V.", "Drukkerij De Waal B.V.", "Installatiebedrijf Vos B.V."],
    buyers: ["Bakkerij Jansen", "Transport Zeeman N.V.", "Mevrouw Anna Kuipers"],
    streets: ["Kerkstraat 21", "Havenweg 8", "Prinsengracht 140"],
    places: ["1012 AB Amsterdam", "3511 LN Utrecht", "9711 KP Groningen"],
    items: ["Eiken plank, geolied", "Montage ter plaatse", "Messing scharnier", "Bezorging"],
  },
};
