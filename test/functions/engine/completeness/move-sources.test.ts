import { describe, expect, it } from "vitest";
import { mergeRows } from "../../../../functions/engine/completeness/merge-rows.ts";
import { pointerMover } from "../../../../functions/engine/completeness/move-sources.ts";
import type { Json } from "../../../../functions/ports/json.ts";

const BOX = { left: 1, top: 1, right: 2, bottom: 1.2 };
const row = (list: string, at: number, value: Json) => ({
  missing: { order: at, page: 1, box: BOX, text: "", list, at },
  row: value,
});

/** The value at a pointer. */
const valueAt = (data: Json, pointer: string): unknown =>
  pointer
    .split("/")
    .slice(1)
    .reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], data);

describe("moveSources", () => {
  const before: Json = {
    total: 9,
    items: [{ name: "a" }, { name: "b", tags: ["x", "z"] }, { name: "c" }, { name: "d" }],
  };
  const data = structuredClone(before);
  const found = [row("/items", 1, { name: "new" }), row("/items/1/tags", 1, "y")];
  const changes = mergeRows(data, found, ["/items/2"]);
  const move = pointerMover(changes);

  it.each(["/total", "/items/0/name", "/items/1/name", "/items/1/tags/0", "/items/1/tags/1", "/items/3/name"])(
    "maps %s to the same value, even where its list and the enclosing list changed",
    (pointer) => {
      expect(valueAt(data, move(pointer) ?? "/none")).toEqual(valueAt(before, pointer));
    },
  );

  it("drops pointers of removed items, and keeps pointers of lists", () => {
    expect([move("/items/2"), move("/items/2/name")]).toEqual([undefined, undefined]);
    expect([move("/items"), move("/items/1/tags"), move("")]).toEqual(["/items", "/items/2/tags", ""]);
  });
});
