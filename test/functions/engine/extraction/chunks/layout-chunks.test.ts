/** Documents in chunks: by pages, by headings, without the header's pages. */
import { describe, expect, it } from "vitest";
import { chunkLayout, chunksOf, pagesText } from "../../../../../functions/engine/extraction/chunks/layout-chunks.ts";
import type { MapReduceSettings } from "../../../../../functions/engine/extraction/chunks/map-reduce-settings.ts";
import { pageWords } from "../../../../../functions/engine/layout/page-words.ts";
import type { Block, Layout, Page } from "../../../../../functions/ports/layout.ts";
import { LAYOUT_VERSION } from "../../../../../functions/ports/layout.ts";

const BOX = { left: 1, top: 1, right: 2, bottom: 2 };

/** `# A` and `## A` are headings, `~A` a running header. */
function block(text: string): Block {
  const [, marks = "", words = ""] = /^(~|#*)\s*(.*)$/.exec(text) ?? [];
  const lines = [{ box: BOX, words: words.split(" ").map((word) => ({ text: word, box: BOX })) }];
  if (marks === "~") return { kind: "header", box: BOX, lines };
  return marks === ""
    ? { kind: "paragraph", box: BOX, lines }
    : { kind: "heading", level: marks.length, box: BOX, lines };
}

const page = (number: number, texts: readonly string[]): Page => ({
  number,
  width: 8,
  height: 11,
  unit: "inch",
  rotation: 0,
  blocks: texts.map(block),
});

const layout = (pages: readonly (readonly string[])[], numbers = pages.map((_, at) => at + 1)): Layout => ({
  v: LAYOUT_VERSION,
  provider: "test",
  logicalPages: false,
  pageCount: Math.max(...numbers),
  pages: pages.map((texts, at) => page(numbers[at] ?? 0, texts)),
});

const settings = (more: Partial<MapReduceSettings> = {}): MapReduceSettings => ({
  splitType: "PAGE",
  headerLevel: 2,
  pagesPerChunk: 1,
  overlapPages: 0,
  stopWhenEmpty: false,
  grace: 0,
  parallel: false,
  ...more,
});

const six = layout([["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]);
const pagesIn = (whole: Layout, more: Partial<MapReduceSettings>) =>
  chunksOf(whole, settings(more)).chunks.map(({ pages }) => pages);
const header = (more: object) => ({ header: { pageLimit: 1, includeInRows: false, ...more } });

describe("chunksOf by pages", () => {
  it.each<[Partial<MapReduceSettings>, number[][]]>([
    [{}, [[1], [2], [3], [4], [5], [6]]],
    [
      { pagesPerChunk: 4 },
      [
        [1, 2, 3, 4],
        [5, 6],
      ],
    ],
    [
      { pagesPerChunk: 3, overlapPages: 1 },
      [
        [1, 2, 3],
        [3, 4, 5],
        [5, 6],
      ],
    ],
    [
      { pagesPerChunk: 3, overlapPages: 2 },
      [
        [1, 2, 3],
        [2, 3, 4],
        [3, 4, 5],
        [4, 5, 6],
      ],
    ],
    [{ pagesPerChunk: 9 }, [[1, 2, 3, 4, 5, 6]]],
    [
      { pagesPerChunk: 2, ...header({ pageLimit: 2 }) },
      [
        [3, 4],
        [5, 6],
      ],
    ],
    [{ pagesPerChunk: 3, ...header({ pageIndices: [-1, 2, 77, -77] }) }, [[1, 2, 4], [5]]],
    [{ pagesPerChunk: 6, ...header({ includeInRows: true }) }, [[1, 2, 3, 4, 5, 6]]],
  ])("%j", (more, chunks) => {
    expect(pagesIn(six, more)).toEqual(chunks);
  });

  it("gives the header the existing pages", () => {
    const pagesOfHeader = (more: object, whole = six) => chunksOf(whole, settings(header(more))).header;
    expect(pagesOfHeader({ pageLimit: 2 })).toEqual([1, 2]);
    expect(pagesOfHeader({ pageLimit: 2, pageIndices: [-1, 0, 77] })).toEqual([1, 6]);
    expect(pagesOfHeader({ pageIndices: [77] })).toEqual([]);
    // An index counts the document's pages, also when a range chose some of them.
    expect(pagesOfHeader({ pageIndices: [4] }, layout([["a"], ["b"]], [5, 9]))).toEqual([5]);
    expect(chunksOf(six, settings()).header).toBeNull();
  });
});

describe("chunksOf by headings", () => {
  const whole = layout([
    ["Before all", "# One", "## One A", "text of one", "~head"],
    ["## One B", "more", "### Deep", "deeper"],
    ["# Two", "last"],
  ]);
  const headed = { splitType: "MARKDOWN_HEADER" } as const;

  it("joins a heading without text with the next section", () => {
    expect(chunksOf(whole, settings(headed)).chunks).toEqual([
      { pages: [1], from: { page: 1, block: 0, word: 0 }, to: { page: 1, block: 1, word: 2 } },
      { pages: [1], from: { page: 1, block: 1, word: 2 }, to: { page: 2, block: 0, word: 0 } },
      { pages: [2], from: { page: 2, block: 0, word: 0 }, to: { page: 3, block: 0, word: 0 } },
      { pages: [3], from: { page: 3, block: 0, word: 0 } },
    ]);
    expect(chunksOf(whole, settings({ ...headed, headerLevel: 1 })).chunks.map(({ from }) => from)).toEqual([
      { page: 1, block: 0, word: 0 },
      { page: 1, block: 1, word: 2 },
      { page: 3, block: 0, word: 0 },
    ]);
  });

  it("makes one chunk without headings, none without text", () => {
    expect(chunksOf(six, settings(headed)).chunks).toEqual([
      { pages: [1, 2, 3, 4, 5, 6], from: { page: 1, block: 0, word: 0 } },
    ]);
    expect(chunksOf(layout([["~head"], ["~head"]]), settings(headed)).chunks).toEqual([]);
    expect(
      pagesIn(
        layout([
          ["# Title", "## A"],
          ["## B", "~head"],
        ]),
        headed,
      ),
    ).toEqual([[1, 2]]);
  });

  it("chunkLayout cuts out the part of the chunk, and counts the words before it", () => {
    const [, second, third] = chunksOf(whole, settings(headed)).chunks;
    const { pages, ...facts } = whole;
    const texts = (chunk: typeof second) => {
      if (chunk === undefined) throw new Error("There is no such chunk");
      const cut = chunkLayout(
        facts,
        pages.filter(({ number }) => chunk.pages.includes(number)),
        chunk,
      );
      return [
        cut.layout.pages.map((one) =>
          pageWords(one)
            .map(({ text }) => text)
            .join(" "),
        ),
        [...cut.skipped],
      ];
    };
    expect(texts(second)).toEqual([["One One A text of one head"], [[1, 2]]]);
    expect(texts(third)).toEqual([["One B more Deep deeper"], []]);
  });
});

it("pagesText writes page numbers in words", () => {
  expect([[4], [4, 5, 6], [1, 3]].map(pagesText)).toEqual(["page 4", "pages 4-6", "pages 1, 3"]);
});
