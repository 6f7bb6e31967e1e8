/**
 * Reads a page in recognition passes, as many as its level and its state ask for. A pass recognises the whole page, a
 * strip of it, or the ink that the passes before did not read.
 */

import { mapBox, scaling } from "../../../engine/imaging/affine.ts";
import { cutBox, type GrayImage } from "../../../engine/imaging/gray-image.ts";
import { blankOut, type Preparation, type PreparedPicture } from "../../../engine/imaging/prepare-picture.ts";
import type { QuarterTurns } from "../../../engine/imaging/skew.ts";
import { median, unionBox } from "../../../engine/layout/geometry.ts";
import type { Box } from "../../../ports/layout.ts";
import type { OcrLevel } from "../../../ports/ocr.ts";
import { crossesWord, formColumn, keepOnlyBoxes, passagesBesideWords, stackedWords } from "./rows.ts";
import type { ReadWord } from "./tsv.ts";
import { certainLetters, findStrayInk, meanConfidence, mergeWords, withoutNoise } from "./words.ts";

/** Tesseract's page segmentation modes (tesseract --help-psm). */
export const MODES = { page: 3, block: 6, sparse: 11 } as const;
export type Mode = (typeof MODES)[keyof typeof MODES];

/** Tesseract's variables (tesseract --print-parameters), the same in every pass; they save time and change no word. */
export const VARIABLES = {
  tessedit_do_invert: "0", // white on black was turned when the picture was prepared
  paragraph_text_based: "0", // lines are arranged by our own rules
} as const;

/** Operations of a pass; the engine chooses where they run. */
export interface RecognitionTools {
  /**
   * Least share of the pieces of ink that no word covers for a second pass. It counts pieces, not ink: a drawing has
   * more ink than all the letters around it.
   */
  readonly minStrayShare: number;
  /** The same for pieces beside read words and a pass along their rows; a column of such pieces is always worth one. */
  readonly minRowStrayShare: number;
  /** True if there is time for another pass, which takes `passes` times as long as the longest one so far. */
  hasTime(passes: number): boolean;
  prepare(preparation: Preparation, maxDpi: number): Promise<PreparedPicture>;
  recognize(gray: GrayImage, dpi: number, mode: Mode): Promise<ReadWord[]>;
}

export interface PageReading {
  prepared: PreparedPicture;
  words: ReadWord[];
  /** Share of the ink that no word covers, 0 to 1. */
  strayInk: number;
}

/** Pages whose median letter is lower than this are enlarged: at 100 dpi that halves the errors. */
const MIN_LETTER_HEIGHT_PIXELS = 14;
const PREMIUM_MIN_LETTER_HEIGHT_PIXELS = 20;
const MAX_DPI: Record<OcrLevel, number> = { LOW: 200, DEFAULT: 300, PREMIUM: 400 };

/** Confidence of letters that need no second pass. */
const SURE_CONFIDENCE = 0.5;
/** Pieces of stray ink that are worth a second pass; fewer are no text. */
const MIN_STRAY_PIECES = 12;
/** Pieces beside words that are worth a pass along rows: two may be a column of figures. */
const MIN_ROW_PIECES = 2;
/** Ink of a letter, as a share of the median piece's: from an i or 1 to a capital of a heading. */
const MIN_LETTER_INK_SHARE = 0.3;
const MAX_LETTER_INK_SHARE = 4;
/** Pixels along a side that a letter needs at least. */
const MIN_SIDE_PIXELS = 8;
/** Pieces of ink; a page with fewer is nearly white. */
const MIN_INK_PIECES = 300;
/** Mean confidence below which a page may be upside down or sideways. */
const DOUBTFUL_CONFIDENCE = 0.55;
/** The same for the share of pieces of ink that are certain letters. */
const MIN_LETTER_SHARE = 0.3;
/** Factor by which another turn must read better than the first. */
const BETTER_TURN_RATIO = 1.3;
const STRIP_HEIGHT_INCHES = 1.2;
/** Margin around covered words, in heights: their boxes are sometimes smaller than their ink. */
const COVER_MARGIN_HEIGHTS = 0.12;
/** Inches of paper around a recognised part: where its edges are known, and where only the middles of letters are. */
const EDGE_MARGIN_INCHES = 0.15;
const MIDDLE_MARGIN_INCHES = 0.5;
/**
 * Share of the pieces of ink in no word, as on photos, from which the rows that were read are no measure: the pass
 * covers everything between them.
 */
const MUCH_STRAY_SHARE = 0.4;
/** Inches around a part of a row that is read again: less than the distance to the rows and words beside it. */
const ROW_MARGIN_INCHES = 0.02;
/** Margin of confidence by which a later reading of a word must be better. */
const LATER_PASS_MARGIN = 0.02;
/**
 * Least confidence of a word and of its line in a later pass, which reads what is hard to read, and what is no text.
 */
const LATER_PASS_MIN_CONFIDENCE = 0.4;
const LATER_PASS_LINE_CONFIDENCE = 0.6;
/**
 * Confidence from which a word of letters counts in any line: a picture's grain is read into lines, and makes them
 * unlikely. Numbers do not count: read again in such a line, one replaced a right one.
 */
const LONE_WORD_CONFIDENCE = 0.75;
const THREE_LETTERS = /\p{L}{3}/u;

const ALL_QUARTERS: readonly QuarterTurns[] = [0, 1, 2, 3];

/** Cuts out the strip of the picture with the most pieces of ink. */
function cutStrip({ gray, dpi, ink }: PreparedPicture): { strip: GrayImage; pieces: number } {
  const bin = 0.1 * dpi;
  const counts = new Float64Array(Math.ceil(gray.height / bin) + 1);
  for (let at = 1; at < ink.length; at += 3) {
    const place = Math.floor((ink[at] ?? 0) / bin);
    counts[place] = (counts[place] ?? 0) + 1;
  }
  const high = Math.round(STRIP_HEIGHT_INCHES / 0.1);
  let [best, from] = [-1, 0];
  for (let start = 0; start + high <= Math.max(counts.length, high); start += 1) {
    const sum = counts.subarray(start, start + high).reduce((total, count) => total + count, 0);
    if (sum > best) [best, from] = [sum, start];
  }
  const top = Math.min(Math.round(from * bin), gray.height - 1);
  const bottom = Math.min(Math.round((from + high) * bin), gray.height);
  return { strip: cutBox(gray, { left: 0, top, right: gray.width, bottom }), pieces: best };
}

/** Certain letters per piece of ink, in a strip of the page. */
async function scoreTurn(tools: RecognitionTools, prepared: PreparedPicture): Promise<number> {
  const { strip, pieces } = cutStrip(prepared);
  if (pieces <= 0 || Math.min(strip.width, strip.height) < MIN_SIDE_PIXELS) return 0;
  const words = await tools.recognize(strip, prepared.dpi, MODES.block);
  return certainLetters(words, SURE_CONFIDENCE) / pieces;
}

/** Test for pieces with about as much ink as a letter or figure: no speck, leader dot or frame. */
function letterLikeTest(ink: Float32Array): (piece: { ink: number }) => boolean {
  const usual = median(ink.filter((_, at) => at % 3 === 2));
  return (piece) => piece.ink >= MIN_LETTER_INK_SHARE * usual && piece.ink <= MAX_LETTER_INK_SHARE * usual;
}

/** Number of pieces of ink, which are letters for the most part. */
const pieceCount = ({ ink }: PreparedPicture): number => ink.length / 3;

/**
 * Recognises a part of a picture: on white margins the engine also searches for columns and lines, which takes a tenth
 * of the time of a page.
 * @param part pixels of the picture
 */
async function recognizePart(
  tools: RecognitionTools,
  { gray, dpi }: Pick<PreparedPicture, "gray" | "dpi">,
  mode: Mode,
  part: Box,
  marginInches = EDGE_MARGIN_INCHES,
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

const isSure = ({ confidence }: ReadWord): boolean => confidence >= SURE_CONFIDENCE;

const standsAlone = ({ text, confidence }: ReadWord): boolean =>
  confidence >= LONE_WORD_CONFIDENCE && THREE_LETTERS.test(text);

/** Words of a later pass that are more likely words than parts of a picture. */
function likelyWords(words: readonly ReadWord[]): ReadWord[] {
  const lines = [...Map.groupBy(words, ({ line }) => line).values()];
  const likely = lines.flatMap((line) =>
    meanConfidence(line) >= LATER_PASS_LINE_CONFIDENCE ? line : line.filter(standsAlone),
  );
  return withoutNoise(likely).filter(({ confidence }) => confidence >= LATER_PASS_MIN_CONFIDENCE);
}

interface PassResult {
  prepared: PreparedPicture;
  words: ReadWord[];
}

/** Reads the whole page. On a page with little ink, grain is removed first, or it would be taken for ink. */
function readWholePage(
  tools: RecognitionTools,
  { gray, dpi, ink, threshold, empty, bounds }: PreparedPicture,
): Promise<ReadWord[]> {
  if (empty || Math.min(gray.width, gray.height) < MIN_SIDE_PIXELS) return Promise.resolve([]);
  const picture = ink.length / 3 < MIN_INK_PIECES ? blankOut(gray, [], threshold) : gray;
  return recognizePart(tools, { gray: picture, dpi }, MODES.page, bounds);
}

/** The turn, of those given, that reads best in a strip of the page. */
async function findTurn(
  tools: RecognitionTools,
  quarters: readonly QuarterTurns[],
  prepare: (quarters: QuarterTurns) => Promise<PreparedPicture>,
): Promise<{ prepared: PreparedPicture; score: number } | undefined> {
  let best: { prepared: PreparedPicture; score: number } | undefined;
  for (const one of quarters) {
    if (best !== undefined && !tools.hasTime(0.3)) break;
    const prepared = await prepare(one);
    const score = await scoreTurn(tools, prepared);
    if (best === undefined || score > best.score) best = { prepared, score };
  }
  return best;
}

/**
 * Reads the page upright, once. Rows of letters tell the turn; where they say that the page is not upright, or the
 * words make no sense, strips of the page read in other turns decide.
 */
async function readUpright(tools: RecognitionTools, preparation: Preparation, maxDpi: number): Promise<PassResult> {
  const prepare = (quarters: QuarterTurns): Promise<PreparedPicture> =>
    tools.prepare({ ...preparation, quarters }, maxDpi);
  let prepared = await tools.prepare(preparation, maxDpi);
  const first = prepared.quarters;
  if (first !== 0) {
    const opposite = ALL_QUARTERS[(first + 2) % 4] ?? 0;
    const found = await findTurn(tools, [first, opposite, ...(opposite === 0 ? [] : [0 as const])], prepare);
    prepared = found?.prepared ?? prepared;
  }
  const words = await readWholePage(tools, prepared);
  const pieces = pieceCount(prepared);
  const score = certainLetters(words, SURE_CONFIDENCE) / Math.max(pieces, 1);
  const isDoubtful = meanConfidence(words) < DOUBTFUL_CONFIDENCE || score < MIN_LETTER_SHARE;
  if (!isDoubtful || pieces < MIN_STRAY_PIECES || !tools.hasTime(1.5)) return { prepared, words };
  const others = ALL_QUARTERS.filter((one) => one !== prepared.quarters);
  const found = await findTurn(tools, others, prepare);
  if (found === undefined || found.score < BETTER_TURN_RATIO * Math.max(score, 0.1)) return { prepared, words };
  return { prepared: found.prepared, words: await readWholePage(tools, found.prepared) };
}

/** Reads, in another mode, the ink that is left when certain words are covered. */
async function readStrayInk(tools: RecognitionTools, { prepared, words }: PassResult): Promise<ReadWord[]> {
  const { gray, dpi, ink, threshold } = prepared;
  const certain = withoutNoise(words).filter(isSure);
  const left = findStrayInk(ink, dpi, certain);
  const worthy = left.pieces >= Math.max(tools.minStrayShare * pieceCount(prepared), MIN_STRAY_PIECES);
  if (left.bounds === undefined || !worthy || !tools.hasTime(1)) return words;
  const covered = certain.map(({ box }) => {
    const margin = Math.max(COVER_MARGIN_HEIGHTS * (box.bottom - box.top) * dpi, 1);
    return {
      left: box.left * dpi - margin,
      top: box.top * dpi - margin,
      right: box.right * dpi + margin,
      bottom: box.bottom * dpi + margin,
    };
  });
  const rest = { gray: blankOut(gray, covered, threshold), dpi };
  const again = await recognizePart(tools, rest, MODES.sparse, left.bounds, MIDDLE_MARGIN_INCHES);
  return mergeWords(words, likelyWords(again), LATER_PASS_MARGIN);
}

/**
 * Reads rows with stray ink again, between the words beside it: read with its row, a figure alone in its column is
 * recognised. A column of such figures may also have been read as a line from top to bottom.
 */
async function readAlongRows(tools: RecognitionTools, { prepared, words }: PassResult): Promise<ReadWord[]> {
  const { gray, dpi, ink, bounds } = prepared;
  const stacked = stackedWords(words);
  const read = withoutNoise(words).filter((word) => !stacked.has(word));
  const left = findStrayInk(ink, dpi, read);
  const passages = passagesBesideWords(left.middles.filter(letterLikeTest(ink)), dpi, read.filter(isSure));
  const enough = passages.length >= tools.minRowStrayShare * pieceCount(prepared) || formColumn(passages);
  if (passages.length < MIN_ROW_PIECES || !enough || !tools.hasTime(1)) return words;
  const part = mapBox(unionBox(passages), scaling(dpi, dpi));
  const rows = { ...bounds, top: part.top, bottom: part.bottom };
  const again =
    left.pieces > MUCH_STRAY_SHARE * pieceCount(prepared)
      ? await recognizePart(tools, prepared, MODES.block, rows, MIDDLE_MARGIN_INCHES)
      : await recognizePart(
          tools,
          { gray: keepOnlyBoxes(gray, dpi, passages, ROW_MARGIN_INCHES), dpi },
          MODES.block,
          part,
        );
  const found = likelyWords(again);
  const isWrong = (word: ReadWord): boolean => stacked.has(word) && found.some(({ box }) => crossesWord(box, word.box));
  return mergeWords(
    words.filter((word) => !isWrong(word)),
    found,
    LATER_PASS_MARGIN,
  );
}

/** Reads a page. @param keepCheckboxes frames of checkboxes are letters in the page's script */
export async function readPicture(
  tools: RecognitionTools,
  level: OcrLevel,
  keepCheckboxes: boolean,
): Promise<PageReading> {
  const maxDpi = MAX_DPI[level];
  if (level === "LOW") {
    const prepared = await tools.prepare({ plain: true }, maxDpi);
    const words = withoutNoise(await readWholePage(tools, prepared));
    return { prepared, words, strayInk: findStrayInk(prepared.ink, prepared.dpi, words).share };
  }
  const upright = await readUpright(tools, { letterHeight: MIN_LETTER_HEIGHT_PIXELS, keepCheckboxes }, maxDpi);
  const { prepared } = upright;
  let words = await readStrayInk(tools, { prepared, words: await readAlongRows(tools, upright) });
  if (level === "PREMIUM" && !prepared.empty && tools.hasTime(1.5)) {
    const large = { letterHeight: PREMIUM_MIN_LETTER_HEIGHT_PIXELS, keepCheckboxes, quarters: prepared.quarters };
    const enlarged = await tools.prepare(large, maxDpi);
    const sparse = await recognizePart(tools, enlarged, MODES.sparse, enlarged.bounds);
    words = mergeWords(words, withoutNoise(sparse), LATER_PASS_MARGIN);
  }
  words = withoutNoise(words);
  return { prepared, words, strayInk: findStrayInk(prepared.ink, prepared.dpi, words).share };
}
