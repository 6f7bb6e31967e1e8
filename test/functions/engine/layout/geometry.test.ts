import { describe, expect, test } from "vitest";
import {
  area,
  boxAround,
  containsBox,
  containsMiddle,
  enclosesMiddle,
  extendBox,
  histogramQuantile,
  intersection,
  intersects,
  median,
  middleX,
  middleY,
  overlapArea,
  overlapExtents,
  overlapShare,
  pointsBox,
  quantile,
  spanOverlap,
  unionBox,
} from "../../../../functions/engine/layout/geometry.ts";

const box = (left: number, top: number, right: number, bottom: number) => ({ left, top, right, bottom });
const UNIT = box(0, 0, 2, 1);

describe("areas and overlaps of boxes", () => {
  test("area: width times height, 0 for an inverted box", () => {
    expect(area(UNIT)).toBe(2);
    expect(area(box(2, 0, 0, 1))).toBe(0);
    expect(area(box(2, 1, 0, 0))).toBe(0);
  });

  test("intersection: the common part, inverted for boxes that are apart", () => {
    expect(intersection(UNIT, box(1, -1, 3, 3))).toEqual(box(1, 0, 2, 1));
    expect(intersection(UNIT, box(3, 0, 4, 1))).toEqual(box(3, 0, 2, 1));
  });

  test("intersects: false for boxes that share an edge only", () => {
    expect(intersects(UNIT, box(1, 0, 3, 1))).toBe(true);
    expect(intersects(UNIT, box(2, 0, 3, 1))).toBe(false);
    expect(intersects(UNIT, box(0, 1, 2, 2))).toBe(false);
  });

  test("overlapArea and overlapShare: 0 for boxes that are apart", () => {
    expect(overlapArea(UNIT, box(1, 0, 3, 1))).toBe(1);
    expect(overlapArea(UNIT, box(3, 2, 4, 3))).toBe(0);
    expect(overlapShare(UNIT, box(3, 2, 4, 3))).toBe(0);
  });

  test("overlapShare: counts the smaller box, 0 where it is empty", () => {
    expect(overlapShare(UNIT, box(1, 0, 1.5, 1))).toBe(1);
    expect(overlapShare(box(1.5, 0, 2.5, 1), UNIT)).toBe(0.5);
    expect(overlapShare(UNIT, box(1, 0, 1, 1))).toBe(0);
  });

  test("spanOverlap and overlapExtents: negative for a gap", () => {
    expect(spanOverlap(0, 2, 1, 5)).toBe(1);
    expect(spanOverlap(0, 2, 3, 5)).toBe(-1);
    expect(overlapExtents(UNIT, box(1, 3, 5, 4))).toEqual({ across: 1, down: -2 });
  });
});

describe("boxes within boxes", () => {
  test("containsBox: edges included", () => {
    expect(containsBox(UNIT, UNIT)).toBe(true);
    expect(containsBox(UNIT, box(0, 0, 2.1, 1))).toBe(false);
  });

  test("containsMiddle includes edges, enclosesMiddle excludes them", () => {
    const onEdge = box(1.5, 0, 2.5, 1);
    expect(containsMiddle(UNIT, onEdge)).toBe(true);
    expect(enclosesMiddle(UNIT, onEdge)).toBe(false);
    expect(enclosesMiddle(UNIT, box(1, 0, 2.5, 1))).toBe(true);
    expect(containsMiddle(UNIT, box(2, 0, 3, 1))).toBe(false);
  });

  test("containsMiddle: the same as comparing middleX and middleY", () => {
    const edges = [0, 0.1, 0.2, 0.3, 0.7, 1.1];
    const boxes = edges.flatMap((left) => edges.map((right) => box(left, left / 3, right, right / 7)));
    for (const outer of boxes)
      for (const inner of boxes) {
        const [x, y] = [middleX(inner), middleY(inner)];
        const within = x >= outer.left && x <= outer.right && y >= outer.top && y <= outer.bottom;
        const inside = x > outer.left && x < outer.right && y > outer.top && y < outer.bottom;
        expect([containsMiddle(outer, inner), enclosesMiddle(outer, inner)]).toEqual([within, inside]);
      }
  });
});

describe("boxes around boxes and points", () => {
  test("unionBox: holds all boxes, changes none, refuses an empty list", () => {
    const first = box(0, 0, 1, 1);
    expect(unionBox([first, box(2, -1, 3, 0.5)])).toEqual(box(0, -1, 3, 1));
    expect(first).toEqual(box(0, 0, 1, 1));
    expect(() => unionBox([])).toThrow(RangeError);
  });

  test("extendBox: changes the first box only", () => {
    const [one, other] = [box(0, 0, 1, 1), box(-1, 0.5, 0.5, 2)];
    extendBox(one, other);
    expect(one).toEqual(box(-1, 0, 1, 2));
    expect(other).toEqual(box(-1, 0.5, 0.5, 2));
  });

  test("pointsBox: holds all points, infinite for none", () => {
    expect(
      pointsBox([
        { x: 1, y: 5 },
        { x: -1, y: 2 },
      ]),
    ).toEqual(box(-1, 2, 1, 5));
    expect(pointsBox([])).toEqual(box(Infinity, Infinity, -Infinity, -Infinity));
  });
});

describe("medians and quantiles", () => {
  test("median: the upper middle number, 0 for none, input unchanged", () => {
    const numbers = [10, 9, 100];
    expect(median(numbers)).toBe(10);
    expect(numbers).toEqual([10, 9, 100]);
    expect(median([1, 2, 3, 4])).toBe(3);
    expect(median(new Float32Array([3, 1, 2]))).toBe(2);
    expect(median([])).toBe(0);
  });

  test("quantile: rounds down to one of the numbers, 0 for none", () => {
    expect(quantile([4, 1, 3, 2], 0)).toBe(1);
    expect(quantile([4, 1, 3, 2], 0.5)).toBe(2);
    expect(quantile([4, 1, 3, 2], 1)).toBe(4);
    expect(quantile([], 0.5)).toBe(0);
  });

  test("histogramQuantile: the first value that reaches the share, 0 for an empty histogram", () => {
    expect(histogramQuantile(new Uint32Array([0, 2, 0, 2]), 0.5)).toBe(1);
    expect(histogramQuantile(new Uint32Array([0, 2, 0, 2]), 0.51)).toBe(3);
    expect(histogramQuantile(new Uint32Array(256), 0.5)).toBe(0);
  });
});

describe("numbers and items by the many", () => {
  test("median and quantile: any count and order, the given numbers stay", () => {
    for (const count of [1, 2, 5, 24, 25, 200]) {
      const numbers = Array.from({ length: count }, (_, at) => ((at * 37) % 101) / 8 - 4);
      const before = [...numbers];
      const sorted = [...numbers].sort((a, b) => a - b);
      expect(median(numbers)).toBe(sorted[count >> 1]);
      expect(median(new Set(numbers))).toBe([...new Set(sorted)][new Set(sorted).size >> 1]);
      expect(quantile(numbers, 0.25)).toBe(sorted[Math.floor((count - 1) * 0.25)]);
      expect(numbers).toEqual(before);
    }
  });

  test("boxAround: the union of the items' boxes, refused without an item", () => {
    const items = [box(2, 2, 3, 3), box(-1, 0, 1, 5)].map((one) => ({ box: one }));
    expect(boxAround(items)).toEqual(unionBox(items.map((one) => one.box)));
    expect(() => boxAround([])).toThrow(RangeError);
  });
});
