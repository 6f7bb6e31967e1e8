/** The print about a place of a form: its label, and what stands before it, over it and at the head of its section. */
import type { Box } from "../../../ports/layout.ts";
import { middleY, spanOverlap } from "../../layout/geometry.ts";
import { type Candidate, isChoice } from "../detect/candidate.ts";
import { findLabel, type Label } from "../detect/labels.ts";
import type { PageSpace, TextRun } from "../detect/page-space.ts";

/** Print about a place. */
export interface EntryPrint {
  label: string;
  context: string[];
}

/** Share of a run's height that it shares with a place on the same row. */
const MIN_ROW_SHARE = 0.4;
/** Characters of one text about a place: more is a paragraph, of which the end is nearest. */
const MAX_TEXT_CHARACTERS = 240;
/** Distance of a column's head over a place, and of its section's heading, in ems. */
const MAX_HEAD_DISTANCE_EM = 12;
const MAX_SECTION_DISTANCE_EM = 90;
/** Size of a heading's type relative to the page's. */
const HEADING_SIZE = 1.15;
/** Gap between the lines of one paragraph in ems, and lines of it that are read. */
const MAX_LINE_GAP_EM = 0.7;
const MAX_LINES = 4;

const hasLetters = ({ text }: TextRun): boolean => /\p{L}{2}/u.test(text);
const isOnRow = ({ box }: TextRun, place: Box): boolean =>
  spanOverlap(box.top, box.bottom, place.top, place.bottom) >= MIN_ROW_SHARE * (box.bottom - box.top);
const joined = (runs: readonly TextRun[]): string =>
  runs
    .map(({ text }) => text)
    .join(" ")
    .slice(-MAX_TEXT_CHARACTERS);

/** The print before a place on its row, up to the place before it. */
function rowPrint(place: Box, others: readonly Box[], space: PageSpace): TextRun[] {
  const onRow = (one: Box): boolean =>
    spanOverlap(one.top, one.bottom, place.top, place.bottom) >= 0.5 * (one.bottom - one.top);
  const from = others
    .filter((one) => one.right <= place.left + 1 && onRow(one))
    .reduce((most, { right }) => Math.max(most, right), Number.NEGATIVE_INFINITY);
  return space.runs.filter(
    (run) => run.box.right <= place.left + 0.5 * space.em && run.box.left >= from - 1 && isOnRow(run, place),
  );
}

/** The lines of a paragraph over its last line. */
function linesOver(last: TextRun, space: PageSpace): TextRun[] {
  const lines = [last];
  for (let first = last; lines.length < MAX_LINES; ) {
    const above = space.runs.find(
      ({ box }) =>
        Math.abs(box.left - first.box.left) < 2.5 * space.em &&
        box.bottom <= middleY(first.box) &&
        first.box.top - box.bottom < MAX_LINE_GAP_EM * space.em,
    );
    if (above === undefined) break;
    lines.unshift(above);
    first = above;
  }
  return lines;
}

/** The nearest print over a place in its column. */
function columnPrint(place: Box, { runs, em }: PageSpace): TextRun | undefined {
  return runs
    .filter(
      (run) =>
        hasLetters(run) &&
        run.box.bottom <= place.top + 0.4 * em &&
        run.box.bottom > place.top - MAX_HEAD_DISTANCE_EM * em &&
        spanOverlap(run.box.left, run.box.right, place.left, place.right) > 0.5 * em,
    )
    .reduce<TextRun | undefined>((best, run) => (best && best.box.bottom >= run.box.bottom ? best : run), undefined);
}

/** The nearest heading over a place: bold print, or larger than the page's. */
function sectionPrint(place: Box, { runs, em }: PageSpace): TextRun | undefined {
  return runs
    .filter(
      (run) =>
        (run.bold || run.size >= HEADING_SIZE * em) &&
        hasLetters(run) &&
        run.box.bottom <= place.top + 0.4 * em &&
        run.box.bottom > place.top - MAX_SECTION_DISTANCE_EM * em &&
        run.box.left < place.right,
    )
    .reduce<TextRun | undefined>((best, run) => (best && best.box.bottom >= run.box.bottom ? best : run), undefined);
}

/**
 * Finds the print about a place.
 * @param others all places of the page @param question of a place to tick
 */
export function printAbout(
  candidate: Candidate,
  others: readonly Box[],
  space: PageSpace,
  question: string | undefined,
  label: Pick<Label, "text"> = findLabel(candidate, space),
): EntryPrint {
  const { box } = candidate;
  const row = rowPrint(box, others, space);
  const [first] = row;
  const rowText = first === undefined ? "" : joined([...linesOver(first, space), ...row.slice(1)]);
  const heads = space.headsOf(candidate.around).map(joined);
  const column = columnPrint(box, space);
  const section = sectionPrint(box, space);
  const asked = space.runs.find(({ text }) => text === question);
  const context = [
    asked === undefined ? (question ?? "") : joined(linesOver(asked, space)),
    rowText,
    ...heads,
    column === undefined || isChoice(candidate) ? "" : joined(linesOver(column, space)),
    section?.text ?? "",
  ].filter((text) => text !== "" && text !== label.text);
  return { label: label.text, context: [...new Set(context)] };
}
