import { testLanguage } from "./language-sample.ts";

testLanguage("it", {
  title: "Fattura",
  labels: {
    number: "Numero fattura",
    issued: "Data fattura",
    due: "Data di scadenza",
    buyer: "Destinatario",
    net: "Totale imponibile",
    tax: "IVA 20 %",
    gross: "Totale fattura",
  },
  columns: ["Descrizione", "Quantità", "Prezzo unitario", "Importo"],
  dates: ["5 marzo 2024", "4 aprile 2024"],
  decimalMark: ",",
  prose: [
    "La preghiamo di pagare l'importo della fattura entro 30 giorni sul conto che è indicato sotto.",
    "Grazie per il suo ordine e per la fiducia che è stata data alla nostra società.",
  ],
  subtotal: "Subtotale",
  yes: "Sì",
  no: "No",
});
