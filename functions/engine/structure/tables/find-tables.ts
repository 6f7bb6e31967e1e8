/** Finds the tables of a page: those inside rules first, then those that only line up. */
import type { Line, TableBlock, Word } from "../../../ports/layout.ts";
import { median, unionBox } from "../../layout/geometry.ts";
import { findAlignedTables } from "./aligned-tables.ts";
import { cutAtCorridors } from "./column-corridors.ts";
import { fillEdges, settleFills } from "./fill-edges.ts";
import { findFramedTables } from "./framed-tables.ts";
import { joinHeads } from "./head-and-body.ts";
import { type Rules, settleRules } from "./rule-positions.ts";
import { findRuledTables } from "./ruled-tables.ts";
import {
  type Drawing,
  type FoundTable,
  type FoundTables,
  NO_DRAWING,
  type TableLine,
  type TableWord,
} from "./table-parts.ts";

/** Rows with two lines beside each other that a table without rules has. */
const MIN_SHARED_ROWS = 2;

/** True if some lines stand beside each other: a quick test that spares pages of running text. */
function mayLineUp(lines: readonly TableLine[]): boolean {
  const places = lines.map((line) => line.baseline).sort((a, b) => a - b);
  const em = median(lines.map((line) => line.size));
  let beside = 0;
  for (const [index, place] of places.entries()) {
    const before = places[index - 1];
    if (before !== undefined && place - before < 0.2 * em) beside += 1;
    if (beside >= MIN_SHARED_ROWS) return true;
  }
  return false;
}

/** The rules with the edges of filled cells. */
function withFillEdges({ horizontal, vertical, fills }: Drawing, em: number): Rules {
  const edges = fillEdges(fills, em);
  return settleRules(
    { fills, horizontal: [...horizontal, ...edges.horizontal], vertical: [...vertical, ...edges.vertical] },
    em,
  );
}

/**
 * Finds the tables among a page's lines, and the lines outside them; every word is in one of both, once. Lines may be
 * cut where cells meet. Any unit, the same for lines and drawing.
 */
export function findTables<W extends TableWord>(lines: readonly TableLine<W>[], drawing: Drawing): FoundTables<W> {
  if (lines.length === 0) return { tables: [], rest: [] };
  const em = median(lines.map((line) => line.size));
  const seen = { ...drawing, fills: settleFills(drawing.fills, em) };
  const rules = settleRules(seen, em);
  const enclosed = seen.fills.length > 0 ? withFillEdges(seen, em) : rules;
  const ruled = findRuledTables(lines, rules, enclosed);
  if (!mayLineUp(ruled.rest)) return { tables: joinHeads(ruled.tables), rest: ruled.rest };
  const framed = findFramedTables(ruled.rest, enclosed);
  const aligned = findAlignedTables(framed.rest, rules);
  return { tables: joinHeads([...ruled.tables, ...framed.tables, ...aligned.tables]), rest: aligned.rest };
}

const POINTS_PER_INCH = 72;

/** Size of a line's type in inches: known, or estimated from the height of its words. */
const sizeOf = ({ box, words }: Line): number =>
  median(
    words.map((word) => (word.fontSize === undefined ? 0.8 * (box.bottom - box.top) : word.fontSize / POINTS_PER_INCH)),
  );

const toLine = ({ words }: TableLine<Word>): Line => ({
  box: unionBox(words.map((word) => word.box)),
  words: [...words],
});

/** Converts a table to a block of the layout; its lines are made by `line`, its boxes by `box`. */
export function toBlock<W extends TableWord>(
  table: FoundTable<W>,
  line: (line: TableLine<W>) => Line,
  box: (box: FoundTable["box"]) => FoundTable["box"],
): TableBlock {
  return {
    kind: "table",
    box: box(table.box),
    rows: table.rows,
    columns: table.columns,
    headerRows: table.headerRows,
    cells: table.cells.map((cell) => ({ ...cell, box: box(cell.box), lines: cell.lines.map(line) })),
  };
}

/** The lines outside of tables, as they were given where all of their words are. */
function restoreLines(rest: readonly TableLine<Word>[], given: readonly Line[]): Line[] {
  const kept = new Set(rest.flatMap(({ words }) => words));
  const whole = new Map<Word, Line>();
  for (const line of given)
    if (line.words.every((word) => kept.has(word))) for (const word of line.words) whole.set(word, line);
  const parts = rest.flatMap((line): Line[] => {
    const known = line.words.map((word) => whole.get(word)).filter((one) => one !== undefined);
    const loose = line.words.filter((word) => !whole.has(word));
    return loose.length === 0 ? known : [...known, toLine({ ...line, words: loose })];
  });
  return [...new Set(parts)];
}

/**
 * Finds the tables among recognised lines of the layout model, in inches, and the lines outside them: every word is in
 * one of both, once. Lines are cut where cells meet.
 * @param drawing rules and fills in inches, where any are known
 */
export function tableBlocks(
  lines: readonly Line[],
  drawing: Drawing = NO_DRAWING,
): { tables: TableBlock[]; rest: Line[] } {
  const placed = lines
    .filter((line) => line.words.length > 0)
    .map(
      (line): TableLine<Word> => ({ box: line.box, words: line.words, size: sizeOf(line), baseline: line.box.bottom }),
    );
  const { tables, rest } = findTables(cutAtCorridors(placed), drawing);
  return { tables: tables.map((table) => toBlock(table, toLine, (box) => box)), rest: restoreLines(rest, lines) };
}
