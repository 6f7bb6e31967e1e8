/** The completeness receipt of one list. */
import type { Box } from "../../ports/layout.ts";

export interface MissingRow {
  /** Its place among the rows of the document: the same whenever the same layout is looked at. */
  order: number;
  page: number;
  /** Inches from the top left corner of the page as shown. */
  box: Box;
  text: string;
  /** Pointer of the list that it belongs into, and the place it gets there now. */
  list: string;
  at: number;
}

export interface ListReceipt {
  /** Names that lead to the list, list positions as `*`. */
  path: string;
  /** Whether rows of the page could be counted for it. */
  counted: boolean;
  /** Somebody asks for some of the rows only. */
  restricted: boolean;
  /** By a criterion that only a reader can hold against rows: what is not there need not be missing. */
  excused: boolean;
  /** The sentences that restrict it. */
  said: string[];
  /** Items that stand on the page. */
  returned: number;
  /** Items that stand nowhere. */
  unplaced: number;
  /** In the order of the document. */
  missing: MissingRow[];
  /** Pointers of items that were returned twice though the page has them once. */
  repeated: string[];
  /** Pointers of items that say nothing. */
  empty: string[];
}
