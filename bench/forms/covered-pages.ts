/** Pages that their author finished: widgets stand at the places to tick that are printed there. */
import { isChoice } from "../../functions/engine/forms/detect/candidate.ts";
import { containsMiddle } from "../../functions/engine/layout/geometry.ts";
import type { JudgedPage } from "./flat-forms.ts";
import type { LeftOut } from "./leave-one-out.ts";
import type { TrueField } from "./truth.ts";

/** Share of the printed places to tick under widgets from which a page counts as finished. */
export const LEAST_COVER = 0.5;
/** Confidence from which a drawn square, circle or pair of brackets is a printed place to tick. */
const SURE = 0.5;

function isCovered({ candidates }: JudgedPage, fields: readonly TrueField[]): boolean {
  const ticks = candidates.filter(
    ({ candidate, confidence }) => isChoice(candidate) && candidate.shape !== "wording" && confidence >= SURE,
  );
  const covered = ticks.filter(({ candidate }) => fields.some(({ box }) => containsMiddle(box, candidate.box)));
  return covered.length >= LEAST_COVER * ticks.length;
}

/** A result on the pages of its form that are covered; pages where nothing is printed to tick stay. */
export function onCoveredPages(result: LeftOut): LeftOut {
  const { form } = result;
  const covered = form.pages.map((page, index) =>
    isCovered(
      page,
      form.truth.fields.filter(({ pageNumber }) => pageNumber === index + 1),
    ),
  );
  const isOn = ({ pageNumber }: { pageNumber: number }): boolean => covered[pageNumber - 1] === true;
  return {
    ...result,
    form: {
      ...form,
      pages: form.pages.filter((_, index) => covered[index] === true),
      truth: { ...form.truth, fields: form.truth.fields.filter(isOn) },
    },
    detections: result.detections.filter(isOn),
    kept: result.kept.filter(isOn),
  };
}
