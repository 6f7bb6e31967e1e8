/** Judges a document: the quality report that GET /job/result/{guid}/ocr-quality answers. */

import type { Layout, Page } from "../../../ports/layout.ts";
import type { OcrMode, OcrTextInk } from "../../../ports/ocr.ts";
import { pageWords } from "../../layout/page-words.ts";
import type { TextLayerEvidence } from "./page-evidence.ts";
import { categoryOf, type Grade, gradeOf, judgePage, type PageQuality, type QualityCategory } from "./page-quality.ts";
import { type ConfidenceDetails, confidenceOf, round } from "./word-confidence.ts";

export interface DocumentQuality {
  version: 1;
  provider: string;
  requestedOcrMode: OcrMode;
  effectiveOcrMode: OcrMode;
  escalatedToPremium: boolean;
  /** Sentences. */
  warnings: string[];
  /** Same as score and category. */
  qualityScore: number;
  qualityCategory: QualityCategory;
  wordCount: number;
  /** All 0 for a document without words. */
  confidenceDetails: ConfidenceDetails;
  /** One sentence. */
  rationale: string;
  category: QualityCategory;
  /** 0 to 1. */
  score: number;
  /** True if some page should be read again with more care. */
  escalate: boolean;
  pages: PageQuality[];
}

export interface DocumentEvidence {
  layout: Layout;
  requestedOcrMode: OcrMode;
  /** Mode that was applied in the end. */
  effectiveOcrMode: OcrMode;
  escalatedToPremium?: boolean;
  warnings?: string[];
  /** By page number, where known. */
  signs?: ReadonlyMap<number, TextLayerEvidence>;
  strayInk?: ReadonlyMap<number, number>;
  textInk?: ReadonlyMap<number, OcrTextInk> | undefined;
}

const NO_CONFIDENCE: ConfidenceDetails = {
  meanTrimmed: 0,
  highConfidenceRatio: 0,
  midConfidenceRatio: 0,
  lowConfidenceRatio: 0,
};
/** Least weight of a page, in words: a title page is a page too. */
const MIN_PAGE_WEIGHT_WORDS = 20;
/** Pages that are named; of more, their number is given. */
const MAX_NAMED_PAGES = 5;

/** Source of most of its words; for a page without words, `ocr` where recognition ran. */
function sourceOf(page: Page, strayInk: DocumentEvidence["strayInk"]): "text" | "ocr" {
  const words = pageWords(page);
  if (words.length === 0) return strayInk?.has(page.number) === true ? "ocr" : "text";
  const recognised = words.reduce((sum, { source }) => sum + (source === "ocr" ? 1 : 0), 0);
  return 2 * recognised > words.length ? "ocr" : "text";
}

const count = (amount: number, one: string): string =>
  `${amount.toLocaleString("en-US")} ${one}${amount === 1 ? "" : "s"}`;

/** `pages 3 and 7`, `12 pages`; undefined for none. */
function namePages(pages: readonly PageQuality[]): string | undefined {
  if (pages.length === 0) return undefined;
  if (pages.length > MAX_NAMED_PAGES) return count(pages.length, "page");
  const numbers = pages.map(({ pageNumber }) => pageNumber);
  const last = numbers.pop();
  return numbers.length === 0 ? `page ${last}` : `pages ${numbers.join(", ")} and ${last}`;
}

function rationaleOf(grade: Grade, wordCount: number, pages: readonly PageQuality[]): string {
  if (grade === "empty") return `None of the ${count(pages.length, "page")} has words.`;
  const withWords = pages.filter((page) => page.grade !== "empty");
  const recognised = withWords.filter(({ source }) => source === "ocr").length;
  const layered = withWords.length - recognised;
  const sources = [
    ...(layered > 0 ? [`the text layer of ${count(layered, "page")}`] : []),
    ...(recognised > 0 ? [`the recognition of ${count(recognised, "page")}`] : []),
  ];
  const faults = (["poor", "fair", "empty"] as const).flatMap((kind) => {
    const named = namePages(pages.filter((page) => page.grade === kind));
    return named === undefined ? [] : [`${kind} on ${named}`];
  });
  const worst = [...withWords].sort((a, b) => a.score - b.score)[0];
  const why = worst !== undefined && worst.reasons.length > 0 ? ` (page ${worst.pageNumber}: ${worst.reasons[0]})` : "";
  const but = faults.length > 0 ? `; ${faults.join(", ")}${why}` : "";
  return `The text is ${grade}: ${count(wordCount, "word")} from ${sources.join(" and ")}${but}.`;
}

/** Mean of the pages' scores by their words; pages without words do not count. */
function scoreOf(pages: readonly PageQuality[]): number {
  let weights = 0;
  let sum = 0;
  for (const { grade, score, wordCount } of pages) {
    if (grade === "empty") continue;
    const weight = Math.max(wordCount, MIN_PAGE_WEIGHT_WORDS);
    weights += weight;
    sum += weight * score;
  }
  return weights === 0 ? 0 : round(sum / weights);
}

/** Judges every page (page-quality.ts) by the source of most of its words, and the document by their mean. */
export function judgeDocument(evidence: DocumentEvidence): DocumentQuality {
  const { layout, signs, strayInk, textInk } = evidence;
  const pages = layout.pages.map((page) =>
    judgePage({
      page,
      source: sourceOf(page, strayInk),
      signs: signs?.get(page.number),
      strayInk: strayInk?.get(page.number),
      textInk: textInk?.get(page.number),
    }),
  );
  const words = layout.pages.flatMap(pageWords);
  const score = scoreOf(pages);
  const grade = words.length === 0 ? "empty" : gradeOf(score);
  const category = categoryOf(score);
  return {
    version: 1,
    provider: layout.provider,
    requestedOcrMode: evidence.requestedOcrMode,
    effectiveOcrMode: evidence.effectiveOcrMode,
    escalatedToPremium: evidence.escalatedToPremium ?? false,
    warnings: evidence.warnings ?? [],
    qualityScore: score,
    qualityCategory: category,
    wordCount: words.length,
    confidenceDetails: confidenceOf(words) ?? NO_CONFIDENCE,
    rationale: rationaleOf(grade, words.length, pages),
    category,
    score,
    escalate: pages.some(({ escalate }) => escalate),
    pages,
  };
}
