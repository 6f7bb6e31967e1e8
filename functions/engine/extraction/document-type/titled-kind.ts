/** The type of a document by its title. */

import type { DocumentView } from "../../structure/view/document-view.ts";
import type { Row, Segment } from "../../structure/view/tokens.ts";
import { foldText } from "../../values/text-folding.ts";
import { TITLED_KINDS } from "../../values/vocabulary/document-kinds.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import { anyFolded, wholeWords } from "../../values/vocabulary/word-patterns.ts";
import type { Finding } from "../rules/findings.ts";

/** An expression for the titles of a type, folded. */
function titleOf(kind: (typeof TITLED_KINDS)[number]): RegExp {
  const alone = wordsOf(({ documents }) => documents.loneTitles?.[kind]);
  const titles = wordsOf(({ documents }) => documents.titles?.[kind]);
  const lone = alone.length === 0 ? "" : `^(?:${anyFolded(alone)})$|`;
  return new RegExp(lone + wholeWords(anyFolded(titles)), "u");
}

/** Titles of safety data sheets, folded. */
export const SAFETY_DATA_SHEET = titleOf("safety data sheet");

/** Document types by title, folded; the more specific ones first. */
const TYPE_TITLES = TITLED_KINDS.map((kind): [string, RegExp] => [kind, titleOf(kind)]);

/** The line that greets a letter's reader, folded. */
export const SALUTATION = new RegExp(
  `^(?:${anyFolded(wordsOf(({ documents }) => documents.greetings))})(?!\\p{L})`,
  "u",
);

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
  const largest = segments.reduce((most, { tokens }) => Math.max(most, tokens[0]?.em ?? 0), 0);
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
