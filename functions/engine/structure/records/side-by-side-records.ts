/** Record sets that are printed sideways: lists in two halves side by side, and lists whose records are columns. */
import { labelKey } from "../../values/label-words.ts";
import type { DocumentView } from "../view/document-view.ts";
import type { CellView, TableView } from "../view/table-view.ts";
import { areasOf, cellOf, type PrintedRecord, type RecordCell, type RecordSet } from "./record-set.ts";

/** Number of parts whose headings repeat; 1 for a list in one piece. */
export function partsOf(headings: readonly string[]): number {
  const keys = headings.map(labelKey);
  const width = keys.indexOf(keys[0] ?? "", 1);
  const repeats = keys.length % width === 0 && keys.every((key, at) => key !== "" && key === keys[at % width]);
  return width >= 2 && repeats ? keys.length / width : 1;
}

/** Puts the halves of a list below each other, the left one first, where the headings above them repeat. */
export function withHalvesJoined(set: RecordSet): RecordSet {
  const count = partsOf(set.headings);
  if (count === 1) return set;
  const width = set.headings.length / count;
  const records = Array.from({ length: count }, (_, part) =>
    set.records.flatMap((record): PrintedRecord[] => {
      const own = [...record.cells].flatMap(([column, cell]): [number, RecordCell][] =>
        Math.floor(column / width) === part ? [[column % width, cell]] : [],
      );
      return own.length === 0 ? [] : [{ ...record, cells: new Map(own) }];
    }),
  ).flat();
  return { ...set, headings: set.headings.slice(0, width), records };
}

/** Fields of a record that a table names down its first column. */
const MAX_FIELDS = 30;

const isLabel = (cell: CellView | undefined): boolean =>
  cell !== undefined &&
  cell.columnSpan === 1 &&
  cell.lines.some((line) => line.some(({ text }) => /\p{L}{2}/u.test(text)));

function turned({ page, box, columns, rows, verbatim }: TableView): RecordSet | null {
  if (columns < 2 || rows.length < 2 || verbatim) return null;
  const labels = rows.map((cells) => cells.find(({ column }) => column === 0));
  if (!labels.every(isLabel)) return null;
  const headings = labels.map((cell) => (cell === undefined ? "" : cellOf(cell.lines).text));
  if (headings.length > MAX_FIELDS * partsOf(headings)) return null;
  const records = Array.from({ length: columns - 1 }, (_, at): PrintedRecord => {
    const cells = rows.flatMap((row, field): [number, RecordCell][] => {
      const cell = row.find(({ column }) => column === at + 1);
      return cell === undefined ? [] : [[field, cellOf(cell.lines)]];
    });
    return { page, box, cells: new Map(cells) };
  });
  return {
    evidence: "table",
    areas: areasOf([{ page, box }]),
    headings,
    records: records.filter(({ cells }) => cells.size > 0),
  };
}

/** The reader's tables read column by column: the first column names the fields, each other one is a record. */
export const turnedRecords = (view: DocumentView): RecordSet[] => view.tables.flatMap((table) => turned(table) ?? []);
