/** Texts made of values, rows sorted, looked up, worked out; by the words of the pipelines' contract. */
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../../statemachines/pipeline/diagnostics.ts";
import { made, many, movesOf, soon } from "./transforms.ts";

describe("template", () => {
  const fill = (text: string, value: Json = null) => made("template", value, { text });

  it("fills in members of its input and values of paths", async () => {
    const value = { a: "A", n: 1.5, no: false, o: { p: [1] }, list: [{ x: "L" }], "odd name": "O", nothing: null };
    expect(await fill("{{a}}/{{ n }}/{{no}}/{{o.p}}/{{o}}", value)).toBe('A/1.5/false/[1]/{"p":[1]}');
    expect(await fill("{{list.0.x}}{{list[0].x}}{{odd name}}", value)).toBe("LLO");
    expect(await fill("[{{nothing}}{{absent}}{{a.b.c}}{{list.7.x}}]", value)).toBe("[]");
    expect(await fill("{{ $nodes.a.result.b }} of {{$document.fileName}}")).toBe(
      "<$nodes.a.result.b> of <$document.fileName>",
    );
  });

  it("fills in list entries", async () => {
    expect(await fill("{{0}}, {{[1].x}}", ["first", { x: "second" }])).toBe("first, second");
  });

  it("leaves other text alone, and does not fill in twice", async () => {
    expect(await fill("{a} { {a} } }} {{ {{", { a: 1 })).toBe("{a} { {a} } }} {{ {{");
    expect(await fill("{{a}}{{b}}", { a: "{{b}}", b: "$&$1" })).toBe("{{b}}$&$1");
    expect(await fill("", {})).toBe("");
  });

  it.each([
    ["braces without end", "{".repeat(200_000)],
    ["blanks behind braces", `{{${" ".repeat(200_000)}`],
    ["blanks in many", `{{ ${" ".repeat(1_000)}x`.repeat(200)],
    ["many slots", "{{a}} ".repeat(20_000)],
  ])("is fast for %s", async (_what, text) => {
    await soon(() => fill(text, { a: 1 }));
  });
});

describe("dedupe", () => {
  it("keeps the first row of each key, and rows without one", async () => {
    const rows = [{ k: 1, n: "a" }, { k: "1", n: "b" }, { k: 1, n: "c" }, { n: "d" }, { k: null }, { n: "e" }, 7];
    const at = [0, 1, 3, 4, 5, 6];
    expect(await made("dedupe", rows, { key: "k" })).toEqual(at.map((one) => rows[one]));
    expect(await movesOf("dedupe", rows, { key: "k" })).toEqual(
      Object.fromEntries(at.map((from, to) => [`/${to}`, `/${from}`])),
    );
  });

  it("finds keys by path, and compares objects by value", async () => {
    const rows = [{ a: { b: [1] } }, { a: { b: [1] } }, { a: { b: [2] } }];
    expect(await made("dedupe", rows, { key: "a.b" })).toEqual([rows[0], rows[2]]);
    const swapped = [{ k: { x: 1, y: 2 } }, { k: { y: 2, x: 1 } }];
    expect(await made("dedupe", swapped, { key: "k" })).toEqual([swapped[0]]);
  });

  it("treats null as no rows, and refuses other values", async () => {
    expect(await made("dedupe", null, { key: "k" })).toEqual([]);
    await expect(made("dedupe", { k: 1 }, { key: "k" })).rejects.toThrow("needs a list as its input");
  });

  it("is fast for many rows", async () => {
    const rows = many(200_000).map((at) => ({ k: at % 1_000 }));
    expect(await soon(() => made("dedupe", rows, { key: "k" }))).toHaveLength(1_000);
  });
});

describe("sort", () => {
  const names = async (config: JsonObject, rows: Json) =>
    ((await made("sort", rows, config)) as JsonObject[]).map(({ n }) => n).join("");
  const rows = [
    { n: "a", k: 10 },
    { n: "b", k: 9 },
    { n: "c" },
    { n: "d", k: "text" },
    { n: "e", k: 9 },
    { n: "f", k: null },
    { n: "g", k: "Alpha" },
    { n: "h", k: true },
    { n: "i", k: false },
  ];

  it("ascends by default and is stable; rows without a value come last", async () => {
    expect(await names({ by: "k" }, rows)).toBe("beagdihcf");
    expect(await names({ by: "k", order: "asc" }, rows)).toBe("beagdihcf");
    expect(await names({ by: "k", order: "DESC" }, rows)).toBe("hidgabecf");
  });

  it("reports the origins of rows", async () => {
    expect(await movesOf("sort", [{ k: 2 }, { k: 1 }], { by: "k" })).toEqual({ "/0": "/1", "/1": "/0" });
  });

  it("sorts by path, and keeps the order of rows that are no objects", async () => {
    expect(await made("sort", [{ a: { b: 2 } }, { a: { b: 1 } }], { by: "a.b" })).toEqual([
      { a: { b: 1 } },
      { a: { b: 2 } },
    ]);
    expect(await made("sort", [3, 1, 2], { by: "k" })).toEqual([3, 1, 2]);
    expect(await made("sort", null, { by: "k" })).toEqual([]);
    await expect(made("sort", "text", { by: "k" })).rejects.toThrow("needs a list as its input");
  });

  it("is fast for many rows", async () => {
    const shuffled = many(100_000).map((at) => ({ k: (at * 7919) % 100_003 }));
    const [first, second] = (await soon(() => made("sort", shuffled, { by: "k" }))) as JsonObject[];
    expect([first?.k, second?.k]).toEqual([0, 1]);
  });
});

describe("lookup", () => {
  const config = { table: { EUR: "euro", "1": "one", true: "yes", none: null }, default: "other" };

  it.each<[Json, Json]>([
    ["EUR", "euro"],
    ["eur", "other"],
    [1, "one"],
    [true, "yes"],
    ["none", null],
    [null, "other"],
    ["constructor", "other"],
    [{ a: 1 }, "other"],
    [
      ["EUR", "USD", ["EUR"]],
      ["euro", "other", ["euro"]],
    ],
    [[], []],
  ])("%j is %j", async (value, expected) => {
    expect(await made("lookup", value, config)).toEqual(expected);
  });

  it("returns null for unknown keys without a default", async () => {
    expect(await made("lookup", ["EUR", "USD"], { table: { EUR: 1 } })).toEqual([1, null]);
  });

  it("is fast for many values", async () => {
    const values = many(200_000).map((at) => `k${at % 5_000}`);
    const table = Object.fromEntries(many(5_000).map((at) => [`k${at}`, at]));
    expect(await soon(() => made("lookup", values, { table }))).toHaveLength(200_000);
  });
});

describe("calculate", () => {
  const formulas = { vat: "ROUND({net} * 0.2, 2)", gross: "{net} + {vat}" };

  it("adds values of formulas to the members, in the order of dependencies", async () => {
    expect(
      await made("calculate", { net: 431, a: [1] }, { formulas: { gross: formulas.gross, vat: formulas.vat } }),
    ).toEqual({ net: 431, a: [1], vat: 86.2, gross: 517.2 });
    expect(await movesOf("calculate", { net: 1 }, { formulas })).toEqual({ "": "", "/vat": null, "/gross": null });
  });

  it("computes each row of a list, and skips rows that are no objects", async () => {
    const rows = [{ net: 10 }, null, 7, { net: 20 }];
    expect(await made("calculate", rows, { formulas: { vat: formulas.vat } })).toEqual([
      { net: 10, vat: 2 },
      null,
      7,
      { net: 20, vat: 4 },
    ]);
    expect(await movesOf("calculate", rows, { formulas: { vat: formulas.vat } })).toEqual({
      "": "",
      "/0/vat": null,
      "/3/vat": null,
    });
  });

  it("returns null for missing values, and replaces existing members", async () => {
    expect(await made("calculate", {}, { formulas })).toEqual({ vat: null, gross: null });
    expect(await made("calculate", { net: "four", vat: 1 }, { formulas })).toEqual({
      net: "four",
      vat: null,
      gross: null,
    });
    expect(await made("calculate", { a: 1 }, { formulas: { b: "{a} / 0" } })).toEqual({ a: 1, b: null });
  });

  it("sums over lists, and does not change its input", async () => {
    const value = { lines: [{ amount: 1.1 }, { amount: 2.2 }] };
    expect(await made("calculate", value, { formulas: { "a/b": "SUM({lines.amount})" } })).toEqual({
      ...value,
      "a/b": 3.3,
    });
    expect(await movesOf("calculate", value, { formulas: { "a/b": "SUM({lines.amount})" } })).toEqual({
      "": "",
      "/a~1b": null,
    });
    expect(value).toEqual({ lines: [{ amount: 1.1 }, { amount: 2.2 }] });
  });

  it("accepts null, and refuses scalars", async () => {
    expect(await made("calculate", null, { formulas })).toBeNull();
    await expect(made("calculate", 7, { formulas })).rejects.toThrow("needs an object or a list of objects");
  });

  it("is fast for many rows", async () => {
    const rows = many(20_000).map((at) => ({ net: at }));
    expect(await soon(() => made("calculate", rows, { formulas }))).toHaveLength(20_000);
  });
});
