import { expect, it } from "vitest";
import { cellsOfComb } from "../../../bench/forms/comb-cells.ts";
import type { LabelledDetection } from "../../../bench/forms/leave-one-out.ts";
import type { TrueField } from "../../../bench/forms/truth.ts";

const box = (left: number, right: number) => ({ left, right, top: 0, bottom: 10 });
const widget = (left: number, right: number, isCharacter: boolean): TrueField => ({
  pageNumber: 1,
  box: box(left, right),
  fieldClass: "text",
  tooltip: undefined,
  isCharacter,
});
const COMB: LabelledDetection = {
  pageNumber: 1,
  box: box(0, 30),
  fieldClass: "text",
  confidence: 1,
  label: "",
  shape: "comb",
  comb: 3,
};

it("cellsOfComb takes a comb apart where its cells have widgets of one character", () => {
  const apart = cellsOfComb(COMB, [widget(0, 10, true), widget(10, 20, true)]);
  expect(apart.map((one) => one.box)).toEqual([box(0, 10), box(10, 20), box(20, 30)]);
});

it("cellsOfComb keeps a comb that one widget covers, and a place that is none", () => {
  expect(cellsOfComb(COMB, [widget(0, 30, false)])).toEqual([COMB]);
  const { comb: _comb, ...line } = COMB;
  expect(cellsOfComb(line, [widget(0, 10, true), widget(10, 20, true)])).toEqual([line]);
});
