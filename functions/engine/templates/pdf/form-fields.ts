/** The fields of a form with what filling them needs. */
import { type PDFDict, type PDFDocument, PDFName, type PDFRef } from "@cantoo/pdf-lib";
import { describeField } from "../../forms/acroform/field-attributes.ts";
import type { TreeField } from "../../forms/acroform/field-tree.ts";
import { ancestorChain } from "../../forms/acroform/pdf-values.ts";
import type { TemplateField } from "../template.ts";
import { datePatternOf } from "./date-format.ts";
import type { Faces } from "./faces.ts";
import { fieldScript } from "./field-script.ts";
import type { TextBudget } from "./text-budget.ts";

/** A field of a PDF, as listed, with its objects. */
export interface FormField extends TemplateField {
  dict: PDFDict;
  widgets: PDFDict[];
}

/** What filling a document's fields shares. */
export interface FillContext {
  document: PDFDocument;
  form: PDFDict | undefined;
  faces: Faces;
  budget: TextBudget;
  /** Embedded pictures by their reference. */
  images: ReadonlyMap<string, Uint8Array>;
  embedded: Map<string, PDFImageSize>;
}

/** An embedded picture, in pixels. */
export interface PDFImageSize {
  ref: PDFRef;
  width: number;
  height: number;
}

/** Describes the fields of a form, in its order. Fields without a name cannot be filled, and are left out. */
export function formFields(fields: readonly TreeField[]): FormField[] {
  return fields.flatMap((field) => {
    const described = field.name === "" ? undefined : describeField(field);
    if (described === undefined) return [];
    const { options, ...rest } = described;
    const script = fieldScript(field);
    return [
      {
        ...rest,
        fields: [],
        valueType: null,
        options: options.map(({ value }) => value),
        optionLabels: options.map(({ label }) => label),
        script,
        dateFormat: datePatternOf(script),
        dict: field.dict,
        widgets: field.widgets,
      },
    ];
  });
}

/** The field's dictionaries that hold its value: several where fields of one name stand beside each other. */
export function ownersOf({ dict, widgets }: FormField): Set<PDFDict> {
  const owners = new Set([dict]);
  for (const widget of widgets) {
    const owner = ancestorChain(widget).find((one) => one.has(PDFName.of("T")));
    if (owner !== undefined) owners.add(owner);
  }
  return owners;
}
