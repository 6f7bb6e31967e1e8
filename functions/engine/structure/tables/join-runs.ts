/** Joins runs below each other that are one table: rows whose texts were read together, or cut, hid its columns. */
import { type AlignedRun, placeRow } from "./column-tracks.ts";
import { joinSpaced, placeWords } from "./place-words.ts";
import type { Rules } from "./rule-positions.ts";
import { headingSigns } from "./table-header.ts";
import type { TableWord } from "./table-parts.ts";
import { type ColumnTrack, copyTracks, type PageRow, type TextRow } from "./text-rows.ts";

/** Rows of the run that tells the columns. */
const MIN_ROWS_OF_SURE_COLUMNS = 3;
/** Rows of neither run between both, and gap between rows of one table. */
const MAX_ROWS_BETWEEN = 1;
const MAX_GAP_EM = 2;
/** Share of the columns that a row fills which is placed word by word. */
const MIN_FILLED_SHARE = 0.6;

function placeInColumns<W extends TableWord>(row: PageRow<W>, tracks: readonly ColumnTrack[]): TextRow<W> | undefined {
  for (const lines of [row, joinSpaced(row, tracks)]) {
    const own = copyTracks(tracks);
    const placed = placeRow(lines, own);
    if (placed !== undefined && own.length === tracks.length) return placed;
  }
  return placeWords(row, tracks, MIN_FILLED_SHARE);
}

/** The rows from the first of one run to the last of the next in the columns of the surer run; undefined if some do not fit. */
export function joinRuns<W extends TableWord>(
  rows: readonly PageRow<W>[],
  before: AlignedRun<W>,
  run: AlignedRun<W>,
  rules: Rules,
): AlignedRun<W> | undefined {
  const [first, last] = [rows[run.start], rows[before.end - 1]];
  if (first === undefined || last === undefined || run.start - before.end > MAX_ROWS_BETWEEN) return undefined;
  if (headingSigns(first, rules).size > 0) return undefined;
  const own = rows.slice(before.start, run.end);
  const isNear = own.every(
    (row, at) => at === 0 || row.box.top - (own[at - 1]?.box.bottom ?? 0) <= MAX_GAP_EM * row.size,
  );
  const surer = run.tracks.length > before.tracks.length ? run : before;
  if (!isNear || surer.rows.length < MIN_ROWS_OF_SURE_COLUMNS) return undefined;
  const tracks = copyTracks(surer.tracks);
  const placed = own.map((row) => placeInColumns(row, tracks)).filter((row) => row !== undefined);
  return placed.length === own.length ? { start: before.start, end: run.end, tracks, rows: placed } : undefined;
}
