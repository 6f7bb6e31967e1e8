/** Finds the value of one scalar field on the page, with evidence. */

import type { Field } from "../../schema/schema-shape.ts";
import type { Segment, Token } from "../../structure/view/tokens.ts";
import { splitName } from "../../values/text-folding.ts";
import { chooseDocumentKind } from "../document-type/kind-choice.ts";
import { isListedValue } from "../document-type/kind-of-document.ts";
import type { TotalId } from "./amounts/totals.ts";
import { chooseCandidate } from "./choose-candidate.ts";
import { dayOfRange } from "./date-ranges.ts";
import { datelineFact } from "./datelines.ts";
import { definedValue, partyOfTerm } from "./defined-terms.ts";
import type { DocumentContext } from "./document-context.ts";
import { organizationOf } from "./document-organization.ts";
import { DATE_WORDS, type Meaning, type Role } from "./field-meaning.ts";
import { hitsOfConcept, type LabelHit } from "./find-labels.ts";
import type { Finding } from "./findings.ts";
import { frontPageFact } from "./front-page.ts";
import { partyPart } from "./parties/party-parts.ts";
import { asksForReferencedDocument, isOfReferencedDocument } from "./referenced-document.ts";
import { withRepeatedReadings } from "./repeated-readings.ts";
import { isRunningText } from "./running-prose.ts";
import { sentenceValue } from "./sentence-values.ts";
import { statedFact } from "./statements.ts";
import { candidatesFromTitles } from "./title-lines.ts";
import {
  byCheckbox,
  byChoice,
  byCurrencyCode,
  byCurrencyName,
  byCurrencyVote,
  byLoneDate,
  byPattern,
  byShape,
  dateOfSignature,
} from "./unlabelled-values.ts";
import { type Candidate, candidatesFor, pairedCandidates, readZone, zonesOf } from "./value-candidates.ts";
import { fitsLengthAndPattern, type Reader, readerFor } from "./value-reader.ts";

export interface Target {
  field: Field;
  meaning: Meaning;
  /** The concept under which labels of its own words are found. */
  ownConcept: string;
}

const TOTALS = new Set<string>(["net-total", "tax-total", "gross-total", "amount-due"]);
const isTotal = (concept: string): concept is TotalId => TOTALS.has(concept);

/** Labels tried for one field. */
const MAX_HITS = 200;
/** Score from which another label claims a date. */
const MIN_CLAIM_SCORE = 0.5;

/** A recognised total in the field's form: a number within its bounds, or the printed text. */
function totalFor(target: Target, concept: TotalId, context: DocumentContext): Finding | null {
  const found = context.totals()[concept];
  if (found === undefined || typeof found.value !== "number") return null;
  const { field } = target;
  if (found.value < field.minimum || found.value > field.maximum) return null;
  if (field.type === "integer" && !Number.isInteger(found.value)) return null;
  if (field.type !== "string") return found;
  if (found.derived === true) return null;
  const text = found.tokens.map((token) => token.text).join(" ");
  const [reading] = readerFor(field, target.meaning, context.conventions).read(text);
  return reading === undefined ? null : { ...found, value: reading.value };
}

/** Values of a party must stand in its block; values of the seller, at least in no other party's. */
function allowedFor(role: Role | null, context: DocumentContext): (segment: Segment) => boolean {
  if (role === null) return () => true;
  const parties = context.parties();
  if (role !== "seller") {
    const own = new Set(parties[role]?.block ?? []);
    return (segment) => own.has(segment);
  }
  const others = new Set([...(parties.buyer?.block ?? []), ...(parties["ship-to"]?.block ?? [])]);
  return (segment) => !others.has(segment);
}

/** The seller's own block, which is searched before the rest of the page. */
function inOwnBlock(role: Role | null, context: DocumentContext): ((segment: Segment) => boolean) | null {
  const own = role === "seller" ? new Set(context.parties().seller?.block ?? []) : new Set<Segment>();
  return own.size === 0 ? null : (segment) => own.has(segment);
}

function hitsOf(target: Target, byConcept: ReadonlyMap<string, LabelHit[]>, lacks: ReadonlySet<string>): LabelHit[] {
  const { concept, strength } = target.meaning;
  const known = concept === null || lacks.has(concept) ? [] : hitsOfConcept(concept, byConcept);
  const own = byConcept.get(target.ownConcept) ?? [];
  const weighted = known.map((hit) => ({ ...hit, strength: hit.strength * (0.85 + 0.15 * strength) }));
  return [...own, ...weighted].slice(0, MAX_HITS);
}

/** The end of a period: the second date behind the label of its start. */
function endsOfPeriods(context: DocumentContext, reader: Reader): Candidate[] {
  const hits = (context.labels.byConcept.get("period-start") ?? []).slice(0, MAX_HITS);
  return hits.flatMap((hit) =>
    zonesOf(hit, context.view, context.labels, "value").flatMap((zone) => readZone(zone, reader, hit).slice(1, 2)),
  );
}

function byLabel(target: Target, reader: Reader, context: DocumentContext): Candidate[] {
  const { view, labels, pairedLabels: paired } = context;
  const candidates = [
    ...pairedCandidates(hitsOf(target, paired, context.absentConcepts()), view, reader),
    ...candidatesFor(hitsOf(target, labels.byConcept, context.absentConcepts()), view, labels, reader),
  ];
  const { concept } = target.meaning;
  const titled =
    concept === null || context.absentConcepts().has(concept) ? [] : candidatesFromTitles(concept, context, reader);
  const more = concept === "period-end" ? endsOfPeriods(context, reader) : titled;
  // `Title:` below a signature is a person's.
  const all = [...candidates, ...more].filter(({ segment }) => concept !== "title" || segment.page === 1);
  const allowed = allowedFor(target.meaning.role, context);
  const elsewhere = asksForReferencedDocument(target.field) ? new Set<Token>() : context.referencedWords();
  const reads = (text: string): boolean => reader.kind === "value" && reader.read(text).length > 0;
  return all.filter(
    (candidate) =>
      allowed(candidate.segment) &&
      !isOfReferencedDocument(candidate, elsewhere) &&
      !isListedValue(candidate, context.view, reads),
  );
}

function loneDate(reader: Reader, context: DocumentContext): Finding | null {
  const claimed = ["due-date", "delivery-date", "order-date", "period-start", "period-end", "birth-date"].flatMap(
    (concept) =>
      candidatesFor(
        (context.labels.byConcept.get(concept) ?? []).slice(0, MAX_HITS),
        context.view,
        context.labels,
        reader,
      ),
  );
  return byLoneDate(
    reader,
    context,
    claimed.filter((candidate) => candidate.score >= MIN_CLAIM_SCORE),
  );
}

/** The only date at the top of a bill, for the field of its issue date. */
export function loneDateOfBill(
  { field, meaning }: Omit<Target, "ownConcept">,
  context: DocumentContext,
): Finding | null {
  return meaning.concept === "issue-date" && context.isBill()
    ? loneDate(readerFor(field, meaning, context.conventions), context)
    : null;
}

/**
 * Score of a text's label in a document of sentences: in the seen sets of prose, most texts below it were wrong, and most
 * from it on were right.
 */
const MIN_LABEL_SCORE_IN_PROSE = 0.7;

/** A fact that bills state by a label, and in prose only where there is none. */
const BEHIND_LABELS = "due-date";

/** A way to find a value, by its name in traces. */
type Rule = readonly [name: string, find: () => Finding | null];

/** The name asks for a date; where only a description does, it is of something that the document tells of. */
const isNamedDate = ({ name }: Field): boolean => splitName(name).some((word) => DATE_WORDS.has(word));

function rulesWithoutLabel({ field, meaning }: Target, reader: Reader, context: DocumentContext): Rule[] {
  if (meaning.concept === "issue-date") {
    const signed: Rule = ["date of signature", () => dateOfSignature(reader, context)];
    return [["lone date", () => loneDate(reader, context)], ...(isNamedDate(field) ? [signed] : [])];
  }
  if (meaning.concept === BEHIND_LABELS && context.isBill())
    return [["statement", () => shownFact({ field, meaning }, BEHIND_LABELS, context)?.finding ?? null]];
  const kind = chooseDocumentKind(field, context);
  if (kind !== undefined) return [["document type", () => (kind === "none" ? null : kind)]];
  const own = inOwnBlock(meaning.role, context);
  return [
    ...(own === null ? [] : [["form, in the party's block", () => byShape(meaning, reader, context, own)] as const]),
    ["form", () => byShape(meaning, reader, context, allowedFor(meaning.role, context))],
    ["pattern", () => byPattern(field, context)],
    ["choice", () => byChoice(field, context)],
    ["checkbox", () => byCheckbox(field, meaning, context)],
  ];
}

/** A fact that a phrase of running prose states, or the arrangement of the front page shows, in the field's form. */
export function shownFact(
  { field, meaning }: Omit<Target, "ownConcept">,
  concept: string,
  context: DocumentContext,
): { rule: string; finding: Finding } | null {
  const stated = statedFact(concept, context);
  const found = stated ?? (concept === "organization-name" ? organizationOf(context) : frontPageFact(concept, context));
  if (found === null || field.choices !== null || typeof found.value !== "string") return null;
  const rule = stated === null ? "front page" : "statement";
  if (field.type === "string" && meaning.value === "text" && field.format === null) {
    return fitsLengthAndPattern(field, found.value) ? { rule, finding: found } : null;
  }
  const [reading] = readerFor(field, meaning, context.conventions).read(found.value);
  return reading === undefined ? null : { rule, finding: { ...found, value: reading.value } };
}

/** What sentences state about a property; a range of dates and another date beside it prove neither. */
function toldInSentence(field: Field, meaning: Meaning, context: DocumentContext): Finding | null {
  const [told, day] = [sentenceValue(field, meaning, context), dayOfRange(field, meaning, context)];
  return told !== null && day !== null && told.value !== day.value ? null : (told ?? day);
}

/** What running prose tells about a property, by its own words. */
export const toldFact = ({ field, meaning }: Omit<Target, "ownConcept">, context: DocumentContext): Finding | null =>
  definedValue({ field, meaning }, context) ??
  datelineFact(field, meaning, context) ??
  toldInSentence(field, meaning, context);

/** The rules for one field, in their order. */
function rulesFor(target: Target, context: DocumentContext): Rule[] {
  const { field, meaning } = target;
  const { concept, part, role } = meaning;
  const told: Rule = ["sentence", () => toldFact(target, context)];
  if (concept !== null && isTotal(concept) && !context.absentConcepts().has(concept))
    return [["totals", () => totalFor(target, concept, context)], told];
  if (part !== null && role !== null) return [["party", () => partyPart(field, role, part, context)], told];
  if (meaning.value === "party" && concept !== null)
    return [["name under heading", () => context.nameUnderHeading(concept)], told];
  const reader = readerFor(field, meaning, context.conventions);
  const shown = concept === null || concept === BEHIND_LABELS ? null : shownFact(target, concept, context);
  if (shown !== null) return [[shown.rule, () => shown.finding]];
  const defined = reader.free === true ? partyOfTerm(target, context) : null;
  if (defined !== null) return [["defined term", () => defined]];
  // In a document of sentences, words without a colon are headings rather than labels.
  const isHeading =
    reader.free === true && concept === null && !context.isBill() && isRunningText(context.view.segments);
  const best = chooseCandidate(byLabel(target, reader, context), isHeading ? MIN_LABEL_SCORE_IN_PROSE : undefined);
  if (meaning.value === "currency") {
    return [
      ["label", () => best && foundAt(best.candidate, best.candidate.score)],
      ["currency of the amounts", () => byCurrencyVote(field, context)],
      ["currency code", () => byCurrencyCode(field, reader, context)],
      ["currency's name", () => byCurrencyName(field, context)],
    ];
  }
  if (best !== null) return [["label", () => foundAt(best.candidate, best.confidence)]];
  return [["label", () => null], told, ...rulesWithoutLabel(target, reader, context)];
}

const foundAt = ({ value, tokens }: Candidate, confidence: number): Finding => ({ value, tokens, confidence });

/**
 * The value of one field; null when the evidence stays below the threshold.
 * @param tried gets the names of the rules that were tried; the last one found the value
 */
export function resolveField(target: Target, context: DocumentContext, tried: string[] = []): Finding | null {
  for (const [name, find] of rulesFor(target, context)) {
    tried.push(name);
    const finding = find();
    if (finding !== null) return withRepeatedReadings(finding, context);
  }
  return null;
}
