/**
 * Reads a page in recognition passes, as many as its level and its state ask for. A pass recognises the whole page, a
 * strip of it, or the ink that the passes before did not read.
 */

import { mapBox, scaling } from "../../../engine/imaging/affine.ts";
import { blankOut, type PreparedPicture } from "../../../engine/imaging/prepare-picture.ts";
import { median, unionBox } from "../../../engine/layout/geometry.ts";
import type { OcrLevel } from "../../../ports/ocr.ts";
import { mergeReadings } from "./merge-readings.ts";
import { meanConfidence, mergeWords, withoutNoise } from "./merge-words.ts";
import {
  MIN_STRAY_PIECES,
  type PassResult,
  pieceCount,
  readUpright,
  readWholePage,
  recognizePart,
  SURE_CONFIDENCE,
} from "./read-upright.ts";
import { isReadDoubtfully } from "./reading-doubt.ts";
import { MODES, type RecognitionTools } from "./recognition-tools.ts";
import {
  crossesWord,
  formColumn,
  keepOnlyBoxes,
  type Passage,
  passagesBesideWords,
  stackedWords,
} from "./row-passages.ts";
import { findStrayInk } from "./stray-ink.ts";
import type { ReadWord } from "./tesseract-tsv.ts";

export interface PageReading {
  prepared: PreparedPicture;
  words: ReadWord[];
  /** Share of the ink that no word covers, 0 to 1. */
  strayInk: number;
}

/** Pages whose median letter is lower than this are enlarged: at 100 dpi that halves the errors. */
const MIN_LETTER_HEIGHT_PIXELS = 14;
const PREMIUM_MIN_LETTER_HEIGHT_PIXELS = 20;
/**
 * Mean confidence of a page's letters from which a second pass over all of it finds nothing: over 16 pages of the bench
 * `ocr`, clean and as scans, passes on the pages above it change the mean error from 0.053 to 0.053.
 */
const PREMIUM_SURE_CONFIDENCE = 0.94;
const MAX_DPI: Record<OcrLevel, number> = { LOW: 200, DEFAULT: 300, PREMIUM: 400 };
/** Pieces beside words that are worth a pass along rows: two may be a column of figures. */
const MIN_ROW_PIECES = 2;
/** Ink of a letter, as a share of the median piece's: from an i or 1 to a capital of a heading. */
const MIN_LETTER_INK_SHARE = 0.3;
const MAX_LETTER_INK_SHARE = 4;
/** Margin around covered words, in heights: their boxes are sometimes smaller than their ink. */
const COVER_MARGIN_HEIGHTS = 0.12;
/** Paper around a recognised part where only the middles of letters are known. */
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

/** Test for pieces with about as much ink as a letter or figure: no speck, leader dot or frame. */
function letterLikeTest(ink: Float32Array): (piece: { ink: number }) => boolean {
  const usual = median(ink.filter((_, at) => at % 3 === 2));
  return (piece) => piece.ink >= MIN_LETTER_INK_SHARE * usual && piece.ink <= MAX_LETTER_INK_SHARE * usual;
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

/**
 * Reads, in another mode, the ink that is left when certain words are covered.
 * @returns undefined where too little is left
 */
async function readStrayInk(tools: RecognitionTools, { prepared, words }: PassResult): Promise<ReadWord[] | undefined> {
  const { gray, dpi, ink, threshold } = prepared;
  const certain = withoutNoise(words).filter(isSure);
  const left = findStrayInk(ink, dpi, certain);
  const worthy = left.pieces >= Math.max(tools.minStrayShare * pieceCount(prepared), MIN_STRAY_PIECES);
  if (left.bounds === undefined || !worthy || !tools.hasTime(1)) return undefined;
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

interface UnreadParts {
  /** Words in lines from top to bottom. */
  stacked: Set<ReadWord>;
  /** Parts of rows with letters that no other word covers. */
  passages: Passage[];
  /** Pieces of ink that no other word covers. */
  pieces: number;
}

/** Finds what the words leave unread in their rows. */
function findUnread({ prepared: { ink, dpi }, words }: PassResult): UnreadParts {
  const stacked = stackedWords(words);
  const read = withoutNoise(words).filter((word) => !stacked.has(word));
  const left = findStrayInk(ink, dpi, read);
  const passages = passagesBesideWords(left.middles.filter(letterLikeTest(ink)), dpi, read.filter(isSure));
  return { stacked, passages, pieces: left.pieces };
}

/**
 * Reads rows with stray ink again, between the words beside it: read with its row, a figure alone in its column is
 * recognised. A column of such figures may also have been read as a line from top to bottom.
 */
async function readAlongRows(
  tools: RecognitionTools,
  { prepared, words }: PassResult,
  { stacked, passages, pieces }: UnreadParts,
): Promise<ReadWord[]> {
  const { gray, dpi, bounds } = prepared;
  const enough = passages.length >= tools.minRowStrayShare * pieceCount(prepared) || formColumn(passages);
  if (passages.length < MIN_ROW_PIECES || !enough || !tools.hasTime(1)) return words;
  const part = mapBox(unionBox(passages), scaling(dpi, dpi));
  const rows = { ...bounds, top: part.top, bottom: part.bottom };
  const again =
    pieces > MUCH_STRAY_SHARE * pieceCount(prepared)
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

/**
 * Reads again what the first pass missed. Where a column of figures is among it, rows come first: without them figures
 * are taken for letters, or lost, as the quantities of a receipt. Otherwise one pass is enough, over the stray ink where there is much: one along rows, after it,
 * finds no more.
 */
async function readAgain(tools: RecognitionTools, first: PassResult): Promise<ReadWord[]> {
  const unread = findUnread(first);
  const isTable = unread.stacked.size > 0 || formColumn(unread.passages);
  if (!isTable) return (await readStrayInk(tools, first)) ?? readAlongRows(tools, first, unread);
  const words = await readAlongRows(tools, first, unread);
  return (await readStrayInk(tools, { prepared: first.prepared, words })) ?? words;
}

/** Reads a doubtful page with the second recogniser too. @returns undefined where there is none, or no doubt */
async function lookAgain(tools: RecognitionTools, { prepared, words }: PassResult): Promise<ReadWord[] | undefined> {
  const first = withoutNoise(words);
  if (prepared.empty || !isReadDoubtfully(first, pieceCount(prepared))) return undefined;
  const second = await tools.lookAgain?.(prepared.gray, prepared.dpi);
  return second === undefined || second.length === 0 ? undefined : mergeReadings(first, second);
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
  let words = (await lookAgain(tools, upright)) ?? (await readAgain(tools, upright));
  const isDoubtful = meanConfidence(withoutNoise(words)) < PREMIUM_SURE_CONFIDENCE;
  if (level === "PREMIUM" && isDoubtful && !prepared.empty && tools.hasTime(1.5)) {
    const large = { letterHeight: PREMIUM_MIN_LETTER_HEIGHT_PIXELS, keepCheckboxes, quarters: prepared.quarters };
    const enlarged = await tools.prepare(large, maxDpi);
    const sparse = await recognizePart(tools, enlarged, MODES.sparse, enlarged.bounds);
    words = mergeWords(words, likelyWords(sparse), LATER_PASS_MARGIN);
  }
  words = withoutNoise(words);
  return { prepared, words, strayInk: findStrayInk(prepared.ink, prepared.dpi, words).share };
}
