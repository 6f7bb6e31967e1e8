import { expect, it } from "vitest";
import { detectLanguage } from "../../../../functions/engine/values/language.ts";

it.each([
  ["en", "Please pay the total amount of this invoice within 30 days. Thank you for your order."],
  [
    "de",
    "Bitte überweisen Sie den Betrag innerhalb von 14 Tagen auf das unten genannte Konto. Vielen Dank für Ihren Auftrag.",
  ],
  ["fr", "Veuillez régler le montant de cette facture dans les 30 jours. Nous vous remercions pour votre commande."],
  ["es", "Le rogamos que pague el importe de la factura en un plazo de 30 días. Gracias por su pedido."],
  ["nl", "Wij verzoeken u het bedrag van deze factuur binnen 14 dagen te voldoen. Dank u voor uw bestelling bij ons."],
  [
    "it",
    "La preghiamo di pagare l'importo della fattura entro 30 giorni dalla data. Grazie per il suo ordine con noi.",
  ],
])("%s", (language, text) => {
  expect(detectLanguage(text)).toBe(language);
});

it.each([
  ["numbers", "12.50 473.00 2024-03-05"],
  ["nothing", ""],
  [
    "Latin",
    "Lorem ipsum dolor sit amet, consetetur sadipscing elitr, sed diam nonumy eirmod tempor et dolore magna et accusam et justo.",
  ],
  ["Polish", "Prosimy o zapłatę kwoty w ciągu czternastu dni od otrzymania faktury na nasze konto bankowe."],
])("%s: none", (_, text) => {
  expect(detectLanguage(text)).toBeNull();
});
