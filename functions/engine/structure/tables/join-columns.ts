/** Joins columns of a run that are one: a heading set off from its values. */
import { median } from "../../layout/geometry.ts";
import type { AlignedRun } from "./column-tracks.ts";
import { type TableWord, textOf } from "./table-parts.ts";
import { columnsOf, type RowPiece } from "./text-rows.ts";

/** Gap between two columns that are one, as no row fills both: a heading set off from its values. */
const MAX_SET_OFF_GAP_EM = 4;

/** A sign of money by itself, which some statements print at the left edge of a column of amounts. */
const MONEY_SIGN = /^\p{Sc}$/u;

/**
 * Joins neighbouring columns that are one: no row fills both of them, where one holds only headings; or signs of money
 * stand beside their amounts.
 */
export function joinSetOff<W extends TableWord>(run: AlignedRun<W>): void {
  const em = median(run.rows.map((row) => row.size));
  const counts = run.tracks.map(() => 0);
  const shared = run.tracks.map(() => 0);
  const signs = run.tracks.map((): boolean | undefined => undefined);
  for (const row of run.rows) {
    const own = columnsOf(row);
    for (const { column, line } of row.pieces) {
      const isSign = MONEY_SIGN.test(textOf([line])) && own.has(column + 1);
      // Texts above the first sign are headings.
      if (isSign || signs[column] !== undefined) signs[column] = isSign && signs[column] !== false;
    }
    for (const column of own) {
      counts[column] = (counts[column] ?? 0) + 1;
      if (own.has(column + 1)) shared[column] = (shared[column] ?? 0) + 1;
    }
  }
  for (let at = run.tracks.length - 2; at >= 0; at -= 1) {
    const [track, next] = [run.tracks[at], run.tracks[at + 1]];
    if (track === undefined || next === undefined) continue;
    const isHeading = shared[at] === 0 && Math.min(counts[at] ?? 0, counts[at + 1] ?? 0) <= 1;
    if (signs[at] !== true && (!isHeading || next.left - track.right > MAX_SET_OFF_GAP_EM * em)) continue;
    run.tracks.splice(at, 2, { left: Math.min(track.left, next.left), right: Math.max(track.right, next.right) });
    for (const row of run.rows) for (const piece of row.pieces) joinColumns(piece, at);
    // Columns beside the second are beside the joined one; rows that they share are no longer known.
    shared[at - 1] = Math.max(shared[at - 1] ?? 0, 1);
  }
}

/** Moves a piece where column `at` and the next become one. */
function joinColumns(piece: RowPiece<TableWord>, at: number): void {
  if (piece.column > at) piece.column -= 1;
  else if (piece.column + piece.span > at + 1) piece.span -= 1;
}
