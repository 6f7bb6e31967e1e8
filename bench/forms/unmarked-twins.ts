/** Places found without a widget that have a twin with one on the same form: printed alike, in its row or column or under its label. */
import { containsMiddle } from "../../functions/engine/layout/geometry.ts";
import type { LabelledDetection, LeftOut } from "./leave-one-out.ts";
import { pair, RIGHT_IOU } from "./score.ts";

/** Difference of edges and of heights that are the same, points. */
const SAME_POINTS = 1;

const isSame = (a: number, b: number): boolean => Math.abs(a - b) <= SAME_POINTS;

/** True for places of one shape and height that share a row, a column or the words of their labels. */
function isTwin(one: LabelledDetection, other: LabelledDetection): boolean {
  if (one.shape !== other.shape || one.fieldClass !== other.fieldClass) return false;
  const [a, b] = [one.box, other.box];
  if (!isSame(a.bottom - a.top, b.bottom - b.top)) return false;
  if (one.label !== "" && one.label === other.label) return true;
  if (one.pageNumber !== other.pageNumber) return false;
  return (isSame(a.top, b.top) && isSame(a.bottom, b.bottom)) || (isSame(a.left, b.left) && isSame(a.right, b.right));
}

/** The places found where no widget lies, and those among them with a twin that a widget lies on. */
export function unmarkedTwins({ form, kept }: LeftOut): { unmarked: number; twins: number } {
  const right = [...pair(kept, form.truth.fields, RIGHT_IOU).keys()];
  const unmarked = kept.filter(
    (one) =>
      !form.truth.fields.some(
        ({ pageNumber, box }) =>
          pageNumber === one.pageNumber && (containsMiddle(box, one.box) || containsMiddle(one.box, box)),
      ),
  );
  return {
    unmarked: unmarked.length,
    twins: unmarked.filter((one) => right.some((other) => isTwin(one, other))).length,
  };
}
