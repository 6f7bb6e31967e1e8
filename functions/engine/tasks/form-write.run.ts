import { encodeJson, isObject, parseJsonBytes } from "../../ports/json.ts";
import { acroFormMetadata } from "../forms/acroform/acroform-metadata.ts";
import type { FieldDefinition } from "../forms/field-definition.ts";
import { fillByLabel } from "../forms/write/fill-by-label.ts";
import { writeForm } from "../forms/write/write-form.ts";
import { implementTask } from "./define-task.ts";
import { formWriteTask } from "./form-write.ts";

/** Version of the list of definitions, as clients read it. */
const DEFINITIONS_VERSION = 1;

export const run = implementTask(formWriteTask, async ({ bytes, definitions, limits, values }) => {
  const sent = parseJsonBytes<FieldDefinition[]>(definitions);
  const written = await writeForm(bytes, sent, limits);
  const given = values === undefined ? undefined : parseJsonBytes(values);
  const filled = isObject(given) ? await fillByLabel(written, given) : { bytes: written.bytes, warnings: [] };
  const metadata = await acroFormMetadata(filled.bytes);
  return {
    form: filled.bytes,
    metadata: encodeJson(metadata),
    definitions: encodeJson({
      version: DEFINITIONS_VERSION,
      fieldDefinitions: written.definitions,
      pages: metadata.pages.map((page) => ({ ...page, unit: "point" })),
    }),
    report: encodeJson({
      writtenFieldCount: written.written.length,
      skippedFields: written.skippedFields,
      pages: written.pages,
      warnings: [...written.warnings, ...filled.warnings],
    }),
  };
});
