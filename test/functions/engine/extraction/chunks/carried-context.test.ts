/** Text before chunks, as context for a model. */
import { describe, expect, it } from "vitest";
import { carriedContexts } from "../../../../../functions/engine/extraction/chunks/carried-context.ts";
import { chunksOf } from "../../../../../functions/engine/extraction/chunks/layout-chunks.ts";
import { type Block, LAYOUT_VERSION, type Layout } from "../../../../../functions/ports/layout.ts";
import { PER_PAGE } from "../../../../support/runs.ts";
import { setLine } from "../../../../support/typeset.ts";

/** `# A` and `## A` are headings, `~A` a running header. */
function block(text: string): Block {
  const [, marks = "", words = ""] = /^(~|#*)\s*(.*)$/.exec(text) ?? [];
  const line = setLine({ text: words });
  const kind = marks === "~" ? "header" : marks === "" ? "paragraph" : "heading";
  return { kind, box: line.box, lines: [line], ...(kind === "heading" ? { level: marks.length } : {}) };
}

const layoutOf = (...pages: string[][]): Layout => ({
  v: LAYOUT_VERSION,
  provider: "test",
  logicalPages: false,
  pageCount: pages.length,
  pages: pages.map((texts, at) => ({
    number: at + 1,
    width: 8,
    height: 11,
    unit: "inch",
    rotation: 0,
    blocks: texts.map(block),
  })),
});

describe("carriedContexts", () => {
  const whole = layoutOf(
    ["# Prices", "## Tools", "Hammer 1.50"],
    ["~Shop", "Saw 2.50", "## Paint", "Blue 3.50"],
    ["Red 4.50"],
  );

  it("gives headings in force, columns that go on, and the last lines, without running headers", () => {
    const { chunks } = chunksOf(whole, PER_PAGE);
    expect(carriedContexts(whole, chunks, new Map([[2, ["Name", "Price"]]]))).toEqual([
      undefined,
      "# Prices\n## Tools\nColumn headings: Name | Price\n# Prices\n## Tools\nHammer 1.50",
      "# Prices\n## Paint\nSaw 2.50\n## Paint\nBlue 3.50",
    ]);
  });

  it("ends at the cut of a chunk by headings, within its page", () => {
    const { chunks } = chunksOf(whole, { ...PER_PAGE, splitType: "MARKDOWN_HEADER" });
    expect(chunks).toHaveLength(2);
    expect(carriedContexts(whole, chunks, new Map())).toEqual([undefined, "# Prices\n## Tools\nSaw 2.50"]);
  });

  it("is limited to six lines of 300 characters", () => {
    const long = layoutOf([...Array.from({ length: 9 }, (_, at) => `line ${at}`), "x".repeat(400)], ["next"]);
    const [, context] = carriedContexts(long, chunksOf(long, PER_PAGE).chunks, new Map());
    const lines = context?.split("\n") ?? [];
    expect(lines.slice(0, 5)).toEqual(["line 4", "line 5", "line 6", "line 7", "line 8"]);
    expect(lines[5]).toHaveLength(301);
    expect(lines).toHaveLength(6);
  });
});
