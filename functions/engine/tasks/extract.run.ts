import { encodeJson, parseJsonBytes } from "../../ports/json.ts";
import { judgeResult } from "../confidence/judge-result.ts";
import { extractOffline } from "../extraction/rules/extract-offline.ts";
import { fillGiven } from "../extraction/rules/given-values.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { withReason } from "../layout/source-locations.ts";
import { withBarcodes } from "../readers/barcodes/barcode-words.ts";
import { fillCalculated, readCalculatedFields } from "../schema/formulas/calculated-fields.ts";
import { implementTask } from "./define-task.ts";
import { extractTask } from "./extract.ts";

export const run = implementTask(extractTask, ({ layout, request }) => {
  const { schema, given, barcodes } = request;
  const read = parseLayout(layout);
  const known = barcodes === undefined ? read : withBarcodes(read, parseJsonBytes(barcodes));
  const { result, sources: found, facts } = extractOffline(known, request);
  const asked = schema === undefined ? {} : { schema };
  const { sources: judged, confidence } = judgeResult({ layout: known, result, sources: found, ...asked });
  const filled = schema === undefined || given === undefined ? [] : fillGiven(result, schema, given);
  const sources = withReason(judged, new Set(filled.map(([pointer]) => pointer)), "derived");
  const calculated = schema === undefined ? undefined : readCalculatedFields(schema);
  // What it fills is among the unresolved already: the extractor knows which properties it leaves to formulas.
  if (calculated !== undefined && !("faults" in calculated)) fillCalculated(result, calculated);
  const told = filled.length === 0 ? {} : { filled };
  return { result: encodeJson(result), sources: encodeJson(sources), facts: { ...facts, confidence }, ...told };
});
