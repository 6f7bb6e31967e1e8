import * as z from "zod";
import type { Receipt } from "../completeness/completeness-report.ts";
import { defineTask } from "./define-task.ts";
import { count } from "./number-shapes.ts";
import { bytes, json, shaped } from "./shapes.ts";
import { granularity, located, rejectedRows, statedLimits } from "./value-shapes.ts";

export interface ReceiptAnswer {
  /** Absent for a result without lists of rows. */
  receipt?: Receipt;
  /** Rows are missing that were not left out on purpose. */
  short: boolean;
  /** Result and source locations with the rows that were read from the page, where some were. */
  filled?: { result: Uint8Array; sources: Uint8Array; facts: z.infer<typeof located> };
}

/** Makes the completeness receipt of a finished result, and fills missing rows where requested and possible. */
export const receiptTask = defineTask({
  name: "receipt",
  input: z.object({
    layout: bytes,
    /** UTF-8 JSON. */
    result: bytes,
    /** Source locations as the extract or locate task wrote them. */
    sources: bytes,
    request: z.object({
      granularity,
      schema: json.exactOptional(),
      prompt: z.string().exactOptional(),
      /** Rows that a model declared to be in no list. */
      declined: rejectedRows.readonly().exactOptional(),
      /** Limits of lists that a model states. */
      stated: statedLimits.exactOptional(),
      /** Read missing rows from the page by the columns of the found ones. */
      fill: z.boolean().exactOptional(),
      /** Numbers of the pages whose rows count; absent: all. */
      pages: z.array(count).readonly().exactOptional(),
    }),
  }),
  output: shaped<ReceiptAnswer>(
    z.object({
      receipt: z.looseObject({ expected: count, returned: count, missing: z.array(z.looseObject({})) }).exactOptional(),
      short: z.boolean(),
      filled: z.object({ result: bytes, sources: bytes, facts: located }).exactOptional(),
    }),
  ),
});
