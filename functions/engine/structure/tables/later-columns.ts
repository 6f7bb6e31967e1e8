/** Reads the first rows of a table in the columns of a later row, where headings or merged words cover several of them. */
import { type AlignedRun, continueRun, growRun, insertTrack, tracksUnder } from "./column-tracks.ts";
import type { Rules } from "./rule-positions.ts";
import { placeHeading } from "./spanning-headings.ts";
import type { TableWord } from "./table-parts.ts";
import type { ColumnTrack, PageRow } from "./text-rows.ts";

/** Rows that a run may have before the row that tells its columns; more have told them. */
const MAX_ROWS_BEFORE = 3;
/** Rows by which the columns of a later row make a run longer. */
const MIN_GAINED_ROWS = 3;

/** The run from `start` on in the columns of the row at `model`; undefined where a row before it does not fit. */
function growBy<W extends TableWord>(
  rows: readonly PageRow<W>[],
  start: number,
  model: number,
  rules: Rules,
): AlignedRun<W> | undefined {
  const tracks: ColumnTrack[] = (rows[model]?.lines ?? []).map(({ box: { left, right } }) => ({ left, right }));
  const before = rows.slice(start, model);
  for (const { lines, size } of before)
    for (const line of lines)
      if (tracksUnder(tracks, line.box.left, line.box.right, size).length === 0) insertTrack(tracks, line, []);
  const placed = before.map((row) => placeHeading(row, tracks, true)).filter((row) => row !== undefined);
  return placed.length < before.length
    ? undefined
    : continueRun(rows, { start, end: model, tracks, rows: placed }, rules);
}

/** The longest run of rows from `start` on, in the columns of its first rows or of one right behind them. */
export function growTable<W extends TableWord>(
  rows: readonly PageRow<W>[],
  start: number,
  rules: Rules,
): AlignedRun<W> | undefined {
  const run = growRun(rows, start, rules);
  if (run === undefined || run.rows.length > MAX_ROWS_BEFORE) return run;
  const model = rows.findIndex(
    ({ lines }, at) => at >= run.end && lines.length >= run.tracks.length && lines.length > 2,
  );
  if (model < 0 || model > run.end + 1) return run;
  const longer = growBy(rows, start, model, rules);
  return longer !== undefined && longer.rows.length >= run.rows.length + MIN_GAINED_ROWS ? longer : run;
}
