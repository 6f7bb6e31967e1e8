/** Types of row groups: rows of the page that may be items of one list. */
import type { CandidateRow, CandidateRows } from "./candidate-rows.ts";
import type { ColumnLayout } from "./column-layout.ts";
import type { RowRun } from "./row-runs.ts";

/** Rows that stand together: those of a table on one page, or of one run. */
export interface GroupPart {
  /** `sum-verified`: what a printed total proves; `cards`: labelled lines, one below the other. */
  kind: "table" | "sum-verified" | "cards" | RowRun["kind"];
  rows: CandidateRow[];
  columnLayout: ColumnLayout;
  /** The texts that head its columns; none where nothing does. */
  headings: string[];
}

/** Parts that go on from each other. */
export interface RowGroup {
  parts: GroupPart[];
  /** Of its largest part. */
  columnLayout: ColumnLayout;
  headings: string[];
}

/** What a document shows, to be held against results more than once. */
export interface PageRows {
  /** Rows that are printed on several lines in one. */
  candidates: CandidateRows;
  groups: RowGroup[];
}
