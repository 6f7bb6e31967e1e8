import * as z from "zod";
import type { SchemaJudgement } from "../schema/judge-schema.ts";
import { defineTask } from "./define-task.ts";
import { jsonNotChecked } from "./json-not-checked.ts";
import { typed } from "./shapes.ts";

/** Judges a user's schema, sent as JSON text: only the text and the judgement cross. */
export const judgeSchemaTask = defineTask({
  name: "judgeSchema",
  input: z.object({ text: z.string() }),
  output: typed<SchemaJudgement>(),
  lost: jsonNotChecked("schema"),
});
