/** What kind of document it is, by the words that title it, else by the words that such documents cannot do without. */
import { foldText } from "../../values/text-folding.ts";
import { SAFETY_DATA_SHEET } from "./titled-kind.ts";

/**
 * Wording of each kind in English, German, French, Spanish and Dutch, folded; alternatives by `|`. One entry counts once,
 * however often it stands there.
 */
const WORDING: Record<string, readonly string[]> = {
  invoice: [
    "invoice number|invoice no|rechnungsnummer|rechnungs-nr|numero de facture|facture n|numero de factura|factuurnummer",
    "due date|payment terms|zahlbar bis|fallig|echeance|vencimiento|vervaldatum|betalingstermijn",
    "vat|tax|mwst|ust|umsatzsteuer|tva|iva|btw",
    "total|gesamtbetrag|rechnungsbetrag|total ttc|importe total|totaalbedrag",
    "bill to|rechnungsadresse|facture a|facturar a|factuuradres",
  ],
  "credit note": [
    "credit note|gutschrift|avoir|nota de credito|factura rectificativa|creditnota|creditfactuur",
    "credited|gutgeschrieben|crediter|abonado|gecrediteerd",
    "original invoice|ursprungliche rechnung|facture d'origine|factura original|oorspronkelijke factuur",
  ],
  receipt: [
    "receipt|kassenbon|beleg|ticket|recu|recibo|kassabon",
    "cash|change|bar|ruckgeld|especes|rendu|efectivo|cambio|contant|wisselgeld",
    "card|mastercard|visa|girocard|ec-karte|carte bancaire|tarjeta|pinpas",
    "cashier|register|kasse|bediener|caisse|cajero|kassa",
  ],
  contract: [
    "hereinafter|im folgenden|ci-apres|en adelante|hierna",
    "the parties|die parteien|vertragsparteien|les parties|las partes|de partijen",
    "governing law|jurisdiction|gerichtsstand|anwendbares recht|droit applicable|ley aplicable|toepasselijk recht",
    "shall|verpflichtet sich|s'engage|se obliga|verplicht zich",
    "termination|kundigung|resiliation|rescision|beeindiging",
  ],
  letter: [
    "dear|sehr geehrte|madame, monsieur|cher|chere|estimado|estimada|geachte|beste",
    "sincerely|kind regards|yours faithfully|mit freundlichen grussen|veuillez agreer|salutations|atentamente|saludos|met vriendelijke groet|hoogachtend",
  ],
  "bank statement": [
    "opening balance|previous balance|anfangssaldo|alter saldo|solde precedent|ancien solde|saldo anterior|beginsaldo|vorig saldo",
    "closing balance|new balance|endsaldo|neuer saldo|nouveau solde|saldo final|eindsaldo|nieuw saldo",
    "account number|kontonummer|iban|numero de compte|numero de cuenta|rekeningnummer",
    "withdrawals|deposits|gutschrift|lastschrift|buchung|debit|credit|cargo|abono|af- en bijschrijvingen",
  ],
  "purchase order": [
    "purchase order|order number|bestellnummer|bestellung|bon de commande|orden de compra|numero de pedido|inkooporder|bestelbon",
    "ship to|deliver to|lieferadresse|liefertermin|adresse de livraison|direccion de entrega|afleveradres",
    "supplier|vendor|lieferant|fournisseur|proveedor|leverancier",
  ],
  "delivery note": [
    "delivery note|lieferschein|bon de livraison|albaran|pakbon|packing list",
    "delivered|received by|geliefert|empfangen|livre|recu par|entregado|recibido|geleverd|ontvangen",
    "packages|pallets|packstucke|paletten|colis|palettes|bultos|colli|pallets",
  ],
  form: [
    "please print|block letters|bitte ausfullen|druckbuchstaben|en majuscules|a remplir|letras mayusculas|blokletters",
    "signature of|applicant|unterschrift|antragsteller|signature du|demandeur|firma del|solicitante|handtekening|aanvrager",
    "check one|tick|ankreuzen|cochez|marque|aankruisen",
    "office use only|nur fur amtliche|reserve a l'administration|uso oficial|in te vullen door",
  ],
  report: [
    "abstract|executive summary|zusammenfassung|resume|resumen|samenvatting",
    "introduction|einleitung|introduccion|inleiding",
    "conclusion|conclusions|fazit|schlussfolgerung|conclusiones|conclusie",
    "table of contents|inhaltsverzeichnis|table des matieres|indice|inhoudsopgave",
    "references|literaturverzeichnis|bibliographie|referencias|bronnen",
  ],
  resume: [
    "work experience|professional experience|employment history|berufserfahrung|beruflicher werdegang|experience professionnelle|experiencia laboral|werkervaring",
    "education|ausbildung|bildungsweg|formation|formacion|opleiding",
    "skills|kenntnisse|competences|competencias|habilidades|vaardigheden",
    "languages|sprachkenntnisse|langues|idiomas|talen",
  ],
  "safety data sheet": [
    "hazard statements|gefahrenhinweise|mentions de danger|indicaciones de peligro|gevarenaanduidingen",
    "first aid measures|first-aid measures|erste-hilfe-massnahmen|premiers secours|primeros auxilios|eerstehulpmaatregelen",
    "cas number|cas no|cas-nr|cas-nummer|n cas",
  ],
};

/** Characters of text that are looked at. */
const SAMPLE = 40_000;
/** Kinds whose first wording is their own name, which they cannot do without: taxes and totals stand on forms too. */
const NAMED = new Set(["invoice", "credit note", "receipt", "purchase order", "delivery note"]);
/** Different wordings that a kind needs; a letter has only two. */
const LEAST = 2;
/** Of its wordings, so many. */
const LEAST_SHARE = 0.5;

/** Words with single spaces, for whole phrases to be found in. */
const plain = (text: string): string => ` ${foldText(text).replaceAll(/[^\p{L}\p{N}'-]+/gu, " ")} `;

const has = (text: string, phrases: string): boolean =>
  phrases.split("|").some((phrase) => text.includes(plain(phrase)));

/**
 * @param heading the text at the top of the first page
 * @param titled what the general result made of the titles, if anything
 * @returns `other` where neither title nor wording tells
 */
export function documentType(heading: string, text: string, titled: string | null): string {
  // It may share its line with the law that asks for it, which no title of another kind does.
  if (SAFETY_DATA_SHEET.test(foldText(heading))) return "safety data sheet";
  // A greeting also stands above other things than letters.
  if (titled !== null && titled !== "letter") return titled;
  const words = plain(text.slice(0, SAMPLE));
  let best: { type: string; share: number } | undefined;
  for (const [type, wordings] of Object.entries(WORDING)) {
    if (NAMED.has(type) && !has(words, wordings[0] ?? "")) continue;
    const count = wordings.filter((phrases) => has(words, phrases)).length;
    const share = count / wordings.length;
    if (count >= LEAST && share >= LEAST_SHARE && share > (best?.share ?? 0)) best = { type, share };
  }
  return best?.type ?? titled ?? "other";
}
