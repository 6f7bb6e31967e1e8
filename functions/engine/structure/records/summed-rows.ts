/** Candidate rows of the record sets that no heading names: their amounts add up to a printed total, or are products. */

import { type CandidateRow, type CandidateRows, joinRows, type RowJoin } from "./candidate-rows.ts";
import { cellKind } from "./cell-kinds.ts";
import type { PrintedRecord, RecordEvidence, RecordSet } from "./record-set.ts";

const lastCell = ({ cells }: PrintedRecord): number => Math.max(...cells.keys());

/** The rows that a record's words stand on, that of its amount first. */
function rowsOfRecord(record: PrintedRecord, { all, rowOfWord }: CandidateRows): CandidateRow[] {
  const columns = [...record.cells].sort(([a], [b]) => b - a);
  const orders = columns.flatMap(([, { tokens }]) =>
    tokens.map(({ page, index }) => rowOfWord.get(page)?.[index] ?? -1),
  );
  return [...new Set(orders)].flatMap((order) => all[order] ?? []);
}

interface ProvenRows {
  evidence: RecordEvidence;
  rows: CandidateRow[];
}

interface SummedRow {
  row: CandidateRow;
  join: RowJoin | undefined;
}

function summedRow(record: PrintedRecord, candidates: CandidateRows): SummedRow | undefined {
  const [row, ...from] = lastCell(record) >= 0 ? rowsOfRecord(record, candidates) : [];
  if (row === undefined) return undefined;
  const lines = from.filter(({ table, page }) => table === undefined && page === row.page);
  return { row, join: lines.length === 0 ? undefined : { into: row.order, from: lines } };
}

/**
 * Finds the rows of record sets among narrow rows: labels with amounts, and amounts below their descriptions.
 * @returns the rows of each list, and all candidates, with the lines of each row joined
 */
export function findSummedRows(
  candidates: CandidateRows,
  sets: readonly RecordSet[],
): { candidates: CandidateRows; groups: ProvenRows[] } {
  const groups = sets.flatMap(({ evidence, records }) => {
    const rows = records.flatMap((record) => summedRow(record, candidates) ?? []);
    const narrow = rows.every(({ row }) => row.cells.length <= 2 && row.header !== true);
    return rows.length < records.length || !narrow ? [] : [{ evidence, rows }];
  });
  const joined = joinRows(
    candidates,
    groups.flatMap(({ rows }) => rows.flatMap(({ join }) => join ?? [])),
  );
  const found = groups.map(({ evidence, rows }) => ({
    evidence,
    rows: rows.flatMap(({ row }) => joined.all[row.order] ?? []),
  }));
  return { candidates: joined, groups: found };
}

/** The kinds of a row's cells; rows with the same kinds form runs by themselves. */
const cellKindsKey = ({ cells }: CandidateRow): string => cells.map(({ text }) => cellKind(text)).join(" ");

/** The same for rows of several cells, of which description, quantity and price differ in form. */
export const findSummedWideRows = (
  candidates: CandidateRows,
  sets: readonly RecordSet[],
  free: ReadonlySet<CandidateRow>,
): ProvenRows[] =>
  sets
    .map(({ evidence, records }) => ({
      evidence,
      rows: records.flatMap((record) => rowsOfRecord(record, candidates).slice(0, 1)),
    }))
    .filter(({ rows }) => rows.length > 0 && rows.every((row) => row.cells.length >= 2 && free.has(row)))
    .filter(({ rows }) => new Set(rows.map(cellKindsKey)).size > 1);
