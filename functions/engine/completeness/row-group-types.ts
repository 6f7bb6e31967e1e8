/** Types of row groups: rows of the page that may be items of one list. */
import type { Unit, Units } from "./candidate-rows.ts";
import type { Frame } from "./column-layout.ts";
import type { Run } from "./row-runs.ts";

/** Rows that stand together: those of a table on one page, or of one run. */
export interface Part {
  /** `addends`: what a printed total proves; `cards`: labelled lines, one below the other. */
  kind: "table" | "addends" | "cards" | Run["kind"];
  units: Unit[];
  frame: Frame;
  /** The texts that head its columns; none where nothing does. */
  heads: string[];
}

/** Parts that go on from each other. */
export interface RowSet {
  parts: Part[];
  /** Of its largest part. */
  frame: Frame;
  heads: string[];
}

/** What a document shows, to be held against results more than once. */
export interface PageRows {
  /** Rows that are printed on several lines in one. */
  units: Units;
  sets: RowSet[];
}
