/**
 * Deskew: turns a page so that its text stands upright, with level rows. Scans stand on their head or side, or are
 * slightly skewed or bent, while rows and columns are found by the edges of boxes. Words stay the same; their boxes are rotated about the page's
 * centre.
 */
import type { Block, Box, Line, Page, Word } from "../../ports/layout.ts";
import { unionBox } from "./geometry.ts";
import { levellingOf } from "./level-rows.ts";

/** Text rotated by less than this counts as upright. */
const MIN_SKEW_DEGREES = 0.2;

/** Rotates a box about the centre of one page onto the centre of another. */
interface Rotation {
  sine: number;
  cosine: number;
  from: { x: number; y: number };
  to: { x: number; y: number };
}

interface PageSize {
  width: number;
  height: number;
}

const centreOf = (size: PageSize): { x: number; y: number } => ({
  x: size.width / 2,
  y: size.height / 2,
});

/** The smallest upright box around a rotated box. */
function rotateToOuterBox({ left, top, right, bottom }: Box, turn: Rotation): Box {
  const [halfWidth, halfHeight] = [(right - left) / 2, (bottom - top) / 2];
  const [sine, cosine] = [Math.abs(turn.sine), Math.abs(turn.cosine)];
  return rotatedBox(left + halfWidth, top + halfHeight, turn, [
    halfWidth * cosine + halfHeight * sine,
    halfWidth * sine + halfHeight * cosine,
  ]);
}

/**
 * The inverse of `rotateToOuterBox`: the box whose rotated shape fills the given upright box. For angles too near to
 * the diagonal it returns the upright box around the rotated shape.
 */
function rotateToInnerBox(box: Box, turn: Rotation): Box {
  const [halfWidth, halfHeight] = [(box.right - box.left) / 2, (box.bottom - box.top) / 2];
  const [sine, cosine] = [Math.abs(turn.sine), Math.abs(turn.cosine)];
  const scale = cosine * cosine - sine * sine;
  const width = (halfWidth * cosine - halfHeight * sine) / scale;
  const height = (halfHeight * cosine - halfWidth * sine) / scale;
  if (!(width > 0 && height > 0)) return rotateToOuterBox(box, turn);
  return rotatedBox(box.left + halfWidth, box.top + halfHeight, turn, [width, height]);
}

function rotatedBox(
  x: number,
  y: number,
  { sine, cosine, from, to }: Rotation,
  [width, height]: [number, number],
): Box {
  const [dx, dy] = [x - from.x, y - from.y];
  const [middleX, middleY] = [to.x + dx * cosine - dy * sine, to.y + dx * sine + dy * cosine];
  return { left: middleX - width, top: middleY - height, right: middleX + width, bottom: middleY + height };
}

const withMappedWords = (line: Line, words: Word[], box: (box: Box) => Box): Line => ({
  ...line,
  words,
  box: words.length === 0 ? box(line.box) : unionBox(words.map((word) => word.box)),
});

/** Maps the boxes of a block. A text block takes the union of its mapped lines. */
function mapBlock(block: Block, mapWord: (word: Word) => Word, mapBox: (box: Box) => Box): Block {
  const mapLine = (line: Line): Line => withMappedWords(line, line.words.map(mapWord), mapBox);
  if (block.kind === "table") {
    const cells = block.cells.map((cell) => ({ ...cell, box: mapBox(cell.box), lines: cell.lines.map(mapLine) }));
    return { ...block, box: mapBox(block.box), cells };
  }
  const lines = block.lines.map(mapLine);
  const isText = block.kind !== "figure" && lines.length > 0;
  return { ...block, box: isText ? unionBox(lines.map((line) => line.box)) : mapBox(block.box), lines };
}

/**
 * Runs work on a page turned upright.
 * @param page with `angle`, where its text is rotated
 * @param work returns the page with the same words, in other blocks or another order
 * @returns the result of the work, with every box as shown again; words are the identical objects that were given
 */
export function withUprightPage(page: Page, work: (page: Page) => Page): Page {
  const [turned] = withUprightPages([page], (pages) => pages.map(work));
  return turned ?? page;
}

/** Runs work on all pages turned upright. The work keeps their number and order. */
export function withUprightPages(pages: readonly Page[], work: (pages: Page[]) => Page[]): Page[] {
  const uprights = pages.map(deskewReversibly);
  const done = work(uprights.map(({ page }) => page));
  return done.map((page, index) => uprights[index]?.restore(page) ?? page);
}

/** The page turned upright, with the same blocks, lines and words in the same order. */
export const deskewPage = (page: Page): Page => deskewReversibly(page).page;

/** Boxes of a page as they stand once the page is turned upright and level. */
export function deskewBoxes(page: Page, boxes: readonly Box[]): Box[] {
  const { toUpright } = deskewReversibly(page);
  return boxes.map(toUpright);
}

/** Rotations from a page to its upright form and back, and the size of the upright page. */
function rotationsOf(page: PageSize, angle: number): { deskew: Rotation; restore: Rotation; size: PageSize } {
  const radians = (angle * Math.PI) / 180;
  const [sine, cosine] = [Math.sin(radians), Math.cos(radians)];
  const { width, height } = page;
  const size = Math.abs(sine) > Math.abs(cosine) ? { width: height, height: width } : { width, height };
  return {
    deskew: { sine: -sine, cosine, from: centreOf(page), to: centreOf(size) },
    restore: { sine, cosine, from: centreOf(size), to: centreOf(page) },
    size,
  };
}

interface UprightPage {
  page: Page;
  toUpright(box: Box): Box;
  restore(page: Page): Page;
}

const SAME: Pick<UprightPage, "toUpright" | "restore"> = { toUpright: (box) => box, restore: (page) => page };

function deskewReversibly(shown: Page): UprightPage {
  const turned = turnReversibly(shown);
  const levelling = levellingOf(turned.page);
  if (levelling === null) return turned;
  const level = mapReversibly(turned.page, {}, levelling.level, levelling.restore);
  return {
    page: level.page,
    toUpright: (box) => levelling.level(turned.toUpright(box)),
    restore: (page) => turned.restore(level.restore(page)),
  };
}

function turnReversibly(page: Page): UprightPage {
  const { angle = 0, width, height } = page;
  if (Math.abs(angle) < MIN_SKEW_DEGREES) return { page, ...SAME };
  const { deskew, restore, size } = rotationsOf(page, angle);
  const toUpright = (box: Box): Box => rotateToInnerBox(box, deskew);
  const turned = mapReversibly(page, { ...size, angle: 0 }, toUpright, (box) => rotateToOuterBox(box, restore));
  return { ...turned, restore: (upright) => ({ ...turned.restore(upright), width, height, angle }) };
}

/** Maps every box of a page, and those of a page made of it back; words come back as they were given. */
function mapReversibly(
  page: Page,
  facts: Partial<Page>,
  toUpright: (box: Box) => Box,
  toShown: (box: Box) => Box,
): UprightPage {
  const originals = new Map<Word, Word>();
  const turn = (word: Word): Word => {
    const turned = { ...word, box: toUpright(word.box) };
    originals.set(turned, word);
    return turned;
  };
  const asShown = (word: Word): Word => originals.get(word) ?? { ...word, box: toShown(word.box) };
  const mapped = page.blocks.map((block) => mapBlock(block, turn, toUpright));
  return {
    page: { ...page, ...facts, blocks: mapped },
    toUpright,
    restore: (upright) => ({ ...upright, blocks: upright.blocks.map((block) => mapBlock(block, asShown, toShown)) }),
  };
}
