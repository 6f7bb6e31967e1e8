/** The rows of a row group that may be items of its list. */

import { foldText } from "../../values/text-folding.ts";
import type { CandidateRow } from "./candidate-rows.ts";
import { type ColumnLayout, fitsColumnsButOne, textsByColumn } from "./column-layout.ts";
import { isProvenBySums, type RecordEvidence } from "./record-set.ts";
import type { GroupPart, RowGroup } from "./row-group-types.ts";
import { isSumRow } from "./sum-rows.ts";

export const cellTexts = ({ cells }: CandidateRow): string[] => cells.map(({ text }) => text);

export const headingsKey = (texts: readonly string[]): string => foldText(texts.join("|"));

/** Evidence of rows that are recognised by more than their columns. */
const EVIDENCE_WITHOUT_COLUMNS: ReadonlySet<RecordEvidence> = new Set(["items", "keys", "cards", "pattern", "block"]);

/** The rows are labels with one value each: often sums of the document rather than rows of a list. */
export const isLabelValuePairs = ({ columnLayout, parts }: RowGroup): boolean =>
  columnLayout.columns.length === 2 &&
  parts[0]?.evidence === "lines" &&
  columnLayout.columns[0]?.kind !== "date" &&
  columnLayout.columns[0]?.kind !== "code";

/** A row that repeats the column headings. */
const isRepeatedHeading = (headings: readonly string[], row: CandidateRow): boolean =>
  headings.length > 0 && headingsKey(cellTexts(row)) === headingsKey(headings);

/**
 * The rows of a part that may be items: full rows without subtotals and repeated headings.
 * @param keys columns that every row fills; by default the group's own
 */
export function itemRowsOf(group: RowGroup, part: GroupPart, keys?: readonly number[]): CandidateRow[] {
  return part.records.filter((row) => {
    const texts = cellTexts(row);
    if (isSumRow(texts) || isRepeatedHeading(group.headings, row)) return false;
    const isTold = EVIDENCE_WITHOUT_COLUMNS.has(part.evidence) || isProvenBySums(part.evidence);
    return isTold || fitsColumnsButOne(group.columnLayout, row, keys);
  });
}

/** A key that is equal for rows that fill the same columns. */
export const filledColumnsKey = (columnLayout: ColumnLayout, row: CandidateRow): string =>
  [...textsByColumn(columnLayout, row).texts.keys()].sort().join(",");
