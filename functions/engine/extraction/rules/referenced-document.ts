/**
 * What a page says of another document: the invoice that a credit note corrects, cancels or refers to, with its number,
 * date and sums, in English, German, French, Spanish, Dutch and Italian. None of it is the document's own.
 */

import type { Field } from "../../schema/schema-shape.ts";
import type { DocumentView } from "../../structure/view/document-view.ts";
import { type Segment, type Token, tokensBetween } from "../../structure/view/tokens.ts";
import { foldInPlace, foldText, splitName } from "../../values/text-folding.ts";
import type { LabelHit, LabelMap } from "./find-labels.ts";
import { ALIGNMENT } from "./scoring.ts";
import { alignment, type Candidate } from "./value-candidates.ts";

/** Words for an invoice, compounds with what is its own (`Rechnungsdatum`) among them, folded. */
const INVOICE = "(?:invoices?|bill|\\p{L}*rechnung\\p{L}*|factures?|facturas?|\\p{L}*factuur\\p{L}*|fattur[ae])";
/** Small words between what refers and what it refers to. */
const SMALL =
  "(?:(?:to|of|for|the|our|your|with|auf|zu|zur|der|die|den|unsere[rn]?|ihre[rn]?|fur|von|uber|a|de|du|la|le|les|des|sur|votre|notre|et|remplace|en|al|las|su|nuestra|se|op|van|tot|bij|naar|aan|onze|uw|het|alla|della|di|nostra|vostra|vs\\.?|ns\\.?|n[ro°º]?\\.?)\\s+)";

/** What takes another invoice back or its place, whatever kind of document says so. */
const AMENDS = new RegExp(
  "(?<!\\p{L})(?:(?:corrects|correcting|cancels|cancelling|reverses|reversing|replaces|replacing|amends|amending|" +
    "ersetzt|storniert|korrigiert|berichtigt|annule|remplace|rectifie|corrige|anula|sustituye|rectifica|" +
    `vervangt|corrigeert|crediteert|annuleert|sostituisce|annulla|rettifica|storna)\\s+${SMALL}*|` +
    "(?:correction|cancellation|reversal|korrektur|berichtigung|storno|stornierung|annulation|rectification|rectificacion|" +
    `anulacion|correctie|creditering|annulering)\\s+${SMALL}+)${INVOICE}(?!\\p{L})`,
  "u",
);

/** What refers to an invoice on a credit note: one that is called original, or that it is for, is another. */
const REFERS = new RegExp(
  "(?<!\\p{L})(?:(?:relat(?:es|ed|ing)|refer(?:s|red|ring|enced?)|in (?:reference|relation|respect|regard)|with (?:reference|regard)|appli(?:es|ed)|" +
    "original|initial|ref\\.?|credited|corrected|cancelled|preceding|previous|related|corresponding|against|for|re|on|credits?|" +
    "bezugnehmend|bezieht sich|bezogen|mit bezug|bezugs?|ursprungliche[nr]?|zu|zur|fur|auf|stornierte[nr]?|korrigierte[nr]?|betrifft|betreff|referenz|" +
    "relati(?:f|ve)|correspondant|en reference|se rapportant|concernant|concerne|originale?|pour|sur|suite|" +
    "referente|relativ[oa]|corresponde|correspondiente|sobre|por|abono|devolucion|referencia|" +
    "met betrekking|verwijzing|verwijst|behorende?|oorspronkelijke|originele|gecrediteerde|gecorrigeerde|betreft|betreffende|inzake|voor|op|bij|referentie|" +
    `riferit[oa]|riferimento|rif\\.?|su|per)[\\s:-]+${SMALL}*${INVOICE}(?!\\p{L})|` +
    "(?<!\\p{L})(?:ursprungs|original|bezugs|referenz)-?rechnung\\p{L}*|rechnungsbezug|" +
    `(?<!\\p{L})${INVOICE} (?:referred to|being (?:credited|corrected)|credited|corrected|reversed|cancelled|` +
    "d'origine|initiale|originale|rectifiee|corrigee|annulee|concernee|de reference|visee|" +
    "rectificada|original|de origen|anulada|corregida|de referencia|abonada|afectada|que se rectifica|a la que|" +
    "di riferimento|rettificata|stornata)(?!\\p{L}))",
  "u",
);

/** A label of a few words that calls what it names the original one. */
const CALLED_ORIGINAL =
  /^[^:]{0,40}(?<!\p{L})(?:original[ea]?s?|ursprunglich\p{L}*|d'origine|initiale?|de origen|oorspronkelijk\p{L}*|originele?)(?!\p{L})[^:]{0,25}:/u;

/** What a document calls itself that credits or corrects. */
const CREDIT =
  /credit|gutschrift|storno|korrektur|avoir|rectificati|rectificativ|abono|nota di credito|variazione|correcti(?:on|ve) invoice/;

/** Characters of a line that are searched. */
const SEARCHED = 400;
/** Rows below a heading about another document in which its values may stand. */
const ROWS_BELOW = 3;

/** Words by which a field asks for the other document. */
const ASKS =
  /(?<!\p{L})(?:original\p{L}*|initial\p{L}*|refer\p{L}*|relat\p{L}*|correct\p{L}*|credited|cancel\p{L}*|preceding|previous|ursprung\p{L}*|bezug\p{L}*|bezogen\p{L}*|stornier\p{L}*|korrigier\p{L}*|origine|rectifie\p{L}*|annule\p{L}*|rectificad\p{L}*|origen|anulad\p{L}*|oorspronkelijk\p{L}*|originele|gecrediteerd\p{L}*|betrekking|riferi\p{L}*)(?!\p{L})/u;

/** Does a field ask for the other document, by its own words? */
export const asksForAnother = ({ path, title, description }: Field): boolean =>
  ASKS.test(foldText([...path.flatMap(splitName), title, description].join(" ")));

/** Does a label or a value belong to what is said of another document? */
export const isAboutAnother = ({ hit, tokens }: Candidate, elsewhere: ReadonlySet<Token>): boolean =>
  tokens.some((token) => elsewhere.has(token)) ||
  (hit?.segment.tokens.slice(hit.from, hit.to).some((token) => elsewhere.has(token)) ?? false);

/** Does a label stand at the beginning that is not about the other document? */
const opensAnew = (segment: Segment, labels: LabelMap): boolean =>
  (labels.bySegment.get(segment) ?? []).some(({ from, colon, strength }) => from === 0 && (colon || strength === 1));

const hasDigit = (text: string): boolean => /\d/.test(text);

/** The words from a mention on: the rest of its line, what stands right of it, else what stands below. */
function wordsOf(segment: Segment, start: number, end: number, view: DocumentView, labels: LabelMap): Token[] {
  const words = tokensBetween(segment, start, segment.text.length);
  const row = view.rows[segment.row]?.segments ?? [];
  let told = hasDigit(segment.text.slice(end));
  for (const right of row.slice(row.indexOf(segment) + 1)) {
    if (opensAnew(right, labels) || !hasDigit(right.text)) break;
    words.push(...right.tokens);
    told = true;
  }
  if (told) return words;
  let above = segment;
  for (const next of view.rows.slice(segment.row + 1, segment.row + 1 + ROWS_BELOW)) {
    const below = next.segments.find((other) => alignment(segment.box, other.box) >= ALIGNMENT.middle);
    const gap = next.box.top - above.box.bottom;
    if (below === undefined || next.page !== segment.page || gap > above.box.bottom - above.box.top) break;
    if (!next.segments.some(({ text }) => hasDigit(text))) break;
    // Under a heading of its own stand labels with values; else a value alone.
    words.push(...(opensAnew(below, labels) ? next.segments.flatMap(({ tokens }) => tokens) : below.tokens));
    if (!opensAnew(below, labels)) break;
    above = below;
  }
  return words;
}

/** Without one of these, no line is about another document: folding them all would take long. */
const MAY_MENTION = /invoice|bill|rechnung|factu|fattur|origin|initial|urspr|oorspr/iu;

/** Where a line begins to be about another document, and where the words that say so end. */
function mentionIn(text: string, credit: boolean): { start: number; end: number } | null {
  if (!MAY_MENTION.test(text)) return null;
  const folded = foldInPlace(text.slice(0, SEARCHED));
  const [found] = [AMENDS, ...(credit ? [REFERS, CALLED_ORIGINAL] : [])]
    .map((pattern) => pattern.exec(folded))
    .filter((match) => match !== null)
    .sort((a, b) => a.index - b.index);
  return found === undefined ? null : { start: found.index, end: found.index + found[0].length };
}

/** Labels of a credit note's own number, with a number behind them or beside them. */
function namesItself(hits: readonly LabelHit[], view: DocumentView): boolean {
  return hits.some(({ segment, from, to }) => {
    const label = foldText(
      segment.tokens
        .slice(from, to)
        .map(({ text }) => text)
        .join(" "),
    );
    const row = view.rows[segment.row]?.segments ?? [];
    const behind = segment.tokens.slice(to).map(({ text }) => text);
    return CREDIT.test(label) && (hasDigit(behind.join(" ")) || hasDigit(row[row.indexOf(segment) + 1]?.text ?? ""));
  });
}

/**
 * The words of a document that are about another one.
 * @param credit whether it credits or corrects an invoice: then what is called one, beside its own number, is the other
 */
export function wordsAboutAnother(view: DocumentView, labels: LabelMap, credit: boolean): ReadonlySet<Token> {
  const found = new Set<Token>();
  for (const segment of view.segments) {
    const mention = mentionIn(segment.text, credit);
    if (mention === null) continue;
    for (const token of wordsOf(segment, mention.start, mention.end, view, labels)) found.add(token);
  }
  const numbered = credit ? (labels.byConcept.get("invoice-number") ?? []) : [];
  if (!namesItself(numbered, view)) return found;
  for (const { segment, from } of numbered) {
    const start = segment.starts[from] ?? 0;
    const label = foldText(segment.text.slice(0, SEARCHED));
    const [first] = segment.tokens.slice(from);
    if (CREDIT.test(label) || first === undefined || found.has(first)) continue;
    for (const token of wordsOf(segment, start, start, view, labels)) found.add(token);
  }
  return found;
}
