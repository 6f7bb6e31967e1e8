import { testLanguage } from "./language-sample.ts";

testLanguage("pl", {
  title: "Faktura",
  labels: {
    number: "Numer faktury",
    issued: "Data wystawienia",
    due: "Termin płatności",
    buyer: "Nabywca",
    net: "Razem netto",
    tax: "VAT 20 %",
    gross: "Razem brutto",
  },
  columns: ["Nazwa towaru", "Ilość", "Cena jedn.", "Wartość"],
  dates: ["5 marca 2024", "4 kwietnia 2024"],
  decimalMark: ",",
  prose: [
    "Prosimy o zapłatę kwoty, która jest podana na tej fakturze, w terminie do 30 dni od daty wystawienia.",
    "Dziękujemy za zamówienie oraz za zaufanie, które jest dla nas ważne przy każdej sprzedaży.",
  ],
  subtotal: "Razem",
  yes: "Tak",
  no: "Nie",
});
