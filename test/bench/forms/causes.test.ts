import { expect, it } from "vitest";
import { causesOf } from "../../../bench/forms/causes.ts";
import type { LabelledDetection, LeftOut } from "../../../bench/forms/leave-one-out.ts";
import type { FieldClass, TrueField } from "../../../bench/forms/truth.ts";

const box = (left: number, right: number): TrueField["box"] => ({ left, right, top: 0, bottom: 10 });
const field = (left: number, right: number, fieldClass: FieldClass = "text"): TrueField => ({
  pageNumber: 1,
  box: box(left, right),
  fieldClass,
  tooltip: undefined,
  isCharacter: false,
});
const found = (left: number, right: number, fieldClass: FieldClass = "text"): LabelledDetection => ({
  pageNumber: 1,
  box: box(left, right),
  fieldClass,
  confidence: 0.9,
  label: "",
  shape: "cell",
});

function causes(fields: TrueField[], kept: LabelledDetection[]): string[] {
  const page = {
    number: 1,
    ink: { horizontal: [], vertical: [] },
    content: { angle: 0, width: 600, height: 800 },
    em: 9,
    candidates: [],
  };
  const truth = { fields, readOnly: [], pages: [], leftOut: 0 };
  const form = { name: "drawn", flat: new Uint8Array(), truth, pages: [page], seconds: 0 };
  return causesOf({ form, threshold: 0.5, detections: kept, kept } satisfies LeftOut).map(
    ({ side, cause }) => `${side}: ${cause}`,
  );
}

it("causesOf says nothing of a place that is right", () => {
  expect(causes([field(0, 100)], [found(0, 90)])).toEqual([]);
});

it("causesOf tells joined widgets, parts, sizes and classes apart", () => {
  expect(causes([field(0, 40), field(40, 100)], [found(0, 100)])).toEqual(["missed: part of one place"]);
  expect(causes([field(0, 100)], [found(0, 30), found(30, 60)])).toEqual([
    "missed: found in parts",
    "false: part of a widget",
    "false: smaller than the other",
  ]);
  expect(causes([field(0, 100)], [found(30, 75)])).toEqual([
    "missed: larger than the other",
    "false: smaller than the other",
  ]);
  expect(causes([field(0, 100, "signature")], [found(0, 100)])).toEqual([
    "missed: found as text",
    "false: is signature",
  ]);
  expect(causes([field(0, 100)], [found(200, 300)])).toEqual(["missed: no candidate", "false: no widget"]);
});
