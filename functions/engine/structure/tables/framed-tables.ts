/** Reads the rows that rules frame as tables: all of them are rows, whatever air or label stands between them. */
import { median } from "../../layout/geometry.ts";
import { type AlignedRun, placeRow, tracksUnder } from "./column-tracks.ts";
import { type FramedRows, findFramedRows } from "./framed-rows.ts";
import { joinSetOff } from "./join-columns.ts";
import { partTracks } from "./part-columns.ts";
import { placeValues, placeWords } from "./place-words.ts";
import type { Rules } from "./rule-positions.ts";
import { boxAndHeader, toTable } from "./run-to-table.ts";
import { placeHeading, spreadHeadings } from "./spanning-headings.ts";
import { isNoTable, looksLikeTable } from "./table-likeness.ts";
import type { FoundTable, FoundTables, TableLine, TableWord } from "./table-parts.ts";
import { type ColumnTrack, copyTracks, type PageRow, type TextRow, valueColumnsOf } from "./text-rows.ts";

/** Share of the most lines beside each other from which a row tells the columns before others do. */
const MIN_TELLING_SHARE = 0.6;
/** Lines alone beside all columns that are a column of their own; one is a label. */
const MIN_LINES_ALONE = 2;
/** Words of a label between rows. */
const MAX_LABEL_WORDS = 12;

/** The columns that rows stand in: those with most texts first; rows that do not fit tell none. */
function columnsOfRows(rows: readonly PageRow<TableWord>[]): ColumnTrack[] {
  const most = Math.max(0, ...rows.map(({ lines }) => lines.length));
  const telling = rows.filter(({ lines }) => lines.length >= MIN_TELLING_SHARE * most);
  const others = rows.filter((row) => row.lines.length > 1 && !telling.includes(row));
  let tracks: ColumnTrack[] = [];
  const take = (row: PageRow<TableWord>): void => {
    const grown = copyTracks(tracks);
    if (placeRow(row, grown) !== undefined) tracks = grown;
  };
  for (const row of [...telling, ...others]) take(row);
  // Lines of a cell that are higher and lower than its neighbours stand alone; labels do, too, at the left.
  const alone = rows.filter(
    ({ lines: [line, ...more], size }) =>
      line !== undefined &&
      more.length === 0 &&
      line.box.left > (tracks[0]?.right ?? 0) &&
      tracksUnder(tracks, line.box.left, line.box.right, size).length === 0,
  );
  if (alone.length >= MIN_LINES_ALONE) for (const row of alone) take(row);
  return tracks;
}

/** A row with one text over several columns: the label of the rows below, in the column that it begins in. */
function placeLabel<W extends TableWord>(
  { lines, box, size }: PageRow<W>,
  tracks: readonly ColumnTrack[],
): TextRow<W> | undefined {
  const [line] = lines;
  if (line === undefined || lines.length > 1 || line.words.length > MAX_LABEL_WORDS) return undefined;
  const [column, ...others] = tracksUnder(tracks, line.box.left, line.box.right, size);
  if (column === undefined) return undefined;
  return { box, size, pieces: [{ column, span: column === 0 ? 1 : others.length + 1, line }] };
}

const placeBodyRow = <W extends TableWord>(row: PageRow<W>, tracks: readonly ColumnTrack[]): TextRow<W> | undefined => {
  const own = copyTracks(tracks);
  const placed = placeRow(row, own);
  return placed !== undefined && own.length === tracks.length
    ? placed
    : (placeValues(row, tracks) ?? placeLabel(row, tracks));
};

/** A row of the head: each text over its columns, or word by word. */
function placeHeadRow<W extends TableWord>(row: PageRow<W>, tracks: readonly ColumnTrack[]): TextRow<W> | undefined {
  const placed = placeHeading(row, tracks, true) ?? placeWords(row, tracks, 0);
  if (placed !== undefined || row.lines.length > 1) return placed;
  return placeLabel(row, tracks);
}

const placeAll = <W extends TableWord>(
  rows: readonly PageRow<W>[],
  place: (row: PageRow<W>) => TextRow<W> | undefined,
): TextRow<W>[] | undefined => {
  const placed = rows.map(place).filter((row) => row !== undefined);
  return placed.length === rows.length ? placed : undefined;
};

/** The table that framed rows make; undefined where one of them stands in none of its columns. */
function readFrame<W extends TableWord>({ head, body }: FramedRows<W>, rules: Rules): FoundTable<W> | undefined {
  const tracks = columnsOfRows(body);
  if (tracks.length < 2) return undefined;
  const rows = placeAll(body, (row) => placeBodyRow(row, tracks));
  // Forms have such rules, too, and few values.
  if (rows === undefined || isNoTable(rows) || valueColumnsOf(rows).size === 0) return undefined;
  const run: AlignedRun<W> = { start: 0, end: rows.length, tracks, rows };
  joinSetOff(run);
  partTracks(run);
  const heads = placeAll(head, (row) => placeHeadRow(row, run.tracks));
  if (heads === undefined) return undefined;
  const whole = { ...run, rows: [...heads, ...run.rows] };
  const found = boxAndHeader(whole, rules);
  const header = heads.length > 0 ? { rows: heads.length, sign: "ruled" as const } : found.header;
  if (!looksLikeTable(whole, header, found.table, rules)) return undefined;
  spreadHeadings(whole, header.rows);
  return toTable(whole, header, found.table, rules);
}

/** Finds the tables among rows that rules frame, and the lines outside of them. */
export function findFramedTables<W extends TableWord>(lines: readonly TableLine<W>[], rules: Rules): FoundTables<W> {
  const tables: FoundTable<W>[] = [];
  const used = new Set<TableLine<W>>();
  for (const frame of findFramedRows(lines, rules, median(lines.map(({ size }) => size)))) {
    const own = [...frame.head, ...frame.body].flatMap((row) => row.lines);
    if (own.some((line) => used.has(line))) continue;
    const table = readFrame(frame, rules);
    if (table === undefined) continue;
    tables.push(table);
    for (const line of own) used.add(line);
  }
  return { tables, rest: lines.filter((line) => !used.has(line)) };
}
