/** Fills dropdowns and lists. */
import { type PDFDict, PDFName } from "@cantoo/pdf-lib";
import type { BadRequest } from "../../../ports/errors.ts";
import type { Json } from "../../../ports/json.ts";
import { badValue, listNames, plainText, printable, textValue } from "../field-values.ts";
import { makeAppearance, setAppearance } from "./appearance.ts";
import { pdfText, showFieldText } from "./fill-text.ts";
import { type FillContext, type FormField, ownersOf } from "./form-fields.ts";
import { formFont, readDefaultAppearance, readLook } from "./widget-look.ts";

/** Size of a list's text where the form leaves it open, in points. */
const LIST_SIZE = 12;
/** Height of a list's rows, in sizes. */
const ROW_HEIGHT = 1.15;
/** Behind chosen rows, as Acrobat draws them. */
const CHOSEN_COLOUR = "0.6 0.757 0.855 rg";
const PADDING_POINTS = 2;

/** The index of an option by its export value, else by its text. */
function optionIndex({ options, optionLabels }: FormField, text: string): number {
  const byValue = options.indexOf(text);
  return byValue >= 0 ? byValue : optionLabels.indexOf(text);
}

const refused = ({ name, options }: FormField, text: string): BadRequest =>
  badValue(
    name,
    `The field ${name} does not have the option "${text.slice(0, 100)}"; its options are ${listNames(options)}`,
  );

function chosenTexts({ name, type, flags }: FormField, value: Json): string[] {
  if (!Array.isArray(value)) return value === null || value === "" ? [] : [textValue(name, value)];
  if (value.length > 1 && !(type === "listbox" && flags.includes("multiSelect"))) {
    throw badValue(name, `The field ${name} takes one option, not a list of ${value.length}`);
  }
  return value.map((one) => textValue(name, one));
}

function setValue(field: FormField, values: readonly string[], indices: readonly number[]): void {
  for (const owner of ownersOf(field)) {
    const { context } = owner;
    if (values.length === 0) owner.delete(PDFName.of("V"));
    else if (values.length === 1) owner.set(PDFName.of("V"), pdfText(values[0] ?? ""));
    else owner.set(PDFName.of("V"), context.obj(values.map(pdfText)));
    owner.delete(PDFName.of("I"));
    if (field.type === "listbox" && indices.length > 0) {
      owner.set(PDFName.of("I"), context.obj([...indices].sort((a, b) => a - b)));
    }
  }
}

/** Draws a list: its rows from the first chosen one that would be out of sight, the chosen ones shaded. */
async function showList(
  context: FillContext,
  field: FormField,
  widget: PDFDict,
  chosen: ReadonlySet<number>,
): Promise<void> {
  const look = readLook(widget);
  if (look === undefined) return;
  const { font, size: stated, colour } = readDefaultAppearance(widget, context.form);
  const own = context.faces.standard(formFont(widget, context.form, font), font);
  const size = stated > 0 ? stated : LIST_SIZE;
  const row = size * ROW_HEIGHT;
  const inner = look.height - 2 * look.borderWidth;
  const rows = Math.max(1, Math.floor(inner / row));
  const first = Math.max(0, Math.min(Math.min(...chosen, field.options.length), field.options.length - rows));
  const parts: string[] = [];
  const fonts = new Map<string, typeof own.ref>();
  for (let index = first; index < Math.min(field.options.length, first + rows); index += 1) {
    const bottom = look.height - look.borderWidth - (index - first + 1) * row;
    if (chosen.has(index)) {
      parts.push(`q ${CHOSEN_COLOUR} ${look.borderWidth} ${bottom} ${look.width - 2 * look.borderWidth} ${row} re f Q`);
    }
    let x = look.borderWidth + PADDING_POINTS;
    for (const { face, text } of await context.faces.runs(
      printable(field.optionLabels[index] ?? ""),
      own,
      field.name,
    )) {
      fonts.set(face.name, face.ref);
      parts.push(
        `BT ${colour} /${face.name} ${size} Tf 1 0 0 1 ${x} ${bottom - face.descent * size} Tm <${face.encode(text)}> Tj ET`,
      );
      x += face.width(text) * size;
    }
  }
  const b = look.borderWidth;
  const clip = `${b} ${b} ${look.width - 2 * b} ${look.height - 2 * b} re W n`;
  setAppearance(
    widget,
    makeAppearance(context.document, look, { operators: `/Tx BMC\nq ${clip}\n${parts.join("\n")}\nQ EMC`, fonts }),
  );
}

/**
 * Fills a dropdown or a list by the export values or the shown texts of its options. A dropdown that can be edited takes
 * any text.
 * @throws BadRequest for another value; it lists the options
 */
export async function fillChoice(context: FillContext, field: FormField, value: Json): Promise<void> {
  const texts = chosenTexts(field, value);
  const editable = field.type === "dropdown" && field.flags.includes("edit");
  const indices: number[] = [];
  const values = texts.map((text) => {
    const index = optionIndex(field, text);
    if (index < 0 && !editable) throw refused(field, text);
    if (index >= 0) indices.push(index);
    return index < 0 ? plainText(text) : (field.options[index] ?? text);
  });
  context.budget.spend(field.name, values.join(""), field.widgets.length);
  setValue(field, values, indices);
  const chosen = new Set(indices);
  for (const widget of field.widgets) {
    if (field.type === "listbox") await showList(context, field, widget, chosen);
    else {
      const [index] = indices;
      const shown = index === undefined ? (values[0] ?? "") : (field.optionLabels[index] ?? "");
      await showFieldText(context, {
        field,
        widget,
        text: shown,
        shape: { multiline: false, cells: undefined },
      });
    }
  }
}
