import * as z from "zod";
import type { PipelineJudgement } from "../nodes/judge-pipeline.ts";
import { defineTask } from "./define-task.ts";
import { jsonNotChecked } from "./json-not-checked.ts";
import { typed } from "./shapes.ts";

/** Judges a pipeline's definition, sent as JSON text: only the text and the judgement cross. */
export const judgePipelineTask = defineTask({
  name: "judgePipeline",
  input: z.object({ text: z.string() }),
  output: typed<PipelineJudgement>(),
  lost: jsonNotChecked("pipeline"),
});
