/** Running numbers that stand at the beginning of a column of words: `1 Superdrachen`, `2 Turbo Flyer`. */
import { cellOf, type PrintedRecord, type RecordCell, type RecordSet } from "./record-set.ts";

/** Rows numbered from 1; fewer may begin with counts by chance. */
const MIN_NUMBERED_ROWS = 3;
/** Share of the rows with most cells that must be numbered. */
const MIN_NUMBERED_SHARE = 0.8;

const NUMBERED = /^\d{1,4}[.)]?$/;

/** The number before a cell's words. */
function numberOf({ lines }: RecordCell): number | null {
  const [first, next] = lines[0]?.tokens ?? [];
  return first !== undefined && next !== undefined && NUMBERED.test(first.text) && /\p{L}/u.test(next.text)
    ? Number.parseInt(first.text, 10)
    : null;
}

const withoutNumber = ({ lines }: RecordCell): RecordCell =>
  cellOf(lines.map(({ tokens }, at) => (at === 0 ? tokens.slice(1) : tokens)));

/** The rows whose cells of a column are numbered one after the other; none where that is chance. */
function numberedIn(records: readonly PrintedRecord[], column: number): Set<PrintedRecord> {
  const numbered = new Set<PrintedRecord>();
  for (const record of records) {
    const cell = record.cells.get(column);
    if (cell !== undefined && numberOf(cell) === numbered.size + 1) numbered.add(record);
  }
  const fullest = records.reduce((most, { cells }) => Math.max(most, cells.size), 0);
  const full = records.filter(({ cells }) => cells.size * 2 > fullest);
  const isRunning = numbered.size >= MIN_NUMBERED_ROWS && numbered.size >= MIN_NUMBERED_SHARE * full.length;
  return isRunning ? numbered : new Set();
}

/** The set without running numbers before the words of a column: they are positions, no words of theirs. */
export function withoutPositions(set: RecordSet): RecordSet {
  if (set.verbatim === true) return set;
  const numbered = set.headings.map((_, column) => numberedIn(set.records, column));
  if (numbered.every(({ size }) => size === 0)) return set;
  const records = set.records.map((record): PrintedRecord => {
    const cells = [...record.cells].map(([column, cell]): [number, RecordCell] => [
      column,
      numbered[column]?.has(record) === true ? withoutNumber(cell) : cell,
    ]);
    return { ...record, cells: new Map(cells) };
  });
  return { ...set, records };
}
