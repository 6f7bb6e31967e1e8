/** The fields of a PDF's form as the layout holds them. */
import type { Layout } from "../../ports/layout.ts";
import type { AcroFormField } from "../forms/acroform/acroform.ts";

const POINTS_PER_INCH = 72;
const toPoints = (inches: number): number => Math.round(inches * POINTS_PER_INCH * 1000) / 1000;

/** Fields with their widgets, in the order of the pages. */
export function layoutFormFields({ pages }: Layout): AcroFormField[] {
  const fields = new Map<string, AcroFormField>();
  for (const { number, entries = [] } of pages) {
    for (const { box, field } of entries) {
      if (field === undefined) continue;
      const { id, name, type, tooltip = null, value, options = [], maxLength = null } = field;
      const [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom].map(toPoints) as [
        number,
        number,
        number,
        number,
      ];
      const known = fields.get(id) ?? {
        ...{ id, name, type, tooltip, value, options, maxLength },
        ...{ defaultValue: null, flags: [], pageNumber: number, rect: null, widgets: [] },
      };
      const anchor = { pageNumber: number, unit: "point" as const, bbox: { left, top, right, bottom } };
      known.widgets.push({
        id: `${id}w${known.widgets.length + 1}`,
        pageNumber: number,
        rect: null,
        pageAnchors: [anchor],
      });
      fields.set(id, known);
    }
  }
  return [...fields.values()];
}
