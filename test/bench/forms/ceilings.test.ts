import { expect, it } from "vitest";
import { printedCounts } from "../../../bench/forms/ceilings.ts";
import type { LabelledDetection, LeftOut } from "../../../bench/forms/leave-one-out.ts";
import type { TrueField } from "../../../bench/forms/truth.ts";

const INCOMPLETE_FORM = "mn-ccap-child-care";
const place = (left: number, side: number): Pick<TrueField, "pageNumber" | "box" | "fieldClass"> => ({
  pageNumber: 1,
  box: { left, right: left + side, top: 100 - side / 2, bottom: 100 + side / 2 },
  fieldClass: "choice",
});
const field = (left: number, side: number): TrueField => ({
  ...place(left, side),
  tooltip: undefined,
  isCharacter: false,
});
const found = (left: number, side: number): LabelledDetection => ({
  ...place(left, side),
  confidence: 0.9,
  label: "",
  shape: "square",
});

/** A page with a printed line under all widgets. */
function result(name: string, fields: TrueField[], kept: LabelledDetection[]): LeftOut {
  const horizontal = fields.map(({ box }) => ({ at: box.bottom, from: box.left, to: box.right }));
  const page = {
    number: 1,
    ink: { horizontal, vertical: [] },
    content: { angle: 0, width: 600, height: 800 },
    em: 9,
    candidates: [],
  };
  const truth = { fields, readOnly: [], pages: [], leftOut: 0 };
  return {
    form: { name, flat: new Uint8Array(), truth, pages: [page], seconds: 0 },
    threshold: 0.5,
    detections: kept,
    kept,
  };
}

it("printedCounts counts a missed widget with ink as found", () => {
  expect(printedCounts(result("drawn", [field(10, 10)], []), "choice")).toEqual({ right: 1, found: 1, true: 1 });
});

it("printedCounts counts a widget far larger than its printed box as missed, and the box as found in vain", () => {
  const counts = printedCounts(result("drawn", [field(10, 20)], [found(15, 8)]), "choice");
  expect(counts).toEqual({ right: 0, found: 1, true: 1 });
});

it("printedCounts counts places without a widget on forms of which most have none, and on no other", () => {
  const [fields, kept] = [[field(10, 10)], [found(10, 10), found(200, 10)]];
  expect(printedCounts(result(INCOMPLETE_FORM, fields, kept), "choice")).toEqual({ right: 1, found: 2, true: 1 });
  expect(printedCounts(result("drawn", fields, kept), "choice")).toEqual({ right: 1, found: 1, true: 1 });
});
