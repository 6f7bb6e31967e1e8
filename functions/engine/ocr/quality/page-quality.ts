/**
 * Judges the quality of a page's text. The rule:
 *
 * The score is a product of factors, each 0 to 1:
 * - characters: 1 less three times the share of characters without a meaning (no Unicode value, private, replaced);
 * - language (language-fit.ts): how well its letters form words of a language;
 * - confidence, of recognised text: the trimmed mean of its words' (word-confidence.ts);
 * - ink, of recognised text: all but three tenths of it at worst, as the ink that no word covers goes from three tenths
 *   to all. Rules, logos and photos are such ink too, so it says little;
 * - unread text, of recognised text: the share of the ink that looks like text that is in words (unread-text.ts);
 * - runs, of a text layer: three quarters where whole runs of characters have no meaning, as of a font that maps its digits
 *   to private ones (readers/pdf/garbled-runs.ts): few of all characters, but perhaps all that matter;
 * - unread letters, of a text layer: the share of the page's letters that the text has, where about 30 and more stand in
 *   pictures or as drawn outlines only (readers/pdf/unread-letters.ts counts them). Once the page is recognised, letters
 *   that were not found count like other ink, three tenths at worst.
 *
 * The report names its category, by which pipelines branch: Very Confident from 0.85, Confident from 0.70, Likely
 * Handwriting Problems from 0.40, Many Problems below and without words. Its grade decides what is done with it: `good`
 * is 0.8 and more, `fair` 0.5 and more, `poor` less, `empty` a page without words. Pages to read again with more care
 * (`escalate`): a text layer that is poor, has garbled runs, or lacks letters that nobody has looked at; recognised text
 * that is poor, or fair with more than a quarter of its words below a confidence of 0.7 or with unread text; and a page on which nothing was
 * recognised though most of its ink is left.
 */
import type { Page } from "../../../ports/layout.ts";
import type { OcrTextInk } from "../../../ports/ocr.ts";
import { pageWords } from "../../layout/page-words.ts";
import { judgeLanguage } from "./language-fit.ts";
import type { TextLayerEvidence } from "./page-evidence.ts";
import { readTextFactor, unreadTextReason, unreadTextShare } from "./unread-text.ts";
import { type ConfidenceDetails, confidenceOf, round } from "./word-confidence.ts";

export type QualityCategory = "Very Confident" | "Confident" | "Likely Handwriting Problems" | "Many Problems";

export type Grade = "good" | "fair" | "poor" | "empty";

export interface PageQuality {
  /** From 1. */
  pageNumber: number;
  /** Source of its text. */
  source: "text" | "ocr";
  category: QualityCategory;
  grade: Grade;
  /** 0 to 1; 0 for an empty page. */
  score: number;
  /** True if it should be read again with more care. */
  escalate: boolean;
  /** Phrases that name its faults. */
  reasons: string[];
  wordCount: number;
  /** Null without words. */
  confidence: ConfidenceDetails | null;
}

export interface PageEvidence {
  page: Page;
  source: "text" | "ocr";
  /** Signs of its text layer. */
  signs?: TextLayerEvidence | undefined;
  /** Share of the page's ink that no word covers, where it is measured. */
  strayInk?: number | undefined;
  /** Ink that looks like text, where it is measured. */
  textInk?: OcrTextInk | undefined;
}

const GOOD_SCORE = 0.8;
const FAIR_SCORE = 0.5;
const MEANINGLESS_WEIGHT = 3;
const USUAL_STRAY_INK_SHARE = 0.3;
const STRAY_INK_WEIGHT = 0.3;
const MUCH_STRAY_INK_SHARE = 0.5;
const MANY_LOW_CONFIDENCE_SHARE = 0.25;
const GARBLED_RUNS_FACTOR = 0.75;
/** Letters that count as unread: five or six words; fewer are the name in a logo. */
const MIN_UNREAD_LETTERS = 30;

/** Private use, unassigned and control characters, and the replacement character. */
const MEANINGLESS = /[\p{Co}\p{Cn}\p{Cc}\u{fffd}]/gu;

/** Least scores of the categories. */
const CATEGORIES: readonly (readonly [number, QualityCategory])[] = [
  [0.85, "Very Confident"],
  [0.7, "Confident"],
  [0.4, "Likely Handwriting Problems"],
];

export const categoryOf = (score: number): QualityCategory =>
  CATEGORIES.find(([least]) => score >= least)?.[1] ?? "Many Problems";

export const gradeOf = (score: number): Exclude<Grade, "empty"> =>
  score >= GOOD_SCORE ? "good" : score >= FAIR_SCORE ? "fair" : "poor";

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function meaninglessShare(texts: readonly string[]): number {
  const all = texts.reduce((sum, text) => sum + text.length, 0);
  let meaningless = 0;
  for (const [match] of texts.join(" ").matchAll(MEANINGLESS)) meaningless += match.length;
  return all === 0 ? 0 : meaningless / all;
}

interface Factor {
  value: number;
  reason: string;
}

/** Estimated number of letters that its text layer lacks; 0 where they are too few to matter. */
export const unreadLetters = (signs: TextLayerEvidence | undefined): number => {
  const letters = signs?.unreadLetters ?? 0;
  return letters < MIN_UNREAD_LETTERS ? 0 : letters;
};

/** True if words of its text layer are to be replaced by recognised words at their places. */
export const hasGarbledRuns = (signs: TextLayerEvidence | undefined): boolean => (signs?.garbled?.length ?? 0) > 0;

const garbledFactor = (runs: number): Factor => ({
  value: GARBLED_RUNS_FACTOR,
  reason: `${runs === 1 ? "a run" : `${runs} runs`} of characters without a meaning`,
});

/** True if there are letters on the page that nobody has looked at yet. */
export const hidesLetters = (signs: TextLayerEvidence | undefined): boolean =>
  signs?.looked !== true && unreadLetters(signs) > 0;

function unreadFactor(texts: readonly string[], signs: TextLayerEvidence): Factor {
  const unread = unreadLetters(signs);
  const share = unread / (unread + texts.reduce((sum, text) => sum + text.length, 0));
  return {
    value: signs.looked === true ? 1 - STRAY_INK_WEIGHT * share : 1 - share,
    reason: `about ${unread} letters in pictures or drawn as shapes are not in its text`,
  };
}

function textFactors(texts: readonly string[], { source, signs }: PageEvidence): Factor[] {
  const unmapped = source === "text" ? (signs?.unmappedShare ?? 0) : 0;
  const meaningless = Math.max(meaninglessShare(texts), unmapped);
  const language = judgeLanguage(texts);
  return [
    {
      value: Math.max(1 - MEANINGLESS_WEIGHT * meaningless, 0),
      reason: `${percent(meaningless)} of the characters have no meaning`,
    },
    { value: language.score, reason: "its letters do not stand as in words of a language" },
    ...(hasGarbledRuns(signs) ? [garbledFactor(signs?.garbled?.length ?? 0)] : []),
    ...(unreadLetters(signs) > 0 && signs !== undefined ? [unreadFactor(texts, signs)] : []),
  ];
}

function recognitionFactors({ meanTrimmed }: ConfidenceDetails, { strayInk = 0, textInk }: PageEvidence): Factor[] {
  const stray = Math.max(strayInk - USUAL_STRAY_INK_SHARE, 0) / (1 - USUAL_STRAY_INK_SHARE);
  return [
    {
      value: meanTrimmed,
      reason: `its words were recognised with a confidence of ${meanTrimmed.toFixed(2)} on average`,
    },
    { value: 1 - STRAY_INK_WEIGHT * stray, reason: `${percent(strayInk)} of the ink is in no word` },
    { value: readTextFactor(textInk), reason: unreadTextReason(textInk) },
  ];
}

function judgeEmpty({ page, source, signs, strayInk = 0 }: PageEvidence): PageQuality {
  const left = source === "ocr" && strayInk > MUCH_STRAY_INK_SHARE;
  const drawn = left || signs?.drawn === true;
  return {
    pageNumber: page.number,
    source,
    category: categoryOf(0),
    grade: "empty",
    score: 0,
    escalate: left,
    reasons: [drawn ? "it has no words, though something is drawn on it" : "it has no words"],
    wordCount: 0,
    confidence: null,
  };
}

/** Verdicts on text layers: needing recognition, and quality, ask the same question twice. */
const judgedPages = new WeakMap<Page, { signs: TextLayerEvidence | undefined; quality: PageQuality }>();

/** Judges the text of one page, which must not change afterwards, by the rule above. */
export function judgePage(evidence: PageEvidence): PageQuality {
  const { page, source, signs, strayInk } = evidence;
  if (source !== "text" || strayInk !== undefined) return judge(evidence);
  const known = judgedPages.get(page);
  if (known !== undefined && known.signs === signs) return known.quality;
  const quality = judge(evidence);
  judgedPages.set(page, { signs, quality });
  return quality;
}

function judge(evidence: PageEvidence): PageQuality {
  const { page, source, signs, textInk } = evidence;
  const words = pageWords(page);
  const confidence = confidenceOf(words);
  if (confidence === null) return judgeEmpty(evidence);
  const texts = words.map(({ text }) => text);
  const factors = textFactors(texts, evidence);
  if (source === "ocr") factors.push(...recognitionFactors(confidence, evidence));
  const score = round(factors.reduce((product, { value }) => product * value, 1));
  const grade = gradeOf(score);
  const isUnsure = confidence.lowConfidenceRatio > MANY_LOW_CONFIDENCE_SHARE || unreadTextShare(textInk) > 0;
  const doubtful = source === "ocr" && grade === "fair" && isUnsure;
  return {
    pageNumber: page.number,
    source,
    category: categoryOf(score),
    grade,
    score,
    escalate: grade === "poor" || doubtful || hidesLetters(signs) || hasGarbledRuns(signs),
    reasons: factors.filter(({ value }) => value < GOOD_SCORE).map(({ reason }) => reason),
    wordCount: words.length,
    confidence,
  };
}
