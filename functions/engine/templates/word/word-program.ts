/** A Word part, compiled for filling: markup as it stands, and what values change between. */
import type { TagExpression } from "../office/tag-expression.ts";
import type { Control } from "./controls.ts";
import type { WordField } from "./merge-fields.ts";
import type { WordTag } from "./word-tags.ts";

/** A section's content, repeated for each item or shown under a condition. */
export interface SectionStep {
  step: "section";
  path: readonly string[];
  inverted: boolean;
  /** True for rows and columns of a table, which mostly are repeated. */
  repeats: boolean;
  /** The tag of a section of columns, which has a step in each row; its items share the columns' measures. */
  columns: WordTag | undefined;
  /** Elements of the content's own markup. */
  elements: number;
  body: Program;
}

/** A tag in a paragraph that a value takes the place of. */
export interface ValueStep {
  step: "value";
  isPicture: boolean;
  expression: TagExpression;
  /** Properties of the tag's run; empty for none. */
  look: string;
  /** Of a tag that is a whole paragraph, and may become several: its start tag and its properties. */
  paragraph: { open: string; properties: string } | undefined;
}

/** An element that is not allowed to be empty, with content that sections may take out. */
export interface HolderStep {
  step: "holder";
  /** A table without rows and a row without cells go; any other gets an empty paragraph at its end. */
  kind: "table" | "row" | "cell" | "story";
  open: string;
  close: string;
  body: Program;
}

/** A content control; `shown` is it without a value. */
export interface ControlStep {
  step: "control";
  control: Control;
  shown: string;
}

/** A repeating section: the item that is repeated, and the whole of it without values. */
export interface RepeatingStep {
  step: "repeating";
  control: Control;
  open: string;
  close: string;
  items: Program;
  item: Program;
  elements: number;
}

/** A legacy form field or a merge field. */
export interface FieldStep {
  step: "field";
  field: WordField;
}

/** Columns of a cell that goes on over a section's columns. */
export interface SpanStep {
  step: "span";
  path: readonly string[];
  /** Columns of the cell, and of the section under it. */
  span: number;
  width: number;
}

/** A width that the copies of a column share. */
export interface WidthStep {
  step: "width";
  width: number;
}

export type Step =
  | SectionStep
  | ValueStep
  | HolderStep
  | ControlStep
  | RepeatingStep
  | FieldStep
  | SpanStep
  | WidthStep;

export type Program = (string | Step)[];
