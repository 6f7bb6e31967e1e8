/** Combs counted by their cells, where the author of a form put a widget on each cell. */
import { containsMiddle } from "../../functions/engine/layout/geometry.ts";
import type { LabelledDetection, LeftOut } from "./leave-one-out.ts";
import type { TrueField } from "./truth.ts";

/** Widgets of one character in a comb from which they stand on its cells; a single one is the comb's own. */
const MIN_CELL_WIDGETS = 2;

/** The cells of a comb, of one width; the detection itself where no widgets stand on its cells. */
export function cellsOfComb(detection: LabelledDetection, fields: readonly TrueField[]): LabelledDetection[] {
  const { comb, box, pageNumber } = detection;
  if (comb === undefined) return [detection];
  const own = fields.filter((one) => one.isCharacter && one.pageNumber === pageNumber && containsMiddle(box, one.box));
  if (own.length < MIN_CELL_WIDGETS) return [detection];
  const width = (box.right - box.left) / comb;
  return Array.from({ length: comb }, (_, index) => {
    const left = box.left + index * width;
    return { ...detection, box: { ...box, left, right: left + width } };
  });
}

/** A result with its combs taken apart: the count of cells and their places must be right. */
export const byCells = (result: LeftOut): LeftOut => {
  const apart = (detections: readonly LabelledDetection[]): LabelledDetection[] =>
    detections.flatMap((one) => cellsOfComb(one, result.form.truth.fields));
  return { ...result, detections: apart(result.detections), kept: apart(result.kept) };
};
