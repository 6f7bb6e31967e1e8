import { encodeJson, parseJsonBytes } from "../../ports/json.ts";
import { judgeResult } from "../confidence/judge-result.ts";
import { extractOffline } from "../extraction/rules/extract-offline.ts";
import type { AcroFormMetadata } from "../forms/acroform/acroform.ts";
import { locateValues } from "../grounding/locate-values.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { parseSchema } from "../schema/parsed-schema.ts";
import { implementTask } from "./define-task.ts";
import { locateTask } from "./locate.ts";
export const run = implementTask(locateTask, ({ layout, result, request }) => {
  const { granularity, schema, acroForm } = request;
  const form = acroForm && parseJsonBytes<AcroFormMetadata>(acroForm);
  const [parsed, data] = [parseLayout(layout), parseJsonBytes(result)];
  const asked = schema === undefined ? {} : { schema: parseSchema(schema) };
  const { sources: found, facts } = locateValues(parsed, data, {
    granularity,
    ...asked,
    ...(form === undefined ? {} : { formFields: form.fields }),
  });
  // The offline extractor's answer to the same schema is further evidence.
  const second = schema === undefined ? {} : { second: extractOffline(parsed, { ...asked, granularity }) };
  const { sources, confidence } = judgeResult({
    layout: parsed,
    result: data,
    sources: found,
    ...asked,
    ...second,
  });
  return { sources: encodeJson(sources), facts: { ...facts, confidence } };
});
