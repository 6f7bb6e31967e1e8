/** Work on documents, schemas and answers for an extraction with a model, and the places of what came of it. */
import { mapReduceTasks } from "../../extraction/mapreduce/work.ts";
import { locateValues } from "../../extraction/match/locate.ts";
import { modelTasks as extractionTasks } from "../../extraction/model/work.ts";
import type { AcroFormMetadata } from "../../forms/metadata/model.ts";
import type { Json } from "../../ports.ts";
import { parseLayout } from "../layout-file.ts";
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

  async locate({ layout, result, request }: LocateTask): Answer<"locate"> {
    const { granularity, schema, acroForm } = request;
    const form = acroForm && (parse(acroForm) as AcroFormMetadata);
    const { sources, facts } = locateValues(parseLayout(layout), parse(result) as Json, {
      granularity,
      ...(schema === undefined ? {} : { schema }),
      ...(form === undefined ? {} : { formFields: form.fields }),
    });
    return { sources: toJson(sources), facts };
  },
};
