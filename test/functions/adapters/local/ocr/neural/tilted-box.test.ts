import { describe, expect, test } from "vitest";
import { type Point, tiltedBoxAround } from "../../../../../../functions/adapters/local/ocr/neural/tilted-box.ts";

/** Points inside and on the edges of a rectangle that is turned around (100, 50). */
const rectangle = (width: number, height: number, angle: number): Point[] =>
  [-0.5, -0.2, 0, 0.3, 0.5].flatMap((a) =>
    [-0.5, 0.1, 0.5].map((b) => ({
      x: 100 + a * width * Math.cos(angle) - b * height * Math.sin(angle),
      y: 50 + a * width * Math.sin(angle) + b * height * Math.cos(angle),
    })),
  );

describe("tiltedBoxAround", () => {
  test.each([0, 0.1, -0.3, 0.7])("finds a rectangle turned by %f", (angle) => {
    const box = tiltedBoxAround(rectangle(80, 12, angle));
    expect(box.x).toBeCloseTo(100);
    expect(box.y).toBeCloseTo(50);
    expect(box.width).toBeCloseTo(80);
    expect(box.height).toBeCloseTo(12);
    expect(box.angle).toBeCloseTo(angle);
  });

  test("a rectangle from top to bottom is high, not turned", () => {
    const box = tiltedBoxAround(rectangle(80, 12, Math.PI / 2));
    expect(box.width).toBeCloseTo(12);
    expect(box.height).toBeCloseTo(80);
    expect(box.angle).toBeCloseTo(0);
  });

  test("one point is a rectangle without an area", () => {
    expect(tiltedBoxAround([{ x: 3, y: 4 }])).toMatchObject({ x: 3, y: 4, width: 0, height: 0 });
  });
});
