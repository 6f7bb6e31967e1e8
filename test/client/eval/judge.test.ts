import { describe, expect, it } from "vitest";
import { judge } from "../../../client/eval/judge.ts";
import { comparisonFor, isRight, parseRules, RuleFault } from "../../../client/eval/rules.ts";
import { scoreOf } from "../../../client/eval/score.ts";
import type { Json } from "../../../client/index.ts";

/** The verdicts by pointer. */
const verdicts = (expected: Json, got: Json | undefined, rules: Json = {}) =>
  judge(expected, got, parseRules(rules)).map(({ expectedAt, gotAt, verdict }) => `${expectedAt ?? gotAt} ${verdict}`);

describe("judge", () => {
  it("judges the stated values and nothing else", () => {
    const expected = { number: "A-1", due: null, total: 12.5, buyer: { name: "Ada", city: "Bonn" }, note: null };
    const got = { number: "a-1", due: "2026-01-01", total: 12, buyer: { name: "Ada", zip: "1" }, extra: true };
    expect(verdicts(expected, got)).toEqual([
      "/number right",
      "/due spurious",
      "/total wrong",
      "/buyer/name right",
      "/buyer/city missing",
      "/note absent",
    ]);
  });

  it("gives the places of a value on both sides, and their similarity", () => {
    const [one] = judge({ "a/b": [{ c: "Muster" }] }, { "a/b": [{ c: "x" }, { c: "Müster" }] });
    expect(one).toMatchObject({ field: "/a~1b/*/c", expectedAt: "/a~1b/0/c", gotAt: "/a~1b/1/c", verdict: "wrong" });
    expect([one?.exact, one?.normalised]).toEqual([false, false]);
    expect(one?.similarity).toBeCloseTo(5 / 6);
  });

  it("counts an absent entry as missing, and an additional entry as spurious in the members that others state", () => {
    const expected = {
      lines: [
        { sku: "A", net: 1 },
        { sku: "B", net: 2 },
      ],
    };
    expect(
      verdicts(expected, { lines: [{ sku: "B", net: 2, page: 1 }, { sku: "C C C", net: 9, page: 1 }, null] }),
    ).toEqual([
      "/lines/0/sku missing",
      "/lines/0/net missing",
      "/lines/1/sku right",
      "/lines/1/net right",
      "/lines/1/sku spurious",
      "/lines/1/net spurious",
    ]);
    expect(verdicts({ lines: [] }, { lines: [{ sku: "A" }] })).toEqual(["/lines/0/sku spurious"]);
    expect(verdicts({ lines: [] }, { lines: [] })).toEqual([]);
    expect(verdicts({ tags: ["a", "b"] }, { tags: ["b"] })).toEqual(["/tags/0 missing", "/tags/1 right"]);
  });

  it("judges data of another shape", () => {
    expect(verdicts({ a: 1, b: 2 }, undefined)).toEqual(["/a missing", "/b missing"]);
    expect(verdicts({ a: { b: 1 } }, { a: "text" })).toEqual(["/a/b missing", "/a spurious"]);
    expect(verdicts({ a: "text" }, { a: { b: 1 } })).toEqual(["/a missing", "/a/b spurious"]);
    expect(verdicts({ a: [1] }, { a: 1 })).toEqual(["/a spurious", "/a/0 missing"]);
    expect(verdicts({ a: null }, { a: ["x"] })).toEqual(["/a/0 spurious"]);
    expect(verdicts("text", "Text")).toEqual([" right"]);
    expect(verdicts({ constructor: "x" }, {})).toEqual(["/constructor missing"]);
  });

  it("applies the rules of a field", () => {
    const expected = {
      total: 10,
      due: "2026-03-09",
      name: "Harbour Library",
      note: "x",
      lines: [{ net: 1.001, note: "y" }],
    };
    const got = {
      total: "10.004",
      due: "9.3.2026",
      name: "Harbor Library",
      note: "z",
      lines: [{ net: 1.004, note: "z" }],
    };
    expect(verdicts(expected, got)).toEqual([
      "/total wrong",
      "/due wrong",
      "/name wrong",
      "/note wrong",
      "/lines/0/net wrong",
      "/lines/0/note wrong",
    ]);
    const rules = {
      "/*": { compare: "number", tolerance: 0.005 },
      "/due": "date",
      "/name": { compare: "fuzzy", least: 0.9 },
      "/note": "ignore",
      "/lines/*/note": "ignore",
    };
    expect(verdicts(expected, got, rules)).toEqual(["/total right", "/due right", "/name right", "/lines/0/net right"]);
    expect(verdicts(expected, got, { ...rules, "/lines": "ignore" })).toHaveLength(3);
  });
});

describe("parseRules", () => {
  it("prefers the most specific rule, and then the last one", () => {
    const rules = parseRules({
      "/*": "exact",
      "/a": "ignore",
      "/a/*/c": "date",
      "/a/*/*": "normalised",
      "/b/*": "fuzzy",
    });
    const of = (...field: string[]) => comparisonFor(rules, field, "x").compare;
    expect([of("z"), of("a"), of("a", "*", "c"), of("a", "*", "d"), of("a", "*"), of("b", "q")]).toEqual([
      "exact",
      "ignore",
      "date",
      "normalised",
      "ignore",
      "fuzzy",
    ]);
    expect(comparisonFor([], ["a"], 1).compare).toBe("number");
  });

  it("compares a value by its rule", () => {
    expect(isRight("A", "a", { compare: "exact" })).toBe(false);
    expect(isRight("A", "a", { compare: "normalised" })).toBe(true);
    expect(isRight("12.0", 12, { compare: "number" })).toBe(true);
    expect(isRight("twelve", "Twelve", { compare: "number" })).toBe(true);
    expect(isRight("soon", "soon", { compare: "date" })).toBe(true);
    expect(isRight("2026-01-02", "2026-01-03", { compare: "date" })).toBe(false);
  });

  it.each<[Json, string]>([
    [[], "must be an object"],
    [{ total: "exact" }, "must begin with /"],
    [{ "/a": "near" }, "must compare by"],
    [{ "/a": 3 }, "must be a name or an object"],
    [{ "/a": { compare: "number", tolerance: -1 } }, "tolerance of the rule /a must be a number from 0"],
    [{ "/a": { compare: "fuzzy", least: 2 } }, "from 0 to 1"],
    [{ "/a": { compare: "date", order: "ymd" } }, "dmy or mdy"],
    [{ "/a": { compare: "exact", tolerance: 1 } }, "no member tolerance"],
    [{ "/a": { align: "key" } }, "its key must name"],
    [{ "/a": { align: "luck" } }, "must align by"],
  ])("refuses %o: %s", (rules, sentence) => {
    expect(() => parseRules(rules)).toThrow(RuleFault);
    expect(() => parseRules(rules)).toThrow(sentence);
  });
});

describe("scoreOf", () => {
  it("counts the right values of the expected and of the returned ones", () => {
    const expected = { a: "x", b: "y", c: "z", d: null, e: null };
    const score = scoreOf(judge(expected, { a: "X", b: "n", d: "q" }));
    expect(score).toMatchObject({ stated: 3, returned: 3, right: 1, wrong: 1, spurious: 1, missing: 1, absent: 1 });
    expect([score.recall.share, score.precision.share]).toEqual([1 / 3, 1 / 3]);
    expect([score.exact.hits, score.normalised.hits, score.fuzzy.hits]).toEqual([0, 1, 1]);
    expect(score.similarity).toBeCloseTo(1 / 3);
    expect(scoreOf([])).toMatchObject({ recall: { share: null }, precision: { share: null }, similarity: null });
  });
});
