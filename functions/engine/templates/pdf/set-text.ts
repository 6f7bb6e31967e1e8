/** Sets text in a box: lines, their faces and places. Points; the origin is the lower left corner, y upwards. */
import { directedRuns, hasRightToLeft, shownBackwards, startsFromRight } from "./bidi.ts";
import type { Face, FaceRun } from "./faces.ts";

/** Smallest size that text is shrunk to, in points; below it print cannot be read. */
const MIN_SIZE = 4;
/** Largest size of automatic text over several lines, in points, as Acrobat has it. */
const MAX_MULTILINE_SIZE = 12;
/** Steps of a size that is sought, in points. */
const SIZE_STEP = 0.25;
/** Distance of baselines, in sizes. */
const LEADING = 1.15;
/** Height of a line that automatic text fills, in sizes: ascent, descent and air (as pdf.js and PDFBox have it). */
const LINE_HEIGHT = 1.25;

export type Quadding = 0 | 1 | 2;

/** Parts text into runs of one face. */
export type FaceRuns = (text: string) => Promise<FaceRun[]>;

/** Text of one face at a place. */
export interface PlacedRun {
  face: Face;
  /** Hexadecimal digits of the codes. */
  codes: string;
  size: number;
  x: number;
  y: number;
}

export interface TextBox {
  width: number;
  height: number;
  /** Free space at each side. */
  padding: number;
  /** 0: as large as fits. */
  size: number;
  quadding: Quadding;
}

/** A line of measured runs, in the order shown. */
interface Line {
  runs: { face: Face; text: string; width: number }[];
  /** Ems. */
  width: number;
  fromRight: boolean;
}

async function measureLine(text: string, faceRuns: FaceRuns, fromRight: boolean): Promise<Line> {
  const runs: Line["runs"] = [];
  for (const directed of directedRuns(text, fromRight)) {
    const parts = await faceRuns(directed.text);
    if (directed.rightToLeft) parts.reverse();
    for (const { face, text: part } of parts) {
      // Fonts turn words of right-to-left scripts when they shape them, and nothing else.
      const shown = directed.rightToLeft && !hasRightToLeft(part) ? shownBackwards(part) : part;
      runs.push({ face, text: shown, width: face.width(shown) });
    }
  }
  return { runs, width: runs.reduce((sum, run) => sum + run.width, 0), fromRight };
}

/** Text from right to left begins at the right unless the field says otherwise. */
const quaddingOf = ({ quadding }: TextBox, fromRight: boolean): Quadding =>
  quadding === 0 && fromRight ? 2 : quadding;

/** Left edge of a line of a width. */
function startOf(box: TextBox, width: number, fromRight: boolean): number {
  const free = box.width - 2 * box.padding - width;
  return box.padding + Math.max(0, (free * quaddingOf(box, fromRight)) / 2);
}

/** The size of text in one line: the field's, or what fills the box's height; smaller where `most` is. */
function sizeOf(box: TextBox, most: number): number {
  const wanted = box.size > 0 ? box.size : (box.height - box.padding) / LINE_HEIGHT;
  return Math.max(MIN_SIZE, Math.min(wanted, most));
}

/** The baseline of lines in the middle of the box's height. */
function middleBaseline({ height }: TextBox, lines: readonly Line[], size: number): number {
  const { capHeight, descent } = tallest(lines);
  return (height - (capHeight - descent) * size) / 2 - descent * size;
}

function placeLine(line: Line, size: number, x: number, y: number): PlacedRun[] {
  let at = x;
  return line.runs.map(({ face, text, width }) => {
    const placed = { face, codes: face.encode(text), size, x: at, y };
    at += width * size;
    return placed;
  });
}

const tallest = (lines: readonly Line[]): Pick<Face, "ascent" | "descent" | "capHeight"> => {
  const faces = lines.flatMap(({ runs }) => runs.map(({ face }) => face));
  return {
    ascent: Math.max(0.5, ...faces.map(({ ascent }) => ascent)),
    descent: Math.min(-0.15, ...faces.map(({ descent }) => descent)),
    capHeight: Math.max(0.5, ...faces.map(({ capHeight }) => capHeight)),
  };
};

/** Sets one line, in the middle of the box's height; text that is too long is shrunk. */
export async function setLine(text: string, box: TextBox, faceRuns: FaceRuns): Promise<PlacedRun[]> {
  const fromRight = startsFromRight(text);
  const line = await measureLine(text, faceRuns, fromRight);
  if (line.runs.length === 0) return [];
  const room = Math.max(1, box.width - 2 * box.padding);
  const size = sizeOf(box, room / Math.max(line.width, 0.01));
  const y = middleBaseline(box, [line], size);
  return placeLine(line, size, startOf(box, line.width * size, fromRight), y);
}

/** Sets each character in the middle of its cell. */
export async function setComb(text: string, box: TextBox, cells: number, faceRuns: FaceRuns): Promise<PlacedRun[]> {
  const characters: Line[] = [];
  const fromRight = startsFromRight(text);
  const shown = Array.from(new Intl.Segmenter("und").segment(text), ({ segment }) => segment);
  for (const character of fromRight ? shown.reverse() : shown) {
    characters.push(await measureLine(character, faceRuns, false));
  }
  const cell = box.width / cells;
  const widest = Math.max(0.01, ...characters.map(({ width }) => width));
  const size = sizeOf(box, cell / widest);
  const y = middleBaseline(box, characters, size);
  const free = cells - characters.length;
  const first = Math.max(0, Math.floor((free * quaddingOf(box, fromRight)) / 2));
  return characters.flatMap((line, index) =>
    placeLine(line, size, (first + index + 0.5) * cell - (line.width * size) / 2, y),
  );
}

/** A piece of a paragraph that lines break between: a word with the blanks after it. */
interface Piece {
  text: string;
  /** Ems, with and without the blanks. */
  width: number;
  inked: number;
}

/** Scripts that break between any two characters. */
const BREAKS_ANYWHERE = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/u;

class Pieces {
  readonly #faceRuns: FaceRuns;
  readonly #known = new Map<string, number>();

  constructor(faceRuns: FaceRuns) {
    this.#faceRuns = faceRuns;
  }

  async widthOf(text: string): Promise<number> {
    let width = this.#known.get(text);
    if (width === undefined) {
      const runs = await this.#faceRuns(text);
      width = runs.reduce((sum, run) => sum + run.face.width(run.text), 0);
      this.#known.set(text, width);
    }
    return width;
  }

  async of(paragraph: string): Promise<Piece[]> {
    const pieces: Piece[] = [];
    for (const word of paragraph.match(/\S+\s*|\s+/gu) ?? []) {
      const parts = BREAKS_ANYWHERE.test(word) ? Array.from(word) : [word];
      for (const text of parts) {
        const inked = text.trimEnd();
        pieces.push({ text, width: await this.widthOf(text), inked: await this.widthOf(inked) });
      }
    }
    return pieces;
  }

  /** Cuts a piece that is wider than a line. @param room ems */
  async cut({ text }: Piece, room: number): Promise<Piece[]> {
    const parts: Piece[] = [];
    let [part, width] = ["", 0];
    for (const character of text) {
      const own = await this.widthOf(character);
      if (part !== "" && width + own > room) {
        parts.push({ text: part, width, inked: width });
        [part, width] = ["", 0];
      }
      part += character;
      width += own;
    }
    parts.push({ text: part, width, inked: width });
    return parts;
  }
}

/** Breaks paragraphs of pieces into lines. @param room ems @returns the texts of the lines */
async function breakLines(paragraphs: readonly Piece[][], room: number, pieces: Pieces): Promise<string[][]> {
  const broken: string[][] = [];
  for (const paragraph of paragraphs) {
    const lines: string[] = [];
    let [line, width] = ["", 0];
    const take = (piece: Piece): void => {
      if (line !== "" && width + piece.inked > room) {
        lines.push(line);
        [line, width] = ["", 0];
      }
      line += piece.text;
      width += piece.width;
    };
    for (const piece of paragraph) {
      if (piece.inked <= room) take(piece);
      else for (const part of await pieces.cut(piece, room)) take(part);
    }
    broken.push([...lines, line]);
  }
  return broken;
}

const countLines = (broken: readonly string[][]): number => broken.reduce((sum, lines) => sum + lines.length, 0);

/**
 * Sets text over lines from the top; text that does not fit is shrunk. Each size tried costs time in proportion to the
 * text.
 */
export async function setLines(text: string, box: TextBox, faceRuns: FaceRuns): Promise<PlacedRun[]> {
  const pieces = new Pieces(faceRuns);
  const texts = text.split("\n");
  const paragraphs: Piece[][] = [];
  for (const paragraph of texts) paragraphs.push(await pieces.of(paragraph));
  const room = Math.max(1, box.width - 2 * box.padding);
  const height = Math.max(1, box.height - 2 * box.padding);
  const fits = async (size: number): Promise<boolean> =>
    countLines(await breakLines(paragraphs, room / size, pieces)) * LEADING * size <= height;
  const largest = Math.max(MIN_SIZE, box.size > 0 ? box.size : MAX_MULTILINE_SIZE);
  const size = await largestSize(largest, fits);
  const broken = await breakLines(paragraphs, room / size, pieces);
  const lines: Line[] = [];
  for (const [index, paragraph] of broken.entries()) {
    const fromRight = startsFromRight(texts[index] ?? "");
    for (const line of paragraph) lines.push(await measureLine(line.trimEnd(), faceRuns, fromRight));
  }
  const { ascent } = tallest(lines);
  const top = box.height - box.padding - ascent * size;
  return lines.flatMap((line, index) =>
    placeLine(line, size, startOf(box, line.width * size, line.fromRight), top - index * LEADING * size),
  );
}

/** The largest size of `MIN_SIZE` and above, in steps, that fits; `MIN_SIZE` when none does. */
async function largestSize(largest: number, fits: (size: number) => Promise<boolean>): Promise<number> {
  if (await fits(largest)) return largest;
  let [low, high] = [0, Math.max(0, Math.ceil((largest - MIN_SIZE) / SIZE_STEP))];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await fits(MIN_SIZE + middle * SIZE_STEP)) low = middle;
    else high = middle;
  }
  return MIN_SIZE + low * SIZE_STEP;
}
