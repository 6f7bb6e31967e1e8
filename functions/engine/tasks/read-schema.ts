import * as z from "zod";
import type { Json } from "../../ports/json.ts";
import { defineTask } from "./define-task.ts";
import { json } from "./shapes.ts";

const answer: z.ZodType<{ schema: Json } | { fault: string }> = z.union([
  z.object({ schema: json }),
  z.object({ fault: z.string() }),
]);

/** Reads a JSON Schema that a model wrote; gives its fault where it is invalid. */
export const readSchemaTask = defineTask({
  name: "readModelSchema",
  input: z.object({ text: z.string() }),
  output: answer,
});
