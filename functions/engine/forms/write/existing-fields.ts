/** The fields that a document has already, as definitions beside those that are found. */
import type { AcroFormType } from "../acroform/acroform.ts";
import { describeField } from "../acroform/field-attributes.ts";
import type { TreeField } from "../acroform/field-tree.ts";
import type { FormPage } from "../acroform/form-pages.ts";
import { entry, rectangleOf } from "../acroform/pdf-values.ts";
import type { FieldDefinition, FieldType } from "../field-definition.ts";
import { entryBoxOf } from "./entry-place.ts";

/** Types that a definition has; buttons take no value. */
const TYPES: Readonly<Partial<Record<AcroFormType, FieldType>>> = {
  text: "text",
  multiline: "multiline",
  checkbox: "checkbox",
  radio: "radio",
  dropdown: "dropdown",
  listbox: "dropdown",
  signature: "signature",
};

/** Describes each widget of a form on its page. A definition with the source `widget` is never written again. */
export function existingDefinitions(fields: readonly TreeField[], pages: readonly FormPage[]): FieldDefinition[] {
  const pageOf = new Map(pages.flatMap((page) => page.widgets.map((widget) => [widget, page] as const)));
  return fields.flatMap((field) => {
    const described = field.name === "" ? undefined : describeField(field);
    const fieldType = described && TYPES[described.type];
    if (described === undefined || fieldType === undefined) return [];
    const { name, tooltip, options, flags, maxLength } = described;
    return field.widgets.flatMap((widget, index): FieldDefinition[] => {
      const [page, rectangle] = [pageOf.get(widget), rectangleOf(entry(widget, "Rect"))];
      if (page === undefined || rectangle === undefined) return [];
      const isComb = flags.includes("comb") && maxLength !== null && maxLength > 0;
      const choices = options.map(({ label }) => label);
      return [
        {
          id: `widget-${name}-${index + 1}`,
          pageNumber: page.pageNumber,
          fieldName: name,
          fieldType,
          label: tooltip ?? "",
          entryBbox: entryBoxOf(page, rectangle),
          confidence: 1,
          required: flags.includes("required"),
          options: fieldType === "dropdown" ? choices : fieldType === "radio" ? choices.slice(index, index + 1) : [],
          reviewStatus: "accepted",
          source: "widget",
          ...(fieldType === "radio" ? { group: name } : {}),
          ...(isComb ? { comb: maxLength } : {}),
        },
      ];
    });
  });
}
