/** Scores of detected places against the widgets of a form. */
import { containsMiddle } from "../../functions/engine/layout/geometry.ts";
import type { Box } from "../../functions/ports/layout.ts";
import { type FieldClass, iou, type TrueField } from "./truth.ts";

export interface Detection {
  pageNumber: number;
  /** Points from the top left corner of the page as shown. */
  box: Box;
  fieldClass: FieldClass;
  confidence: number;
}

export interface Counts {
  right: number;
  found: number;
  true: number;
}

export const NO_COUNTS: Counts = { right: 0, found: 0, true: 0 };
export const addCounts = (a: Counts, b: Counts): Counts => ({
  right: a.right + b.right,
  found: a.found + b.found,
  true: a.true + b.true,
});
export const precision = ({ right, found }: Counts): number => (found === 0 ? 1 : right / found);
export const recall = ({ right, true: all }: Counts): number => (all === 0 ? 1 : right / all);
export const f1 = ({ right, found, true: all }: Counts): number =>
  found + all === 0 ? 1 : (2 * right) / (found + all);

/** Pairs each detection, the surest first, with the widget of its class that it covers best. */
export function pair<D extends Detection>(
  detections: readonly D[],
  fields: readonly TrueField[],
  least: number,
  overlap: (a: Box, b: Box) => number = iou,
): Map<D, TrueField> {
  const pairs = new Map<D, TrueField>();
  const taken = new Set<TrueField>();
  const byPage = Map.groupBy(fields, ({ pageNumber, fieldClass }) => `${pageNumber} ${fieldClass}`);
  for (const one of detections.toSorted((a, b) => b.confidence - a.confidence)) {
    let [best, most]: [TrueField | undefined, number] = [undefined, least];
    for (const field of byPage.get(`${one.pageNumber} ${one.fieldClass}`) ?? []) {
      if (taken.has(field)) continue;
      const own = overlap(one.box, field.box);
      if (own >= most) [best, most] = [field, own];
    }
    if (best === undefined) continue;
    taken.add(best);
    pairs.set(one, best);
  }
  return pairs;
}

/** The intersection over union from which a detection is right. */
export const RIGHT_IOU = 0.5;

/** The overlap of boxes of which each holds the other's middle; 0 for others. */
const middleOverlap = (a: Box, b: Box): number => (containsMiddle(a, b) && containsMiddle(b, a) ? iou(a, b) : 0);

/** Counts where a place is right whose middle lies in the widget, and the widget's in it, whatever their sizes. */
export function countMiddles(detections: readonly Detection[], fields: readonly TrueField[]): Counts {
  const { size } = pair(detections, fields, Number.MIN_VALUE, middleOverlap);
  return { right: size, found: detections.length, true: fields.length };
}

export function countClass(
  detections: readonly Detection[],
  fields: readonly TrueField[],
  fieldClass: FieldClass,
): Counts {
  const own = detections.filter((one) => one.fieldClass === fieldClass);
  const truth = fields.filter((one) => one.fieldClass === fieldClass);
  return { right: pair(own, truth, RIGHT_IOU).size, found: own.length, true: truth.length };
}

/** A form's detections at every confidence, and its truth. */
export interface ScoredForm {
  detections: readonly Detection[];
  fields: readonly TrueField[];
}

/** Intersections over union at which precision is averaged, as COCO does. */
export const STEPS = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];
/** Recalls at which precision is read, as COCO does. */
const RECALL_POINTS = 101;

/** Average precision of one class over all forms at one intersection over union. */
function averagePrecision(forms: readonly ScoredForm[], fieldClass: FieldClass, least: number): number {
  const hits: { confidence: number; right: boolean }[] = [];
  let all = 0;
  for (const { detections, fields } of forms) {
    const own = detections.filter((one) => one.fieldClass === fieldClass);
    const pairs = pair(
      own,
      fields.filter((one) => one.fieldClass === fieldClass),
      least,
    );
    all += fields.filter((one) => one.fieldClass === fieldClass).length;
    hits.push(...own.map((one) => ({ confidence: one.confidence, right: pairs.has(one) })));
  }
  if (all === 0) return Number.NaN;
  hits.sort((a, b) => b.confidence - a.confidence);
  const points: { precision: number; recall: number }[] = [];
  let right = 0;
  for (const [index, hit] of hits.entries()) {
    if (hit.right) right += 1;
    // Detections of one confidence have no order among them: they are one step.
    if (hits[index + 1]?.confidence === hit.confidence) continue;
    points.push({ precision: right / (index + 1), recall: right / all });
  }
  for (let index = points.length - 2; index >= 0; index -= 1) {
    const [here, next] = [points[index], points[index + 1]];
    if (here !== undefined && next !== undefined) here.precision = Math.max(here.precision, next.precision);
  }
  let sum = 0;
  let at = 0;
  for (let step = 0; step < RECALL_POINTS; step += 1) {
    while (at < points.length && (points[at]?.recall ?? 0) < step / (RECALL_POINTS - 1)) at += 1;
    sum += points[at]?.precision ?? 0;
  }
  return sum / RECALL_POINTS;
}

/** Mean of the average precisions of a class at intersections over union from 0.50 to 0.95. */
export const meanAveragePrecision = (forms: readonly ScoredForm[], fieldClass: FieldClass): number =>
  STEPS.reduce((sum, least) => sum + averagePrecision(forms, fieldClass, least), 0) / STEPS.length;
