/** The text layer of a PDF page as a page of the layout model. */
import { arrangeLines } from "../arrange.ts";
import { type Block, type Box, type Line, type Page, unionBox, type Word } from "../layout.ts";
import { splitFrames, turnBox } from "./frames.ts";
import { pageGlyphs } from "./glyphs.ts";
import { formLines, type PlacedLine } from "./lines.ts";
import type { PdfPage } from "./reader.ts";
import { formWords, type PlacedWord } from "./words.ts";

const POINTS_PER_INCH = 72;

/** Points to inches, to a tenth of a thousandth. */
const toInches = (points: number): number => Math.round((points / POINTS_PER_INCH) * 10_000) / 10_000;

const clamp = (value: number, limit: number): number => Math.min(Math.max(value, 0), limit);

/** From a frame's points back to the page's inches, within the page. */
function toPageBox(box: Box, angle: number, page: PdfPage): Box {
  const turned = turnBox(box, angle);
  return {
    left: toInches(clamp(turned.left, page.width)),
    top: toInches(clamp(turned.top, page.height)),
    right: toInches(clamp(turned.right, page.width)),
    bottom: toInches(clamp(turned.bottom, page.height)),
  };
}

function toWord(word: PlacedWord, angle: number, page: PdfPage): Word {
  return {
    text: word.text,
    box: toPageBox(word.box, angle, page),
    fontSize: Math.round(word.size * 100) / 100,
    ...(word.bold ? { bold: true } : {}),
  };
}

function toLine(line: PlacedLine, angle: number, page: PdfPage): Line {
  const words = line.words.map((word) => toWord(word, angle, page));
  return { box: unionBox(words.map((word) => word.box)), words };
}

/**
 * Words, lines and blocks of a page, boxes in inches from the top left corner of the page as shown. Text in other
 * directions follows the upright text.
 */
export function readPage(page: PdfPage, number: number): Page {
  const blocks: Block[] = [];
  for (const { angle, glyphs } of splitFrames(pageGlyphs(page))) {
    const placed = formLines(formWords(glyphs)).map((line) => ({
      line,
      size: line.size,
      baseline: line.words[0]?.baseline ?? 0,
      box: unionBox(line.words.map((word) => word.box)),
    }));
    for (const block of arrangeLines(placed)) {
      const lines = block.map(({ line }) => toLine(line, angle, page));
      blocks.push({ kind: "paragraph", box: unionBox(lines.map((line) => line.box)), lines });
    }
  }
  return {
    number,
    width: toInches(page.width),
    height: toInches(page.height),
    unit: "inch",
    rotation: page.rotation,
    blocks,
  };
}
