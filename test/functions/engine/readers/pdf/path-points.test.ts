import { describe, expect, test } from "vitest";
import { PathPoints } from "../../../../../functions/engine/readers/pdf/path-points.ts";
import { MAX_PATH_SEGMENTS } from "../../../../../functions/engine/readers/pdf/path-shapes.ts";

describe("PathPoints", () => {
  test("keeps subpaths apart, with the line back to the start of a closed one", () => {
    const points = new PathPoints();
    points.add(1, 2, "start");
    points.add(5, 2, "line");
    points.close();
    points.add(7, 8, "start");
    points.add(9, 3, "curve");
    expect(points.length).toBe(5);
    expect([points.subpathEnd(0), points.subpathEnd(3)]).toEqual([3, 5]);
    expect([...points.x.subarray(0, 5)]).toEqual([1, 5, 1, 7, 9]);
    expect([...points.curved.subarray(0, 5)]).toEqual([0, 0, 0, 0, 1]);
    expect(points.bounds(3, 5)).toEqual({ left: 7, top: 3, right: 9, bottom: 8 });
  });

  test("leaves out points before the first start, also on the next path", () => {
    const points = new PathPoints();
    points.add(1, 1, "line");
    points.close();
    points.add(2, 2, "start");
    points.clear();
    points.add(3, 3, "curve");
    expect(points.length).toBe(0);
  });

  test("holds the longest path with every segment closed", () => {
    const points = new PathPoints();
    for (let index = 0; index < MAX_PATH_SEGMENTS; index += 1) {
      points.add(index, 0, index === 0 ? "start" : "line");
      points.close();
    }
    expect(points.length).toBe(2 * MAX_PATH_SEGMENTS);
    expect(points.bounds(0, points.length).right).toBe(MAX_PATH_SEGMENTS - 1);
  });
});
