import { expect, it } from "vitest";
import { widgetBox } from "../../../../../functions/engine/forms/detect/widget-box.ts";

const box = { left: 100, top: 200, right: 110, bottom: 210 };
const EM_POINTS = 10;

it("widgetBox keeps fields in cells off the rules", () => {
  expect(widgetBox({ shape: "cell", box }, EM_POINTS)).toEqual({
    left: 100.5,
    top: 200.5,
    right: 109.5,
    bottom: 209.5,
  });
});

it("widgetBox leaves fields on drawn boxes and lines as they are", () => {
  for (const shape of ["square", "box", "rule"] as const) expect(widgetBox({ shape, box }, EM_POINTS)).toEqual(box);
});

it("widgetBox gives fields on squares of thin lines and no even sides the outer edge of the frame", () => {
  const uneven = { ...box, right: 110.2, bottom: 210.2 };
  expect(widgetBox({ shape: "square", box: uneven, thinFrame: true }, EM_POINTS)).toEqual({
    left: 99.75,
    top: 199.75,
    right: 110.45,
    bottom: 210.45,
  });
  expect(widgetBox({ shape: "square", box: uneven }, EM_POINTS)).toEqual(uneven);
  expect(widgetBox({ shape: "square", box, thinFrame: true }, EM_POINTS)).toEqual(box);
});

it("widgetBox makes fields on characters that show a box larger, and lifts marks before answers", () => {
  expect(widgetBox({ shape: "mark", box }, EM_POINTS)).toEqual({ left: 99.5, top: 199, right: 110.5, bottom: 210 });
  expect(widgetBox({ shape: "wording", box }, EM_POINTS)).toEqual({
    left: 99.5,
    top: 198.5,
    right: 109.5,
    bottom: 208.5,
  });
});
