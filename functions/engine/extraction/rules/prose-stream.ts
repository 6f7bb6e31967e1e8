/** The words of a document in reading order, as one text, and the sentences in it. */
import { lowerBound } from "../../layout/binary-search.ts";
import type { Token } from "../../structure/view/tokens.ts";
import { foldInPlace } from "../../values/text-folding.ts";
import type { DocumentContext } from "./document-context.ts";

/** Words of a document that are searched, in reading order: statements about the whole stand in its first pages. */
const MAX_STREAM_WORDS = 40_000;

export interface ProseStream {
  text: string;
  folded: string;
  /** Start of each token in the text. */
  starts: number[];
  tokens: Token[];
}

const streams = new WeakMap<DocumentContext, ProseStream>();

/** The words of a document as one text. */
export function streamOf(context: DocumentContext): ProseStream {
  const known = streams.get(context);
  if (known !== undefined) return known;
  const tokens = context.view.segments
    .flatMap((segment) => segment.tokens)
    .sort((a, b) => a.page - b.page || a.index - b.index)
    .slice(0, MAX_STREAM_WORDS);
  let text = "";
  const starts = tokens.map((token) => {
    if (text !== "") text += " ";
    const start = text.length;
    text += token.text;
    return start;
  });
  const stream = { text, folded: foldInPlace(text), starts, tokens };
  streams.set(context, stream);
  return stream;
}

/** The words of a stream that lie in a part of its text. */
export function tokensIn({ starts, tokens }: ProseStream, start: number, end: number): Token[] {
  // The word before the first that begins behind `start` may reach into the part.
  const first = Math.max(0, lowerBound(starts, (at) => at, start + 1) - 1);
  const isBefore = (starts[first] ?? 0) + (tokens[first]?.text.length ?? 0) <= start;
  return tokens.slice(
    isBefore ? first + 1 : first,
    lowerBound(starts, (at) => at, end),
  );
}

/** A part of a stream's text. */
export interface Sentence {
  start: number;
  end: number;
  text: string;
  /** It ends with a full stop or where its block ends, not at a gap. */
  isWhole: boolean;
}

/** Gap between words of one row that parts columns. */
const MIN_COLUMN_GAP_EM = 2.5;

/** A word ends a sentence; abbreviations of up to three letters do not (`Inc.`, `No.`, `z.`). */
const endsSentence = ({ text }: Token): boolean =>
  /[!?;]["”»)]?$/.test(text) || (/\.["”»)]?$/.test(text) && !/^[("“„«]?(?:\p{Lu}\p{L}{0,3}|\p{L}{1,2})\.$/u.test(text));
const beginsSentence = ({ text }: Token): boolean => /^["“„«([]?[\p{Lu}\d§•·–-]/u.test(text);
const isMarker = ({ text }: Token): boolean => /^[•·∙●▪■◦‣]$/.test(text);

/** `26. 12:00`, `1. 9. 2024`: the point of an ordinal. */
const isOrdinal = ({ text }: Token, next: Token): boolean => /^\d{1,2}\.$/.test(text) && /^\d/.test(next.text);
/** `min. 5`, `max. 20`: a short word in small letters is cut before a number. */
const isShortened = ({ text }: Token, next: Token): boolean => /^\p{Ll}{1,4}\.$/u.test(text) && /^\d/.test(next.text);

/** A column, or another row of another block, begins between two words. */
function isParted(before: Token, after: Token): boolean {
  if (before.page !== after.page || before.block !== after.block || isMarker(after)) return true;
  const isSameRow = Math.abs(after.box.top - before.box.top) < after.em / 2;
  return isSameRow && after.box.left - before.box.right > MIN_COLUMN_GAP_EM * after.em;
}

const sentences = new WeakMap<DocumentContext, Sentence[]>();

/** The sentences of a document. */
export function sentencesIn(context: DocumentContext): Sentence[] {
  const known = sentences.get(context);
  if (known !== undefined) return known;
  const { text, starts, tokens } = streamOf(context);
  const found: Sentence[] = [];
  let from = 0;
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1];
    const parted = next === undefined || isParted(token, next);
    if (
      !parted &&
      (!endsSentence(token) || !beginsSentence(next) || isOrdinal(token, next) || isShortened(token, next))
    )
      continue;
    const [start, end] = [starts[from] ?? 0, (starts[at] ?? 0) + token.text.length];
    const isWhole = next === undefined || endsSentence(token) || token.block !== next.block;
    found.push({ start, end, text: text.slice(start, end), isWhole });
    from = at + 1;
  }
  sentences.set(context, found);
  return found;
}
