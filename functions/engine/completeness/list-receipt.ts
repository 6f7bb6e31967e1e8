/** The completeness receipt of one list. */
import type { Box } from "../../ports/layout.ts";

export interface MissingRow {
  /** Row index in the document; the same for every reconciliation of one layout. */
  order: number;
  page: number;
  /** Inches from the top left corner of the page as shown. */
  box: Box;
  text: string;
  /** Pointer of the list that it belongs to, and its index in that list now. */
  list: string;
  at: number;
}

export interface ListReceipt {
  /** Names that lead to the list, list positions as `*`. */
  path: string;
  /** Rows of the page could be counted for this list. */
  counted: boolean;
  /** In words that follow the list's name: a reason to expect further rows, though none is known to be missing. */
  doubt?: string;
  /** The request asks for some of the rows only. */
  restricted: boolean;
  /** The sentences that restrict the rows. */
  said: string[];
  /** Number of items that stand on the page. */
  returned: number;
  /** Number of items found nowhere. */
  unplaced: number;
  /** In the order of the document. */
  missing: MissingRow[];
  /** Pointers of items returned twice though the page has them once. */
  repeated: string[];
  /** Pointers of items without values. */
  empty: string[];
}
