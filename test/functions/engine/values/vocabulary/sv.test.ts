import { testLanguage } from "./language-sample.ts";

testLanguage("sv", {
  title: "Faktura",
  labels: {
    number: "Fakturanummer",
    issued: "Fakturadatum",
    due: "Förfallodatum",
    buyer: "Kund",
    net: "Summa exkl moms",
    tax: "Moms 20 %",
    gross: "Summa inkl moms",
  },
  columns: ["Benämning", "Antal", "Á-pris", "Belopp"],
  dates: ["5 mars 2024", "4 april 2024"],
  decimalMark: ",",
  prose: [
    "Vi ber er att betala beloppet på fakturan inom 30 dagar till det konto som är angivet på denna sida.",
    "Tack för er beställning och för det förtroende som ni har för vårt bolag.",
  ],
  subtotal: "Delsumma",
  yes: "Ja",
  no: "Nej",
});
