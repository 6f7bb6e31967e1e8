/** Ink that looks like text on pages of which recognition lost a half, and on pages of which it lost nothing. */
import { describe, expect, it } from "vitest";
import { figuresOn } from "../../../../../functions/engine/imaging/figure-regions/figures-on-page.ts";
import { packInk } from "../../../../../functions/engine/imaging/figure-regions/ink-cells.ts";
import { measureInkCells } from "../../../../../functions/engine/imaging/figure-regions/measure-ink.ts";
import { textInkOf } from "../../../../../functions/engine/imaging/figure-regions/unread-ink.ts";
import { filterBlocks } from "../../../../../functions/engine/layout/word-places.ts";
import { unreadTextShare } from "../../../../../functions/engine/ocr/quality/unread-text.ts";
import type { Box } from "../../../../../functions/ports/layout.ts";
import {
  PAGE_HEIGHT_INCHES,
  PAGE_WIDTH_INCHES,
  type Pen,
  photo,
  rotatePage,
  type Scan,
  scanPage,
  shadeIn,
} from "../../../../support/scanned-pages.ts";

const letter = ({ paragraph, text }: Pen): void => {
  text("Annual report", 1, 1.2, 24);
  paragraph(1, 1.5, 12);
  paragraph(1, 7.2, 14);
};

function table({ box, line, text }: Pen): void {
  box({ left: 1, top: 2, right: 7.5, bottom: 2.3 }, 0.85);
  for (let row = 0; row <= 24; row += 1) line([1, 2 + row * 0.3], [7.5, 2 + row * 0.3], 1.5);
  for (const column of [1, 2.3, 4, 5.2, 7.5]) line([column, 2], [column, 9.2], 1.5);
  for (let row = 0; row < 24; row += 1) {
    for (const [at, column] of [1, 2.3, 4, 5.2].entries())
      text(`rent ${row * 17}.${at}0`, column + 0.1, 2.2 + row * 0.3);
  }
}

async function withPhoto(): Promise<Scan> {
  const page = await scanPage(letter);
  shadeIn(page.gray, { left: 2, top: 4, right: 6, bottom: 6.6 }, (_, x, y) => photo(x, y));
  return page;
}

/** A photo of a page, darker to the right. */
async function shaded(): Promise<Scan> {
  const page = await scanPage(letter);
  const whole = { left: 0, top: 0, right: PAGE_WIDTH_INCHES, bottom: PAGE_HEIGHT_INCHES };
  shadeIn(page.gray, whole, (gray, x) => gray * (1 - 0.35 * x));
  return page;
}

const PAGES: [string, () => Promise<Scan>][] = [
  ["a letter", () => scanPage(letter)],
  ["a table with rules", () => scanPage(table)],
  ["a page with a photo", withPhoto],
  ["a page in a shadow", shaded],
  ["a page that lies askew", async () => rotatePage(await scanPage(letter), 3)],
];

/** Tells the share of what looks like text that stands in no word, when only words at some places were recognised. */
function inkOf({ gray, ocr }: Scan): (isRead: (box: Box) => boolean) => number {
  const cells = measureInkCells(gray, gray.width / PAGE_WIDTH_INCHES);
  const ink = cells && packInk(cells);
  return (isRead) => {
    const page = { ...ocr.page, blocks: filterBlocks(ocr.page.blocks, ({ box }) => isRead(box)) };
    const read = { ...ocr, page };
    return unreadTextShare(textInkOf({ ...read, figures: figuresOn(read, ink) }, ink));
  };
}

describe("ink that looks like text", () => {
  it.each(PAGES)("on %s is read, and half unread where the words of a half are missing", async (_name, draw) => {
    const shareOf = inkOf(await draw());
    expect(shareOf(() => true)).toBe(0);
    for (const half of [({ left }: Box) => left < 3.8, ({ top }: Box) => top < 5.5, ({ top }: Box) => top >= 5.5]) {
      const share = shareOf(half);
      expect(share).toBeGreaterThan(0.3);
      expect(share).toBeLessThan(0.7);
    }
  });

  it("is not there on a page without text", async () => {
    const page = await scanPage((pen) => {
      for (let row = 0; row < 20; row += 1) pen.line([1, 1 + row * 0.4], [7.5, 1 + row * 0.4]);
      pen.ring(4, 5, 1.5, 14);
    });
    expect(inkOf(page)(() => true)).toBe(0);
  });

  it("is unknown where it was not measured", async () => {
    expect(textInkOf((await scanPage(letter)).ocr, undefined)).toBeUndefined();
  });
});
