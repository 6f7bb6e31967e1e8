/** Confidence of a page's words. */
import type { Word } from "../../../ports/layout.ts";

export interface ConfidenceDetails {
  /** Mean without the tenth of the words at either end, 0 to 1. */
  meanTrimmed: number;
  /** Shares of the words with 0.9 and more, 0.7 to 0.9, less. */
  highConfidenceRatio: number;
  midConfidenceRatio: number;
  lowConfidenceRatio: number;
}

const HIGH_CONFIDENCE = 0.9;
const MID_CONFIDENCE = 0.7;
const TRIMMED_SHARE = 0.1;

export const round = (value: number): number => Math.round(value * 1000) / 1000;

/** Confidence of words that needed no recognition. */
const CERTAIN_WORDS: ConfidenceDetails = {
  meanTrimmed: 1,
  highConfidenceRatio: 1,
  midConfidenceRatio: 0,
  lowConfidenceRatio: 0,
};

/** Summarises the confidence of words; words of the file itself have 1. Null for no words. */
export function confidenceOf(words: readonly Pick<Word, "confidence">[]): ConfidenceDetails | null {
  if (words.length === 0) return null;
  if (words.every(({ confidence }) => confidence === undefined)) return { ...CERTAIN_WORDS };
  const values = Float64Array.from(words, ({ confidence = 1 }) => confidence).sort();
  const cut = Math.floor(values.length * TRIMMED_SHARE);
  const kept = values.subarray(cut, values.length - cut);
  const shareOf = (test: (value: number) => boolean): number => values.filter(test).length / values.length;
  return {
    meanTrimmed: round(kept.reduce((sum, value) => sum + value, 0) / kept.length),
    highConfidenceRatio: round(shareOf((value) => value >= HIGH_CONFIDENCE)),
    midConfidenceRatio: round(shareOf((value) => value >= MID_CONFIDENCE && value < HIGH_CONFIDENCE)),
    lowConfidenceRatio: round(shareOf((value) => value < MID_CONFIDENCE)),
  };
}
