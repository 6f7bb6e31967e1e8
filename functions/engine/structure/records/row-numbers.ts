/** Numbers that count the rows of a list: 1, 2, 3 at the left of each row. */
import type { CandidateRow } from "./candidate-rows.ts";
import { cellKind } from "./cell-kinds.ts";
import { SAME_EDGE_INCHES } from "./column-layout.ts";

/** Minimum rows of a list that its numbers count. */
const MIN_NUMBERED_ROWS = 4;
/** Share of the rows that begin with a number, and share of the steps from one to the next that are 1. */
const MIN_NUMBERED_SHARE = 0.9;
const MIN_STEP_SHARE = 0.6;
/** Numbers above the count of the rows by this factor number something else, such as invoices. */
const MAX_NUMBERS_PER_ROW = 2;

/** Rows that numbers count: one section of a list, whose numbers rise. */
export interface NumberedRows {
  /** Fewer rows than numbers tell by themselves. */
  few: boolean;
  last: CandidateRow;
  lastNumber: number;
  /** Numbers between the first and the last that no row has. */
  absent: number[];
}

/** The number at the left of a row: `7`, `7.`, `(7)`. */
function rowNumber({ words: [first] }: CandidateRow): number | undefined {
  const digits = /^\(?(\d{1,5})[.):]?$/.exec(first?.text ?? "")?.[1];
  return digits === undefined ? undefined : Number(digits);
}

interface Numbered {
  row: CandidateRow;
  number: number;
}

/** Sections of a list: each begins with a number that is not above the one before. */
function sectionsOf(rows: readonly Numbered[]): Numbered[][] {
  const sections: Numbered[][] = [];
  for (const one of rows) {
    const last = sections.at(-1)?.at(-1);
    if (last !== undefined && one.number > last.number) sections.at(-1)?.push(one);
    else sections.push([one]);
  }
  return sections;
}

function absentBetween(section: readonly Numbered[]): number[] {
  const own = new Set(section.map(({ number }) => number));
  const [from, to] = [section[0]?.number ?? 0, section.at(-1)?.number ?? 0];
  return Array.from({ length: to - from + 1 }, (_, at) => from + at).filter((number) => !own.has(number));
}

/** Few rows are numbered if each has its number, from 1 on. */
const countsFromOne = (numbered: readonly Numbered[], rows: readonly CandidateRow[]): boolean =>
  numbered.length > 0 && numbered.length === rows.length && numbered.every(({ number }, at) => number === at + 1);

/** The numbers that count a list's rows; empty if its rows are not numbered. @param rows in the order of the document */
export function numberedRows(rows: readonly CandidateRow[]): NumberedRows[] {
  const numbered = rows.flatMap((row): Numbered[] => {
    const number = rowNumber(row);
    return number === undefined ? [] : [{ row, number }];
  });
  const steps = numbered.slice(1).filter(({ number }, at) => number === (numbered[at]?.number ?? number) + 1).length;
  const highest = numbered.reduce((most, { number }) => Math.max(most, number), 0);
  const few = numbered.length < MIN_NUMBERED_ROWS;
  if (few ? !countsFromOne(numbered, rows) : numbered.length < MIN_NUMBERED_SHARE * rows.length) return [];
  if (steps < MIN_STEP_SHARE * (numbered.length - 1) || highest > MAX_NUMBERS_PER_ROW * numbered.length) return [];
  return sectionsOf(numbered).flatMap((section): NumberedRows[] => {
    const [first, last] = [section[0], section.at(-1)];
    if (first === undefined || last === undefined) return [];
    return [{ few, last: last.row, lastNumber: last.number, absent: absentBetween(section) }];
  });
}

/**
 * The line behind a section's last row that has the next number at the same place, and values where few rows are
 * numbered: clauses are, too. Undefined if there is none.
 */
export function nextNumbered(
  { few, last, lastNumber }: NumberedRows,
  behind: readonly CandidateRow[],
): CandidateRow | undefined {
  const edges = last.words[0]?.box;
  return behind.find((row) => {
    const box = row.words[0]?.box;
    if (box === undefined || edges === undefined || rowNumber(row) !== lastNumber + 1) return false;
    const [left, right] = [Math.abs(box.left - edges.left), Math.abs(box.right - edges.right)];
    const isRow = row.cells.length >= 2 && Math.min(left, right) <= SAME_EDGE_INCHES;
    return isRow && (!few || row.cells.slice(1).some(({ text }) => cellKind(text) === "number"));
  });
}
