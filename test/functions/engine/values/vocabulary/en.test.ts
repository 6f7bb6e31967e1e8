import { testLanguage } from "./language-sample.ts";

testLanguage("en", {
  title: "Invoice",
  labels: {
    number: "Invoice number",
    issued: "Invoice date",
    due: "Due date",
    buyer: "Bill to",
    net: "Subtotal",
    tax: "VAT 20 %",
    gross: "Total amount",
  },
  columns: ["Description", "Quantity", "Unit price", "Amount"],
  dates: ["5th March 2024", "April 4, 2024"],
  decimalMark: ".",
  prose: [
    "Please pay the total amount of this invoice within 30 days to the account below.",
    "Thank you for your order, and for the trust that you have in us.",
  ],
  subtotal: "Subtotal",
  yes: "Yes",
  no: "No",
});
