/** Writes the appearances of widgets (PDF 32000-1, 12.5.5, 12.7.3.3). */
import { type PDFDict, type PDFDocument, PDFName, type PDFObject, type PDFRef } from "@cantoo/pdf-lib";
import { dictOf } from "../../forms/acroform/pdf-values.ts";
import type { PlacedRun } from "./set-text.ts";
import { drawFrame, rotationMatrix, type WidgetLook } from "./widget-look.ts";

/** What stands inside a widget's frame. */
export interface AppearanceContent {
  /** Operators, in points from the lower left corner of the upright widget. */
  operators: string;
  fonts?: ReadonlyMap<string, PDFRef>;
  images?: ReadonlyMap<string, PDFRef>;
}

/** Appearances shorter than this are not compressed: that would take longer than it saves bytes. */
const MIN_COMPRESSED_BYTES = 400;

const round = (value: number): number => Math.round(value * 1000) / 1000;

/** Operators that show placed text, clipped to the inside of the border. */
export function showText(runs: readonly PlacedRun[], look: WidgetLook, colour: string): AppearanceContent {
  const fonts = new Map(runs.map(({ face }) => [face.name, face.ref]));
  const { width, height, borderWidth: b } = look;
  const lines = runs.map(
    ({ face, codes, size, x, y }) => `/${face.name} ${round(size)} Tf 1 0 0 1 ${round(x)} ${round(y)} Tm <${codes}> Tj`,
  );
  const clip = `${round(b)} ${round(b)} ${round(Math.max(0, width - 2 * b))} ${round(Math.max(0, height - 2 * b))} re W n`;
  const shown = lines.length === 0 ? "" : `q ${clip} BT ${colour}\n${lines.join("\n")}\nET Q`;
  return { operators: `/Tx BMC\n${shown}\nEMC`, fonts };
}

/** Makes the stream of an appearance. */
export function makeAppearance(document: PDFDocument, look: WidgetLook, content: AppearanceContent): PDFRef {
  const { context } = document;
  const operators = [drawFrame(look), content.operators].filter((part) => part !== "").join("\n");
  const resources = context.obj({}) as PDFDict;
  const add = (key: string, members: ReadonlyMap<string, PDFRef> | undefined): void => {
    if (members === undefined || members.size === 0) return;
    const dict = context.obj({}) as PDFDict;
    for (const [name, ref] of members) dict.set(PDFName.of(name), ref);
    resources.set(PDFName.of(key), dict);
  };
  add("Font", content.fonts);
  add("XObject", content.images);
  const entries = {
    Type: "XObject",
    Subtype: "Form",
    BBox: [0, 0, round(look.width), round(look.height)],
    Matrix: [...rotationMatrix(look)],
    Resources: resources,
  };
  const stream =
    operators.length < MIN_COMPRESSED_BYTES
      ? context.stream(operators, entries)
      : context.flateStream(operators, entries);
  return context.register(stream);
}

/**
 * Sets a widget's normal appearance: one stream, or one for each state. The dictionary is the widget's own from then on:
 * widgets may share one.
 * @param keep keys of further appearances that stay: of the pressed button, and under the pointer
 */
export function setAppearance(widget: PDFDict, normal: PDFObject, keep: readonly ("D" | "R")[] = []): void {
  const known = dictOf(widget, "AP");
  const appearances = widget.context.obj({ N: normal }) as PDFDict;
  for (const key of keep) {
    const other = known?.get(PDFName.of(key));
    if (other !== undefined) appearances.set(PDFName.of(key), other);
  }
  widget.set(PDFName.of("AP"), appearances);
}
