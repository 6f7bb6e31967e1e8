import { describe, expect, it } from "vitest";
import { figuresOn } from "../../../../../functions/engine/imaging/figure-regions/figures-on-page.ts";
import { packInk } from "../../../../../functions/engine/imaging/figure-regions/ink-cells.ts";
import { measureInkCells } from "../../../../../functions/engine/imaging/figure-regions/measure-ink.ts";
import { area, overlapArea } from "../../../../../functions/engine/layout/geometry.ts";
import type { Box } from "../../../../../functions/ports/layout.ts";
import type { OcrPage } from "../../../../../functions/ports/ocr.ts";
import { ocrPage, pageOf } from "../../../../support/pages.ts";
import { addNoise, paper } from "../../../../support/pictures.ts";
import {
  PAGE_HEIGHT_INCHES,
  PAGE_WIDTH_INCHES,
  type Pen,
  photo,
  rotatePage,
  type Scan,
  scanPage,
  shadeIn,
  turnedBox,
} from "../../../../support/scanned-pages.ts";

function figuresOf({ gray, ocr }: Scan): Box[] {
  const cells = measureInkCells(gray, gray.width / PAGE_WIDTH_INCHES);
  return figuresOn(ocr, cells && packInk(cells));
}

/** Share of both boxes that they have in common, 0 to 1. */
const agreement = (a: Box, b: Box): number => overlapArea(a, b) / (area(a) + area(b) - overlapArea(a, b));

function expectFigures(page: Scan, boxes: readonly Box[], least = 0.85): void {
  const found = figuresOf(page).sort((a, b) => a.top - b.top);
  expect(found, JSON.stringify(found)).toHaveLength(boxes.length);
  for (const [at, box] of boxes.entries()) {
    expect(agreement(found[at] ?? box, box), JSON.stringify(found[at])).toBeGreaterThanOrEqual(least);
  }
}

const PHOTO: Box = { left: 2, top: 4, right: 6, bottom: 6.6 };
const PAGE: Box = { left: 0, top: 0, right: PAGE_WIDTH_INCHES, bottom: PAGE_HEIGHT_INCHES };

const letter = ({ paragraph, text }: Pen): void => {
  text("Annual report", 1, 1.2, 24);
  paragraph(1, 1.5, 12);
  paragraph(1, 7.2, 14);
};

function table({ box, line, text }: Pen): void {
  box({ left: 1, top: 2, right: 7.5, bottom: 2.3 }, 0.75);
  for (let row = 0; row <= 12; row += 1) line([1, 2 + row * 0.3], [7.5, 2 + row * 0.3], 1.5);
  for (const column of [1, 2.3, 4, 5.2, 7.5]) line([column, 2], [column, 5.6], 1.5);
  for (let row = 0; row < 12; row += 1) {
    for (const [at, column] of [1, 2.3, 4, 5.2].entries()) text(`${row * 17}.${at}0`, column + 0.1, 2.2 + row * 0.3);
  }
}

async function withPhoto(dpi?: number): Promise<Scan> {
  const page = await scanPage((pen) => {
    letter(pen);
    pen.text("Figure 1: Hills behind the office", 2, 6.85, 10);
  }, dpi);
  shadeIn(page.gray, PHOTO, (_, x, y) => photo(x, y));
  return page;
}

/** Words that an engine made up of a picture's specks. */
function withSpecks({ gray, ocr }: Scan): Scan {
  const line = (left: number, top: number, text: string, confidence: number) => {
    const box = { left, top, right: left + 0.4, bottom: top + 0.15 };
    return { box, words: [{ text, box, confidence }] };
  };
  const lines = [line(2.5, 4.5, "oe", 0.3), line(3, 5, "~wa", 0.5), line(4, 5.5, "ll|", 0.4)];
  const blocks = [...ocr.page.blocks, { kind: "paragraph" as const, box: PHOTO, lines }];
  return { gray, ocr: { ...ocr, page: { ...ocr.page, blocks } } };
}

describe("figures of a scan", () => {
  it("are its photos", async () => {
    const page = await withPhoto();
    expectFigures(page, [PHOTO], 0.93);
    expectFigures(withSpecks(page), [PHOTO], 0.93);
    expectFigures(await withPhoto(220), [PHOTO], 0.93);
  });

  it("are framed as shown on a page that lies askew", async () => {
    const page = rotatePage(await withPhoto(), 3);
    expectFigures(page, [turnedBox(PHOTO, 3)]);
  });

  it("are found by their shapes alone, and leave their labels to the text", async () => {
    const page = await scanPage((pen) => {
      letter(pen);
      for (const [at, height] of [0.8, 1.4, 2, 1.1, 0.5, 1.7].entries()) {
        const left = 2.2 + at * 0.6;
        pen.box({ left, top: 6.4 - height, right: left + 0.5, bottom: 6.4 }, 0.35);
        pen.text(`${at + 1}`, left + 0.2, 6.58, 9);
      }
      pen.line([2, 4.2], [2, 6.4]);
      pen.line([2, 6.4], [6, 6.4]);
    });
    expectFigures(page, [{ left: 2.2, top: 4.4, right: 5.7, bottom: 6.4 }]);
  });

  it("may be logos and thick stamps, also over text", async () => {
    const page = await scanPage((pen) => {
      letter(pen);
      pen.ring(5.5, 4.2, 0.8, 6);
      pen.ring(7, 0.8, 0.35, 14);
    });
    expectFigures(page, [
      { left: 6.55, top: 0.35, right: 7.45, bottom: 1.25 },
      { left: 4.66, top: 3.36, right: 6.34, bottom: 5.04 },
    ]);
  });

  it("may be drawings of thin lines where a caption says so", async () => {
    const curve = (pen: Pen): void => {
      letter(pen);
      pen.line([2, 4], [2, 6.5]);
      pen.line([2, 6.5], [6, 6.5]);
      for (let at = 0; at < 40; at += 1) {
        const y = (x: number): number => 5.2 + Math.sin(x / 5);
        pen.line([2 + at * 0.1, y(at)], [2.1 + at * 0.1, y(at + 1)], 1.2);
      }
    };
    const captioned = await scanPage((pen) => {
      curve(pen);
      pen.text("Figure 2: What was measured", 2.5, 6.85, 10);
    });
    expectFigures(captioned, [{ left: 2, top: 4, right: 6, bottom: 6.5 }]);
    expectFigures(await scanPage(curve), []);
  });

  it("stand by themselves on a page of two", async () => {
    const boxes = [PHOTO, { ...PHOTO, left: 6.3, right: 7.6 }];
    const page = await scanPage(letter);
    for (const box of boxes) shadeIn(page.gray, box, (_, x, y) => photo(x, y));
    expect(figuresOf(page)).toHaveLength(2);
  });
});

/** Strokes as a pen writes them, in rows that touch. */
function writing({ page }: Pen): void {
  for (let row = 0; row < 6; row += 1) {
    const loops = Array.from({ length: 24 }, (_, at) => {
      const [x, high] = [at * 18, at % 4 === 0 ? 34 : 16];
      return `q 4 ${-high} 10 ${-high / 2} q 6 ${high} -2 ${high} q 4 -4 10 ${-high / 2}`.concat(x > 0 ? "" : " m 0 0");
    });
    page.drawSvgPath(`M 0 0 ${loops.join(" ")}`, { x: 80, y: 520 - row * 30, borderWidth: 1.6 });
  }
}

const CLEAN: Record<string, (pen: Pen) => void> = {
  "a page of text": letter,
  "a table": table,
  "a form with bars": (pen) => {
    letter(pen);
    for (const top of [4, 5, 6]) {
      pen.box({ left: 0.5, top, right: 8, bottom: top + 0.45 }, 0.15);
      pen.line([0.5, top + 0.9], [8, top + 0.9]);
    }
  },
  "a tint behind text": (pen) => {
    pen.box({ left: 0.8, top: 1.4, right: 7.8, bottom: 5 }, 0.7);
    letter(pen);
  },
  "writing by hand": writing,
};

/** Everything that was read but what stands between two heights. */
function unread({ gray, ocr }: Scan, top: number, bottom: number): Scan {
  const blocks = ocr.page.blocks.filter(({ box }) => box.bottom < top || box.top > bottom);
  return { gray, ocr: { ...ocr, page: { ...ocr.page, blocks } } };
}

describe("figuresOn finds no figure", () => {
  it.each(Object.entries(CLEAN))("on %s, level or askew", async (_, draw) => {
    const page = await scanPage(draw);
    expectFigures(page, []);
    expectFigures(rotatePage(page, -2.5), []);
  });

  it("what nobody has read: text of any size, a table", async () => {
    expectFigures(unread(await scanPage(table), 0, PAGE_HEIGHT_INCHES), []);
    const title = await scanPage((pen) => {
      pen.text("PAGE 2", 1, 3, 72);
      pen.text("Bold move", 1, 5, 48);
      pen.paragraph(1, 6, 8);
    });
    expectFigures(unread(title, 0, PAGE_HEIGHT_INCHES), []);
  });

  it("the table that a page lies on, nor what is dark at its edges", async () => {
    const page = await scanPage(letter);
    const paper: Box = { left: 0.7, top: 0.6, right: 7.8, bottom: 10.4 };
    const wood = (_: number, x: number, y: number): number => 90 + 40 * Math.sin(60 * y + 4 * Math.sin(8 * x));
    for (const edge of [
      { ...PAGE, bottom: paper.top },
      { ...PAGE, top: paper.bottom },
      { ...PAGE, right: paper.left },
      { ...PAGE, left: paper.right },
    ])
      shadeIn(page.gray, edge, wood);
    expectFigures(page, []);
    shadeIn(page.gray, PHOTO, (_, x, y) => photo(x, y));
    expectFigures(page, [PHOTO]);
  });

  it("folds, stains and grain", async () => {
    const page = await scanPage(letter);
    shadeIn(page.gray, { ...PAGE, left: 3.9, right: 4.7 }, (gray, x) => gray * (1 - 0.5 * Math.sin(Math.PI * x)));
    shadeIn(page.gray, { left: 5.5, top: 4.5, right: 7.5, bottom: 6.5 }, (gray, x, y) =>
      (x - 0.5) ** 2 + (y - 0.5) ** 2 < 0.25 ? gray * 0.72 : gray,
    );
    shadeIn(page.gray, PAGE, (gray, x, y) => gray - 25 + 25 * Math.sin(90_017 * x + 70_001 * y));
    expectFigures(page, []);
  });

  it("on a dark screen", async () => {
    const page = await scanPage(letter);
    shadeIn(page.gray, PAGE, (gray) => 255 - 0.85 * gray);
    expectFigures(page, []);
  });

  it("in pictures of nothing, of grain, or too small to show anything", () => {
    for (const [width, height] of [
      [1, 1],
      [3, 900],
      [900, 3],
      [850, 1100],
    ] as const)
      expect(measureInkCells(paper(width, height), 100)).toBeUndefined();
    for (const amount of [20, 120]) {
      const gray = paper(850, 1100, 180);
      addNoise(gray, amount);
      const ink = measureInkCells(gray, 100);
      expect(figuresOn(ocrPage(pageOf([])), ink && packInk(ink))).toEqual([]);
    }
  });

  it("barcodes that were read", async () => {
    const page = await scanPage(letter);
    const box: Box = { left: 5, top: 4.5, right: 6.4, bottom: 5.9 };
    shadeIn(page.gray, box, (_, x, y) =>
      (Math.floor(29 * x) * 7 + Math.floor(29 * y) * 11 + Math.floor(29 * x * y)) % 3 ? 255 : 0,
    );
    const code = { kind: "barcode" as const, box, lines: [], format: "QRCode", value: "A", confidence: 1 };
    const read: OcrPage = { ...page.ocr, barcodes: [code] };
    expectFigures({ ...page, ocr: read }, []);
  });
});
