import { describe, expect, it } from "vitest";
import { readMarkdown, readSpans } from "../../../../../functions/engine/templates/word/markdown.ts";
import { withProperties } from "../../../../../functions/engine/templates/word/run-markup.ts";
import { fill, linesOf, p, partOf, t } from "../../../../support/word-template.ts";

/** Spans in a notation of their own: B for bold, I for italic, L for a link. */
const notation = (text: string): string[] =>
  readSpans(text).map(
    (span) =>
      `${span.bold ? "B" : ""}${span.italic ? "I" : ""}${span.link === undefined ? "" : `L(${span.link})`}:${span.text}`,
  );

describe("Markdown", () => {
  it.each([
    ["plain", [":plain"]],
    ["a **b** c", [":a ", "B:b", ": c"]],
    ["*a* _b_ __c__ ***d***", ["I:a", ": ", "I:b", ": ", "B:c", ": ", "BI:d"]],
    ["**a *b* c**", ["B:a ", "BI:b", "B: c"]],
    ["[x **y**](https://e.org/a_b)", ["L(https://e.org/a_b):x ", "BL(https://e.org/a_b):y"]],
    ["snake_case_name 2 * 3 * 4 \\*no\\*", [":snake_case_name 2 * 3 * 4 *no*"]],
    ["**open", [":**open"]],
    ["<b>x</b>", [":<b>x</b>"]],
  ])("has bold, italic and links: %s", (text, spans) => {
    expect(notation(text)).toEqual(spans);
  });

  it("has paragraphs and nested lists", () => {
    const blocks = readMarkdown("a\nb\n\n- one\n  - two\n    more\n- three\n\nend\n1. x\n2) y");
    expect(
      blocks.map(({ kind, level, spans }) => `${kind} ${level} ${spans.map(({ text }) => text).join("")}`),
    ).toEqual([
      "paragraph 0 a\nb",
      "bullet 0 one",
      "bullet 1 two\nmore",
      "bullet 0 three",
      "paragraph 0 end",
      "number 0 x",
      "number 0 y",
    ]);
  });

  it("takes no longer than its text is long", () => {
    const start = performance.now();
    for (const text of ["*", "[", "_a", "**a", "[a](", "\\"]) {
      expect(readSpans(text.repeat(50_000)).length).toBeGreaterThan(0);
    }
    expect(performance.now() - start).toBeLessThan(3_000);
  });
});

describe("rich text in Word", () => {
  it("becomes paragraphs with lists where its tag is a paragraph", async () => {
    const body = p(t("{text | markdown}", '<w:sz w:val="20"/>'), '<w:jc w:val="both"/>');
    const { bytes } = await fill({ body }, { text: "A **b**\n\n- one\n- two\n\n1. x\n\nMore\n\n1. y" });
    expect(linesOf(bytes)).toEqual(["A b", "one", "two", "x", "More", "y"]);
    const xml = partOf(bytes);
    expect(xml).toContain('<w:rPr><w:b/><w:bCs/><w:sz w:val="20"/></w:rPr>');
    expect(xml).toContain(
      '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:jc w:val="both"/></w:pPr>',
    );
    expect(xml.match(/<w:numId w:val="\d"\/>/gu)?.map((one) => one.at(-4))).toEqual(["1", "1", "2", "3"]);
    const numbering = partOf(bytes, "word/numbering1.xml");
    expect(numbering.match(/<w:(?:abstractNum|num) /gu)).toEqual([
      "<w:abstractNum ",
      "<w:abstractNum ",
      "<w:num ",
      "<w:num ",
      "<w:num ",
    ]);
    expect(partOf(bytes, "[Content_Types].xml")).toContain("wordprocessingml.numbering+xml");
  });

  it("adds its lists to those of the template, definitions before numbers", async () => {
    const numbering =
      '<w:abstractNum w:abstractNumId="4"/><w:num w:numId="7"><w:abstractNumId w:val="4"/></w:num><w:numIdMacAtCleanup w:val="7"/>';
    const { bytes } = await fill({ body: p("{text | markdown}"), numbering }, { text: "- a" });
    expect(partOf(bytes, "word/numbering1.xml").match(/<w:(?:abstractNum|num|numIdMacAtCleanup) [^>]*>/gu)).toEqual([
      '<w:abstractNum w:abstractNumId="4"/>',
      '<w:abstractNum w:abstractNumId="5">',
      '<w:num w:numId="7">',
      '<w:num w:numId="8">',
      '<w:numIdMacAtCleanup w:val="7"/>',
    ]);
  });

  it("becomes runs beside other text, and links to safe addresses only", async () => {
    const text = "**x** [y](https://e.org/?a&b) [z](javascript:alert%281%29)\n- one\n1. two";
    const { bytes } = await fill({ body: p("[{text | markdown}]") }, { text });
    expect(linesOf(bytes)).toEqual(["[x y z\n•\u00a0one\n1.\u00a0two]"]);
    const links = partOf(bytes, "word/_rels/document.xml.rels");
    expect(links).toContain('Target="https://e.org/?a&amp;b" TargetMode="External"');
    expect(links).not.toContain("javascript");
    expect(partOf(bytes)).toContain(
      '<w:rPr><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr><w:t xml:space="preserve">y</w:t>',
    );
  });

  it("keeps the order of the schema in properties of runs", () => {
    const look = '<w:rPr><w:rStyle w:val="a"/><w:b w:val="0"/><w:color w:val="red"/></w:rPr>';
    expect(withProperties(look, ["<w:b/>", "<w:i/>"])).toBe(
      '<w:rPr><w:rStyle w:val="a"/><w:b/><w:i/><w:color w:val="red"/></w:rPr>',
    );
    expect(withProperties("", ["<w:i/>"])).toBe("<w:rPr><w:i/></w:rPr>");
  });
});
