/**
 * Merges the readings of two recognisers: of Tesseract, which knows accents and spaces, and of the second one, which
 * reads poor pictures better, but has few accented letters and swallows spaces.
 */
import { middleX, middleY, spanOverlap } from "../../../engine/layout/geometry.ts";
import type { Box } from "../../../ports/layout.ts";
import { alignCharacters, withoutAccents } from "./align-characters.ts";
import { meanConfidence, shareRow, WordIndex } from "./merge-words.ts";
import type { ReadWord } from "./tesseract-tsv.ts";

/** Words of one row that share this much of the narrower one's width are readings of the same ink. */
const SAME_INK_WIDTH_SHARE = 0.3;
/** Least confidence of a word that only Tesseract reads: the second recogniser sees no text there. */
const LONE_FIRST_CONFIDENCE = 0.75;
/** The same for a word that only the second one reads. */
const LONE_SECOND_CONFIDENCE = 0.6;
/** Longer readings of one place are taken as they are: so long is no word, but grain that covers many. */
const MAX_ALIGNED_CHARACTERS = 300;

/** A place that both have read, or one. */
interface Place {
  first: ReadWord[];
  second: ReadWord[];
}

/** True if two words are readings of the same ink. */
function readSameInk(a: Box, b: Box): boolean {
  const shared = spanOverlap(a.left, a.right, b.left, b.right);
  return shareRow(a, b) && shared >= SAME_INK_WIDTH_SHARE * Math.min(a.right - a.left, b.right - b.left);
}

/** Places of words: words are in one place if they are readings of the same ink, also by way of others. */
function findPlaces(first: readonly ReadWord[], second: readonly ReadWord[]): Place[] {
  const index = new WordIndex(first);
  const placeOf = new Map<ReadWord, Place>();
  for (const word of second) {
    const rivals = [...index.near(word.box)].flatMap((at) => {
      const other = first[at];
      return other !== undefined && readSameInk(word.box, other.box) ? [other] : [];
    });
    const joined = new Set(rivals.flatMap((rival) => placeOf.get(rival) ?? []));
    const place: Place = {
      first: [...new Set([...[...joined].flatMap((one) => one.first), ...rivals])],
      second: [...[...joined].flatMap((one) => one.second), word],
    };
    for (const one of [...place.first, ...place.second]) placeOf.set(one, place);
  }
  const alone = first.filter((word) => !placeOf.has(word)).map((word) => ({ first: [word], second: [] }));
  return [...new Set(placeOf.values()), ...alone];
}

/** Words in reading order: rows from the top, each from the left. */
function inOrder(words: readonly ReadWord[]): ReadWord[] {
  const rows = [...Map.groupBy(words, ({ line }) => line).values()].map((row) =>
    row.sort((a, b) => a.box.left - b.box.left),
  );
  return rows.sort(([a], [b]) => middleY(a?.box ?? NOWHERE) - middleY(b?.box ?? NOWHERE)).flat();
}

const NOWHERE: Box = { left: 0, top: 0, right: 0, bottom: 0 };

/** The part of a word from one character to another; its box in proportion. */
function cutWord(word: ReadWord, text: string, from: number, to: number): ReadWord {
  const step = (word.box.right - word.box.left) / word.text.length;
  const left = word.box.left + step * from;
  return { ...word, text, box: { ...word.box, left, right: word.box.left + step * to } };
}

/** The words of the second reading with the accents and spaces of the first, where their letters agree. */
function spellLike(first: readonly ReadWord[], second: readonly ReadWord[]): ReadWord[] {
  const [theirs, own] = [first.map(({ text }) => text).join(""), second.map(({ text }) => text).join("")];
  if (Math.max(theirs.length, own.length) > MAX_ALIGNED_CHARACTERS) return [...second];
  const partners = alignCharacters(own, theirs);
  const ends = new Set<number>();
  let end = 0;
  for (const { text } of first) {
    end += text.length;
    ends.add(end);
  }
  let start = 0;
  return second.flatMap((word) => {
    const parts: ReadWord[] = [];
    let [text, from] = ["", 0];
    for (let at = 0; at < word.text.length; at += 1) {
      const [partner, next] = [partners[start + at], partners[start + at + 1]];
      text += partner === undefined ? word.text[at] : theirs[partner];
      const isSpace = partner !== undefined && next === partner + 1 && ends.has(next);
      if (!isSpace || at === word.text.length - 1) continue;
      parts.push(cutWord(word, text, from, at + 1));
      [text, from] = ["", at + 1];
    }
    start += word.text.length;
    return [...parts, cutWord(word, text, from, word.text.length)];
  });
}

/** True if two readings have the same characters, apart from accents and spaces. */
function agree(first: readonly ReadWord[], second: readonly ReadWord[]): boolean {
  const [a, b] = [first, second].map((words) => withoutAccents(words.map(({ text }) => text).join("")));
  return a === b;
}

/**
 * Probability that a reading is right whose rival differs, from the confidences of two that err independently: one of
 * them is wrong, or both are.
 */
function againstRival(own: number, rival: number): number {
  const [right, wrong] = [own * (1 - rival), rival * (1 - own) + (1 - own) * (1 - rival)];
  return right + wrong === 0 ? 0 : right / (right + wrong);
}

/** The reading of a place that both have read. */
function readPlace({ first, second }: Place): ReadWord[] {
  const [theirs, own] = [inOrder(first), inOrder(second)];
  if (agree(theirs, own)) {
    const doubt = 1 - meanConfidence(own);
    return theirs.map((word) => ({ ...word, confidence: 1 - (1 - word.confidence) * doubt }));
  }
  const [a, b] = [meanConfidence(theirs), meanConfidence(own)];
  const won = b > a ? spellLike(theirs, own) : theirs;
  return won.map((word) => ({ ...word, confidence: againstRival(word.confidence, Math.min(a, b)) }));
}

/** The word of a line that stands nearest to the middle of another. */
function nearest(words: readonly ReadWord[], { box }: ReadWord): ReadWord | undefined {
  const distance = (word: ReadWord): number => Math.abs(middleX(word.box) - middleX(box));
  return words.reduce<ReadWord | undefined>(
    (best, word) => (best === undefined || distance(word) < distance(best) ? word : best),
    undefined,
  );
}

/**
 * Merges two readings of a picture. Where they agree, Tesseract's spelling stays; where they differ, the surer reading
 * wins; a word that only one has read must be sure. Words stand in the lines of the second reading: it follows the
 * curls of paper.
 */
export function mergeReadings(first: readonly ReadWord[], second: readonly ReadWord[]): ReadWord[] {
  const lines = second.reduce((most, { line }) => Math.max(most, line + 1), 0);
  const merged = findPlaces(first, second).flatMap((place) => {
    if (place.second.length === 0)
      return place.first
        .filter(({ confidence }) => confidence >= LONE_FIRST_CONFIDENCE)
        .map((word) => ({ ...word, line: word.line + lines }));
    if (place.first.length === 0) return place.second.filter(({ confidence }) => confidence >= LONE_SECOND_CONFIDENCE);
    return readPlace(place).map((word) => ({ ...word, line: nearest(place.second, word)?.line ?? word.line + lines }));
  });
  return [...Map.groupBy(merged, ({ line }) => line).values()].flatMap((line) =>
    line.sort((a, b) => a.box.left - b.box.left),
  );
}
