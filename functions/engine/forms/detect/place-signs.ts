/** Signs that speak for and against a candidate: each is there or not, or a number near 1. */
import { containsMiddle, middleX, middleY, overlapArea, spanOverlap } from "../../layout/geometry.ts";
import { type Candidate, isChoice, isLine } from "./candidate.ts";
import { isYesOrNo } from "./form-wording.ts";
import type { Label } from "./labels.ts";
import type { PageSpace, TextRun } from "./page-space.ts";

export type Signs = Record<string, number>;

/** Distance of edges that line up, in ems. */
const ALIGNED_EM = 0.4;
/** Share of a page's height at its top and bottom where running lines stand. */
const MARGIN_SHARE = 0.06;
/** Shades from which paper is tinted, from which an empty cell is closed, and from which a fill is dark. */
const TINTED_SHADE = 0.97;
const GRAY_SHADE = 0.82;
const DARK_SHADE = 0.7;
/** Distance from the end of a leader to the place that it leads to, in ems: a number or a sign may stand between. */
const LEADER_REACH_EM = 5;
/** Characters of print in a cell with a label of some lines; more is a text. */
const MAX_LABEL_CHARACTERS = 70;
/** Characters of a label on one line: a row of small print over the room of a wide cell. */
const MAX_LABEL_LINE_CHARACTERS = 110;
/** Characters of a label that stands before a place on its row. */
const MAX_NAME_CHARACTERS = 40;
/** Distance of such a label, and of print behind a place, in ems. */
const BESIDE_EM = 1.2;
/** Size of a heading's type relative to the page's. */
const HEADING_SIZE = 1.2;
/** Heights and widths in ems: less than a line of the page's type, a box for a picture, a number of two digits. */
const LOW_EM = 1.1;
const LARGE_EM = 6;
const NARROW_EM = 3;
/** Share of the page's width that a line between two parts of a form has at least. */
const WIDE_SHARE = 0.6;
/** Distance of two lines of one text to write, in ems. */
const MIN_STACK_EM = 0.8;
const MAX_STACK_EM = 3.2;

const flag = (condition: boolean): number => (condition ? 1 : 0);

/** A candidate and everything that its signs are read from. */
interface SignSource {
  own: Candidate;
  label: Label;
  /** All candidates of the page. */
  all: readonly Candidate[];
  space: PageSpace;
  /** The print in its cell. */
  print: readonly TextRun[];
}

const isAligned = (a: number, b: number, em: number): boolean => Math.abs(a - b) <= ALIGNED_EM * em;

/** Tells whether others of the same kind have the same edges, in a column and in a row. */
function mates({ own, all, space: { em } }: SignSource): { column: boolean; row: boolean } {
  const others = all.filter((other) => other !== own && !isChoice(other));
  return {
    column: others.some(({ box }) => isAligned(box.left, own.box.left, em) && isAligned(box.right, own.box.right, em)),
    row: others.some(({ box }) => isAligned(box.top, own.box.top, em) && isAligned(box.bottom, own.box.bottom, em)),
  };
}

const sharesRow = ({ box }: TextRun, place: Candidate["box"], least: number): boolean =>
  spanOverlap(box.top, box.bottom, place.top, place.bottom) > least * (box.bottom - box.top);

const isLevel = (run: TextRun, first: TextRun | undefined): boolean =>
  first !== undefined && sharesRow(run, first.box, 0.5);

/** The short text right before a place on its row. */
const nameBeside = ({ own: { box }, space: { runs, em } }: SignSource): TextRun | undefined =>
  runs.find(
    (run) =>
      run.box.right <= box.left + 0.3 * em &&
      box.left - run.box.right < BESIDE_EM * em &&
      run.text.length <= MAX_NAME_CHARACTERS &&
      sharesRow(run, box, 0.5),
  );

/** True for print that ends as one does before an entry: with a colon or a sign of money. */
const announcesEntry = (name: TextRun | undefined): boolean =>
  name !== undefined && /[:：$€#]\s*$/u.test(name.text) && !isYesOrNo(name.text);

/** True for a line over or under another of the same length, with nothing in between. */
const isStacked = ({ own: { box }, all, space: { em, runs } }: SignSource): boolean =>
  all.some((other) => {
    const distance = Math.abs(other.box.bottom - box.bottom);
    if (!isLine(other) || distance < MIN_STACK_EM * em || distance > MAX_STACK_EM * em) return false;
    if (Math.abs(other.box.left - box.left) > em || Math.abs(other.box.right - box.right) > em) return false;
    const [top, bottom] = [Math.min(other.box.bottom, box.bottom), Math.max(other.box.bottom, box.bottom)];
    return !runs.some((run) => containsMiddle({ ...box, top, bottom }, run.box));
  });

/** True for a cell over an empty one of the same width: the head of a column. */
const isOverEmptyCell = ({ own: { around }, space }: SignSource): boolean => {
  const below = space.cellBeside(around, "below");
  return below !== undefined && space.runsIn(below).length === 0;
};

/** Letters of the head of a row; a number there counts the rows, and the rest of its cell is to be written in. */
const MIN_HEAD_LETTERS = 3;

/** True for a cell with words and some room behind them, before an empty cell of the same height: the head of a row. */
const isBeforeEmptyCell = ({ own: { box, around }, space, print }: SignSource): boolean => {
  if (print.some((run) => run.box.right > box.left + 0.5 * space.em)) return false;
  const right = space.cellBeside(around, "right");
  const letters = print.flatMap(({ text }) => text.match(/\p{L}/gu) ?? []).length;
  return letters >= MIN_HEAD_LETTERS && right !== undefined && space.runsIn(right).length === 0;
};

/** True for the label of a checkbox: a box to tick stands right before it. */
const namesChoice = ({ label: { run }, all, space: { em } }: SignSource): boolean =>
  run !== undefined &&
  all.some(
    (other) =>
      isChoice(other) &&
      other.box.right <= run.box.left + 0.5 * em &&
      run.box.left - other.box.right < BESIDE_EM * em &&
      sharesRow(run, other.box, 0.3),
  );

/** Shade of the paper at a place, 0 black to 1 white. */
function tintAt({ own: { box }, space: { content, rules } }: SignSource): number {
  const isBlank = content.blanks.some((one) => containsMiddle(one, box));
  return isBlank ? 1 : (rules.fillAt(middleX(box), middleY(box))?.shade ?? 1);
}

function cellSigns(source: SignSource): Signs {
  const { own, label, all, space, print } = source;
  const { box, around, shape } = own;
  const characters = print.reduce((sum, { text }) => sum + text.length, 0);
  const rooms = all.filter((one) => one.around === around);
  const isMain = rooms[0] === own;
  const isEmpty = print.length === 0;
  const isOneLine = print.every((run) => isLevel(run, print[0]));
  const isLabelled = !isEmpty && characters <= (isOneLine ? MAX_LABEL_LINE_CHARACTERS : MAX_LABEL_CHARACTERS);
  const isText = !isEmpty && !isLabelled;
  const name = nameBeside(source);
  const hasColon = announcesEntry(name);
  const { column } = mates(source);
  return {
    comb: flag(shape === "comb"),
    box: flag(shape === "box" && isEmpty),
    "empty cell": flag(isEmpty),
    "empty cell in a column": flag(isEmpty && column),
    "large empty cell": flag(isEmpty && box.bottom - box.top > LARGE_EM * space.em),
    "labelled cell": flag(isLabelled && isMain),
    "bold label": flag(isLabelled && label.run?.bold === true),
    "yes or no": flag(!isEmpty && print.every(({ text }) => isYesOrNo(text))),
    "after a colon": flag(!isEmpty && hasColon),
    "rest of a labelled cell": flag(isLabelled && !isMain && name === undefined),
    "named rest of a cell": flag(!isEmpty && !isMain && name !== undefined && !hasColon),
    "cell of text": flag(isText && isMain),
    "rest of a cell of text": flag(isText && !isMain && !hasColon),
    "column head": flag(!isEmpty && isOverEmptyCell(source)),
    "row head": flag(isBeforeEmptyCell(source)),
    "cell without heads": flag(shape === "cell" && isEmpty && space.headsOf(around).length === 0),
    "label of a choice": flag(!isEmpty && namesChoice(source)),
    heading: flag(!isEmpty && label.run !== undefined && label.run.size > HEADING_SIZE * space.em),
    "tinted cell with print": flag(!isEmpty && tintAt(source) < TINTED_SHADE),
    "gray empty cell": flag(isEmpty && tintAt(source) < GRAY_SHADE),
    "cell with choices": flag(all.some((one) => isChoice(one) && overlapArea(one.box, around) > 0)),
  };
}

function lineSigns(source: SignSource): Signs {
  const { own, label, space } = source;
  const { box, around, shape } = own;
  if (shape === "lines") return { lines: 1 };
  const isNamed = label.place === "left" || label.place === "below";
  const isUnderLabel = label.place === "above" && label.text.length <= MAX_LABEL_CHARACTERS;
  const isUnderPrint = space
    .runsAt(around)
    .some((run) => spanOverlap(run.box.left, run.box.right, around.left, around.right) > space.em);
  const isWide = box.right - box.left > WIDE_SHARE * (space.content.frame.right - space.content.frame.left);
  return {
    "named line": flag(shape === "rule" && isNamed),
    "named line under print": flag(isNamed && isUnderPrint),
    "line under print": flag(!isNamed && isUnderPrint),
    "line under a label": flag(shape === "rule" && !isNamed && isUnderLabel),
    "line without name": flag(shape === "rule" && !isNamed && !isUnderLabel),
    "wide line without name": flag(shape === "rule" && !isNamed && isWide),
    "stacked line": flag(isStacked(source)),
    "line beside another": flag(mates(source).row),
    "after a colon": flag(announcesEntry(nameBeside(source))),
    underscore: flag(shape === "underscore"),
    dots: flag(shape === "leader"),
  };
}

/** Signs of any place to write. */
function roomSigns(source: SignSource): Signs {
  const { own, space } = source;
  const { box, around } = own;
  const { em, content } = space;
  const { frame } = content;
  const margin = MARGIN_SHARE * (frame.bottom - frame.top);
  return {
    "after a leader": flag(
      content.leaders.some(
        ({ at, to }) =>
          at > box.top && at < box.bottom + 0.3 * em && to <= box.left + em && box.left - to < LEADER_REACH_EM * em,
      ),
    ),
    "print after": flag(
      space.runs.some(
        (run) =>
          run.box.left >= box.right - 0.3 * em &&
          // The print of the next cell says nothing of this one.
          run.box.left <= (isLine(own) ? box.right + em : Math.min(box.right + em, around.right)) &&
          sharesRow(run, box, 0.4),
      ),
    ),
    low: flag(box.bottom - box.top < LOW_EM * em),
    narrow: flag(box.right - box.left < NARROW_EM * em),
    dark: flag(tintAt(source) < DARK_SHADE),
    margin: flag(middleY(box) < frame.top + margin || middleY(box) > frame.bottom - margin),
  };
}

function choiceSigns({ own: { shape, box }, label, space: { em } }: SignSource): Signs {
  const side = (box.right - box.left + box.bottom - box.top) / 2;
  return {
    [shape]: 1,
    "far label": flag(label.place === "header" || label.place === "none"),
    "label left": flag(label.place === "left"),
    small: flag(side < SMALL_CHOICE_EM * em),
    large: flag(side > LARGE_CHOICE_EM * em),
  };
}
/** Sides of a checkbox in ems: smaller ones are bullets, larger ones boxes for a letter or two. */
const SMALL_CHOICE_EM = 0.65;
const LARGE_CHOICE_EM = 1.7;

/** The signs of a candidate. @param all the candidates of its page */
export function signsOf(own: Candidate, label: Label, all: readonly Candidate[], space: PageSpace): Signs {
  const source: SignSource = { own, label, all, space, print: isLine(own) ? [] : space.runsIn(own.around) };
  if (isChoice(own)) return choiceSigns(source);
  return { ...(isLine(own) ? lineSigns(source) : cellSigns(source)), ...roomSigns(source) };
}
