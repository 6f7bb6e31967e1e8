import * as z from "zod";
import type { KnownPlaces } from "../completeness/item-places.ts";
import type { ListReceipt } from "../completeness/list-receipt.ts";
import type { RequestRoom, RowRequest } from "../completeness/row-requests.ts";
import { defineTask } from "./define-task.ts";
import { bytes, count, json, placedItems, shaped, typed } from "./shapes.ts";

export interface MissingRows {
  lists: ListReceipt[];
  /** Requests for the rows, in the order of the document. */
  requests: RowRequest[];
  /** Pointers of items, with the rows that they stand on. */
  placed: [string, number][];
}

/** Rows of the pages that some data lacks, and how to ask for them. */
export const missingRowsTask = defineTask({
  name: "missingRows",
  input: z.object({
    layout: bytes,
    /** UTF-8 JSON. */
    data: bytes,
    /** The schema that the data was asked for with. */
    schema: json,
    prompt: z.string().exactOptional(),
    /** The schema is the general result's. */
    general: z.boolean().exactOptional(),
    /** Rows (`order`) that a model said to be none of a list. */
    declined: z.array(count),
    room: typed<RequestRoom>(),
    /** Absent at the first look. */
    known: typed<KnownPlaces>().exactOptional(),
  }),
  output: shaped<MissingRows>(
    z.object({
      lists: z.array(z.looseObject({ path: z.string() })),
      requests: z.array(z.looseObject({ id: z.string(), path: z.string() })),
      placed: placedItems,
    }),
  ),
});
