/** The type of a document by its title, else by its typical wording. */
import { foldText } from "../../values/text-folding.ts";
import { SAFETY_DATA_SHEET } from "./titled-kind.ts";

/**
 * Wording of each type in English, German, French, Spanish and Dutch, folded; alternatives are separated by `|`. Each entry
 * counts once, however often it occurs.
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

const MAX_SAMPLE_CHARS = 40_000;
/** Types that need their own name, which is their first entry: taxes and totals occur on forms too. */
const NAMED_TYPES = new Set(["invoice", "credit note", "receipt", "purchase order", "delivery note"]);
/** Entries that must match; a letter has only two. */
const MIN_ENTRIES = 2;
const MIN_ENTRY_SHARE = 0.5;

/** Folded words with single spaces, for the search of whole phrases. */
const toPhrases = (text: string): string => ` ${foldText(text).replaceAll(/[^\p{L}\p{N}'-]+/gu, " ")} `;

const hasAnyPhrase = (text: string, phrases: string): boolean =>
  phrases.split("|").some((phrase) => text.includes(toPhrases(phrase)));

/**
 * The type of a document.
 * @param heading the text at the top of the first page
 * @param titled the type by title, if any
 * @returns `other` when neither title nor wording decides
 */
export function documentType(heading: string, text: string, titled: string | null): string {
  // This title may share its line with the regulation it refers to; other titles stand alone.
  if (SAFETY_DATA_SHEET.test(foldText(heading))) return "safety data sheet";
  // A greeting does not prove a letter.
  if (titled !== null && titled !== "letter") return titled;
  const words = toPhrases(text.slice(0, MAX_SAMPLE_CHARS));
  let best: { type: string; share: number } | undefined;
  for (const [type, wordings] of Object.entries(WORDING)) {
    if (NAMED_TYPES.has(type) && !hasAnyPhrase(words, wordings[0] ?? "")) continue;
    const count = wordings.filter((phrases) => hasAnyPhrase(words, phrases)).length;
    const share = count / wordings.length;
    if (count >= MIN_ENTRIES && share >= MIN_ENTRY_SHARE && share > (best?.share ?? 0)) best = { type, share };
  }
  return best?.type ?? titled ?? "other";
}
