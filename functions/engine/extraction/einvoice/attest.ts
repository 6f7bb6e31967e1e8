/**
 * Compares values of the page with the XML inside of the document. The XML is evidence, never a substitute: a value that
 * only the XML states is returned without a place (`unresolved`, reason `attachment`).
 */

import type { Field } from "../../schema/schema-shape.ts";
import { type Segment, type Token, tokensBetween } from "../../structure/view/tokens.ts";
import { parseCurrency } from "../../values/currencies.ts";
import { scanDates } from "../../values/dates.ts";
import { scanNumbers } from "../../values/numbers.ts";
import { foldInPlace, foldText } from "../../values/text-folding.ts";
import type { DocumentContext } from "../rules/document-context.ts";
import { type Finding, findingNode, type ResultNode } from "../rules/findings.ts";
import { sameName } from "../rules/parties/name-candidates.ts";
import type { Target } from "../rules/resolve-field.ts";
import { fitsLengthAndPattern } from "../rules/value-reader.ts";

type Stated = string | number;

/** Half a cent. */
const AMOUNT_TOLERANCE = 0.005;

/** The concept whose statement a field is compared with; of a party, only the name is stated. */
function conceptOf({ meaning }: Target): string | null {
  if (meaning.part !== null && meaning.part !== "name") return null;
  if (meaning.role !== null && meaning.part === null) return meaning.role === "seller" ? meaning.concept : null;
  return meaning.concept;
}

const lettersAndDigits = (text: string): string => foldText(text).replace(/[^\p{L}\p{N}]/gu, "");

/** Value and statement are equal. The XML of credit notes lacks the sign that the page may print. */
function agrees(value: Finding["value"], stated: Stated, concept: string, context: DocumentContext): boolean {
  if (typeof stated === "number") {
    const read = typeof value === "number" ? value : scanNumbers(String(value), context.conventions.notation)[0]?.value;
    return read !== undefined && Math.abs(Math.abs(read) - Math.abs(stated)) <= AMOUNT_TOLERANCE;
  }
  const text = String(value);
  if (concept === "seller" || concept === "buyer") return sameName(text, stated);
  if (lettersAndDigits(text) === lettersAndDigits(stated)) return true;
  return scanDates(text, context.conventions.order, true)[0]?.iso === stated;
}

/** Segments searched for a stated value. */
const MAX_SEARCHED_SEGMENTS = 20_000;

interface Printed {
  tokens: Token[];
  segment: Segment;
  text: string;
}

function printedIn(segment: Segment, stated: Stated, isDate: boolean, context: DocumentContext): Printed[] {
  const at = (start: number, end: number): Printed => ({
    tokens: tokensBetween(segment, start, end),
    segment,
    text: segment.text.slice(start, end),
  });
  if (typeof stated === "number")
    return scanNumbers(segment.text, context.conventions.notation)
      .filter(
        (span) =>
          !span.percent && span.decimals === 2 && Math.abs(Math.abs(span.value) - Math.abs(stated)) < AMOUNT_TOLERANCE,
      )
      .map((span) => at(span.start, span.end));
  if (isDate)
    return scanDates(segment.text, context.conventions.order, true)
      .filter(({ iso }) => iso === stated)
      .map((span) => at(span.start, span.end));
  const start = stated.length < 3 ? -1 : foldInPlace(segment.text).indexOf(foldInPlace(stated));
  const cut =
    start < 0 ||
    /[\p{L}\p{N}]/u.test(segment.text[start - 1] ?? "") ||
    /[\p{L}\p{N}]/u.test(segment.text[start + stated.length] ?? "");
  return cut ? [] : [at(start, start + stated.length)];
}

/** Confidence of a stated value that the page prints without a label. */
const PRINTED_CONFIDENCE = 0.72;

const isSum = (concept: string): boolean => /total|due|prepaid/.test(concept);

/** The place of a stated value on the page: beside a label of its concept, else the last place of a sum, the first of others. */
function placeOf(stated: Stated, concept: string, context: DocumentContext): Printed | null {
  const isDate = typeof stated === "string" && /^\d{4}-\d{2}-\d{2}$/.test(stated) && concept.endsWith("date");
  const found = context.view.segments
    .slice(0, MAX_SEARCHED_SEGMENTS)
    .flatMap((one) => printedIn(one, stated, isDate, context));
  const rows = new Set((context.labels.byConcept.get(concept) ?? []).map(({ segment }) => segment.row));
  const labelled = found.filter(({ segment }) => rows.has(segment.row) || rows.has(segment.row - 1));
  return labelled[0] ?? (isSum(concept) ? found.at(-1) : found[0]) ?? null;
}

/** Distance of one party's names at most, in lines of text. */
const MAX_NAME_DISTANCE_ROWS = 3;
const LINE_HEIGHT_EM = 1.5;
const MIN_EM_INCHES = 0.05;

/** A trade name and a registered one below each other: the page does not tell which is meant. */
function isOtherName(found: Finding, place: Printed, concept: string): boolean {
  const [token] = found.tokens;
  if ((concept !== "seller" && concept !== "buyer") || token === undefined) return false;
  const distanceEm = Math.abs(token.box.top - place.segment.box.top) / Math.max(token.em, MIN_EM_INCHES);
  return token.page === place.segment.page && distanceEm < MAX_NAME_DISTANCE_ROWS * LINE_HEIGHT_EM;
}

/** A stated value in the field's form; null when its type, bounds or choices do not allow it. */
function toFieldValue(field: Field, stated: Stated, printed: string | null): Stated | null {
  if (field.choices !== null) return field.choices.includes(stated) ? stated : null;
  if (field.type === "number" || field.type === "integer") {
    const fits = typeof stated === "number" && stated >= field.minimum && stated <= field.maximum;
    return fits && (field.type === "number" || Number.isInteger(stated)) ? stated : null;
  }
  if (field.type !== "string") return null;
  const text = typeof stated === "number" ? (printed ?? stated.toFixed(2)) : stated;
  return fitsLengthAndPattern(field, text) ? text : null;
}

/** Doubt that is left when page and XML agree, as a share of the page's own. */
const AGREED_DOUBT_SHARE = 0.3;
const MAX_CONFIDENCE = 0.995;

const agreed = (finding: Finding): Finding => ({
  ...finding,
  confidence: Math.min(MAX_CONFIDENCE, 1 - (1 - Math.min(1, finding.confidence)) * AGREED_DOUBT_SHARE),
});

/** Below this confidence the XML may replace the page's value. */
const DOUBTFUL_CONFIDENCE = 0.75;
/** Factor on the confidence of a value that the XML contradicts. */
const CONTRADICTED_FACTOR = 0.75;

/**
 * The leaf of a field. Agreement with the XML raises its confidence, contradiction lowers it; a stated value that the page
 * prints replaces a doubtful one; a value that only the XML states has no place.
 * @param found the page's value, null for none
 */
export function attestedNode(target: Target, found: Finding | null, context: DocumentContext): ResultNode {
  const concept = conceptOf(target);
  const stated = concept === null ? undefined : context.statements().get(concept);
  if (concept === null || stated === undefined) return findingNode(found);
  if (found !== null && agrees(found.value, stated, concept, context)) return findingNode(agreed(found));
  if (concept === "currency" && found !== null && parseCurrency(String(stated), new Set()) === found.value)
    return findingNode(agreed(found));
  const place = placeOf(stated, concept, context);
  const open =
    found === null || found.confidence < DOUBTFUL_CONFIDENCE || (place !== null && isOtherName(found, place, concept));
  if (!open) return findingNode({ ...found, confidence: found.confidence * CONTRADICTED_FACTOR });
  if (place !== null) {
    // The sign is taken from the page.
    const printed =
      typeof stated === "number" ? scanNumbers(place.text, context.conventions.notation)[0]?.value : stated;
    const value = toFieldValue(target.field, printed ?? stated, place.text);
    if (value !== null) return findingNode({ value, tokens: place.tokens, confidence: PRINTED_CONFIDENCE });
  }
  if (found !== null) return findingNode({ ...found, confidence: found.confidence * CONTRADICTED_FACTOR });
  const value = toFieldValue(target.field, stated, null);
  return value === null ? findingNode(null) : { kind: "plain", value, reason: "attachment" };
}
