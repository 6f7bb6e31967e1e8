/** Signs that a run of words was written into a form, and is not its print. */
import { intersects, middleX, spanOverlap } from "../../layout/geometry.ts";
import { foldText, splitName } from "../../values/text-folding.ts";
import { wordsOf } from "../../values/vocabulary/languages.ts";
import type { PageSpace, TextRun } from "../detect/page-space.ts";
import { flag, type Signs } from "../detect/sign-source.ts";
import { isAtFoot } from "./lines-under-words.ts";

/** Length of a rule beyond the words on it from which it is a line to write on, in ems. */
const MIN_FREE_RULE_EM = 1.5;
/** Gap to print on the same row, in ems. */
const BESIDE_EM = 6;
const ABOVE_EM = 1.6;
const MAX_SIZE_DIFFERENCE = 0.6;
/** Words from which a run is a sentence. */
const SENTENCE_WORDS = 9;
const MANY_WORDS = 5;

/** Letters of a word that asks at least. */
const MIN_ASKING_LETTERS = 3;
const SMALL_WORDS = new Set(wordsOf(({ grammar }) => grammar.stopWords).map(foldText));
/** Words that ask for something on forms: values seldom have one. */
const ASKING_WORDS = new Set(
  wordsOf(({ forms }) => Object.values(forms?.synonyms ?? {}).flat()).flatMap((phrase) =>
    splitName(phrase).filter((word) => word.length >= MIN_ASKING_LETTERS && !SMALL_WORDS.has(word)),
  ),
);
/** Letters of a run in capitals at least; fewer are initials. */
const MIN_CAPITALS = 3;

function isCapital({ text }: TextRun): boolean {
  const letters = text.replace(/[^\p{L}]/gu, "");
  return letters.length >= MIN_CAPITALS && letters === letters.toUpperCase() && !CODE.test(text);
}

/** Share of a run's words that ask. */
const askingShare = ({ words }: TextRun): number =>
  words.filter(({ text }) => splitName(text).some((word) => ASKING_WORDS.has(word))).length / words.length;

const LINE_NUMBER = /^\(?(?:\d{1,3}\s?\p{Ll}?|\p{Ll})[.):](?!\d)/u;
const FIGURES = /\d/g;
const SHAPED_VALUE =
  /^[$€£]?\s?\(?-?\d[\d.,' ]*\)?$|^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$|@\S+\.\p{L}{2,}|^\+?[\d ()/.-]{7,}$|^\d{2,}-\d{2,}/u;

/** A time, a day of a month, a number with its unit. */
const SHORT_VALUE =
  /^\d{1,2}[:.h]\d{2}(?:\s?[ap]m)?$|^\d{1,2}[./-]\d{1,2}\.?$|^\d+(?:[.,]\d+)?\s?(?:\p{Ll}{1,3}|\p{Sc}|%)$/iu;
/** Letters and figures in one word. */
const CODE = /^(?=.*\d)(?=.*\p{L})[\p{L}\d./-]{4,}$/u;
/** Capitalised words, as names are; one of them may be an initial. */
const NAMES = /^\p{Lu}[\p{Ll}'’-]+(?:\s(?:\p{Lu}[\p{Ll}'’-]+|\p{Lu}\.))*,?$/u;

/** A house number before or behind its street, or a postcode with its town. */
const ADDRESS =
  /^\d{1,4}\s?\p{L}?,?\s\p{L}{2,}|\p{L}{3,}\.?\s\d{1,4}\s?\p{L}?(?:,|$)|(?:^|\s)\d{4,5}\s\p{Lu}\p{L}{2,}/u;

interface Neighbours {
  /** Other runs in its cell, over it, and before it on its row. */
  inCell: TextRun[];
  above: TextRun[];
  before: TextRun | undefined;
  after: TextRun | undefined;
}

const isOnRow = (one: TextRun, other: TextRun): boolean =>
  spanOverlap(one.box.top, one.box.bottom, other.box.top, other.box.bottom) >=
  0.5 * Math.min(one.box.bottom - one.box.top, other.box.bottom - other.box.top);

/** True for a run whose middle lies in a cell, or that stands out of it a little. */
const isIn = (cell: TextRun["box"], { box }: TextRun, em: number): boolean =>
  box.top > cell.top - em &&
  box.bottom < cell.bottom + em &&
  middleX(box) > cell.left &&
  middleX(box) < cell.right &&
  intersects(cell, box);

function neighboursOf(run: TextRun, cell: TextRun["box"] | undefined, { runs, em }: PageSpace): Neighbours {
  const found: Neighbours = { inCell: [], above: [], before: undefined, after: undefined };
  const { left, right, top } = run.box;
  const isBeside = (gap: number): boolean => gap >= -0.3 * em && gap <= BESIDE_EM * em;
  for (const one of runs) {
    if (one === run) continue;
    const { box } = one;
    if (cell !== undefined && isIn(cell, one, em)) found.inCell.push(one);
    const isOver = box.bottom <= top + 0.4 * em && top - box.bottom <= ABOVE_EM * em;
    if (isOver && spanOverlap(box.left, box.right, left, right) > 0) found.above.push(one);
    // What stands in another cell is another place's.
    if (!isOnRow(one, run) || (cell !== undefined && !isIn(cell, one, em))) continue;
    if (isBeside(left - box.right) && !(found.before && found.before.box.right >= box.right)) found.before = one;
    if (isBeside(box.left - right) && !(found.after && found.after.box.left <= box.left)) found.after = one;
  }
  return found;
}

/** The smallest cell around a run. */
function cellAround({ box }: TextRun, { cells }: PageSpace): TextRun["box"] | undefined {
  const [x, y] = [middleX(box), (box.top + box.bottom) / 2];
  let best: TextRun["box"] | undefined;
  for (const { box: cell } of cells) {
    if (x <= cell.left || x >= cell.right || y <= cell.top || y >= cell.bottom) continue;
    const isSmaller =
      best === undefined ||
      (cell.right - cell.left) * (cell.bottom - cell.top) < (best.right - best.left) * (best.bottom - best.top);
    if (isSmaller) best = cell;
  }
  return best;
}

/** A line to write on under a run: it goes on where the run ends. */
function standsOnRule({ box }: TextRun, { rules, content, em }: PageSpace): boolean {
  const leaders = content.isPicture ? content.leaders : [];
  return [...rules.horizontal, ...content.underscores, ...leaders].some(
    (line) =>
      isAtFoot(line, box, em) &&
      spanOverlap(line.from, line.to, box.left, box.right) >= 0.7 * (box.right - box.left) &&
      line.to - line.from - (box.right - box.left) >= MIN_FREE_RULE_EM * em,
  );
}

/** Shares of a page's characters by the style of its type. */
export function styleShares({ content }: PageSpace): (run: TextRun) => number {
  const keyOf = (size: number, bold: boolean): string => `${Math.round(size * 4)} ${bold}`;
  const counts = new Map<string, number>();
  let whole = 0;
  for (const { size, bold, text } of content.words) {
    const key = keyOf(size, bold === true);
    counts.set(key, (counts.get(key) ?? 0) + text.length);
    whole += text.length;
  }
  return ({ words: [first] }) =>
    first === undefined || whole === 0 ? 0 : (counts.get(keyOf(first.size, first.bold === true)) ?? 0) / whole;
}

/** The signs of a run. @param styleShare of the page's characters in the run's style */
export function writtenSigns(run: TextRun, space: PageSpace, styleShare: number): Signs {
  const { em } = space;
  const { text, words, size } = run;
  const cell = cellAround(run, space);
  const { inCell, above, before, after } = neighboursOf(run, cell, space);
  const heads = cell === undefined ? [] : space.headsOf(cell);
  const sized = Math.max(-MAX_SIZE_DIFFERENCE, Math.min(MAX_SIZE_DIFFERENCE, size / em - 1));
  const isLowest = inCell.every((one) => one.box.top <= run.box.top + 0.3 * em);
  const small = words.filter((word) => SMALL_WORDS.has(foldText(word.text))).length / words.length;
  const onRule = standsOnRule(run, space);
  const hasLabelOver = above.some((one) => one.size <= size + 0.2);
  return {
    larger: Math.max(0, sized),
    smaller: Math.max(0, -sized),
    "usual style": space.content.isPicture ? 0 : styleShare,
    bold: flag(run.bold),
    colon: flag(/[:：?？]\s*$/u.test(text)),
    "line number": flag(LINE_NUMBER.test(text)),
    figures: (text.match(FIGURES)?.length ?? 0) / text.length,
    "shape of a value": flag(SHAPED_VALUE.test(text)),
    "short value": flag(SHORT_VALUE.test(text)),
    code: flag(CODE.test(text)),
    names: flag(NAMES.test(text)),
    address: flag(ADDRESS.test(text)),
    bracket: flag(/[()]/.test(text)),
    "many words": flag(words.length >= MANY_WORDS),
    asking: askingShare(run),
    "behind asking": before === undefined ? 0 : askingShare(before),
    "under asking": Math.max(0, ...above.map(askingShare)),
    "in a cell with asking": Math.max(0, ...inCell.map(askingShare)),
    sentence: flag(words.length >= SENTENCE_WORDS),
    "small words": small,
    capitals: flag(isCapital(run)),
    "lower case": flag(/^\p{Ll}/u.test(text)),
    "on a rule": flag(onRule),
    "on a rule behind print": flag(onRule && before !== undefined),
    "in a cell": flag(cell !== undefined),
    "alone in a cell": flag(cell !== undefined && inCell.length === 0),
    "alone in a cell with heads": flag(cell !== undefined && inCell.length === 0 && heads.length > 0),
    "under print in its cell": flag(inCell.length > 0 && isLowest && hasLabelOver),
    "over print in its cell": flag(inCell.some((one) => one.box.top >= run.box.bottom - 0.4 * em)),
    "behind a colon": flag(before !== undefined && /[:：]\s*$/u.test(before.text)),
    "behind print": flag(before !== undefined),
    "before print": flag(after !== undefined),
    "under print": flag(hasLabelOver),
    "in open room": flag(cell === undefined && !onRule && above.length === 0),
  };
}
