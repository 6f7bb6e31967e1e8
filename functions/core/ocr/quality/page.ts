/**
 * How good the text of a page is. The rule:
 *
 * The score is a product of what speaks for the text, each 0 to 1:
 * - characters: 1 less three times the share of characters without a meaning (no Unicode value, private, replaced);
 * - language (language.ts): whether its letters stand as in words of a language;
 * - confidence, of recognised text: the trimmed mean of its words' (confidence.ts);
 * - ink, of recognised text: all but three tenths of it at worst, as the ink that no word covers goes from three tenths
 *   to all. Rules, logos and photos are such ink too, so it says little.
 *
 * What is told of it is its category, by which pipelines choose their way: Very Confident from 0.85, Confident from
 * 0.70, Likely Handwriting Problems from 0.40, Many Problems below and without words. What is done with it goes by its
 * grade: `good` is 0.8 and more, `fair` 0.5 and more, `poor` less, `empty` a page without words. To be read again with more
 * care (`escalate`) is a page whose text layer is poor; recognised text that is poor, or fair with more than a quarter
 * of its words below a confidence of 0.7; and a page on which nothing was recognised though most of its ink is left.
 */
import { type Page, pageWords } from "../../documents/layout.ts";
import type { PageSigns } from "../../documents/signs.ts";
import { type ConfidenceDetails, confidenceOf, round } from "./confidence.ts";
import { judgeLanguage } from "./language.ts";

export type QualityCategory = "Very Confident" | "Confident" | "Likely Handwriting Problems" | "Many Problems";

export type Grade = "good" | "fair" | "poor" | "empty";

export interface PageQuality {
  /** From 1. */
  pageNumber: number;
  /** Where its text is from. */
  source: "text" | "ocr";
  category: QualityCategory;
  grade: Grade;
  /** 0 to 1; 0 for an empty page. */
  score: number;
  /** Should be read again with more care. */
  escalate: boolean;
  /** Phrases: what speaks against it. */
  reasons: string[];
  wordCount: number;
  /** Null without words. */
  confidence: ConfidenceDetails | null;
}

export interface PageEvidence {
  page: Page;
  source: "text" | "ocr";
  /** Of its text layer. */
  signs?: PageSigns | undefined;
  /** Share of the page's ink that no word covers, where it was measured. */
  strayInk?: number | undefined;
}

const GOOD = 0.8;
const FAIR = 0.5;
const MEANINGLESS_WEIGHT = 3;
const USUAL_STRAY_INK = 0.3;
const STRAY_INK_WEIGHT = 0.3;
const MUCH_STRAY_INK = 0.5;
const MANY_LOW = 0.25;

/** Private use, not assigned, control characters, and what stands for a character that could not be decoded. */
const MEANINGLESS = /[\p{Co}\p{Cn}\p{Cc}\u{fffd}]/gu;

/** The categories' least scores. */
const CATEGORIES: readonly (readonly [number, QualityCategory])[] = [
  [0.85, "Very Confident"],
  [0.7, "Confident"],
  [0.4, "Likely Handwriting Problems"],
];

export const categoryOf = (score: number): QualityCategory =>
  CATEGORIES.find(([least]) => score >= least)?.[1] ?? "Many Problems";

export const gradeOf = (score: number): Exclude<Grade, "empty"> =>
  score >= GOOD ? "good" : score >= FAIR ? "fair" : "poor";

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function meaninglessShare(texts: readonly string[]): number {
  let all = 0;
  let meaningless = 0;
  for (const text of texts) {
    all += text.length;
    for (const [match] of text.matchAll(MEANINGLESS)) meaningless += match.length;
  }
  return all === 0 ? 0 : meaningless / all;
}

interface Factor {
  value: number;
  reason: string;
}

function textFactors({ page, source, signs }: PageEvidence): Factor[] {
  const texts = pageWords(page).map(({ text }) => text);
  const unmapped = source === "text" ? (signs?.unmappedShare ?? 0) : 0;
  const meaningless = Math.max(meaninglessShare(texts), unmapped);
  const language = judgeLanguage(texts);
  return [
    {
      value: Math.max(1 - MEANINGLESS_WEIGHT * meaningless, 0),
      reason: `${percent(meaningless)} of the characters have no meaning`,
    },
    { value: language.score, reason: "its letters do not stand as in words of a language" },
  ];
}

function recognitionFactors({ meanTrimmed }: ConfidenceDetails, strayInk: number): Factor[] {
  const stray = Math.max(strayInk - USUAL_STRAY_INK, 0) / (1 - USUAL_STRAY_INK);
  return [
    {
      value: meanTrimmed,
      reason: `its words were recognised with a confidence of ${meanTrimmed.toFixed(2)} on average`,
    },
    { value: 1 - STRAY_INK_WEIGHT * stray, reason: `${percent(strayInk)} of the ink is in no word` },
  ];
}

function judgeEmpty({ page, source, signs, strayInk = 0 }: PageEvidence): PageQuality {
  const left = source === "ocr" && strayInk > MUCH_STRAY_INK;
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

/** Text layers as they were judged: whether they need recognition and how good they are is one question, asked twice. */
const judged = new WeakMap<Page, { signs: PageSigns | undefined; quality: PageQuality }>();

/** Judges the text of one page, which must not change afterwards, by the rule above. */
export function judgePage(evidence: PageEvidence): PageQuality {
  const { page, source, signs, strayInk } = evidence;
  if (source !== "text" || strayInk !== undefined) return judge(evidence);
  const known = judged.get(page);
  if (known !== undefined && known.signs === signs) return known.quality;
  const quality = judge(evidence);
  judged.set(page, { signs, quality });
  return quality;
}

function judge(evidence: PageEvidence): PageQuality {
  const { page, source, strayInk = 0 } = evidence;
  const words = pageWords(page);
  const confidence = confidenceOf(words);
  if (confidence === null) return judgeEmpty(evidence);
  const factors = textFactors(evidence);
  if (source === "ocr") factors.push(...recognitionFactors(confidence, strayInk));
  const score = round(factors.reduce((product, { value }) => product * value, 1));
  const grade = gradeOf(score);
  const doubtful = source === "ocr" && grade === "fair" && confidence.lowConfidenceRatio > MANY_LOW;
  return {
    pageNumber: page.number,
    source,
    category: categoryOf(score),
    grade,
    score,
    escalate: grade === "poor" || doubtful,
    reasons: factors.filter(({ value }) => value < GOOD).map(({ reason }) => reason),
    wordCount: words.length,
    confidence,
  };
}
