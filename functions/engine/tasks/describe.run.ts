import { encodeJson } from "../../ports/json.ts";
import { analyzeDocument } from "../extraction/describe/analyze-document.ts";
import { generateSchema } from "../extraction/describe/generate-schema.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { implementTask } from "./define-task.ts";
import { describeTask } from "./describe.ts";

export const run = implementTask(describeTask, ({ layout, request: { what, instructions } }) => {
  const read = parseLayout(layout);
  return encodeJson(what === "analysis" ? analyzeDocument(read) : generateSchema(read, instructions));
});
