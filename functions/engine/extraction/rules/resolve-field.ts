/** One scalar of the schema → the value for it on the page, with evidence, or null. */

import type { Field } from "../../schema/schema-shape.ts";
import type { Segment, Token } from "../../structure/view/tokens.ts";
import { byKind } from "../document-type/kind-choice.ts";
import { isListed } from "../document-type/kind-of-document.ts";
import type { TotalId } from "./amounts/totals.ts";
import type { DocumentContext } from "./document-context.ts";
import type { Meaning, Role } from "./field-meaning.ts";
import type { LabelHit } from "./find-labels.ts";
import type { Finding } from "./findings.ts";
import { partyPart } from "./parties/party-parts.ts";
import { asksForAnother, isAboutAnother } from "./referenced-document.ts";
import { chooseBest } from "./scoring.ts";
import { fromTitles } from "./title-lines.ts";
import {
  byChoice,
  byCurrencyCode,
  byCurrencyVote,
  byLoneDate,
  byPattern,
  byShape,
  byTick,
} from "./unlabelled-values.ts";
import { type Candidate, candidatesFor, pairedCandidates, readZone, zonesOf } from "./value-candidates.ts";
import { type Reader, readerFor } from "./value-reader.ts";

export interface Target {
  field: Field;
  meaning: Meaning;
  /** Under which its own labels are found. */
  ownConcept: string;
}

const TOTALS = new Set<string>(["net-total", "tax-total", "gross-total", "amount-due"]);
const isTotal = (concept: string): concept is TotalId => TOTALS.has(concept);

/** Labels looked at for one field. */
const MAX_HITS = 200;

/** A recognised total as the field wants it: a number within its bounds, or the text as printed. */
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

/** What is asked of a party must stand in its block; what is asked of the seller, at least not in another's. */
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

/** The seller's own block comes before the rest of the page. */
function inOwnBlock(role: Role | null, context: DocumentContext): ((segment: Segment) => boolean) | null {
  const own = role === "seller" ? new Set(context.parties().seller?.block ?? []) : new Set<Segment>();
  return own.size === 0 ? null : (segment) => own.has(segment);
}

function hitsOf(target: Target, byConcept: ReadonlyMap<string, LabelHit[]>, lacks: ReadonlySet<string>): LabelHit[] {
  const { concept, strength } = target.meaning;
  const known = concept === null || lacks.has(concept) ? [] : (byConcept.get(concept) ?? []);
  const own = byConcept.get(target.ownConcept) ?? [];
  const weighted = known.map((hit) => ({ ...hit, strength: hit.strength * (0.85 + 0.15 * strength) }));
  return [...own, ...weighted].slice(0, MAX_HITS);
}

/** A period stands as two dates behind one label: its end is the second. */
function endsOfPeriods(context: DocumentContext, reader: Reader): Candidate[] {
  const hits = (context.labels.byConcept.get("period-start") ?? []).slice(0, MAX_HITS);
  return hits.flatMap((hit) =>
    zonesOf(hit, context.view, context.labels, "value").flatMap((zone) => readZone(zone, reader, hit).slice(1, 2)),
  );
}

function byLabel(target: Target, reader: Reader, context: DocumentContext): Candidate[] {
  const { view, labels, paired } = context;
  const candidates = [
    ...pairedCandidates(hitsOf(target, paired, context.lacks()), view, reader),
    ...candidatesFor(hitsOf(target, labels.byConcept, context.lacks()), view, labels, reader),
  ];
  const { concept } = target.meaning;
  const titled = concept === null || context.lacks().has(concept) ? [] : fromTitles(concept, context, reader);
  const more = concept === "period-end" ? endsOfPeriods(context, reader) : titled;
  const all = [...candidates, ...more];
  const allowed = allowedFor(target.meaning.role, context);
  const elsewhere = asksForAnother(target.field) ? new Set<Token>() : context.elsewhere();
  const reads = (text: string): boolean => reader.kind === "value" && reader.read(text).length > 0;
  return all.filter(
    (candidate) =>
      allowed(candidate.segment) && !isAboutAnother(candidate, elsewhere) && !isListed(candidate, context.view, reads),
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
    claimed.filter((candidate) => candidate.score >= 0.5),
  );
}

function withoutLabel(target: Target, reader: Reader, context: DocumentContext): Finding | null {
  const { field, meaning } = target;
  if (meaning.concept === "issue-date") return loneDate(reader, context);
  const kind = byKind(field, context);
  if (kind !== undefined) return kind === "none" ? null : kind;
  const own = inOwnBlock(meaning.role, context);
  return (
    (own === null ? null : byShape(meaning, reader, context, own)) ??
    byShape(meaning, reader, context, allowedFor(meaning.role, context)) ??
    byPattern(field, context) ??
    byChoice(field, context) ??
    byTick(field, meaning, context)
  );
}

/**
 * The value for one field. Null whenever the evidence stays below the threshold.
 */
export function resolveField(target: Target, context: DocumentContext): Finding | null {
  const { field, meaning } = target;
  if (meaning.concept !== null && isTotal(meaning.concept) && !context.lacks().has(meaning.concept))
    return totalFor(target, meaning.concept, context);
  if (meaning.part !== null && meaning.role !== null) return partyPart(field, meaning.role, meaning.part, context);
  if (meaning.value === "party" && meaning.concept !== null) return context.named(meaning.concept);
  const reader = readerFor(field, meaning, context.conventions);
  const best = chooseBest(byLabel(target, reader, context));
  if (meaning.value === "currency") return currencyFor(target, reader, context, best?.candidate ?? null);
  if (best !== null) return { value: best.candidate.value, tokens: best.candidate.tokens, confidence: best.confidence };
  return withoutLabel(target, reader, context);
}

function currencyFor(
  target: Target,
  reader: Reader,
  context: DocumentContext,
  labelled: Candidate | null,
): Finding | null {
  if (labelled !== null) return { value: labelled.value, tokens: labelled.tokens, confidence: labelled.score };
  return byCurrencyVote(target.field, context) ?? byCurrencyCode(target.field, reader, context);
}
