import { encodeJson, parseJsonBytes } from "../../ports/json.ts";
import { judgeResult } from "../confidence/judge-result.ts";
import { type Explanation, extractOffline } from "../extraction/rules/extract-offline.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { withBarcodes } from "../readers/barcodes/barcode-words.ts";
import { fillCalculated } from "../schema/formulas/calculated-fields.ts";
import { parseSchema } from "../schema/parsed-schema.ts";
import { implementTask } from "./define-task.ts";
import { extractTask } from "./extract.ts";

export const run = implementTask(extractTask, ({ layout, request }) => {
  const { schema: given, barcodes, explain, granularity } = request;
  const schema = given === undefined ? undefined : parseSchema(given);
  const asked = schema === undefined ? {} : { schema };
  const explanations: Explanation[] = [];
  const parsed = parseLayout(layout);
  const whole = barcodes === undefined ? parsed : withBarcodes(parsed, parseJsonBytes(barcodes));
  const { result, sources: found, facts } = extractOffline(whole, { granularity, ...asked }, explanations);
  const { sources, confidence } = judgeResult({ layout: whole, result, sources: found, readBy: "rules", ...asked });
  const calculated = schema?.calculated;
  // Calculated fields are among the unresolved already: the extractor leaves those properties to formulas.
  if (calculated !== undefined && !("faults" in calculated)) fillCalculated(result, calculated);
  return {
    result: encodeJson(result),
    sources: encodeJson(sources),
    facts: { ...facts, confidence },
    ...(explain ? { explanations } : {}),
  };
});
