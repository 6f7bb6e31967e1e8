/**
 * How a page is read: looks at its picture, as many as its level and its state ask for. A look is a recognition of the
 * whole page, of a strip of it, or of what the looks before did not make out.
 */

import { mapBox, scaling } from "../../../engine/imaging/affine.ts";
import { cutBox, type Gray } from "../../../engine/imaging/gray-image.ts";
import { blank, type Preparation, type Prepared } from "../../../engine/imaging/prepare-picture.ts";
import type { Quarters } from "../../../engine/imaging/skew.ts";
import { median, unionBox } from "../../../engine/layout/geometry.ts";
import type { Box } from "../../../ports/layout.ts";
import type { OcrLevel } from "../../../ports/ocr.ts";
import { besideWords, crosses, haveColumn, keepBoxes, stackedWords } from "./rows.ts";
import type { ReadWord } from "./tsv.ts";
import { certainLetters, meanConfidence, mergeWords, strayInk, withoutNoise } from "./words.ts";

/** Tesseract's page segmentation modes (tesseract --help-psm). */
export const MODES = { page: 3, block: 6, sparse: 11 } as const;
export type Mode = (typeof MODES)[keyof typeof MODES];

/** Tesseract's variables (tesseract --print-parameters), the same in every look: what costs time and changes no word. */
export const VARIABLES = {
  tessedit_do_invert: "0", // white on black was turned when the picture was prepared
  paragraph_text_based: "0", // lines are arranged by our own rules
} as const;

/** What a look needs; where it is done is the engine's matter. */
export interface Tools {
  /**
   * Share of the pieces of ink that must be left over for another look at them to be worth its start. Not of the ink: a
   * drawing has more of it than all the letters around it.
   */
  readonly worth: number;
  /** The same of pieces beside words that were read, for a look along their rows; a column of them is always worth one. */
  readonly worthBeside: number;
  /** Whether the look now wanted, as long as so many of the first, still fits the time. */
  hasTime(looks: number): boolean;
  prepare(preparation: Preparation, mostDpi: number): Promise<Prepared>;
  recognize(gray: Gray, dpi: number, mode: Mode): Promise<ReadWord[]>;
}

export interface Reading {
  prepared: Prepared;
  words: ReadWord[];
  /** Share of the ink that no word covers. */
  strayInk: number;
}

/** Pages whose letters are lower in the median, in pixels, are enlarged: at 100 dpi that halves the errors. */
const LETTER_HEIGHT = 14;
const PREMIUM_LETTER_HEIGHT = 20;
const MOST_DPI: Record<OcrLevel, number> = { LOW: 200, DEFAULT: 300, PREMIUM: 400 };

/** Less sure than this, letters are looked at again. */
const SURE = 0.5;
/** Ink left over in fewer pieces is no text. */
const WORTH_PIECES = 12;
/** Beside words that were read, a letter is a letter: two may be a column of figures. */
const WORTH_BESIDE = 2;
/** A letter has at least and at most so much of the usual piece's ink: an i or 1, and a capital of a heading. */
const LEAST_LETTER = 0.3;
const MOST_LETTER = 4;
/** Pixels; no letter has less room. */
const LEAST_SIDE = 8;
/** Fewer pieces of ink leave a page nearly white. */
const LITTLE_INK = 300;
/** A page whose letters are no surer than this may stand on its head or side. */
const DOUBTFUL = 0.55;
/** And one of whose pieces of ink so few are letters. */
const FEW_LETTERS = 0.3;
/** Another turn must read so much better than the first. */
const BETTER = 1.3;
/** Height of a strip, inches. */
const STRIP = 1.2;
/** Boxes are not always as large as their words; in heights. */
const COVER_MARGIN = 0.12;
/** Inches of paper around what is recognised, where its edges are known and where only the middles of letters are. */
const EDGE_MARGIN = 0.15;
const MIDDLE_MARGIN = 0.5;
/** Where so many of the pieces of ink are in no word, as on photos, the rows that were told are no measure: all between is looked at. */
const MUCH_LEFT = 0.4;
/** Inches around what is read once more of a row: not as much as the rows and words beside it are away. */
const ROW_MARGIN = 0.02;
/** How much surer a second look at a word must be. */
const SECOND_MARGIN = 0.02;
/** And how sure at least, by itself and with its line: it looks at what is hard to read, and at what is no text. */
const SECOND_LEAST = 0.4;
const SECOND_LIKELY = 0.6;
/**
 * A word in letters that is as sure as this is one in whatever line it stands: a picture's grain is read into lines, and
 * makes them unlikely. Not so a number: read once more in such a line, it replaced a right one.
 */
const ALONE_SURE = 0.75;
const LETTERS = /\p{L}{3}/u;

const ALL_QUARTERS: readonly Quarters[] = [0, 1, 2, 3];

/** The rows of the picture with the most ink. */
function cutStrip({ gray, dpi, ink }: Prepared): { strip: Gray; pieces: number } {
  const bin = 0.1 * dpi;
  const counts = new Float64Array(Math.ceil(gray.height / bin) + 1);
  for (let at = 1; at < ink.length; at += 3) {
    const place = Math.floor((ink[at] ?? 0) / bin);
    counts[place] = (counts[place] ?? 0) + 1;
  }
  const high = Math.round(STRIP / 0.1);
  let [best, from] = [-1, 0];
  for (let start = 0; start + high <= Math.max(counts.length, high); start += 1) {
    const sum = counts.subarray(start, start + high).reduce((total, count) => total + count, 0);
    if (sum > best) [best, from] = [sum, start];
  }
  const top = Math.min(Math.round(from * bin), gray.height - 1);
  const bottom = Math.min(Math.round((from + high) * bin), gray.height);
  return { strip: cutBox(gray, { left: 0, top, right: gray.width, bottom }), pieces: best };
}

/** Certain letters a piece of ink, in a strip of the page. */
async function tryTurn(tools: Tools, prepared: Prepared): Promise<number> {
  const { strip, pieces } = cutStrip(prepared);
  if (pieces <= 0 || Math.min(strip.width, strip.height) < LEAST_SIDE) return 0;
  const words = await tools.recognize(strip, prepared.dpi, MODES.block);
  return certainLetters(words, SURE) / pieces;
}

/** Whether a piece has about as much ink as a letter or figure has: not a speck, a leader's dot or a frame. */
function isLetterLike(ink: Float32Array): (piece: { ink: number }) => boolean {
  const usual = median(ink.filter((_, at) => at % 3 === 2));
  return (piece) => piece.ink >= LEAST_LETTER * usual && piece.ink <= MOST_LETTER * usual;
}

/** Pieces of ink, which are letters for the most part. */
const piecesOf = ({ ink }: Prepared): number => ink.length / 3;

/**
 * Recognises the part of a picture that has ink: white margins are looked through for columns and lines too, and take
 * a tenth of the time of a page.
 * @param part pixels of the picture
 */
async function recognizePart(
  tools: Tools,
  { gray, dpi }: Pick<Prepared, "gray" | "dpi">,
  mode: Mode,
  part: Box,
  marginInches = EDGE_MARGIN,
): Promise<ReadWord[]> {
  const margin = marginInches * dpi;
  const box = {
    left: Math.max(Math.floor(part.left - margin), 0),
    top: Math.max(Math.floor(part.top - margin), 0),
    right: Math.min(Math.ceil(part.right + margin), gray.width),
    bottom: Math.min(Math.ceil(part.bottom + margin), gray.height),
  };
  const [x, y] = [box.left / dpi, box.top / dpi];
  const words = await tools.recognize(cutBox(gray, box), dpi, mode);
  return words.map((word) => ({
    ...word,
    box: {
      left: word.box.left + x,
      top: word.box.top + y,
      right: word.box.right + x,
      bottom: word.box.bottom + y,
    },
  }));
}

const isSure = ({ confidence }: ReadWord): boolean => confidence >= SURE;

const standsAlone = ({ text, confidence }: ReadWord): boolean => confidence >= ALONE_SURE && LETTERS.test(text);

/** What a second look found that is more likely a word than a part of a picture. */
function foundAgain(words: readonly ReadWord[]): ReadWord[] {
  const lines = [...Map.groupBy(words, ({ line }) => line).values()];
  const likely = lines.flatMap((line) => (meanConfidence(line) >= SECOND_LIKELY ? line : line.filter(standsAlone)));
  return withoutNoise(likely).filter(({ confidence }) => confidence >= SECOND_LEAST);
}

interface Look {
  prepared: Prepared;
  words: ReadWord[];
}

/** A first look at all of it. Where there is little ink, grain must go before it is taken for some. */
function lookAt(tools: Tools, { gray, dpi, ink, threshold, empty, bounds }: Prepared): Promise<ReadWord[]> {
  if (empty || Math.min(gray.width, gray.height) < LEAST_SIDE) return Promise.resolve([]);
  const picture = ink.length / 3 < LITTLE_INK ? blank(gray, [], threshold) : gray;
  return recognizePart(tools, { gray: picture, dpi }, MODES.page, bounds);
}

/** The turn that reads best in a strip of the page, of those given. */
async function findTurn(
  tools: Tools,
  quarters: readonly Quarters[],
  prepare: (quarters: Quarters) => Promise<Prepared>,
): Promise<{ prepared: Prepared; score: number } | undefined> {
  let best: { prepared: Prepared; score: number } | undefined;
  for (const one of quarters) {
    if (best !== undefined && !tools.hasTime(0.3)) break;
    const prepared = await prepare(one);
    const score = await tryTurn(tools, prepared);
    if (best === undefined || score > best.score) best = { prepared, score };
  }
  return best;
}

/**
 * The page upright, read once. Rows of letters tell the turn; where they say that the page does not stand upright, or
 * what was read makes no sense, strips of the page read in other turns have the last word.
 */
async function readUpright(tools: Tools, preparation: Preparation, mostDpi: number): Promise<Look> {
  const prepare = (quarters: Quarters): Promise<Prepared> => tools.prepare({ ...preparation, quarters }, mostDpi);
  let prepared = await tools.prepare(preparation, mostDpi);
  const first = prepared.quarters;
  if (first !== 0) {
    const opposite = ALL_QUARTERS[(first + 2) % 4] ?? 0;
    const found = await findTurn(tools, [first, opposite, ...(opposite === 0 ? [] : [0 as const])], prepare);
    prepared = found?.prepared ?? prepared;
  }
  const words = await lookAt(tools, prepared);
  const pieces = piecesOf(prepared);
  const score = certainLetters(words, SURE) / Math.max(pieces, 1);
  const isDoubtful = meanConfidence(words) < DOUBTFUL || score < FEW_LETTERS;
  if (!isDoubtful || pieces < WORTH_PIECES || !tools.hasTime(1.5)) return { prepared, words };
  const others = ALL_QUARTERS.filter((one) => one !== prepared.quarters);
  const found = await findTurn(tools, others, prepare);
  if (found === undefined || found.score < BETTER * Math.max(score, 0.1)) return { prepared, words };
  return { prepared: found.prepared, words: await lookAt(tools, found.prepared) };
}

/** Another look, in another mode, at what is left when certain words are covered. */
async function lookAgain(tools: Tools, { prepared, words }: Look): Promise<ReadWord[]> {
  const { gray, dpi, ink, threshold } = prepared;
  const certain = withoutNoise(words).filter(isSure);
  const left = strayInk(ink, dpi, certain);
  const worthy = left.pieces >= Math.max(tools.worth * piecesOf(prepared), WORTH_PIECES);
  if (left.bounds === undefined || !worthy || !tools.hasTime(1)) return words;
  const covered = certain.map(({ box }) => {
    const margin = Math.max(COVER_MARGIN * (box.bottom - box.top) * dpi, 1);
    return {
      left: box.left * dpi - margin,
      top: box.top * dpi - margin,
      right: box.right * dpi + margin,
      bottom: box.bottom * dpi + margin,
    };
  });
  const rest = { gray: blank(gray, covered, threshold), dpi };
  const again = await recognizePart(tools, rest, MODES.sparse, left.bounds, MIDDLE_MARGIN);
  return mergeWords(words, foundAgain(again), SECOND_MARGIN);
}

/**
 * Another look at the rows in which something is left, between the words beside it: read with its row, a figure that
 * stood alone in its column is one. A column of such figures may also have been read as a line from top to bottom.
 */
async function lookAlongRows(tools: Tools, { prepared, words }: Look): Promise<ReadWord[]> {
  const { gray, dpi, ink, bounds } = prepared;
  const stacked = stackedWords(words);
  const read = withoutNoise(words).filter((word) => !stacked.has(word));
  const left = strayInk(ink, dpi, read);
  const passages = besideWords(left.middles.filter(isLetterLike(ink)), dpi, read.filter(isSure));
  const enough = passages.length >= tools.worthBeside * piecesOf(prepared) || haveColumn(passages);
  if (passages.length < WORTH_BESIDE || !enough || !tools.hasTime(1)) return words;
  const part = mapBox(unionBox(passages), scaling(dpi, dpi));
  const rows = { ...bounds, top: part.top, bottom: part.bottom };
  const again =
    left.pieces > MUCH_LEFT * piecesOf(prepared)
      ? await recognizePart(tools, prepared, MODES.block, rows, MIDDLE_MARGIN)
      : await recognizePart(tools, { gray: keepBoxes(gray, dpi, passages, ROW_MARGIN), dpi }, MODES.block, part);
  const found = foundAgain(again);
  const isWrong = (word: ReadWord): boolean => stacked.has(word) && found.some(({ box }) => crosses(box, word.box));
  return mergeWords(
    words.filter((word) => !isWrong(word)),
    found,
    SECOND_MARGIN,
  );
}

/**
 * Reads a page.
 * @param keepBoxes frames of check boxes are letters in the page's script
 */
export async function readPicture(tools: Tools, level: OcrLevel, keepBoxes: boolean): Promise<Reading> {
  const mostDpi = MOST_DPI[level];
  if (level === "LOW") {
    const prepared = await tools.prepare({ plain: true }, mostDpi);
    const words = withoutNoise(await lookAt(tools, prepared));
    return { prepared, words, strayInk: strayInk(prepared.ink, prepared.dpi, words).share };
  }
  const look = await readUpright(tools, { letterHeight: LETTER_HEIGHT, keepBoxes }, mostDpi);
  const { prepared } = look;
  let words = await lookAgain(tools, { prepared, words: await lookAlongRows(tools, look) });
  if (level === "PREMIUM" && !prepared.empty && tools.hasTime(1.5)) {
    const large = { letterHeight: PREMIUM_LETTER_HEIGHT, keepBoxes, quarters: prepared.quarters };
    const enlarged = await tools.prepare(large, mostDpi);
    const sparse = await recognizePart(tools, enlarged, MODES.sparse, enlarged.bounds);
    words = mergeWords(words, withoutNoise(sparse), SECOND_MARGIN);
  }
  words = withoutNoise(words);
  return { prepared, words, strayInk: strayInk(prepared.ink, prepared.dpi, words).share };
}
