import { describe, expect, it } from "vitest";
import { blockLines, lineText } from "../../../../../functions/engine/layout/page-words.ts";
import { inlineRuns } from "../../../../../functions/engine/readers/text/inline-markdown.ts";
import { readText } from "../../../../../functions/engine/readers/text/read-text.ts";
import type { Block, Layout } from "../../../../../functions/ports/layout.ts";
import { MARKDOWN } from "../../../../../functions/ports/media-types.ts";
import { wordIn } from "../../../../support/layout.ts";

const read = (text: string): Layout => readText(new TextEncoder().encode(text), MARKDOWN);
const text = (block: Block): string => blockLines(block).map(lineText).join("|");
/** Kind, level and text of each block. */
const seen = (markdown: string): (string | number | undefined)[][] =>
  read(markdown).pages.flatMap((page) =>
    page.blocks.map((block) => [block.kind, ...("level" in block ? [block.level] : []), text(block)]),
  );
const plain = (markdown: string): string =>
  inlineRuns(markdown)
    .map((run) => run.text)
    .join("");

describe("Markdown blocks", () => {
  it("include headings of both kinds", () => {
    expect(seen("# One #\n\n### Three\ntext\n\nUnder\n=====\n\nLess\n---\n#no heading")).toEqual([
      ["heading", 1, "One"],
      ["heading", 3, "Three"],
      ["paragraph", "text"],
      ["heading", 1, "Under"],
      ["heading", 2, "Less"],
      ["paragraph", "#no heading"],
    ]);
  });

  it("join the lines of a paragraph, except at line breaks", () => {
    expect(seen("one\ntwo  \nthree\\\nfour\n\nfive")).toEqual([
      ["paragraph", "one two|three|four"],
      ["paragraph", "five"],
    ]);
  });

  it("nest lists with their markers", () => {
    expect(seen("- a\n  goes on\n  - b\n    1. c\n- d\n\n7) e\n\nend")).toEqual([
      ["list-item", 1, "• a goes on"],
      ["list-item", 2, "• b"],
      ["list-item", 3, "1. c"],
      ["list-item", 1, "• d"],
      ["list-item", 1, "7) e"],
      ["paragraph", "end"],
    ]);
  });

  it("keep a paragraph whose line begins with a year", () => {
    expect(seen("It was in\n1998. That was it.")).toEqual([["paragraph", "It was in 1998. That was it."]]);
  });

  it("include tables with header rows and escaped bars", () => {
    const markdown = "| Name | Price |\n|:-----|------:|\n| a \\| b | **5** |\n| c |\n\nafter";
    const [table] = read(markdown).pages[0]?.blocks ?? [];
    if (table?.kind !== "table") throw new Error("There is no table");
    expect([table.rows, table.columns, table.headerRows]).toEqual([3, 2, 1]);
    expect(table.cells.map((cell) => cell.lines.map(lineText).join())).toEqual(["Name", "Price", "a | b", "5", "c"]);
  });

  it("keep code unchanged", () => {
    expect(seen("```js\n# no heading\n  x = **1**\n```\nafter\n\n    four *in*\n")).toEqual([
      ["paragraph", "# no heading|x = **1**"],
      ["paragraph", "after"],
      ["paragraph", "four *in*"],
    ]);
  });

  it("drop rules, turn quotes into paragraphs and front matter into lines", () => {
    expect(seen("---\ntitle: X\n---\n> quoted\n> text\n\n***\n\nend")).toEqual([
      ["paragraph", "title: X"],
      ["paragraph", "quoted text"],
      ["paragraph", "end"],
    ]);
  });

  it("begin a page at a form feed", () => {
    expect(read("one\n\ftwo").pages.map((page) => page.blocks.map(text))).toEqual([["one"], ["two"]]);
  });
});

describe("inlineRuns", () => {
  it.each([
    ["**bold** and *slanted* and ~~struck~~", "bold and slanted and struck"],
    ["`code *as is*` and ``with ` in``", "code *as is* and with ` in"],
    ["snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"],
    ["\\*no\\* \\[x\\]", "*no* [x]"],
    ['[label](https://a.example/x_(y) "title") ![alt](p.png) [see][ref]', "label alt see"],
    ["<https://a.example> a &amp; b &#169; &unknown;", "https://a.example a & b © &unknown;"],
    ["x<br>y<!-- note -->z <b>w</b> a < b", "xyz w a < b"],
    ["a[0] and [^1] and (b)", "a[0] and [^1] and (b)"],
    ["**open and `open", "**open and `open"],
  ])("%s", (markdown, expected) => {
    expect(plain(markdown)).toBe(expected);
  });

  it("keeps bold text, and links to the web and mail only", () => {
    const layout = read("**strong** [web](https://a.example) [bad](javascript:alert) **[both](mailto:a@b.example)**");
    expect(wordIn(layout, "strong").bold).toBe(true);
    expect(wordIn(layout, "web").link).toBe("https://a.example");
    expect(wordIn(layout, "bad")).not.toHaveProperty("link");
    expect(wordIn(layout, "both")).toMatchObject({ bold: true, link: "mailto:a@b.example" });
  });
});

describe("Markdown reader ends in time on", () => {
  it.each([
    ["brackets", "[".repeat(60_000)],
    ["stars", "*a **b ".repeat(12_000)],
    ["underscores", "_".repeat(90_000)],
    ["ticks", "`a``b```c".repeat(10_000)],
    ["comments", "<!--".repeat(24_000)],
    ["links", "[a](".repeat(24_000)],
    ["spaces", `a${" ".repeat(90_000)}b`],
    ["a heading of spaces", `# a${" #".repeat(45_000)} b`],
    ["rules", `${"- ".repeat(45_000)}x`],
    ["bars", `${"|".repeat(9_000)}\n${"|-".repeat(4_500)}\n`],
    ["lines", "> - # x\n".repeat(20_000)],
  ])("%s", (_, content) => {
    const started = performance.now();
    read(content);
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
