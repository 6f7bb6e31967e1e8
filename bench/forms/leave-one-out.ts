/** Weights and thresholds that are fitted to the other forms, and what they detect in the one left out. */
import { isChoice } from "../../functions/engine/forms/detect/candidate.ts";
import { choosePlaces } from "../../functions/engine/forms/detect/choose-places.ts";
import type { JudgedCandidate } from "../../functions/engine/forms/detect/confidence.ts";
import { CHOICE_WEIGHTS, TEXT_WEIGHTS } from "../../functions/engine/forms/detect/confidence-weights.ts";
import { DETECTION_DEFAULTS } from "../../functions/engine/forms/detect/define-fields.ts";
import { fieldTypeOf } from "../../functions/engine/forms/detect/field-types.ts";
import { widgetBox } from "../../functions/engine/forms/detect/widget-box.ts";
import type { Box } from "../../functions/ports/layout.ts";
import { type Example, fitWeights, scoreSigns } from "./fit.ts";
import { type FlatForm, isComplete } from "./flat-forms.ts";
import { addCounts, type Counts, countClass, type Detection, f1, RIGHT_IOU, STEPS } from "./score.ts";
import { classOf, FIELD_CLASSES, type FieldClass, type FormTruth, iou, type TrueField } from "./truth.ts";

export interface Weights {
  text: Record<string, number>;
  choice: Record<string, number>;
}

type DetectorWeights = Readonly<Record<keyof Weights, Readonly<Record<string, number>>>>;

export interface LabelledDetection extends Detection {
  label: string;
  shape: string;
  /** Cells for one character each. */
  comb?: number;
}

/**
 * Shapes that a single form of the corpus has, so that nothing can be fitted: weights that make them likely, but less than
 * drawn boxes. The form with empty brackets was made without widgets there; they are places to tick all the same.
 */
const STATED_WEIGHTS = { brackets: -1, round: -1, wording: -1.8 };
/**
 * The same for signs of places to write that a single form has, or nearly: the line behind `Yes` or `No` parts questions,
 * the words before cells to fill head their row (14 of 20 such cells stand on one form), and a cell past a row has none.
 */
const STATED_TEXT_WEIGHTS = { "line after yes or no": -2, "row head": -2, "taller than its column": -2 };
/**
 * Nearly all drawn boxes of the forms fitted to are places to tick, so that a label far off or on the left of one seems to
 * speak for it; it says nothing.
 */
const STATED_LABEL_WEIGHTS = { "far label": 0, "label left": 0 };
/** Candidates below this confidence are no detections at any threshold. */
const LEAST_CONFIDENCE = 0.02;
const THRESHOLDS = Array.from({ length: 17 }, (_, index) => (index + 2) / 20);

const kindOf = ({ candidate }: JudgedCandidate): keyof Weights => (isChoice(candidate) ? "choice" : "text");

const coversOne = (box: Box, page: number, fields: readonly TrueField[]): boolean =>
  fields.some((one) => one.pageNumber === page && iou(one.box, box) >= RIGHT_IOU);

/** True for the place of a read-only widget: neither right nor wrong. */
const isIgnored = (box: Box, page: number, { fields, readOnly }: FormTruth): boolean =>
  coversOne(box, page, readOnly) && !coversOne(box, page, fields);

/**
 * What confidence should say of a place that overlaps a widget: that it is one. Of a tick, half of it is that the box is
 * the widget's, too, by the share of the steps of mAP50-95 that the overlap passes: nearly all drawn boxes are places to
 * tick, and only the exactness of their widgets tells them apart.
 */
function targetOf(overlap: number, kind: keyof Weights): number {
  const isPlace = overlap >= RIGHT_IOU ? 1 : 0;
  if (kind === "text") return isPlace;
  return (isPlace + STEPS.filter((least) => overlap >= least).length / STEPS.length) / 2;
}

function examplesOf(forms: readonly FlatForm[], wanted: keyof Weights): Example[] {
  return forms.flatMap(({ pages, truth }) =>
    pages.flatMap(({ candidates, em }, index) => {
      const fields = truth.fields.filter(
        (one) => one.pageNumber === index + 1 && (one.fieldClass === "choice") === (wanted === "choice"),
      );
      return candidates
        .filter((one) => kindOf(one) === wanted && !(one.candidate.shape in STATED_WEIGHTS))
        .filter(({ candidate }) => !isIgnored(candidate.box, index + 1, truth))
        .map(({ candidate, signs }) => ({
          signs,
          weight: 1 / Math.sqrt(truth.fields.length),
          target: targetOf(Math.max(0, ...fields.map((one) => iou(one.box, widgetBox(candidate, em)))), wanted),
        }));
    }),
  );
}

/** Weights fitted to forms, the incomplete ones left out. */
export function fitForms(forms: readonly FlatForm[]): Weights {
  const complete = forms.filter(isComplete);
  return {
    text: { ...fitWeights(examplesOf(complete, "text")), ...STATED_TEXT_WEIGHTS },
    choice: { ...fitWeights(examplesOf(complete, "choice")), ...STATED_WEIGHTS, ...STATED_LABEL_WEIGHTS },
  };
}

const classOfPlace = (place: JudgedCandidate, em: number): FieldClass =>
  classOf(fieldTypeOf(place, undefined, em)) ?? "text";

/** The detections of weights in a form, at any confidence. */
export function detect({ pages, truth }: FlatForm, weights: DetectorWeights): LabelledDetection[] {
  return pages.flatMap(({ candidates, em }, index) => {
    const scored = candidates.map((one) => ({ ...one, confidence: scoreSigns(one.signs, weights[kindOf(one)]) }));
    const chosen = choosePlaces(scored, LEAST_CONFIDENCE);
    return chosen
      .filter(({ candidate }) => !isIgnored(candidate.box, index + 1, truth))
      .map((one) => ({
        pageNumber: index + 1,
        box: widgetBox(one.candidate, em),
        fieldClass: classOfPlace(one, em),
        confidence: one.confidence,
        label: one.label.text,
        shape: one.candidate.shape,
        ...(one.candidate.comb === undefined ? {} : { comb: one.candidate.comb }),
      }));
  });
}

export const atLeast = <D extends Detection>(detections: readonly D[], least: number): D[] =>
  detections.filter(({ confidence }) => confidence >= least);

export const countAll = ({ truth }: FlatForm, detections: readonly Detection[]): Counts =>
  FIELD_CLASSES.map((one) => countClass(detections, truth.fields, one)).reduce(addCounts);

/** The threshold of confidence with the best F1 over forms. */
function bestThreshold(forms: readonly FlatForm[], weights: Weights): number {
  const detected = forms.map((form) => ({ form, detections: detect(form, weights) }));
  const scores = THRESHOLDS.map((least) =>
    f1(detected.map(({ form, detections }) => countAll(form, atLeast(detections, least))).reduce(addCounts)),
  );
  return THRESHOLDS[scores.indexOf(Math.max(...scores))] ?? 0.5;
}

export interface LeftOut {
  form: FlatForm;
  threshold: number;
  /** At any confidence, and from the threshold. */
  detections: LabelledDetection[];
  kept: LabelledDetection[];
}

/**
 * Detects each form with weights and threshold of the others.
 * @param fitted renditions of the same forms that are fitted to; nothing of the form itself, in no rendition
 */
export function leaveOneOut(forms: readonly FlatForm[], fitted: readonly FlatForm[]): LeftOut[] {
  return forms.map((form) => {
    const weights = fitForms(fitted.filter(({ name }) => name !== form.name));
    const others = forms.filter((one) => one.name !== form.name && isComplete(one));
    const threshold = bestThreshold(others, weights);
    const detections = detect(form, weights);
    return { form, threshold, detections, kept: atLeast(detections, threshold) };
  });
}

/** Detects forms that nothing was fitted to, with the weights and the default threshold of the detector. */
export function atFirstSight(forms: readonly FlatForm[]): LeftOut[] {
  return forms.map((form) => {
    const threshold = DETECTION_DEFAULTS.minConfidence;
    const detections = detect(form, { text: TEXT_WEIGHTS, choice: CHOICE_WEIGHTS });
    return { form, threshold, detections, kept: atLeast(detections, threshold) };
  });
}
