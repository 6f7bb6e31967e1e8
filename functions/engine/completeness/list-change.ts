/** Changes of a result's lists. */
import type { Json } from "../../ports/json.ts";
import type { MissingRow } from "./list-receipt.ts";

export interface FoundRow {
  missing: MissingRow;
  row: Json;
}

/** The change of a list. */
export interface ListChange {
  list: string;
  /** By an item's index before, its index now; -1 if it was removed. */
  newIndexes: number[];
  /** Indexes of the added rows. */
  added: { at: number; found: FoundRow }[];
}
