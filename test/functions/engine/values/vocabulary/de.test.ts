import { testLanguage } from "./language-sample.ts";

testLanguage("de", {
  title: "Rechnung",
  labels: {
    number: "Rechnungsnummer",
    issued: "Rechnungsdatum",
    due: "Fällig am",
    buyer: "Rechnungsempfänger",
    net: "Nettobetrag",
    tax: "zzgl. 20 % Umsatzsteuer",
    gross: "Gesamtbetrag",
  },
  columns: ["Bezeichnung", "Menge", "Einzelpreis", "Gesamtpreis"],
  dates: ["5. März 2024", "4. April 2024"],
  decimalMark: ",",
  prose: [
    "Bitte überweisen Sie den Betrag innerhalb von 30 Tagen auf das unten genannte Konto.",
    "Vielen Dank für Ihren Auftrag und das Vertrauen, das Sie uns damit schenken.",
  ],
  subtotal: "Zwischensumme",
  yes: "Ja",
  no: "Nein",
});
