import * as z from "zod";
import type { Json } from "../../ports/json.ts";
import type { AnalysisInput } from "../analysis/analyze-result.ts";
import { type Analysis, ISSUE_KINDS } from "../analysis/issue.ts";
import { defineTask } from "./define-task.ts";
import { count } from "./number-shapes.ts";
import { bytes, shaped } from "./shapes.ts";

/** Layout, result and sources as UTF-8 JSON. */
interface AnalysisPayload extends Omit<AnalysisInput, "layout" | "result" | "sources" | "schema"> {
  layout: Uint8Array;
  result: Uint8Array;
  sources?: Uint8Array;
  schema?: Json;
}

/** Finds likely errors of a result from evidence in the layout. */
export const analyzeErrorsTask = defineTask({
  name: "analyzeErrors",
  input: shaped<AnalysisPayload>(z.looseObject({ layout: bytes, result: bytes, sources: bytes.exactOptional() })),
  output: shaped<Analysis>(
    z.object({
      overall: z.number().nullable(),
      confidences: z.record(z.string(), z.number()),
      issues: z.array(
        z.object({
          pointer: z.string(),
          kind: z.enum(ISSUE_KINDS),
          issue: z.string(),
          confidence: z.number(),
          suggestion: z.string(),
          detail: z.string(),
        }),
      ),
      recognised: z.object({ words: count, poor: count }),
    }),
  ),
});
