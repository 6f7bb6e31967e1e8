import { expect, it } from "vitest";
import { meanAveragePrecision } from "../../../bench/forms/score.ts";

const box = (left: number) => ({ left, top: 0, right: left + 10, bottom: 10 });
const detection = (left: number, confidence: number) => ({
  pageNumber: 1,
  box: box(left),
  fieldClass: "choice" as const,
  confidence,
});
const fields = [
  { pageNumber: 1, box: box(0), fieldClass: "choice" as const, tooltip: undefined, isCharacter: false },
  { pageNumber: 1, box: box(20), fieldClass: "choice" as const, tooltip: undefined, isCharacter: false },
];

it("meanAveragePrecision takes detections of one confidence for one step, whatever their order", () => {
  const detections = [detection(0, 0.9), detection(20, 0.9), detection(40, 0.9), detection(60, 0.9)];
  expect(meanAveragePrecision([{ detections, fields }], "choice")).toBeCloseTo(0.5);
  expect(meanAveragePrecision([{ detections: detections.toReversed(), fields }], "choice")).toBeCloseTo(0.5);
});

it("meanAveragePrecision ranks by confidence", () => {
  const detections = [detection(40, 0.3), detection(0, 0.9), detection(20, 0.8)];
  expect(meanAveragePrecision([{ detections, fields }], "choice")).toBeCloseTo(1);
});
