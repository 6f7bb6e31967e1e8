/** Fills text fields: the value, and appearances with the text. */
import { type PDFDict, PDFHexString, PDFName, PDFString } from "@cantoo/pdf-lib";
import type { Json } from "../../../ports/json.ts";
import { numberOf } from "../../forms/acroform/pdf-values.ts";
import { badValue, plainText, printable, textValue } from "../field-values.ts";
import { makeAppearance, setAppearance, showText } from "./appearance.ts";
import { formatDate } from "./date-format.ts";
import type { FillContext, FormField } from "./form-fields.ts";
import { ownersOf } from "./form-fields.ts";
import { type Quadding, setComb, setLine, setLines, type TextBox } from "./set-text.ts";
import { formFont, inherited, readDefaultAppearance, readLook, type WidgetLook } from "./widget-look.ts";

/** Distance of text from its border, in points, as Acrobat keeps it. */
const TEXT_PADDING_POINTS = 2;
/** Shown for each character of a password. */
const MASK = "*";

/** A text string as short as it can be: plain ASCII, else UTF-16. */
export const pdfText = (text: string): PDFString | PDFHexString =>
  /^[\x20-\x7e]*$/u.test(text) ? PDFString.of(text.replaceAll(/[\\()]/gu, "\\$&")) : PDFHexString.fromText(text);

function quaddingOf(widget: PDFDict, form: PDFDict | undefined): Quadding {
  const value = numberOf(inherited(widget, form, "Q"));
  return value === 1 || value === 2 ? value : 0;
}

function boxOf(look: WidgetLook, size: number, quadding: Quadding): TextBox {
  const padding = Math.min(TEXT_PADDING_POINTS + look.borderWidth, look.width / 4, look.height / 4);
  return { width: look.width, height: look.height, padding, size, quadding };
}

interface Shape {
  multiline: boolean;
  /** Number of cells of a comb; undefined for any other field. */
  cells: number | undefined;
}

/** Makes a widget's appearance with a text. Widgets without an area stay as they are. */
export async function showFieldText(
  { document, form, faces }: FillContext,
  { field, widget, text, shape }: { field: FormField; widget: PDFDict; text: string; shape: Shape },
): Promise<void> {
  const look = readLook(widget);
  if (look === undefined) return;
  const appearance = readDefaultAppearance(widget, form);
  const own = faces.standard(formFont(widget, form, appearance.font), appearance.font);
  const box = boxOf(look, appearance.size, quaddingOf(widget, form));
  const runs = (part: string) => faces.runs(part, own, field.name);
  const shown = printable(text);
  const placed =
    shape.cells !== undefined
      ? await setComb(shown, box, shape.cells, runs)
      : shape.multiline
        ? await setLines(shown, box, runs)
        : await setLine(shown, box, runs);
  setAppearance(widget, makeAppearance(document, look, showText(placed, look, appearance.colour)));
}

function lengthOf(text: string): number {
  return Array.from(new Intl.Segmenter("und").segment(text)).length;
}

/** The text of a value as the field takes it. @throws BadRequest for a text over its limit */
function fieldText(field: FormField, value: Json): string {
  const { name, dateFormat, maxLength } = field;
  const given = textValue(name, value);
  const dated = dateFormat === null ? given : (formatDate(given, dateFormat) ?? given);
  const text = plainText(dated);
  const kept = field.type === "multiline" ? text : text.replaceAll(/\s*\n\s*/gu, " ").trimEnd();
  if (maxLength !== null && lengthOf(kept) > maxLength) {
    throw badValue(name, `The field ${name} takes ${maxLength} characters at most; the value has ${lengthOf(kept)}`);
  }
  return kept;
}

/** Fills a text field. @throws BadRequest for a value of another type, a text over its limit, a glyph that no font has */
export async function fillText(context: FillContext, field: FormField, value: Json): Promise<void> {
  const text = fieldText(field, value);
  const isComb =
    field.flags.includes("comb") && field.maxLength !== null && field.maxLength > 0 && field.type === "text";
  const shape = { multiline: field.type === "multiline", cells: isComb ? (field.maxLength ?? undefined) : undefined };
  context.budget.spend(field.name, text, field.widgets.length);
  const shown = field.flags.includes("password") ? MASK.repeat(lengthOf(text)) : text;
  for (const owner of ownersOf(field)) {
    owner.set(PDFName.of("V"), pdfText(text));
    // A rich text value, which viewers prefer, would show the former text.
    owner.delete(PDFName.of("RV"));
  }
  for (const widget of field.widgets) await showFieldText(context, { field, widget, text: shown, shape });
}
