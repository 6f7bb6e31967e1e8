import { expect, test } from "vitest";
import { LabelIndex } from "../../../../../functions/engine/values/vocabulary/label-index.ts";

test("LabelIndex asks for its meanings at the first use, and finds those of its base first", () => {
  let asked = 0;
  const base = new LabelIndex(new Map([["total", [{ concept: "total", strength: 1 }]]]));
  const index = new LabelIndex(() => {
    asked += 1;
    return new Map([["total", [{ concept: "own", strength: 1 }]]]);
  }, base);
  expect(asked).toBe(0);
  expect(index.meaningsOf("total").map(({ concept }) => concept)).toEqual(["total", "own"]);
  expect(asked).toBe(1);
  expect([index.begins("tot"), index.begins("totals"), index.begins("z")]).toEqual([true, false, false]);
});
