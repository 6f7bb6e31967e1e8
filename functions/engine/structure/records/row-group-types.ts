/** Row groups: rows of the pages that may be items of one list. */
import type { CandidateRow, CandidateRows } from "./candidate-rows.ts";
import type { ColumnLayout } from "./column-layout.ts";
import type { RowRun } from "./row-runs.ts";

/** Rows that stand together: those of a table on one page, or of one run. */
export interface GroupPart {
  /** `sum-verified`: rows whose amounts add up to a printed total; `cards`: records of labelled lines. */
  kind: "table" | "sum-verified" | "cards" | RowRun["kind"];
  rows: CandidateRow[];
  columnLayout: ColumnLayout;
  /** Column headings; empty if there are none. */
  headings: string[];
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
