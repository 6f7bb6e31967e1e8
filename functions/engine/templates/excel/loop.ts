/** Sections over the rows of a sheet. */
import type { TagUse } from "../office/tag-fields.ts";

/** A list, or a condition, that rows of the sheet belong to. */
export interface Loop {
  path: readonly string[];
  inverted: boolean;
  /** Named by `${table:…}`: always a list. */
  isTable: boolean;
  parent: Loop | undefined;
  /** As written. */
  source: string;
  place: string;
  /** Rows of its content, without those that only begin or end it. */
  first: number;
  last: number;
  /** Tags in it, in order. */
  uses: TagUse[];
}
