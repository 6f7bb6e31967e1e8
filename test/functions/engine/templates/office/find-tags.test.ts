import { describe, expect, it } from "vitest";
import { detectDelimiters, findTags, parseTag } from "../../../../../functions/engine/templates/office/find-tags.ts";
import { parseExpression } from "../../../../../functions/engine/templates/office/tag-expression.ts";
import { fieldsOfTags, type TagUse } from "../../../../../functions/engine/templates/office/tag-fields.ts";

describe("detectDelimiters", () => {
  it.each([
    [["Dear {name}", "{#x}"], "{"],
    [["Dear {{name}}", "a set {1, 2}"], "{{"],
    [["Dear ${name}"], "${"],
    [["It costs ${price}, {name}"], "{"],
    [["no tags"], "{"],
  ])("of %j is %s", (texts, open) => {
    expect(detectDelimiters(texts).open).toBe(open);
  });
});

describe("findTags", () => {
  it("finds each tag with its place", () => {
    const { tags } = findTags("a {b} {{c}}", { open: "{", close: "}" });
    expect(tags[0]).toEqual({ source: "{b}", inner: "b", start: 2, end: 5 });
    expect(findTags("{{a}} {x}", { open: "{{", close: "}}" }).tags.map(({ inner }) => inner)).toEqual(["a"]);
  });

  it("tells the start of a tag that is never closed", () => {
    expect(findTags("{a} {b and more", { open: "{", close: "}" })).toMatchObject({ unclosed: "{b and more" });
    expect(findTags("{a {b}", { open: "{", close: "}" }).unclosed).toBe("{a {b}");
  });

  it("tells kinds of tags apart, and refuses raw markup", () => {
    expect(["#a", "^a", "/a", "/", "%a", "a.b"].map((inner) => parseTag(inner).kind)).toEqual([
      "open",
      "inverted",
      "close",
      "close",
      "picture",
      "value",
    ]);
    expect(() => parseTag("@xml")).toThrow(/raw markup/);
  });
});

const value = (text: string): TagUse => ({ kind: "value", expression: parseExpression(text) });
const section = (path: string, uses: TagUse[], inverted = false): TagUse => ({
  kind: "section",
  path: [path],
  inverted,
  uses,
});
const shape = (uses: TagUse[]): unknown =>
  fieldsOfTags(uses).map(function short({ name, type, fields }): unknown {
    return fields.length === 0 ? `${name}:${type}` : [`${name}:${type}`, ...fields.map(short)];
  });

describe("fieldsOfTags", () => {
  it("lists loops with the fields of their items", () => {
    expect(shape([value("a"), section("items", [value("b"), section("parts", [value(".")])]), value("a")])).toEqual([
      "a:text",
      ["items:loop", "b:text", ["parts:loop", ".:text"]],
    ]);
  });

  it("takes a section for a condition by its content", () => {
    expect(
      shape([section("paid", []), section("name", [value("name")]), value("a"), section("b", [value("a")])]),
    ).toEqual(["paid:condition", "name:text", "a:text", "b:condition"]);
    expect(shape([section("items", [value("x")]), section("items", [], true)])).toEqual([["items:loop", "x:text"]]);
  });

  it("tells types by filters", () => {
    const [date, number] = fieldsOfTags([value('d | format("d.M.yyyy")'), value("n | number")]);
    expect(date).toMatchObject({ valueType: "date", dateFormat: "d.M.yyyy" });
    expect(number).toMatchObject({ valueType: "number" });
  });
});
