/** The fields of a Word template: of tags, content controls, form fields and merge fields. */
import { fieldName, fieldsOfTags, type TagUse } from "../office/tag-fields.ts";
import { datePatternOf, valueTypeOf } from "../office/tag-formats.ts";
import { type TemplateField, templateField } from "../template.ts";
import { type Control, choicesOf, dateFormatOf, isChecked, isMultiline, shownText } from "./controls.ts";
import { filtersOf } from "./field-pictures.ts";
import { shownValue } from "./fill-field.ts";
import { choicesOf as formChoicesOf, type WordField } from "./merge-fields.ts";
import type { Program, SectionStep, Step } from "./word-program.ts";
import { attributeOf, childOf } from "./word-xml.ts";

function controlField(control: Control): TemplateField {
  const { kind, name, title } = control;
  const tooltip = title === undefined || title === name ? null : title;
  const text = shownText(control);
  const shown = text === "" ? null : text;
  switch (kind) {
    case "checkbox":
      return templateField(name, "checkbox", { tooltip, value: String(isChecked(control)) });
    case "dropdown":
    case "combo": {
      const choices = choicesOf(control);
      const chosen = choices.find(({ label, value }) => label === text || value === text);
      return templateField(name, "dropdown", {
        tooltip,
        flags: kind === "combo" ? ["edit"] : [],
        options: choices.map(({ value }) => value),
        optionLabels: choices.map(({ label }) => label),
        value: chosen?.value ?? (kind === "combo" ? shown : null),
      });
    }
    case "date":
      return templateField(name, "text", {
        tooltip,
        value: shown,
        valueType: "date",
        dateFormat: dateFormatOf(control),
      });
    case "picture":
      return templateField(name, "image", { tooltip });
    default:
      return templateField(name, isMultiline(control) ? "multiline" : "text", { tooltip, value: shown });
  }
}

function wordField(field: WordField): TemplateField {
  const { kind, name, data } = field;
  if (kind === "formCheckbox") return templateField(name, "checkbox", { value: shownValue(field) });
  if (kind === "formDropdown") {
    const choices = formChoicesOf(data);
    return templateField(name, "dropdown", { options: choices, optionLabels: choices, value: shownValue(field) });
  }
  const length = Number(attributeOf(childOf(data, "w:textInput", "w:maxLength"), "w:val"));
  const asked = { path: [name], filters: filtersOf(field.picture, field.language ?? "en") };
  return templateField(name, "text", {
    maxLength: Number.isInteger(length) && length > 0 ? length : null,
    valueType: valueTypeOf(asked),
    dateFormat: datePatternOf(asked),
  });
}

/** Sections of columns that were met, by their tags: what each of their rows takes belongs to one loop. */
type ColumnUses = Map<unknown, TagUse[]>;

function sectionUses({ path, inverted, repeats, columns, body }: SectionStep, columnUses: ColumnUses): TagUse[] {
  const uses = usesOf(body, columnUses);
  const known = columnUses.get(columns);
  if (columns !== undefined && known !== undefined) {
    known.push(...uses);
    return [];
  }
  if (columns !== undefined) columnUses.set(columns, uses);
  const own = fieldName(path);
  // A row under a condition prints the value of its own name, or none.
  const printsOthers = uses.some((use) => use.kind !== "value" || fieldName(use.expression.path) !== own);
  return [
    { kind: "section", path, inverted, repeats: columns !== undefined || (repeats && !inverted && printsOthers), uses },
  ];
}

function usesOfStep(step: Step, columnUses: ColumnUses): TagUse[] {
  switch (step.step) {
    case "section":
      return sectionUses(step, columnUses);
    case "value":
      return [{ kind: step.isPicture ? "picture" : "value", expression: step.expression }];
    case "holder":
      return usesOf(step.body, columnUses);
    case "control":
      return [{ kind: "field", field: controlField(step.control) }];
    case "repeating": {
      const { name, title } = step.control;
      const tooltip = title === undefined || title === name ? null : title;
      const fields = fieldsOfTags(usesOf(step.item, columnUses));
      return [{ kind: "field", field: templateField(name, "loop", { tooltip, fields }) }];
    }
    case "field":
      return [{ kind: "field", field: wordField(step.field) }];
    default:
      return [];
  }
}

/** What a program takes from values, in document order. */
const usesOf = (program: Program, columnUses: ColumnUses): TagUse[] =>
  program.flatMap((one) => (typeof one === "string" ? [] : usesOfStep(one, columnUses)));

/** The fields of a template, over all its parts. */
export const wordFields = (programs: readonly Program[]): TemplateField[] =>
  fieldsOfTags(programs.flatMap((program) => usesOf(program, new Map())));
