import { expect, it } from "vitest";
import { freeRoom, MAX_OBSTACLES } from "../../../../../functions/engine/forms/detect/free-room.ts";

const CELL = { left: 0, top: 0, right: 100, bottom: 30 };
const NEEDS = { minWidth: 10, minHeight: 10, enoughHeight: 15 };

it("freeRoom takes the whole of an empty cell", () => {
  expect(freeRoom(CELL, [], NEEDS)).toEqual(CELL);
});

it("freeRoom prefers the width under a label to the height beside it", () => {
  expect(freeRoom(CELL, [{ left: 2, top: 1, right: 40, bottom: 10 }], NEEDS)).toEqual({ ...CELL, top: 10 });
});

it("freeRoom takes the place beside a label as high as the cell", () => {
  expect(freeRoom(CELL, [{ left: 0, top: 4, right: 40, bottom: 26 }], NEEDS)).toEqual({ ...CELL, left: 40 });
});

it("freeRoom finds none in a cell of text, nor among very many obstacles", () => {
  const line = { left: 0, top: 5, right: 95, bottom: 25 };
  expect(freeRoom(CELL, [line], NEEDS)).toBeUndefined();
  const dots = Array.from({ length: MAX_OBSTACLES + 1 }, () => ({ left: 1, top: 1, right: 2, bottom: 2 }));
  expect(freeRoom(CELL, dots, NEEDS)).toBeUndefined();
});
