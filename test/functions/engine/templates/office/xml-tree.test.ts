import { describe, expect, it } from "vitest";
import { MAX_TEXT_CHARACTERS } from "../../../../../functions/engine/readers/office/xml-parts.ts";
import { parseTree, writeTree } from "../../../../../functions/engine/templates/office/xml-tree.ts";

const encoder = new TextEncoder();

describe("parseTree", () => {
  it("reads signs of several bytes wherever they stand", () => {
    const text = `a${"ß€😀".repeat(20_000)}`;
    const tree = parseTree(encoder.encode(`<x y="ü">${text}</x>`));
    expect(tree).toEqual({ name: "x", attributes: { y: "ü" }, children: [text] });
    expect(parseTree(writeTree(tree))).toEqual(tree);
  });

  it("refuses a text that is longer than reading takes", () => {
    const long = encoder.encode(`<x>${" ".repeat(MAX_TEXT_CHARACTERS + 1)}</x>`);
    expect(() => parseTree(long)).toThrow(/more text than can be processed/);
  });
});
