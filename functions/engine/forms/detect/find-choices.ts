/** Places to tick: drawn squares and circles, characters that show them, and empty brackets. */
import type { Box } from "../../../ports/layout.ts";
import { containsMiddle, intersects, overlapShare, spanOverlap, unionBox } from "../../layout/geometry.ts";
import type { Candidate } from "./candidate.ts";
import type { FormWord } from "./form-page.ts";
import { isYesOrNo } from "./form-wording.ts";
import type { PageSpace, TextRun } from "./page-space.ts";
import { isTickSquare, MAX_SIDE_EM } from "./ruled-squares.ts";

/** Share of each that two boxes have in common to be one box drawn twice. */
const SAME_BOX_SHARE = 0.5;
/** Width of the space between brackets in ems. */
const MIN_BRACKET_GAP_EM = 0.15;
const MAX_BRACKET_GAP_EM = 2.5;

/** Drops boxes that are another one drawn again; the larger one stays. */
function withoutRepeats(boxes: readonly Box[]): Box[] {
  const kept: Box[] = [];
  const bySize = [...boxes].sort((a, b) => b.right - b.left - (a.right - a.left));
  for (const box of bySize) if (!kept.some((one) => overlapShare(one, box) > SAME_BOX_SHARE)) kept.push(box);
  return kept;
}

/** Spaces between two brackets with nothing in between. */
function bracketSpaces(words: readonly FormWord[]): Box[] {
  const found: Box[] = [];
  for (const [index, open] of words.entries()) {
    const close = words[index + 1];
    if (close === undefined || close.line !== open.line) continue;
    const isPair = (/[[]$/u.test(open.text) && /^\]/u.test(close.text)) || (open.text === "(" && close.text === ")");
    const gap = close.box.left - open.box.right;
    if (!isPair || gap < MIN_BRACKET_GAP_EM * open.size || gap > MAX_BRACKET_GAP_EM * open.size) continue;
    found.push({ left: open.box.right, right: close.box.left, top: open.box.top, bottom: open.box.bottom });
  }
  return found;
}

/** Space between squares of one comb, as a share of their side; squares with labels between them stand further apart. */
const MAX_COMB_GAP_SHARE = 0.8;
/** Difference of their tops, and of their sides, as a share of the side. */
const MAX_COMB_DIFFERENCE = 0.2;

/** Squares beside each other with nothing between them: a place with a square for each character. */
function joinCombs(squares: readonly Box[], words: readonly FormWord[]): { combs: Candidate[]; rest: Box[] } {
  const rows: Box[][] = [];
  for (const box of [...squares].sort((a, b) => a.left - b.left)) {
    const side = box.right - box.left;
    const row = rows.find((one) => {
      const last = one.at(-1);
      if (last === undefined) return false;
      const gap = box.left - last.right;
      const between = { left: last.right, right: box.left, top: box.top, bottom: box.bottom };
      return (
        gap >= -1 &&
        gap <= MAX_COMB_GAP_SHARE * side &&
        Math.abs(last.top - box.top) <= MAX_COMB_DIFFERENCE * side &&
        Math.abs(last.right - last.left - side) <= MAX_COMB_DIFFERENCE * side &&
        !words.some((word) => containsMiddle(between, word.box))
      );
    });
    if (row === undefined) rows.push([box]);
    else row.push(box);
  }
  return {
    combs: rows
      .filter((row) => row.length > 1)
      .map((row): Candidate => {
        const box = unionBox(row);
        return { shape: "comb", box, around: box, comb: row.length };
      }),
    rest: rows.filter((row) => row.length === 1).flat(),
  };
}

const toCandidate =
  (shape: Candidate["shape"]) =>
  (box: Box): Candidate => ({ shape, box, around: box });

/** A mark before an answer without a box: its side and its distance from the word, in ems of the word. */
const ANSWER_MARK_SIDE_EM = 0.9;
const ANSWER_MARK_GAP_EM = 0.45;
/** Free space before such a word in ems: room for the mark, and more than a space between words. */
const ANSWER_SPACE_EM = 1.5;
/** Distance of a place to tick after such a word in ems, for it to be that answer's own. */
const MAX_ANSWER_REACH_EM = 3;

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}]/gu, "");

/** True for answers of a row that are to be chosen from: pairs of two; a table of facts says the same in many columns. */
function isOffered(run: TextRun, answers: readonly TextRun[]): boolean {
  const row = answers
    .filter(({ box }) => spanOverlap(box.top, box.bottom, run.box.top, run.box.bottom) > 0)
    .sort((a, b) => a.box.left - b.box.left);
  return row.every(({ text }, index) => {
    const before = row[index - 1];
    return before === undefined || lettersOf(before.text) !== lettersOf(text);
  });
}

/** Room for a mark before words that answer yes or no and have neither box nor print beside them. */
function answerSpaces({ runs, content, rules }: PageSpace, drawn: readonly Box[]): Box[] {
  const answers = runs.filter(({ text }) => isYesOrNo(text));
  return answers.flatMap((run): Box[] => {
    if (!isOffered(run, answers)) return [];
    const { left, top, right: end, bottom } = run.box;
    const { size } = run;
    const after = { left: end, right: end + MAX_ANSWER_REACH_EM * size, top, bottom };
    const space = { left: left - ANSWER_SPACE_EM * size, right: left - 0.1 * size, top, bottom };
    const isTaken =
      drawn.some((one) => intersects(one, { ...space, right: left + MAX_SIDE_EM * size }) || intersects(one, after)) ||
      content.words.some((word) => intersects(word.box, space)) ||
      rules.vertical.some(({ at, from, to }) => at > space.left && at < space.right && from < bottom && to > top);
    if (isTaken) return [];
    const [middle, side] = [(top + bottom) / 2, ANSWER_MARK_SIDE_EM * size];
    const right = left - ANSWER_MARK_GAP_EM * size;
    return [{ left: right - side, right, top: middle - side / 2, bottom: middle + side / 2 }];
  });
}

/** The places to tick on a page, those with a letter inside left out. */
export function findChoices(space: PageSpace): Candidate[] {
  const { content, em, cells } = space;
  const { blanks, fills, words } = content;
  const paper = fills.filter(({ shade }) => shade >= 0.75).map(({ box }) => box);
  const drawn = [
    ...space.squares,
    ...content.squares,
    // Frames that are drawn in pieces, or whose corners cross.
    ...cells.filter(({ alone, box }) => alone && isTickSquare(box, em)).map(({ box }) => box),
    ...[...blanks, ...paper].filter((box) => isTickSquare(box, em)),
  ];
  const hasText = (box: Box): boolean =>
    words.some((word) => containsMiddle(box, word.box) && !/^[xX✓✗✔✘•]$/u.test(word.text));
  const { combs, rest: squares } = joinCombs(
    withoutRepeats(drawn).filter((box) => !hasText(box)),
    words,
  );
  const rounds = withoutRepeats(content.rounds).filter((box) => !hasText(box));
  return [
    ...combs,
    ...squares.map((box): Candidate => {
      const square = toCandidate("square")(box);
      return space.thinSquares.has(box) ? { ...square, thinFrame: true } : square;
    }),
    ...rounds.map(toCandidate("round")),
    ...content.marks.map(({ box, round }) => toCandidate(round ? "round" : "mark")(box)),
    ...bracketSpaces(words).map(toCandidate("brackets")),
    ...answerSpaces(space, [...drawn, ...content.rounds, ...content.marks.map(({ box }) => box)]).map(
      toCandidate("wording"),
    ),
  ];
}
