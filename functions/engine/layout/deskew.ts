/**
 * A page in the frame of its text: scans stand on their head or side, or a little askew, and rows and columns are told
 * by the edges of boxes. Words keep what they are; their boxes are turned about the page's middle.
 */
import type { Block, Box, Line, Page, Word } from "../../ports/layout.ts";
import { unionBox } from "./geometry.ts";

/** Degrees; text that is turned by less stands upright for every purpose. */
const LEVEL = 0.2;

/** Turns a box about the middle of one page onto that of another. */
interface Turn {
  sine: number;
  cosine: number;
  from: { x: number; y: number };
  to: { x: number; y: number };
}

interface Size {
  width: number;
  height: number;
}

const middleOf = (size: Size): { x: number; y: number } => ({
  x: size.width / 2,
  y: size.height / 2,
});

/** The upright box around a box that was turned. */
function turnAround({ left, top, right, bottom }: Box, turn: Turn): Box {
  const [halfWidth, halfHeight] = [(right - left) / 2, (bottom - top) / 2];
  const [sine, cosine] = [Math.abs(turn.sine), Math.abs(turn.cosine)];
  return around(left + halfWidth, top + halfHeight, turn, [
    halfWidth * cosine + halfHeight * sine,
    halfWidth * sine + halfHeight * cosine,
  ]);
}

/**
 * The box whose turned shape the given upright box is around: what turning made larger becomes as small again. Of a
 * shape that is too near to the diagonal for that, the upright box around it.
 */
function turnWithin(box: Box, turn: Turn): Box {
  const [halfWidth, halfHeight] = [(box.right - box.left) / 2, (box.bottom - box.top) / 2];
  const [sine, cosine] = [Math.abs(turn.sine), Math.abs(turn.cosine)];
  const scale = cosine * cosine - sine * sine;
  const width = (halfWidth * cosine - halfHeight * sine) / scale;
  const height = (halfHeight * cosine - halfWidth * sine) / scale;
  if (!(width > 0 && height > 0)) return turnAround(box, turn);
  return around(box.left + halfWidth, box.top + halfHeight, turn, [width, height]);
}

function around(x: number, y: number, { sine, cosine, from, to }: Turn, [width, height]: [number, number]): Box {
  const [dx, dy] = [x - from.x, y - from.y];
  const [middleX, middleY] = [to.x + dx * cosine - dy * sine, to.y + dx * sine + dy * cosine];
  return { left: middleX - width, top: middleY - height, right: middleX + width, bottom: middleY + height };
}

const lineOf = (line: Line, words: Word[], box: (box: Box) => Box): Line => ({
  ...line,
  words,
  box: words.length === 0 ? box(line.box) : unionBox(words.map((word) => word.box)),
});

/** The block with its boxes mapped; where words say how large it is, around those. */
function mapBlock(block: Block, word: (word: Word) => Word, box: (box: Box) => Box): Block {
  const mapLine = (line: Line): Line => lineOf(line, line.words.map(word), box);
  if (block.kind === "table") {
    const cells = block.cells.map((cell) => ({ ...cell, box: box(cell.box), lines: cell.lines.map(mapLine) }));
    return { ...block, box: box(block.box), cells };
  }
  const lines = block.lines.map(mapLine);
  const isText = block.kind !== "figure" && lines.length > 0;
  return { ...block, box: isText ? unionBox(lines.map((line) => line.box)) : box(block.box), lines };
}

/**
 * Does work on a page as its reader sees it.
 * @param page with `angle`, where its text is turned
 * @param work gives the page with the same words, in other blocks or another order
 * @returns what the work gave, with every box as shown again; words are the very ones that were given
 */
export function inOwnFrame(page: Page, work: (page: Page) => Page): Page {
  const [turned] = inOwnFrames([page], (pages) => pages.map(work));
  return turned ?? page;
}

/** The same for work that looks at all pages at once, and leaves their number and order. */
export function inOwnFrames(pages: readonly Page[], work: (pages: Page[]) => Page[]): Page[] {
  const uprights = pages.map(uprightOf);
  const done = work(uprights.map(({ page }) => page));
  return done.map((page, index) => uprights[index]?.back(page) ?? page);
}

/** The page as the reader of its text sees it: its blocks, lines and words in the same order. */
export const uprightPage = (page: Page): Page => uprightOf(page).page;

/** Boxes of a page as the reader of its text sees them. */
export function boxesInOwnFrame({ angle = 0, ...size }: Page, boxes: readonly Box[]): Box[] {
  return Math.abs(angle) < LEVEL ? [...boxes] : boxes.map((box) => turnWithin(box, turnsOf(size, angle).there));
}

/** There and back again, between a page and what its reader sees, which is as large. */
function turnsOf(page: Size, angle: number): { there: Turn; again: Turn; size: Size } {
  const radians = (angle * Math.PI) / 180;
  const [sine, cosine] = [Math.sin(radians), Math.cos(radians)];
  const { width, height } = page;
  const size = Math.abs(sine) > Math.abs(cosine) ? { width: height, height: width } : { width, height };
  return {
    there: { sine: -sine, cosine, from: middleOf(page), to: middleOf(size) },
    again: { sine, cosine, from: middleOf(size), to: middleOf(page) },
    size,
  };
}

function uprightOf(page: Page): { page: Page; back(page: Page): Page } {
  const { angle = 0, width, height } = page;
  if (Math.abs(angle) < LEVEL) return { page, back: (same) => same };
  const { there, again, size } = turnsOf(page, angle);
  const given = new Map<Word, Word>();
  const toUpright = (word: Word): Word => {
    const turned = { ...word, box: turnWithin(word.box, there) };
    given.set(turned, word);
    return turned;
  };
  const blocks = page.blocks.map((block) => mapBlock(block, toUpright, (box) => turnWithin(box, there)));
  const asShown = (word: Word): Word => given.get(word) ?? { ...word, box: turnAround(word.box, again) };
  return {
    page: { ...page, ...size, angle: 0, blocks },
    back: (upright) => ({
      ...upright,
      width,
      height,
      angle,
      blocks: upright.blocks.map((block) => mapBlock(block, asShown, (box) => turnAround(box, again))),
    }),
  };
}
