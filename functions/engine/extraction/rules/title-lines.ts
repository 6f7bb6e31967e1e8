/** Number and date in an invoice's title line: `Rechnung des Versicherers (575) Nr. 12-3 vom 11.03.2018`. */

import type { Segment } from "../../structure/view/tokens.ts";
import { isCodeWord } from "../../values/codes.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { anyOf } from "../../values/vocabulary/word-patterns.ts";
import type { DocumentContext } from "./document-context.ts";
import type { LabelHit } from "./find-labels.ts";
import { type Candidate, readZone, type Zone, zonesOf } from "./value-candidates.ts";
import type { Reader } from "./value-reader.ts";

const MAX_TITLES = 40;
/** Words between the document's type and `Nr.` */
const MAX_WORDS_TO_NUMBER = 6;
/** Strength of a title against 1 for a label. */
const TITLE_STRENGTH = 0.92;

const WORD_BEFORE_DATE = new RegExp(`^(?:${anyOf(wordsOf(({ dates }) => dates.before))}|,)?$`, "iu");

/** Labels of an invoice on the first page. */
const titleHits = (context: DocumentContext): LabelHit[] =>
  (context.labels.byConcept.get("invoice-number") ?? []).filter((hit) => hit.segment.page === 1).slice(0, MAX_TITLES);

const restOfSegment = (hit: LabelHit, from: number): Zone => ({
  relation: "after",
  segment: hit.segment,
  start: hit.segment.starts[from] ?? hit.segment.text.length,
  end: hit.segment.text.length,
  weight: 1,
});

/** `Nr.` some words behind the document's type, with a code right behind it. */
function numbersInTitles(context: DocumentContext, reader: Reader): Candidate[] {
  return titleHits(context).flatMap((hit) => {
    const { tokens } = hit.segment;
    const at = tokens.findIndex(
      (token, index) =>
        index >= hit.to && index < hit.to + MAX_WORDS_TO_NUMBER && token.words.length === 1 && token.words[0] === "nr",
    );
    if (at < 0 || !isCodeWord(tokens[at + 1]?.text ?? "")) return [];
    // `Rechnung gemäß Bestellung Nr. 12`: the number is that of the order.
    const others = context.labels.bySegment.get(hit.segment) ?? [];
    if (others.some(({ concept, from, to }) => concept !== hit.concept && from >= hit.to && to > at)) return [];
    return readZone(restOfSegment(hit, at + 1), reader, { ...hit, to: at + 1, strength: TITLE_STRENGTH });
  });
}

/** Strength of a bare `Number` against the label of an invoice's own number: nothing says what it counts. */
const BARE_NUMBER_STRENGTH = 0.8;
/** Labels beside which a bare `Number` heads a column of the document's facts, not of its items. */
const BESIDE_NUMBER = new Set(["issue-date", "due-date", "seller", "buyer"]);

/** Rows below a title whose line may be a number without a colon: `Nº 0003-00003435`. */
const MAX_ROWS_TO_NUMBER = 2;

/**
 * `Number` alone in its cell on the first page of a bill: with a colon, in a row of the document's facts, or with nothing
 * but the code behind it right below the title.
 */
function bareNumbers(context: DocumentContext, reader: Reader): Candidate[] {
  const { view, labels } = context;
  if (!context.isBill()) return [];
  const titles = titleHits(context).filter(({ from, to, segment }) => from === 0 && to === segment.tokens.length);
  const isFact = (segment: Segment): boolean =>
    (labels.bySegment.get(segment) ?? []).some(({ concept, from }) => from === 0 && BESIDE_NUMBER.has(concept));
  return view.rows
    .filter(({ page }) => page === 1)
    .flatMap(({ index, segments }) =>
      segments.flatMap((segment): Candidate[] => {
        const [first] = segment.tokens;
        const colon = first?.text.endsWith(":") ?? false;
        if (first?.key !== "nr" || (!colon && context.itemHeaders().has(index))) return [];
        const titled = titles.some(({ segment: { row } }) => index >= row && index <= row + MAX_ROWS_TO_NUMBER);
        const alone = segment.tokens.length === 1 && segments.some(isFact);
        const label = { concept: "invoice-number", segment, from: 0, to: 1, colon, strength: BARE_NUMBER_STRENGTH };
        const found = zonesOf(label, view, labels, reader.kind).flatMap((zone) => readZone(zone, reader, label));
        const isRest = ({ tokens }: Candidate): boolean => tokens.at(-1) === segment.tokens.at(-1);
        return colon || alone ? found : found.filter((candidate) => titled && isRest(candidate));
      }),
    );
}

/** A date behind the number. */
function datesInTitles(context: DocumentContext, reader: Reader): Candidate[] {
  return titleHits(context).flatMap((hit) => {
    const { segment } = hit;
    const strong = { ...hit, to: segment.tokens.length, strength: TITLE_STRENGTH };
    const behind = readZone(restOfSegment(hit, hit.to), reader, strong).filter((candidate) => {
      const first = segment.tokens.findIndex((token) => candidate.tokens.includes(token));
      const number = segment.tokens.findLastIndex(
        (token, index) => index >= hit.to && index < first && isCodeWord(token.text),
      );
      const between = segment.tokens.slice(number + 1, first).map((token) => token.text);
      return number >= 0 && WORD_BEFORE_DATE.test(between.join(" ").replace(/[()]/g, "").trim());
    });
    return behind.map((candidate) => ({ ...candidate, score: TITLE_STRENGTH }));
  });
}

/** Candidates from title lines, for the number and the date of an invoice. */
export function candidatesFromTitles(concept: string | null, context: DocumentContext, reader: Reader): Candidate[] {
  if (concept === "invoice-number") return [...numbersInTitles(context, reader), ...bareNumbers(context, reader)];
  return concept === "issue-date" ? datesInTitles(context, reader) : [];
}
