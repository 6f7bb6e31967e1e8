import * as z from "zod";
import type { Json } from "../../ports/json.ts";
import type { Chunks } from "../extraction/chunks/layout-chunks.ts";
import type { MapReduceSettings } from "../extraction/chunks/map-reduce-settings.ts";
import type { RecordForm } from "../extraction/chunks/record-form.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import { defineTask } from "./define-task.ts";
import { count } from "./number-shapes.ts";
import { bytes, json, shaped } from "./shapes.ts";

export interface ChunkPlan extends Chunks {
  v: 1;
  pages: SourceLocations["pages"];
  form: RecordForm;
  /** The schema of the header; absent: the header has a prompt, or a general result. */
  headerSchema?: Json;
  /**
   * Number of records that begin in each chunk, where the whole document was read before it was cut; each chunk then has
   * its answer. Absent: each chunk is read alone.
   */
  records?: number[];
}

/** Splits a document into chunks, and determines the form of their records. */
export const planChunksTask = defineTask({
  name: "planChunks",
  input: z.object({
    layout: bytes,
    settings: shaped<MapReduceSettings>(z.looseObject({})),
    schema: json.exactOptional(),
    /** There is a prompt, and a model to understand it. */
    openly: z.boolean(),
    /** A model reads the chunks: each gets the context of the text before it. */
    carried: z.boolean(),
  }),
  output: shaped<ChunkPlan>(
    z.looseObject({
      header: z.array(count).nullable(),
      chunks: z.array(z.looseObject({ pages: z.array(count) })),
      pages: z.array(z.looseObject({ pageNumber: count })),
      form: z.looseObject({ kind: z.enum(["general", "list"]) }),
    }),
  ),
});
