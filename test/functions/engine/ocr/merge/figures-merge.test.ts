import { describe, expect, it } from "vitest";
import { transcribe } from "../../../../../functions/engine/exports/transcription/transcribe.ts";
import { figuresOn } from "../../../../../functions/engine/imaging/figure-regions/figures-on-page.ts";
import { pageWords } from "../../../../../functions/engine/layout/page-words.ts";
import { joinStrips } from "../../../../../functions/engine/ocr/join-strips.ts";
import { mergeOcr } from "../../../../../functions/engine/ocr/merge/merge-ocr.ts";
import { finishReading } from "../../../../../functions/engine/readers/finish-reading.ts";
import { type Block, type Box, LAYOUT_VERSION, type Layout } from "../../../../../functions/ports/layout.ts";
import type { OcrPage } from "../../../../../functions/ports/ocr.ts";
import { lineAt, ocrPage, pageOf, paragraph } from "../../../../support/pages.ts";

const PHOTO: Box = { left: 1, top: 3, right: 5, bottom: 6 };
const SURE = { confidence: 0.95 };
const DOUBTFUL = { confidence: 0.4 };
const CAPTION = "Figure 1: The harbour at noon";

const layoutOf = (blocks: Block[] = []): Layout => ({
  v: LAYOUT_VERSION,
  provider: "image",
  logicalPages: false,
  pageCount: 1,
  pages: [pageOf(blocks)],
});
const figure = (box: Box): Block => ({ kind: "figure", box, lines: [] });
const blocksOf = ({ pages }: Layout): Block[] => pages[0]?.blocks ?? [];
const textOf = ({ pages }: Layout): string =>
  pages
    .flatMap(pageWords)
    .map(({ text }) => text)
    .join(" ");

/** Text above, a label and specks in the photo, a caption below. */
const recognised = (more: Partial<OcrPage> = {}): OcrPage =>
  ocrPage(
    pageOf([
      paragraph(lineAt("Ships enter between two piers", 1, 1, SURE)),
      paragraph(lineAt("Pier 7", 3, 4, SURE), lineAt("oe~ wwa", 2, 5, DOUBTFUL)),
      paragraph(lineAt(CAPTION, 1, 6.2, SURE)),
      paragraph(lineAt("smudged but outside", 1, 8, DOUBTFUL)),
    ]),
    { figures: [PHOTO], ...more },
  );

describe("a page's figures", () => {
  it("stand among its blocks, their specks gone, with their captions in every output", () => {
    const merged = mergeOcr(layoutOf(), [recognised()], "tesseract");
    const history = { requested: "DEFAULT", effective: "DEFAULT", warnings: [], signs: new Map() } as const;
    const { layout } = finishReading(merged, { ...history, warnings: [] }, []);
    expect(blocksOf(layout).filter(({ kind }) => kind === "figure")).toEqual([{ ...figure(PHOTO), caption: CAPTION }]);
    expect(textOf(layout)).toBe(`Ships enter between two piers Pier 7 ${CAPTION} smudged but outside`);
    const markdown = transcribe(layout, "markdown");
    expect(markdown.indexOf("<!-- figure -->")).toBeGreaterThan(markdown.indexOf("two piers"));
    expect(markdown.indexOf("<!-- figure -->")).toBeLessThan(markdown.indexOf(CAPTION));
    expect(transcribe(layout, "jsonl")).toContain(JSON.stringify(CAPTION));
  });

  it("are the file's where it has them, and stay when the page is recognised again", () => {
    const own = figure({ left: 1.1, top: 3.1, right: 5, bottom: 6 });
    const merged = mergeOcr(layoutOf([own]), [recognised()], "tesseract");
    const figures = (layout: Layout) => blocksOf(layout).filter(({ kind }) => kind === "figure");
    expect(figures(merged)).toEqual([own]);
    const first = mergeOcr(layoutOf(), [recognised()], "tesseract");
    expect(figures(mergeOcr(first, [recognised()], "tesseract"))).toEqual([figure(PHOTO)]);
  });

  it("are not searched for on the picture of a page whose file names them", () => {
    const layer = Array.from({ length: 12 }, (_, row) => lineAt("The harbour is closed at night", 1, 7 + row * 0.2));
    const merged = mergeOcr(layoutOf([paragraph(...layer)]), [recognised()], "tesseract");
    expect(blocksOf(merged).map(({ kind }) => kind)).not.toContain("figure");
  });

  it("are shown on pages without a word, too", () => {
    const merged = mergeOcr(layoutOf(), [ocrPage(pageOf([]), { figures: [PHOTO] })], "tesseract");
    expect(blocksOf(merged)).toEqual([figure(PHOTO)]);
  });

  it("have the lines that an engine knows in them, and leave alone what its fields name", () => {
    const label = lineAt("Pier 7", 3, 4, SURE);
    const specks = lineAt("oe~ wwa", 2, 5, DOUBTFUL);
    const span = { text: "oe~", box: specks.box, words: [2] };
    const page = pageOf([paragraph(label), paragraph(specks)]);
    const field = { label: span, values: [], confidence: 0.5 };
    const ocr = ocrPage(page, { figures: [PHOTO], roles: ["figure", "text"], fields: [field] });
    const merged = mergeOcr(layoutOf(), [ocr], "textract");
    expect(blocksOf(merged)).toMatchObject([
      { kind: "figure", box: PHOTO, lines: [{ words: [{ text: "Pier" }, {}] }] },
      { kind: "paragraph" },
    ]);
  });
});

it("figuresOn: keeps the engine's figures once, without the one that is the page", () => {
  const inner = { left: 2, top: 4, right: 3, bottom: 5 };
  const other = { left: 6, top: 4, right: 8.5123456, bottom: 5 };
  const page = { left: 0, top: 0, right: 8.5, bottom: 11 };
  const told = figuresOn(recognised({ figures: [page, PHOTO, inner, other] }), undefined);
  expect(told).toEqual([PHOTO, { ...other, right: 8.5 }]);
});

it("joinStrips: returns figures in the page's inches, each once", () => {
  const page = { width: 8.5, height: 20 };
  const strip = (index: number, top: number, figures: Box[]) => ({
    page: recognised({ figures }),
    strip: { index, count: 2, page, left: 0, top },
  });
  const both = { ...PHOTO, top: 10, bottom: 10.8 };
  const joined = joinStrips([
    strip(0, 0, [PHOTO, both]),
    strip(1, 9, [
      { ...both, top: 1, bottom: 1.8 },
      { ...PHOTO, top: 5, bottom: 8 },
    ]),
  ]);
  expect(joined.figures).toEqual([PHOTO, both, { ...PHOTO, top: 14, bottom: 17 }]);
});
