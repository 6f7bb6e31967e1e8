/** The type of a document by its title, in English, German, French, Spanish, Dutch and Italian. */

import type { DocumentView } from "../../structure/view/document-view.ts";
import type { Row, Segment } from "../../structure/view/tokens.ts";
import { foldText } from "../../values/text-folding.ts";
import type { Finding } from "../rules/findings.ts";

/** Titles of safety data sheets, folded. */
export const SAFETY_DATA_SHEET =
  /\b(?:safety data sheet|sicherheitsdatenblatt|fiche de donnees de securite|ficha de datos de seguridad|veiligheidsinformatieblad|scheda di (?:dati di )?sicurezza)\b/;

/** Document types by title, folded; the more specific ones first. */
const TYPE_TITLES: readonly [string, RegExp][] = [
  ["safety data sheet", SAFETY_DATA_SHEET],
  [
    "credit note",
    /\b(?:credit note|credit memo|credit invoice|correct(?:ion|ive) invoice|gutschrift|rechnungskorrektur|korrekturrechnung|stornorechnung|facture d'avoir|avoir|note de credit|facture rectificative|nota de credito|factura rectificativa|factura de abono|nota de abono|creditnota|creditfactuur|nota di credito)\b/,
  ],
  [
    "order confirmation",
    /\b(?:order confirmation|auftragsbestatigung|confirmation de commande|confirmacion de pedido|orderbevestiging|conferma d'ordine)\b/,
  ],
  [
    "purchase order",
    /\b(?:purchase order|bestellung|bon de commande|orden de compra|inkooporder|bestelbon|ordine di acquisto)\b/,
  ],
  [
    "delivery note",
    /\b(?:delivery note|packing slip|packing list|lieferschein|bon de livraison|albaran|pakbon|bolla di consegna|documento di trasporto)\b/,
  ],
  ["quote", /\b(?:quote|quotation|estimate|angebot|kostenvoranschlag|devis|presupuesto|offerte|preventivo)\b/],
  [
    "reminder",
    /\b(?:payment reminder|mahnung|zahlungserinnerung|rappel de paiement|aanmaning|sollecito di pagamento)\b/,
  ],
  // An `Abrechnung` and a `recibo de salarios` are neither invoices nor receipts.
  [
    "payslip",
    /\b(?:payslip|pay ?slip|pay stub|wage slip|salary slip|earnings statement|(?:lohn|gehalts|entgelt|verdienst)-?abrechnung|lohnzettel|bezugemitteilung|bulletin de (?:paie|salaire)|fiche de paie|nomina|recibo de salarios?|loonstrook|salarisstrook|(?:loon|salaris)specificatie|busta paga|cedolino)\b/,
  ],
  [
    "bank statement",
    /^statement$|\b(?:(?:bank|account|customer|supplier|monthly) statement|statement of (?:the )?account|kontoauszug|kontoubersicht|releve (?:de compte|bancaire|client)|(?:extracto|estado) (?:bancario|de cuenta)|bankafschrift|rekeningafschrift|rekeningoverzicht|estratto conto)\b/,
  ],
  [
    "receipt",
    /\b(?:receipt|quittung|kassenbon|kassenbeleg|recu|ticket de caisse|recibo|ticket|kassabon|bonnetje|scontrino|ricevuta)\b/,
  ],
  ["invoice", /\b(?:invoice|[\p{L}]*rechnung|facture|factura|factuur|fattura)\b/u],
  [
    "contract",
    /\b(?:contract|agreement|[\p{L}]*vertrag|contrat|convention|contrato|[\p{L}]*overeenkomst|[\p{L}]*contract|contratto|accordo)\b/u,
  ],
  [
    "certificate",
    /\b(?:certificate|bescheinigung|zertifikat|urkunde|attestation|certificat|certificado|certificaat|certificato)\b/,
  ],
  ["resume", /\b(?:curriculum vitae|resume|lebenslauf)\b/],
  ["form", /\b(?:form|formular|antrag|formulaire|formulario|solicitud|formulier|aanvraag|modulo|application form)\b/],
  ["report", /\b(?:report|bericht|rapport|informe|verslag|relazione|rapporto)\b/],
];

const SALUTATION =
  /^(?:dear\b|sehr geehrte|liebe[rs]?\b|hallo\b|cher\b|chere\b|madame,|monsieur,|madame, monsieur|estimad[oa]|querid[oa]|geachte|beste\b|gentile\b|egregi|spettabile|spett\.)/;

const MAX_TITLE_WORDS = 8;
const MAX_TITLE_CHARS = 80;

interface NamedKind {
  kind: string;
  index: number;
}

/** The highest-ranking type in a folded text, with its position. */
function kindIn(folded: string): NamedKind | undefined {
  for (const [kind, pattern] of TYPE_TITLES) {
    const match = pattern.exec(folded);
    if (match !== null) return { kind, index: match.index };
  }
  return undefined;
}

/** The type that a name means: `safety_data_sheet`, `creditNote`, `Rechnung`. @param words its folded words */
export function kindOfName(words: readonly string[]): string | undefined {
  const name = words.join(" ");
  return TYPE_TITLES.some(([kind]) => kind === name) || name === "letter" ? name : kindIn(name)?.kind;
}

/** Segments from which a row may name columns. */
const MIN_COLUMN_HEADINGS = 3;

/** A row names the columns below it: `Date`, `Invoice`, `Amount` are no titles there. */
export const isColumnHeadingRow = ({ segments }: Row): boolean =>
  segments.length >= MIN_COLUMN_HEADINGS && segments.every(({ text }) => !/[\d:]/.test(text));

/** The type by title: short text high on the first page; large type raises the confidence. */
export function titledKind(view: DocumentView): Finding | null {
  const [page] = view.pages;
  if (page === undefined) return null;
  const segments = page.rows.flatMap((row) => (isColumnHeadingRow(row) ? [] : row.segments));
  const largest = Math.max(0, ...segments.map((segment) => segment.tokens[0]?.em ?? 0));
  let best: Finding | null = null;
  for (const { tokens, text, box } of segments) {
    if (tokens.length > MAX_TITLE_WORDS || text.length > MAX_TITLE_CHARS) continue;
    const found = kindIn(foldText(text));
    if (found === undefined) continue;
    const large = (tokens[0]?.em ?? 0) >= largest * 0.9 ? 0.2 : 0;
    const high = box.top < page.height * 0.35 ? 0.15 : 0;
    const alone = tokens.length <= 2 ? 0.2 : tokens.length <= 4 && found.index === 0 ? 0.12 : 0;
    const confidence = 0.4 + large + high + alone;
    if (confidence > (best?.confidence ?? 0.59)) best = { value: found.kind, tokens, confidence };
  }
  return best ?? letterKind(segments);
}

function letterKind(segments: readonly Segment[]): Finding | null {
  const greeting = segments.find(
    ({ tokens, text }) => tokens.length <= MAX_TITLE_WORDS && SALUTATION.test(foldText(text)),
  );
  return greeting === undefined ? null : { value: "letter", tokens: greeting.tokens, confidence: 0.65 };
}
