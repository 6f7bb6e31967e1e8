import { expect, it } from "vitest";
import type { FormPageContent } from "../../../../../functions/engine/forms/detect/form-page.ts";
import { judgePage } from "../../../../../functions/engine/forms/detect/judge-page.ts";

/** A page of five lines to write on, of which the last is thicker, by points. */
function pageOf(usual: number, last: number, isPicture: boolean): FormPageContent {
  const frame = { left: 0, top: 0, right: 612, bottom: 792 };
  const ats = [100, 200, 300, 400, 500];
  return {
    ...{ pageNumber: 1, width: 612, height: 792, angle: 0, frame, isPicture, words: [], vertical: [], fills: [] },
    ...{ blanks: [], frames: [], rounds: [], squares: [], marks: [], underscores: [], leaders: [], widgets: [] },
    horizontal: ats.map((at) => ({ at, from: 100, to: 300, thickness: at === 500 ? last : usual })),
  };
}

const heavyLines = (content: FormPageContent): (number | undefined)[] =>
  judgePage(content)
    .candidates.filter(({ candidate }) => candidate.shape === "rule")
    .map(({ signs }) => signs["heavy line"]);

it("lineSigns takes a line that is thicker than the others for a heavy one", () => {
  expect(heavyLines(pageOf(0.36, 0.72, false))).toEqual([0, 0, 0, 0, 1]);
});

it("lineSigns leaves a pixel of difference to lines of a scan of 200 dpi", () => {
  expect(heavyLines(pageOf(0.36, 0.72, true))).toEqual([0, 0, 0, 0, 0]);
  expect(heavyLines(pageOf(0.36, 1.08, true))).toEqual([0, 0, 0, 0, 1]);
});
