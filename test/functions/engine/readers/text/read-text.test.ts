import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { readText } from "../../../../../functions/engine/readers/text/read-text.ts";
import type { Layout } from "../../../../../functions/ports/layout.ts";
import { CSV, PLAIN_TEXT } from "../../../../../functions/ports/media-types.ts";
import { blockTexts, lineTexts, pageLines, pageWords, wordIn } from "../../../../support/layout.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (text: string, type = PLAIN_TEXT, pageRange?: number[]): Layout => readText(bytes(text), type, pageRange);

describe("readText positions", () => {
  it("are on 10 columns and 6 rows an inch", () => {
    const layout = read("first\n\n     sixth column");
    expect(layout).toMatchObject({ provider: "text", logicalPages: true, pageCount: 1 });
    expect(layout.pages[0]).toMatchObject({ width: 8.5, height: 11, rotation: 0 });
    expect(wordIn(layout, "sixth").box).toEqual({ left: 0.5, top: 0.3333, right: 1, bottom: 0.5 });
  });

  it("split a row into lines at three spaces or a tab, not at two spaces", () => {
    expect(lineTexts(read("Total  due:   12.50\tEUR").pages[0])).toEqual(["Total due:", "12.50", "EUR"]);
    expect(wordIn(read("a\tb"), "b").box.left).toBe(0.8);
    expect(wordIn(read("1234567\tb"), "b").box.left).toBe(1.6);
  });

  it("split blocks at blank lines", () => {
    expect(blockTexts(read("a\nb\n\n  \nc").pages[0])).toEqual(["a|b", "c"]);
  });

  it("follow all kinds of line ends", () => {
    expect(lineTexts(read("a\r\nb\rc\nd\u2028e").pages[0])).toEqual(["a", "b", "c", "d", "e"]);
  });
});

describe("readText pages", () => {
  it("end after 66 rows or at a form feed", () => {
    const layout = read(Array.from({ length: 70 }, (_, row) => `row${row}`).join("\n"));
    expect(layout.pages.map((page) => pageLines(page).length)).toEqual([66, 4]);
    expect(read("a\fb\n\fc\f").pages.map((page) => lineTexts(page).join())).toEqual(["a", "b", "c"]);
    expect(read("a\f\fc").pages.map((page) => lineTexts(page).join())).toEqual(["a", "", "c"]);
  });

  it("stay as tall when they are full and end with a form feed", () => {
    const layout = read(`${"row\n".repeat(66)}\fnext`);
    expect(layout.pages.map((page) => [page.height, pageLines(page).length])).toEqual([
      [11, 66],
      [11, 1],
    ]);
  });

  it("can be selected; the page count stays the document's", () => {
    const layout = read("a\fb\fc", PLAIN_TEXT, [3, 9]);
    expect(layout.pageCount).toBe(3);
    expect(layout.pages.map((page) => page.number)).toEqual([3]);
    expect(lineTexts(layout.pages[0])).toEqual(["c"]);
  });

  it("wrap long lines at 240 columns, between words where possible", () => {
    const page = read(`${"word ".repeat(100)}end`).pages[0];
    expect(pageLines(page)).toHaveLength(3);
    expect(page?.width).toBeLessThanOrEqual(24);
    expect(pageWords(page).at(-1)?.text).toBe("end");
    expect(pageWords(read("x".repeat(500)).pages[0]).map((word) => word.text.length)).toEqual([240, 240, 20]);
  });
});

describe("readText on CSV", () => {
  it("aligns fields by column", () => {
    const layout = read('name,note,amount\nChair,"says ""hi"", twice",12.50\nA long table,,3\n', CSV);
    expect(lineTexts(layout.pages[0])).toEqual([
      "name",
      "note",
      "amount",
      "Chair",
      'says "hi", twice',
      "12.50",
      "A long table",
      "3",
    ]);
    const left = (text: string): number => wordIn(layout, text).box.left;
    expect(left("12.50")).toBe(left("amount"));
    expect(left("3")).toBe(left("amount"));
    expect(left("amount")).toBeGreaterThan(left("note"));
  });

  it("finds the delimiter and keeps line feeds in quotes", () => {
    expect(lineTexts(read("a;b,c;d\n1;2,5;3", CSV).pages[0])).toEqual(["a", "b,c", "d", "1", "2,5", "3"]);
    expect(lineTexts(read('a\tb\n"two\nrows"\tc', CSV).pages[0])).toEqual(["a", "b", "two", "rows", "c"]);
  });

  it("makes a table with the first record as header, unless that holds values", () => {
    const table = (text: string) => {
      const block = read(text, CSV).pages[0]?.blocks[0];
      return block?.kind === "table" ? [block.rows, block.columns, block.headerRows, block.cells.length] : block?.kind;
    };
    expect(table("name,age\nAnn,30\nBob,31\n")).toEqual([3, 2, 1, 6]);
    expect(table("Ann,30\nBob,31\n")).toEqual([2, 2, 0, 4]);
    expect(table("a,b\n\n1,2\n")).toEqual([2, 2, 1, 4]);
    expect(table("one column\nof text\n")).toBe("paragraph");
  });

  it("continues a long table from page to page", () => {
    const { pages } = read(`a,b\n${"1,2\n".repeat(5_000)}`, CSV);
    const tables = pages.flatMap((page) => page.blocks.flatMap((block) => (block.kind === "table" ? [block] : [])));
    expect(tables.reduce((sum, { rows }) => sum + rows, 0)).toBe(5_001);
    expect(tables.map(({ continued, headerRows }) => [continued ?? false, headerRows]).slice(0, 2)).toEqual([
      [false, 1],
      [true, 0],
    ]);
    expect(tables.slice(1).every(({ continued }) => continued)).toBe(true);
  });

  it("wraps long fields within their column", () => {
    const layout = read(`text,after\n${"word ".repeat(30)},next\n`, CSV);
    expect(wordIn(layout, "next").box.left).toBe(wordIn(layout, "after").box.left);
    expect(Math.max(...pageWords(layout.pages[0]).map((word) => word.box.right))).toBeLessThan(8);
  });
});

describe("readText on huge texts", () => {
  it("reads 10 MB without a line end", () => {
    const started = performance.now();
    const layout = read("x".repeat(10_000_000));
    expect(layout.pageCount).toBe(Math.ceil(10_000_000 / 240 / 66));
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  // A process that has compiled much stops optimizing its expressions; unoptimized ones keep all they might go back to.
  it("reads 10 MB without a line end in a process that no longer optimises expressions", () => {
    const module = new URL("../../../../../functions/engine/readers/text/read-text.ts", import.meta.url);
    const script = `const { readText } = await import(${JSON.stringify(module)});
      console.log(readText(new Uint8Array(10_000_000).fill(120), ${JSON.stringify(PLAIN_TEXT)}).pageCount);`;
    const options = ["--no-regexp-optimization", "--input-type=module", "--eval", script];
    expect(execFileSync(process.execPath, options, { encoding: "utf8" }).trim()).toBe("632");
  });

  it("refuses more pages or words than the limits with a sentence", () => {
    expect(() => read("\f".repeat(200_000))).toThrow(
      "Processing failed: The document has more pages than can be processed",
    );
    expect(() => read("a ".repeat(2_000_000))).toThrow(
      "Processing failed: The document has more words than can be processed",
    );
    expect(() => read("a,,,,,,,,,\n".repeat(61_000), CSV)).toThrow(
      "Processing failed: The document has more cells than can be processed",
    );
  });

  it("shares boxes of words at the same place on other pages", () => {
    const [first, second] = read("a word\f a\fa word").pages.map((page) => pageWords(page));
    const third = pageWords(read("a word\f a\fa word").pages[2]);
    expect(first?.map(({ box }) => box)).toEqual(third.map(({ box }) => box));
    expect(second?.[0]?.box.left).toBe(0.1);
    const pages = read("a word\fa word").pages.map((page) => pageWords(page));
    expect(pages[0]?.[1]?.box).toBe(pages[1]?.[1]?.box);
  });

  it("makes no table of a row with more fields than a sheet has", () => {
    expect(read(`a${",".repeat(20_000)}b`, CSV).pageCount).toBe(2);
  });
});
