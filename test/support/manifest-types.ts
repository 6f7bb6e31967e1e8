/** Fields of a form counted under the corpus manifest's names of their types. */
import type { AcroFormType } from "../../functions/engine/forms/acroform/acroform.ts";
import type { TemplateFieldType } from "../../functions/engine/templates/template.ts";

const MANIFEST_TYPES: Record<AcroFormType, string> = {
  text: "text",
  multiline: "text",
  checkbox: "checkbox",
  radio: "radio",
  dropdown: "combo",
  listbox: "list",
  signature: "signature",
  button: "pushbutton",
};

/** A type that no form of a PDF has counts under its own name. */
export function countManifestTypes(
  fields: readonly { type: AcroFormType | TemplateFieldType }[],
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of fields) {
    const name = MANIFEST_TYPES[type as AcroFormType] ?? type;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
