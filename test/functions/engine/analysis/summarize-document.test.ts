import { describe, expect, it } from "vitest";
import { limitSummary, summarizeDocument } from "../../../../functions/engine/analysis/summarize-document.ts";
import { lineText } from "../../../../functions/engine/layout/page-words.ts";
import type { Block, Layout } from "../../../../functions/ports/layout.ts";
import { PageMaker } from "../extraction/page.ts";

/** Makes headings of the paragraphs that a text names a level for. */
function withHeadings(layout: Layout, levelOf: (text: string) => number | undefined): Layout {
  const mark = (block: Block): Block => {
    if (block.kind !== "paragraph") return block;
    const level = levelOf(block.lines.map(lineText).join(" "));
    return level === undefined ? block : { ...block, kind: "heading", level };
  };
  return { ...layout, pages: layout.pages.map((page) => ({ ...page, blocks: page.blocks.map(mark) })) };
}

const OPENING = [
  "This agreement is made between the two parties below",
  "and states what each of them owes to the other.",
];

const contract = (): Layout =>
  withHeadings(
    new PageMaker()
      .text(1, 0.8, "Preface", { size: 12 })
      .text(1, 1.2, "Service Agreement", { size: 20 })
      .text(1, 2, "Contract number: C-77")
      .text(1, 2.3, "Start date: 2026-02-01")
      .lines(1, 3, OPENING)
      .text(1, 5, "1. Services", { size: 12 })
      .newPage()
      .text(1, 1, "2. Fees", { size: 12 })
      .text(1, 2, "Total: 120.00 EUR")
      .layout(),
    (text) => (text === "Service Agreement" ? 1 : /^(Preface|\d\.)/.test(text) ? 2 : undefined),
  );

describe("summarizeDocument", () => {
  it("names title, sections, opening and labelled values", () => {
    const { title, summary, key_facts } = summarizeDocument(contract());
    expect(title).toBe("Service Agreement");
    expect(summary).toContain(
      "of 2 pages: Service Agreement. Sections: Preface; 1. Services; 2. Fees. This agreement is",
    );
    expect(key_facts).toEqual(expect.arrayContaining(["Contract number: C-77", "Start date: 2026-02-01"]));
  });

  it("ends its first sentence once, also after a title with a full stop", () => {
    const layout = withHeadings(
      new PageMaker().text(1, 1, "Quire & Daughters Ltd.", { size: 20 }).text(1, 2, "Total: 5.00 EUR").layout(),
      (text) => (text.endsWith("Ltd.") ? 1 : undefined),
    );
    expect(summarizeDocument(layout).summary).toMatch(/^\w+ of 1 page: Quire & Daughters Ltd\.(?: [^.]|$)/);
  });

  it("says the same of the same document", () => {
    expect(summarizeDocument(contract())).toEqual(summarizeDocument(contract()));
  });

  it("summarises a document without text", () => {
    expect(summarizeDocument(new PageMaker().layout())).toEqual({
      document_type: "other",
      title: "",
      summary: "Document of 1 page.",
      key_facts: [],
    });
  });

  it("stays short for a document of many long headings", () => {
    const maker = new PageMaker();
    for (let index = 0; index < 60; index += 1) {
      maker.text(1, 0.5 + index * 0.15, `Heading ${index} ${"long ".repeat(60)}`);
    }
    const { title, summary } = summarizeDocument(withHeadings(maker.layout(), () => 2));
    expect(title.length).toBeGreaterThan(100);
    expect(title.length).toBeLessThanOrEqual(200);
    expect(summary.length).toBeLessThanOrEqual(2000);
  });
});

describe("limitSummary", () => {
  it("shortens what a model writes, and splits no character", () => {
    const limited = limitSummary({
      document_type: "letter",
      title: "\u{1F600}".repeat(300),
      summary: "word ".repeat(1000),
      key_facts: Array.from({ length: 50 }, (_, index) => `fact ${index}: ${"x".repeat(400)}`),
    });
    expect(limited.title.length).toBeLessThanOrEqual(200);
    expect(limited.title.isWellFormed()).toBe(true);
    expect(limited.summary.length).toBeLessThanOrEqual(2000);
    expect(limited.summary.endsWith("…")).toBe(true);
    expect(limited.key_facts).toHaveLength(20);
    expect(limited.key_facts.every((fact) => fact.length <= 200)).toBe(true);
  });
});
