/** Tables of recognised pages, by the lines that are drawn around their cells. */
import { describe, expect, it } from "vitest";
import { mapBox } from "../../../../functions/engine/imaging/affine.ts";
import { lineText } from "../../../../functions/engine/layout/page-words.ts";
import { withTables } from "../../../../functions/engine/ocr/tables-of-recognised-text.ts";
import { completeDocument } from "../../../../functions/engine/readers/complete-document.ts";
import {
  type Box,
  LAYOUT_VERSION,
  type Layout,
  type Page,
  type TableBlock,
} from "../../../../functions/ports/layout.ts";
import type { OcrDrawing, OcrPage } from "../../../../functions/ports/ocr.ts";
import { lineAt, ocrPage, pageOf, paragraph } from "../../../support/pages.ts";

const level = (at: number, from: number, to: number): Box => ({ left: from, top: at, right: to, bottom: at + 0.01 });
const upright = (at: number, from: number, to: number): Box => ({ left: at, top: from, right: at + 0.01, bottom: to });

/** Two columns whose words stand no further apart than those of a line; the first has a line that goes on. */
const WORDS = [
  ["Begin", "End"],
  ["1/15/2009", "6/30/2011"],
  ["the year after", "present"],
];
const COLUMNS = [1, 2.55, 4];
const TOPS = [2, 2.4, 2.8, 3.2];
const RULES = [...TOPS.map((top) => level(top, 1, 4)), ...COLUMNS.map((left) => upright(left, 2, 3.2))];

const tableWords = (more: object = {}): Page =>
  pageOf([
    paragraph(
      ...WORDS.map(([first = "", second = ""], row) => {
        const [one, other] = [lineAt(first, 1.1, 2.1 + row * 0.4, more), lineAt(second, 2.65, 2.1 + row * 0.4, more)];
        return { box: { ...one.box, right: other.box.right }, words: [...one.words, ...other.words] };
      }),
    ),
    paragraph(lineAt("Text below the table", 1, 4, more)),
  ]);

const tablesOf = ({ blocks }: Page): TableBlock[] => blocks.filter((block) => block.kind === "table");
const textsOf = ({ rows, cells }: TableBlock): string[][] =>
  Array.from({ length: rows }, (_, row) =>
    cells.filter((cell) => cell.row === row).map(({ lines }) => lines.map(lineText).join(" ")),
  );

describe("withTables", () => {
  it("parts cells of close words by drawn lines", () => {
    const drawn: OcrDrawing = { rules: RULES, bars: [] };
    const page = withTables(tableWords(), drawn);
    expect(page.blocks.map(({ kind }) => kind)).toEqual(["table", "paragraph"]);
    expect(tablesOf(page).map(textsOf)).toEqual([WORDS]);
    expect(tablesOf(withTables(tableWords()))).toEqual([]);
  });

  /** The same lines, with a shaded bar in place of those around the first row. */
  const shaded = (first: string): TableBlock[] => {
    const rules = RULES.filter(({ top, bottom }) => top > 2 || bottom > 2.1);
    const page = tableWords();
    const [block] = page.blocks;
    if (block?.kind === "paragraph" && first !== "") block.lines[0] = lineAt(first, 1.1, 2.1);
    return tablesOf(
      withTables(page, {
        rules: rules.map((box) => ({ ...box, top: Math.max(box.top, 2.4) })),
        bars: [{ left: 1, top: 2, right: 4.01, bottom: 2.4 }],
      }),
    );
  };

  it("takes a shaded bar above the lines as the header, in the same columns", () => {
    const [table] = shaded("");
    expect(table).toMatchObject({ headerRows: 1, rows: 3, columns: 2 });
    expect(table && textsOf(table)).toEqual(WORDS);
  });

  it("does not cut a title on the bar", () => {
    const [table] = shaded("Years of employment before");
    expect(table && textsOf(table)).toEqual(WORDS.slice(1));
  });

  it("keeps the tables of a page that an engine has structured", () => {
    const known: TableBlock = { kind: "table", box: level(6, 1, 4), rows: 1, columns: 1, headerRows: 0, cells: [] };
    const page = { ...tableWords(), blocks: [...tableWords().blocks, known] };
    expect(withTables(page, { rules: RULES, bars: [] })).toBe(page);
  });
});

describe("completeDocument, for scanned tables", () => {
  const layout: Layout = {
    v: LAYOUT_VERSION,
    provider: "image",
    pageCount: 1,
    logicalPages: true,
    pages: [pageOf([])],
  };
  const reading = (): Parameters<typeof completeDocument>[0] => ({
    layout,
    quality: { evidence: { signs: [], strayInk: [] }, warnings: [] } as never,
  });
  const complete = (
    page: OcrPage,
    first = reading(),
    ocr: "DEFAULT" | "AUTO" = "DEFAULT",
    level = "DEFAULT" as const,
  ) => completeDocument(first, { pages: [page], engine: "fake", level, ocr, unread: [] });

  it("finds drawn tables in the frame of the text, with boxes as shown", () => {
    const angle = 2;
    const radians = (angle * Math.PI) / 180;
    const [a, b] = [Math.cos(radians), Math.sin(radians)];
    const [x, y] = [8.5 / 2, 11 / 2];
    const turn = { a, b, c: -b, d: a, e: x - a * x + b * y, f: y - b * x - a * y };
    const turned = (box: Box): Box => mapBox(box, turn);
    const words = tableWords({ confidence: 0.9 });
    const blocks = words.blocks.map((block) => ({
      ...paragraph(
        ...(block.kind === "table" ? [] : block.lines).map((line) => ({
          box: turned(line.box),
          words: line.words.map((word) => ({ ...word, box: turned(word.box) })),
        })),
      ),
    }));
    const page = ocrPage(pageOf(blocks), { angle, drawn: { rules: RULES.map(turned), bars: [] } });
    const [done] = complete(page).layout.pages;
    expect(done === undefined ? [] : tablesOf(done).map(textsOf)).toEqual([WORDS]);
    const [table] = done === undefined ? [] : tablesOf(done);
    const box = turned({ left: 1, top: 2, right: 4, bottom: 3.2 });
    for (const side of ["left", "top", "right", "bottom"] as const) expect(table?.box[side]).toBeCloseTo(box[side], 1);
  });

  it("finds them also where another page was recognised again", () => {
    const poor = ocrPage(pageOf([paragraph(lineAt("xq zvk wpt qrj bbx zzk vqp xwt", 1, 1, { confidence: 0.3 }))], 2));
    const good = ocrPage(tableWords({ confidence: 0.95 }), { drawn: { rules: RULES, bars: [] } });
    const start = { ...reading(), layout: { ...layout, pageCount: 2, pages: [pageOf([]), pageOf([], 2)] } };
    const first = completeDocument(start, {
      pages: [good, poor],
      engine: "fake",
      level: "DEFAULT",
      ocr: "AUTO",
      unread: [],
    });
    expect(first.pending).toEqual([2]);
    expect(first.layout.pages.flatMap(tablesOf)).toEqual([]);
    const stored = JSON.parse(JSON.stringify({ layout: first.layout, quality: first.quality })) as typeof first;
    const last = completeDocument(stored, { pages: [poor], engine: "fake", level: "PREMIUM", ocr: "AUTO", unread: [] });
    expect(last.layout.pages.flatMap(tablesOf).map(textsOf)).toEqual([WORDS]);
    expect(last.quality.evidence.drawn).toBeUndefined();
  });
});
