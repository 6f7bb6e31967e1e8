import { testLanguage } from "./language-sample.ts";

testLanguage("no", {
  title: "Faktura",
  labels: {
    number: "Fakturanummer",
    issued: "Fakturadato",
    due: "Forfallsdato",
    buyer: "Kjøper",
    net: "Sum eks. mva",
    tax: "Mva 20 %",
    gross: "Sum inkl. mva",
  },
  columns: ["Varebeskrivelse", "Antall", "Stykkpris", "Beløp"],
  dates: ["5. mars 2024", "4. april 2024"],
  decimalMark: ",",
  prose: [
    "Vi ber dere om å betale beløpet på fakturaen innen 30 dager til den kontoen som er oppgitt på denne siden.",
    "Takk for bestillingen og for den tilliten som dere har til vårt selskap, etter mange år.",
  ],
  subtotal: "Delsum",
  yes: "Ja",
  no: "Nei",
});
