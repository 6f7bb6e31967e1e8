import type { Json } from "../../ports/json.ts";
import { judgeResult } from "../confidence/judge-result.ts";
import { mapReduceTasks } from "../extraction/chunks/chunk-tasks.ts";
import { modelTasks as extractionTasks } from "../extraction/model-tasks.ts";
import { extractOffline } from "../extraction/rules/extract-offline.ts";
import type { AcroFormMetadata } from "../forms/acroform/acroform.ts";
import { locateValues } from "../grounding/locate-values.ts";
import { parseLayout } from "../layout/layout-file.ts";
import { type Answer, toJson } from "./task.ts";

export interface LocateTask {
  layout: Uint8Array;
  /** UTF-8 JSON. */
  result: Uint8Array;
  request: { granularity: "auto" | "block" | "word"; schema?: Json; acroForm?: Uint8Array };
}

const parse = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString("utf8"));

export const modelTasks = {
  ...extractionTasks,
  ...mapReduceTasks,

  /** Places and judges; what the offline extractor says to the same schema is evidence, too. */
  async locate({ layout, result, request }: LocateTask): Answer<"locate"> {
    const { granularity, schema, acroForm } = request;
    const form = acroForm && (parse(acroForm) as AcroFormMetadata);
    const [read, data] = [parseLayout(layout), parse(result) as Json];
    const asked = schema === undefined ? {} : { schema };
    const { sources: found, facts } = locateValues(read, data, {
      granularity,
      ...asked,
      ...(form === undefined ? {} : { formFields: form.fields }),
    });
    const second = schema === undefined ? {} : { second: extractOffline(read, { schema, granularity }) };
    const { sources, confidence } = judgeResult({ layout: read, result: data, sources: found, ...asked, ...second });
    return { sources: toJson(sources), facts: { ...facts, confidence } };
  },
};
