import { testLanguage } from "./language-sample.ts";

testLanguage("ro", {
  title: "Factură",
  labels: {
    number: "Număr factură",
    issued: "Data facturii",
    due: "Data scadenței",
    buyer: "Cumpărător",
    net: "Total fără TVA",
    tax: "TVA 20 %",
    gross: "Total factură",
  },
  columns: ["Denumire", "Cantitate", "Preț unitar", "Valoare"],
  dates: ["5 martie 2024", "4 aprilie 2024"],
  decimalMark: ",",
  prose: [
    "Vă rugăm să plătiți suma din această factură în 30 de zile la contul care este indicat mai jos.",
    "Vă mulțumim pentru comandă și pentru încrederea pe care o aveți în societatea noastră.",
  ],
  subtotal: "Subtotal",
  yes: "Da",
  no: "Nu",
});
