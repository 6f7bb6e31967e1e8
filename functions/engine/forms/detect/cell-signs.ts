/** Signs that speak for and against a place in a cell or box. */
import type { Box } from "../../../ports/layout.ts";
import { containsMiddle, median, overlapArea } from "../../layout/geometry.ts";
import { isYesOrNo } from "./form-wording.ts";
import { type TextRun, tintOf } from "./page-space.ts";
import {
  flag,
  isLevel,
  MAX_LABEL_CHARACTERS,
  mates,
  nameBeside,
  namesChoice,
  type SignSource,
  type Signs,
} from "./sign-source.ts";

/** Shades from which paper is tinted, and from which an empty cell is closed. */
const TINTED_SHADE = 0.97;
const GRAY_SHADE = 0.82;
/** Characters of a label on one line: a row of small print over the room of a wide cell. */
const MAX_LABEL_LINE_CHARACTERS = 110;
/** Size of a heading's type relative to the page's. */
const HEADING_SIZE = 1.2;
/** Height of a box for a picture, in ems. */
const LARGE_EM = 6;

/** Letters of the head of a row; a number there counts the rows, and the rest of its cell is to be written in. */
const MIN_HEAD_LETTERS = 3;

const countLetters = (print: readonly TextRun[]): number =>
  print.reduce((sum, { text }) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0);

/** The print of the next cell in the row; undefined without one. */
function printAfter({ own: { around }, space }: SignSource): { cell: Box; print: TextRun[] } | undefined {
  const cell = space.cellBeside(around, "right");
  return cell === undefined ? undefined : { cell, print: space.runsIn(cell) };
}

/** True for a cell of words before one to fill: an empty one of the same height, or one with a sign of money alone. */
function isRowHead(source: SignSource): boolean {
  const after = printAfter(source);
  return after !== undefined && countLetters(source.print) >= MIN_HEAD_LETTERS && countLetters(after.print) === 0;
}

/** True for room behind the words of its cell, on their row. */
const isBehindPrint = ({ own: { box }, space: { em }, print }: SignSource): boolean =>
  print.every((run) => run.box.right <= box.left + 0.5 * em);

/** Height of an empty cell relative to its width from which it is a margin, and no line fits. */
const TALL_SHARE = 1.5;
/** True for tinted paper around white boxes to write in: the ground of a part of the form. */
const isGround = ({ own: { box, around }, space: { content } }: SignSource, tint: number): boolean =>
  tint < TINTED_SHADE &&
  content.fills.some(
    (fill) =>
      containsMiddle(fill.box, box) &&
      content.blanks.some((blank) => containsMiddle(fill.box, blank) && !containsMiddle(around, blank)),
  );

/** True for print with a word: the number of a line is bold on many forms. */
const hasWord = ({ text }: TextRun): boolean => /^\p{L}{3}/u.test(text);

/** Height of a cell relative to the usual one of its column from which it goes past a row, and cells of a column. */
const TALLER_SHARE = 1.8;
const MIN_COLUMN = 3;

/** True for an empty cell that is much taller than most of its column: rows are left out there. */
function isTaller({ own: { around }, texts, space: { em } }: SignSource): boolean {
  const column = new Set(
    texts
      .map((one) => one.around)
      .filter(
        ({ left, right }) =>
          Math.abs(left - around.left) < SAME_COLUMN_EM * em && Math.abs(right - around.right) < SAME_COLUMN_EM * em,
      ),
  );
  if (column.size <= MIN_COLUMN) return false;
  const usual = median([...column].map(({ top, bottom }) => bottom - top));
  return around.bottom - around.top > TALLER_SHARE * usual;
}
/** Distance of the edges of cells of one column, in ems. */
const SAME_COLUMN_EM = 0.4;

export function cellSigns(source: SignSource): Signs {
  const { own, label, texts, choices, space, print } = source;
  const { box, around, shape } = own;
  const characters = print.reduce((sum, { text }) => sum + text.length, 0);
  const isMain = texts.find((one) => one.around === around) === own;
  const isEmpty = print.length === 0;
  // The head of a row or column may be bold and large.
  const ownLabel = label.place === "inside" ? label.run : undefined;
  const isOneLine = print.every((run) => isLevel(run, print[0]));
  const isLabelled = !isEmpty && characters <= (isOneLine ? MAX_LABEL_LINE_CHARACTERS : MAX_LABEL_CHARACTERS);
  const isText = !isEmpty && !isLabelled;
  const { name, announces: hasColon } = nameBeside(source);
  const { column } = mates(source);
  const tint = tintOf(box, space);
  const hasChoices = choices.some((one) => overlapArea(one.box, around) > 0);
  return {
    comb: flag(shape === "comb"),
    box: flag(shape === "box" && isEmpty),
    "empty cell": flag(isEmpty),
    "empty cell in a column": flag(isEmpty && column),
    "large empty cell": flag(isEmpty && box.bottom - box.top > LARGE_EM * space.em),
    "labelled cell": flag(isLabelled && isMain),
    "bold label": flag(isLabelled && ownLabel?.bold === true),
    "bold beginning": flag(isLabelled && ownLabel?.bold === false && ownLabel.beginsBold && hasWord(ownLabel)),
    "yes or no": flag(!isEmpty && print.every(({ text }) => isYesOrNo(text))),
    "after a colon": flag(!isEmpty && hasColon),
    "rest of a labelled cell": flag(isLabelled && !isMain && name === undefined),
    "named rest of a cell": flag(!isEmpty && !isMain && name !== undefined && !hasColon),
    "cell of text": flag(isText && isMain),
    "rest of a cell of text": flag(isText && !isMain && !hasColon),
    "column head": flag(!isEmpty && space.isColumnHead(around)),
    "row of heads": flag(space.isAmongHeads(around)),
    "row head": flag(isRowHead(source) && isBehindPrint(source)),
    question: flag(!isEmpty && /[?？]\s*$/u.test(label.text)),
    "cell without heads": flag(shape === "cell" && isEmpty && space.headsOf(around).length === 0),
    "label of a choice": flag(!isEmpty && namesChoice(source)),
    heading: flag(!isEmpty && ownLabel !== undefined && ownLabel.size > HEADING_SIZE * space.em),
    "tinted cell with print": flag(!isEmpty && tint < TINTED_SHADE),
    "gray empty cell": flag(isEmpty && tint < GRAY_SHADE),
    "tall empty cell": flag(
      isEmpty && shape === "cell" && around.bottom - around.top > TALL_SHARE * (around.right - around.left),
    ),
    "taller than its column": flag(isEmpty && isTaller(source)),
    "ground of boxes": flag(isGround(source, tint)),
    "cell with choices": flag(hasChoices),
  };
}
