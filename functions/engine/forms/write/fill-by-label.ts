/** Fills a form that was just written, by the names or the labels of its fields. */
import type { JsonObject } from "../../../ports/json.ts";
import { fillForm } from "../../templates/pdf/fill-form.ts";
import { LabelMatcher } from "./match-labels.ts";
import type { WrittenForm } from "./write-form.ts";

/**
 * @returns the filled form, and a sentence for each value that fits no field, or more than one
 * @throws BadRequest for a value that its field does not take
 */
export async function fillByLabel(
  { bytes, written, definitions }: Pick<WrittenForm, "bytes" | "written" | "definitions">,
  values: JsonObject,
): Promise<{ bytes: Uint8Array; warnings: string[] }> {
  const existing = definitions.filter(({ source }) => source === "widget").map((definition) => ({ definition }));
  const { fields, warnings } = new LabelMatcher([...written, ...existing]).match(values);
  if (Object.keys(fields).length === 0) return { bytes, warnings };
  const filled = await fillForm(bytes, {
    fields,
    images: new Map(),
    flatten: false,
    missingIsError: false,
    ignoreUnknown: false,
  });
  return { bytes: filled.bytes, warnings };
}
