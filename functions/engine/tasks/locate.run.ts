import { encodeJson, parseJsonBytes } from "../../ports/json.ts";
import { judgeResult } from "../confidence/judge-result.ts";
import { extractOffline } from "../extraction/rules/extract-offline.ts";
import type { AcroFormMetadata } from "../forms/acroform/acroform.ts";
import { locateValues } from "../grounding/locate-values.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { implementTask } from "./define-task.ts";
import { locateTask } from "./locate.ts";
export const run = implementTask(locateTask, ({ layout, result, request }) => {
  const { granularity, schema, acroForm } = request;
  const form = acroForm && parseJsonBytes<AcroFormMetadata>(acroForm);
  const [parsed, data] = [parseLayout(layout), parseJsonBytes(result)];
  const withSchema = schema === undefined ? {} : { schema };
  const { sources: found, facts } = locateValues(parsed, data, {
    granularity,
    ...withSchema,
    ...(form === undefined ? {} : { formFields: form.fields }),
  });
  // The offline extractor's answer to the same schema is further evidence.
  const second = schema === undefined ? {} : { second: extractOffline(parsed, { schema, granularity }) };
  const { sources, confidence } = judgeResult({
    layout: parsed,
    result: data,
    sources: found,
    ...withSchema,
    ...second,
  });
  return { sources: encodeJson(sources), facts: { ...facts, confidence } };
});
