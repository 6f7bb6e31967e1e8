/**
 * What stands on the page beside what the XML inside of the document states. The XML is evidence and never a substitute:
 * what only it says is given, but without a place (`unresolved`, reason `attachment`).
 */

import type { Field } from "../../schema/schema-shape.ts";
import { type Segment, type Token, tokensBetween } from "../../structure/view/tokens.ts";
import { parseCurrency } from "../../values/currencies.ts";
import { scanDates } from "../../values/dates.ts";
import { scanNumbers } from "../../values/numbers.ts";
import { foldInPlace, foldText } from "../../values/text-folding.ts";
import type { DocumentContext } from "../rules/document-context.ts";
import { type Finding, foundOr, type Node } from "../rules/findings.ts";
import { sameName } from "../rules/parties/name-candidates.ts";
import type { Target } from "../rules/resolve-field.ts";
import { sized } from "../rules/value-reader.ts";

type Stated = string | number;

/** The concept whose statement a field can be compared with; what is asked of a party besides its name is not stated. */
function conceptOf({ meaning }: Target): string | null {
  if (meaning.part !== null && meaning.part !== "name") return null;
  if (meaning.role !== null && meaning.part === null) return meaning.role === "seller" ? meaning.concept : null;
  return meaning.concept;
}

const bare = (text: string): string => foldText(text).replace(/[^\p{L}\p{N}]/gu, "");

/** Do a value and a statement say the same? Credit notes are stated without the sign that the page may print. */
function agrees(value: Finding["value"], stated: Stated, concept: string, context: DocumentContext): boolean {
  if (typeof stated === "number") {
    const read = typeof value === "number" ? value : scanNumbers(String(value), context.conventions.notation)[0]?.value;
    return read !== undefined && Math.abs(Math.abs(read) - Math.abs(stated)) <= 0.005;
  }
  const text = String(value);
  if (concept === "seller" || concept === "buyer") return sameName(text, stated);
  if (bare(text) === bare(stated)) return true;
  return scanDates(text, context.conventions.order, true)[0]?.iso === stated;
}

/** Segments in which a stated value is looked for. */
const SEARCHED = 20_000;

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
        (span) => !span.percent && span.decimals === 2 && Math.abs(Math.abs(span.value) - Math.abs(stated)) < 0.005,
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

/** How sure a value is that the page prints without saying what it is, and the XML states. */
const PRINTED = 0.72;

const isSum = (concept: string): boolean => /total|due|prepaid/.test(concept);

/** The place of a stated value on the page: beside a label of its concept, else sums where they stand last, others first. */
function placeOf(stated: Stated, concept: string, context: DocumentContext): Printed | null {
  const isDate = typeof stated === "string" && /^\d{4}-\d{2}-\d{2}$/.test(stated) && concept.endsWith("date");
  const found = context.view.segments.slice(0, SEARCHED).flatMap((one) => printedIn(one, stated, isDate, context));
  const rows = new Set((context.labels.byConcept.get(concept) ?? []).map(({ segment }) => segment.row));
  const labelled = found.filter(({ segment }) => rows.has(segment.row) || rows.has(segment.row - 1));
  return labelled[0] ?? (isSum(concept) ? found.at(-1) : found[0]) ?? null;
}

/** Rows apart at most that one party's names stand. */
const SAME_PARTY = 3;

/** A trade name and a registered one under each other: which of them is meant, the page does not say. */
function isOtherName(found: Finding, place: Printed, concept: string): boolean {
  const [token] = found.tokens;
  if ((concept !== "seller" && concept !== "buyer") || token === undefined) return false;
  const lines = Math.abs(token.box.top - place.segment.box.top) / Math.max(token.em, 0.05);
  return token.page === place.segment.page && lines < SAME_PARTY * 1.5;
}

/** A stated value as the field wants it; null where its type, bounds or choices do not allow it. */
function asWanted(field: Field, stated: Stated, printed: string | null): Stated | null {
  if (field.choices !== null) return field.choices.includes(stated) ? stated : null;
  if (field.type === "number" || field.type === "integer") {
    const fits = typeof stated === "number" && stated >= field.minimum && stated <= field.maximum;
    return fits && (field.type === "number" || Number.isInteger(stated)) ? stated : null;
  }
  if (field.type !== "string") return null;
  const text = typeof stated === "number" ? (printed ?? stated.toFixed(2)) : stated;
  return sized(field, text) ? text : null;
}

/** Two sources that agree leave less than a third of the doubt. */
const agreed = (finding: Finding): Finding => ({
  ...finding,
  confidence: Math.min(0.995, 1 - (1 - Math.min(1, finding.confidence)) * 0.3),
});

/** Below this the page leaves it open which of its values is meant. */
const DOUBTFUL = 0.75;
/** A contradiction costs so much of what the page alone would be trusted. */
const CONTRADICTED = 0.75;

/**
 * A leaf for a field: agreement with the XML makes it surer, a stated value that the page prints settles what the page
 * leaves open, a contradiction makes it less sure, and what only the XML says has no place.
 * @param found what the page shows, null for nothing
 */
export function attested(target: Target, found: Finding | null, context: DocumentContext): Node {
  const concept = conceptOf(target);
  const stated = concept === null ? undefined : context.statements().get(concept);
  if (concept === null || stated === undefined) return foundOr(found);
  if (found !== null && agrees(found.value, stated, concept, context)) return foundOr(agreed(found));
  if (concept === "currency" && found !== null && parseCurrency(String(stated), new Set()) === found.value)
    return foundOr(agreed(found));
  const place = placeOf(stated, concept, context);
  const open = found === null || found.confidence < DOUBTFUL || (place !== null && isOtherName(found, place, concept));
  if (!open) return foundOr({ ...found, confidence: found.confidence * CONTRADICTED });
  if (place !== null) {
    // The page's sign is the page's.
    const printed =
      typeof stated === "number" ? scanNumbers(place.text, context.conventions.notation)[0]?.value : stated;
    const value = asWanted(target.field, printed ?? stated, place.text);
    if (value !== null) return foundOr({ value, tokens: place.tokens, confidence: PRINTED });
  }
  if (found !== null) return foundOr({ ...found, confidence: found.confidence * CONTRADICTED });
  const value = asWanted(target.field, stated, null);
  return value === null ? foundOr(null) : { kind: "plain", value, reason: "attachment" };
}
