/** The two conventions by which a document writes its values. */
import type { DateOrder } from "./dates.ts";
import type { Notation } from "./numbers.ts";

export interface FormatConventions {
  notation: Notation;
  order: DateOrder;
}
