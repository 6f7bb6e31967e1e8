/** Changes of a result's lists. */
import type { Json } from "../../ports/json.ts";
import type { MissingRow } from "./list-receipt.ts";

export interface FoundRow {
  missing: MissingRow;
  row: Json;
}

/** How a list changed: where its items stand afterwards. */
export interface ListChange {
  list: string;
  /** By an item's place before, its place now; -1: it is gone. */
  newIndexes: number[];
  /** Places of the rows that came in, with them. */
  added: { at: number; found: FoundRow }[];
}
