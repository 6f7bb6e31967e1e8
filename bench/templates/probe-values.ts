/** Values that fill every field of a form, each another one than the field has. */
import type { TemplateField } from "../../functions/engine/templates/template.ts";
import type { Json } from "../../functions/ports/json.ts";

export interface Probe {
  field: TemplateField;
  /** Sent in the request. */
  value: Json;
  /** Expected in the file; undefined where the field's own format decides. */
  stored: string | undefined;
}

const WORDS = "Wxyz 12345 Grüße";
const LINES = "First line of a text\nand the second one";

const cut = (text: string, { maxLength }: TemplateField): string =>
  maxLength === null ? text : text.slice(0, Math.max(0, maxLength)).trimEnd();

function probeText(field: TemplateField): Probe | undefined {
  if (field.dateFormat !== null) return { field, value: "2031-03-09", stored: undefined };
  const text = cut(field.type === "multiline" ? LINES : WORDS, field);
  return text === "" ? undefined : { field, value: text, stored: text };
}

function probeChoice(field: TemplateField): Probe | undefined {
  const { options, optionLabels, value } = field;
  const current = Array.isArray(value) ? value[0] : value;
  // A blank option shows nothing.
  const index = options.findLastIndex((option, at) => option !== current && (optionLabels[at] ?? "").trim() !== "");
  const stored = options[index];
  return stored === undefined ? undefined : { field, value: optionLabels[index] ?? stored, stored };
}

/** The first state: a second one of a single box is a fault of its file, and may be drawn as unchecked. */
function probeToggle(field: TemplateField): Probe | undefined {
  const { options, value } = field;
  if (options.length === 0) return { field, value: true, stored: "Yes" };
  const other = options.find((option) => option !== value);
  if (other === undefined) return { field, value: false, stored: "Off" };
  return { field, value: options.length === 1 ? true : other, stored: other };
}

/** A value for each field that takes one; fields with no other value than their own are left out. */
export function probesOf(fields: readonly TemplateField[]): Probe[] {
  return fields.flatMap((field) => {
    if (field.type === "text" || field.type === "multiline") return probeText(field) ?? [];
    if (field.type === "checkbox" || field.type === "radio") return probeToggle(field) ?? [];
    if (field.type === "dropdown" || field.type === "listbox") return probeChoice(field) ?? [];
    return [];
  });
}

/** The values as a request has them. */
export const requestOf = (probes: readonly Probe[]): Record<string, Json> =>
  Object.fromEntries(probes.map(({ field, value }) => [field.name, value]));
