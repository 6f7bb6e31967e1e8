/** Row groups: rows of the pages that may be items of one list. */
import type { CandidateRow, CandidateRows } from "./candidate-rows.ts";
import type { ColumnLayout } from "./column-layout.ts";
import type { RecordSet } from "./record-set.ts";

/** Rows that stand together: those of a table on one page, or of one run. */
export interface GroupPart extends RecordSet<CandidateRow> {
  columnLayout: ColumnLayout;
}

/** Parts that continue each other. */
export interface RowGroup {
  parts: GroupPart[];
  /** The column layout of its largest part. */
  columnLayout: ColumnLayout;
  headings: string[];
}

/** The rows of a document, for repeated reconciliation. */
export interface PageRows {
  /** All rows, those printed on several lines merged. */
  candidates: CandidateRows;
  groups: RowGroup[];
}
