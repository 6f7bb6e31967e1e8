import * as z from "zod";
import type { OpenField } from "../analysis/open-fields.ts";
import { defineTask } from "./define-task.ts";
import { bytes, json, typed } from "./shapes.ts";

/** Lists the fields that a document left null, as questions. Result and sources are UTF-8 JSON. */
export const openFieldsTask = defineTask({
  name: "openFields",
  input: z.object({ result: bytes, sources: bytes, schema: json }),
  output: typed<OpenField[]>(),
});
