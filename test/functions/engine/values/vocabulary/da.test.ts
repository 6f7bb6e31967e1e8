import { testLanguage } from "./language-sample.ts";

testLanguage("da", {
  title: "Faktura",
  labels: {
    number: "Fakturanummer",
    issued: "Fakturadato",
    due: "Forfaldsdato",
    buyer: "Køber",
    net: "Total ekskl. moms",
    tax: "Moms 20 %",
    gross: "Total inkl. moms",
  },
  columns: ["Varebeskrivelse", "Antal", "Stykpris", "Beløb"],
  dates: ["5. marts 2024", "4. april 2024"],
  decimalMark: ",",
  prose: [
    "Vi beder jer om at betale beløbet på fakturaen inden 30 dage til den konto, der er angivet på denne side.",
    "Mange tak for jeres ordre og for den tillid, som I har til vores selskab, og som vi er glade for.",
  ],
  subtotal: "Subtotal",
  yes: "Ja",
  no: "Nej",
});
