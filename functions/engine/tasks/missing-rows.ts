import * as z from "zod";
import type { KnownPlaces } from "../completeness/item-places.ts";
import type { ListReceipt } from "../completeness/list-receipt.ts";
import type { RequestRoom, RowRequest } from "../completeness/row-requests.ts";
import { defineTask } from "./define-task.ts";
import { count } from "./number-shapes.ts";
import { bytes, json, shaped, typed } from "./shapes.ts";
import { placedItems, statedLimits } from "./value-shapes.ts";

export interface MissingRows {
  lists: ListReceipt[];
  /** Requests for the rows, in the order of the document. */
  requests: RowRequest[];
  /** Pointers of items, each with its row. */
  placed: [string, number][];
}

/** Finds rows of the pages that the data lacks, and makes requests for them. */
export const missingRowsTask = defineTask({
  name: "missingRows",
  input: z.object({
    layout: bytes,
    /** UTF-8 JSON. */
    data: bytes,
    /** The schema of the data. */
    schema: json,
    prompt: z.string().exactOptional(),
    /** Limits of lists that the model states. */
    stated: statedLimits.exactOptional(),
    /** True when the schema is that of the general result. */
    general: z.boolean().exactOptional(),
    /** Rows (`order`) that a model declared to be in no list. */
    declined: z.array(count),
    room: typed<RequestRoom>(),
    /** Absent in the first round. */
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
