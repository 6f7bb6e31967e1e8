import { testLanguage } from "./language-sample.ts";

testLanguage("nl", {
  title: "Factuur",
  labels: {
    number: "Factuurnummer",
    issued: "Factuurdatum",
    due: "Vervaldatum",
    buyer: "Factuuradres",
    net: "Totaal excl. btw",
    tax: "Btw 20 %",
    gross: "Totaal incl. btw",
  },
  columns: ["Omschrijving", "Aantal", "Prijs per stuk", "Bedrag"],
  dates: ["5 maart 2024", "4 april 2024"],
  decimalMark: ",",
  prose: [
    "Wij verzoeken u het bedrag van deze factuur binnen 30 dagen te voldoen op de rekening hieronder.",
    "Dank u voor uw bestelling bij ons en voor het vertrouwen dat u in ons heeft.",
  ],
  subtotal: "Subtotaal",
  yes: "Ja",
  no: "Nee",
});
