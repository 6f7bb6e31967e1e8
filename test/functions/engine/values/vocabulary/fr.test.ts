import { testLanguage } from "./language-sample.ts";

testLanguage("fr", {
  title: "Facture",
  labels: {
    number: "Numéro de facture",
    issued: "Date de facturation",
    due: "Date d'échéance",
    buyer: "Facturé à",
    net: "Total HT",
    tax: "TVA 20 %",
    gross: "Total TTC",
  },
  columns: ["Désignation", "Quantité", "Prix unitaire", "Montant"],
  dates: ["5 mars 2024", "4 avril 2024"],
  decimalMark: ",",
  prose: [
    "Veuillez régler le montant de cette facture dans les 30 jours sur le compte ci-dessous.",
    "Nous vous remercions pour votre commande et pour la confiance que vous nous accordez.",
  ],
  subtotal: "Sous-total",
  yes: "Oui",
  no: "Non",
});
