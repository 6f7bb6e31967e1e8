import { describe, expect, it } from "vitest";
import { whiteBoxes } from "../../../../../functions/engine/forms/detect/white-boxes.ts";
import type { Drawing } from "../../../../../functions/engine/structure/tables/table-parts.ts";

/** A tinted page of 200 × 200 points but for a white box, on whose left and right side rules stand. */
const TINTED: Drawing = {
  horizontal: [],
  vertical: [
    { at: 50, from: 60, to: 100 },
    { at: 150, from: 60, to: 100 },
  ],
  fills: [{ box: { left: 0, top: 0, right: 50, bottom: 200 }, shade: 0.9 }],
};
const EDGES = {
  horizontal: [
    { at: 60, from: 50, to: 150 },
    { at: 100, from: 50, to: 150 },
  ],
  vertical: [],
};

describe("whiteBoxes", () => {
  it("finds a box between rules and edges of tint", () => {
    const [box, ...others] = whiteBoxes(TINTED, EDGES, []);
    expect(box).toEqual({ left: 50, top: 60, right: 150, bottom: 100 });
    expect(others).toEqual([]);
  });

  it("finds none where no edge is", () => {
    const closed = { ...TINTED, horizontal: EDGES.horizontal };
    expect(whiteBoxes(closed, { horizontal: [], vertical: [] }, [])).toEqual([]);
  });

  it("leaves out boxes with print, and tinted ones", () => {
    const word = { text: "Name", box: { left: 60, top: 70, right: 90, bottom: 80 }, size: 9, line: 0 };
    expect(whiteBoxes(TINTED, EDGES, [word])).toEqual([]);
    const covered = { ...TINTED, fills: [{ box: { left: 0, top: 0, right: 200, bottom: 200 }, shade: 0.9 }] };
    expect(whiteBoxes(covered, EDGES, [])).toEqual([]);
  });

  it("parts a box where an edge of a gray block beside it ends", () => {
    const beside = { at: 84, from: 30, to: 50 };
    const boxes = whiteBoxes(TINTED, { ...EDGES, horizontal: [...EDGES.horizontal, beside] }, []);
    expect(boxes).toEqual([
      { left: 50, top: 60, right: 150, bottom: 84 },
      { left: 50, top: 84, right: 150, bottom: 100 },
    ]);
  });

  it("joins the cells of a comb to one box", () => {
    const sides = [50, 62, 74, 86].map((at) => ({ at, from: 60, to: 72 }));
    const edges = { horizontal: [60, 72].map((at) => ({ at, from: 50, to: 86 })), vertical: [] };
    const boxes = whiteBoxes({ horizontal: [], vertical: sides, fills: [] }, edges, []);
    expect(boxes).toEqual([{ left: 50, top: 60, right: 86, bottom: 72 }]);
  });
});
