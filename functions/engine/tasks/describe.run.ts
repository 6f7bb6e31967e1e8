import { encodeJson } from "../../ports/json.ts";
import { summarizeDocument } from "../analysis/summarize-document.ts";
import { analyzeDocument } from "../extraction/describe/analyze-document.ts";
import { generateSchema } from "../extraction/describe/generate-schema.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { implementTask } from "./define-task.ts";
import { describeTask } from "./describe.ts";

export const run = implementTask(describeTask, ({ layout, request: { kind, instructions } }) => {
  const parsed = parseLayout(layout);
  if (kind === "analysis") return encodeJson(analyzeDocument(parsed));
  return encodeJson(kind === "summary" ? summarizeDocument(parsed) : generateSchema(parsed, instructions));
});
