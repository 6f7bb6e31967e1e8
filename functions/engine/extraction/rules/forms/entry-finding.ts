/** Findings at places of a form. */
import type { PageAnchor } from "../../../layout/source-locations.ts";
import type { EntryView } from "../../../structure/view/view-form-entries.ts";
import type { Finding } from "../findings.ts";

const POINTS_PER_INCH = 72;
const anchorOf = (page: number, box: { left: number; top: number; right: number; bottom: number }): PageAnchor => {
  const round = (inches: number): number => Math.round(inches * POINTS_PER_INCH * 1000) / 1000;
  const bbox = { left: round(box.left), top: round(box.top), right: round(box.right), bottom: round(box.bottom) };
  const { left, top, right, bottom } = bbox;
  return {
    pageNumber: page,
    unit: "point",
    bbox,
    polygons: [
      [
        { x: left, y: top },
        { x: right, y: top },
        { x: right, y: bottom },
        { x: left, y: bottom },
      ],
    ],
  };
};

/** A value at places of a form: of the fields that hold it, or of the words that are written there. */
export function findingAt(value: Finding["value"], members: readonly EntryView[], confidence: number): Finding {
  const fields = members.flatMap(({ entry: { field } }) => field ?? []);
  const tokens = members.flatMap((one) => one.tokens);
  const certainty = Math.min(1, ...members.flatMap(({ entry }) => entry.certainty ?? []));
  if (fields.length === 0) return { value, tokens, confidence: confidence * certainty };
  const ids = [...new Set(fields.map(({ id }) => id))];
  return {
    value,
    tokens,
    confidence,
    field: { ids, anchors: members.map(({ page, entry }) => anchorOf(page, entry.box)) },
  };
}
