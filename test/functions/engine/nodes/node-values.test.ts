/** Outputs of validate and transform nodes, as the pipelines' contract states them. */
import { describe, expect, it } from "vitest";
import { computeBucket } from "../../../../functions/engine/nodes/node-values.ts";
import { JobFailure } from "../../../../functions/ports/errors.ts";
import type { Json, JsonObject } from "../../../../statemachines/pipeline/diagnostics.ts";
import type { Bucket } from "../../../../statemachines/pipeline/nodes/validate.ts";
import { literal } from "../../../../statemachines/pipeline/templates.ts";
import { compute, made, many, movesOf, soon } from "./transforms.ts";

describe("bucket", () => {
  const bucket = (value: Json, buckets: Partial<Bucket>[], otherwise: Json = null): Json => {
    const whole = buckets.map(({ name = "", min = null, max = null }) => ({ name, min, max }));
    return computeBucket(
      { type: "validate", validator: "bucket", input: literal(null), buckets: whole, otherwise },
      value,
    ).result;
  };
  const sizes = [
    { name: "small", max: 10 },
    { name: "middle", min: 10, max: 20 },
    { name: "large", min: 30 },
  ];

  it.each<[Json, Json]>([
    [-1e300, "small"],
    [10, "small"],
    [10.000001, "middle"],
    [20, "middle"],
    [25, "none"],
    [30, "large"],
    [1e300, "large"],
    ["15", "none"],
    [null, "none"],
    [true, "none"],
    [[15], "none"],
    [{ value: 15 }, "none"],
  ])("%j is in %j", (value, name) => {
    expect(bucket(value, sizes, "none")).toEqual({ bucket: name, value });
  });

  it("without bounds holds every number, and nothing else", () => {
    expect(bucket(0, [{ name: "any" }])).toEqual({ bucket: "any", value: 0 });
    expect(bucket("0", [{ name: "any" }])).toEqual({ bucket: null, value: "0" });
    expect(bucket(7, [])).toEqual({ bucket: null, value: 7 });
  });
});

describe("pick", () => {
  const fields = { fields: ["a", "b.c", "none", "list[1].x", "list.0.x"] };

  it("picks members by name and by path", async () => {
    const value = { a: null, b: { c: 1, d: 2 }, list: [{ x: "one" }, { x: "two" }], z: 1 };
    expect(await made("pick", value, fields)).toEqual({ a: null, "b.c": 1, "list[1].x": "two", "list.0.x": "one" });
    expect(await movesOf("pick", value, fields)).toEqual({
      "/a": "/a",
      "/b.c": "/b/c",
      "/list[1].x": "/list/1/x",
      "/list.0.x": "/list/0/x",
    });
  });

  it("prefers a member whose name looks like a path", async () => {
    const value = { "b.c": "own", b: { c: "inner" }, "x/y": 1 };
    expect(await made("pick", value, { fields: ["b.c", "x/y"] })).toEqual({ "b.c": "own", "x/y": 1 });
    expect(await movesOf("pick", value, { fields: ["b.c", "x/y"] })).toEqual({ "/b.c": "/b.c", "/x~1y": "/x~1y" });
  });

  it("picks from each row of a list", async () => {
    const rows = [{ a: 1, z: 1 }, {}, null, { a: 2 }];
    expect(await made("pick", rows, { fields: ["a"] })).toEqual([{ a: 1 }, {}, null, { a: 2 }]);
    expect(await movesOf("pick", rows, { fields: ["a"] })).toEqual({ "/0/a": "/0/a", "/3/a": "/3/a" });
  });

  it("picks nothing from null, and no inherited members", async () => {
    expect(await made("pick", null, fields)).toBeNull();
    expect(await made("pick", {}, { fields: ["constructor", "toString", "__proto__"] })).toEqual({});
    const odd = JSON.parse('{"__proto__":{"x":1}}');
    expect(JSON.stringify(await made("pick", odd, { fields: ["__proto__"] }))).toBe('{"__proto__":{"x":1}}');
  });

  it.each<[Json]>([["text"], [1], [true], [[1]]])("refuses %j", async (value) => {
    await expect(made("pick", value, fields)).rejects.toThrow(
      new JobFailure('Processing failed: The node "node" needs an object or a list of objects as its input'),
    );
  });

  it("is fast for many rows", async () => {
    const rows = many(20_000).map((at) => ({ a: at, b: { c: at }, d: "x" }));
    const { result, moves } = await soon(() => compute("pick", rows, fields));
    expect(result).toHaveLength(20_000);
    expect(moves.get("/19999/b.c")).toBe("/19999/b/c");
  });
});

describe("merge", () => {
  it("lets later members win, objects as a whole", async () => {
    const objects = [{ a: 1, b: { x: 1, y: 1 } }, { b: { y: 2 }, c: null }, { a: null }];
    expect(await made("merge", objects)).toEqual({ a: null, b: { y: 2 }, c: null });
    expect(await movesOf("merge", objects)).toEqual({ "/a": "/2/a", "/b": "/1/b", "/c": "/1/c" });
  });

  it("merges objects member by member when deep, but no other values", async () => {
    const objects = [
      { a: { x: 1, y: { p: 1 }, l: [1, 2] }, s: { gone: 1 }, o: 1 },
      { a: { y: { q: 2 }, l: [3] }, s: "text", o: { now: 1 } },
      { a: { y: { p: 3 } }, o: { later: 2 } },
    ];
    expect(await made("merge", objects, { deep: true })).toEqual({
      a: { x: 1, y: { p: 3, q: 2 }, l: [3] },
      s: "text",
      o: { now: 1, later: 2 },
    });
    expect(await movesOf("merge", objects, { deep: true })).toEqual({
      "/a/x": "/0/a/x",
      "/a/y/p": "/2/a/y/p",
      "/a/y/q": "/1/a/y/q",
      "/a/l": "/1/a/l",
      "/s": "/1/s",
      "/o/now": "/1/o/now",
      "/o/later": "/2/o/later",
    });
  });

  it("replaces a merged object by a later scalar when deep, and starts anew after it", async () => {
    const objects = [{ a: { x: 1 } }, { a: { y: 2 } }, { a: 3 }, { a: { z: 4 } }];
    expect(await made("merge", objects, { deep: true })).toEqual({ a: { z: 4 } });
    expect(await movesOf("merge", objects, { deep: true })).toEqual({ "/a": "/3/a" });
  });

  it("does not change its input", async () => {
    const objects = [{ a: { x: 1 } }, { a: { y: 2 } }];
    const before = structuredClone(objects);
    await made("merge", objects, { deep: true });
    expect(objects).toEqual(before);
  });

  it("skips null, and returns an empty object for an empty list", async () => {
    expect(await made("merge", [null, { a: 1 }, null])).toEqual({ a: 1 });
    expect(await made("merge", [])).toEqual({});
    expect(await made("merge", null)).toEqual({});
  });

  it("treats names of prototype members as ordinary", async () => {
    const odd = JSON.parse('[{"__proto__":{"a":1}},{"__proto__":{"b":2}}]');
    const merged = await made("merge", odd, { deep: true });
    expect(JSON.stringify(merged)).toBe('{"__proto__":{"a":1,"b":2}}');
    expect(({} as JsonObject).b).toBeUndefined();
  });

  it.each<[Json, string]>([
    [{}, "a list"],
    ["text", "a list"],
    [[1], "a list of objects"],
    [[[]], "a list of objects"],
  ])("refuses %j", async (value, what) => {
    await expect(made("merge", value)).rejects.toThrow(`The node "node" needs ${what} as its input`);
  });

  it.each([false, true])("is fast for many members, deep %s", async (deep) => {
    const objects = many(100).map((row) =>
      Object.fromEntries(many(300).map((at) => [`m${row * 150 + at}`, { [`k${row}`]: row }])),
    );
    const { moves } = await soon(() => compute("merge", objects, { deep }));
    expect(moves.size).toBe(deep ? 30_000 : 15_150);
  });
});
