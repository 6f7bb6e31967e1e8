import { JOB_SENTENCES, JobFailure } from "../../ports/errors.ts";
import type { Layout } from "../../ports/layout.ts";
import type { OcrDrawing, OcrMode } from "../../ports/ocr.ts";
import { withoutPlaces } from "../exports/transcription/without-places.ts";
import { inOwnFrames } from "../layout/deskew.ts";
import { pageWords } from "../layout/page-words.ts";
import { type DocumentQuality, judgeDocument } from "../ocr/quality/document-quality.ts";
import type { PageSigns } from "../ocr/quality/page-evidence.ts";
import { tieCaptions } from "../structure/figures/figure-captions.ts";
import { structureLayout } from "../structure/structure-layout.ts";
import type { ReadingFacts } from "./reading.ts";

/** The quality report with what it was judged by, for when more pages are recognised. */
export interface QualityFile extends DocumentQuality {
  evidence: {
    signs: [number, PageSigns][];
    strayInk: [number, number][];
    /** What was drawn on pages that were recognised. */
    drawn?: [number, OcrDrawing][];
  };
}

/** A document as far as it is read. */
export interface ReadDocument {
  layout: Layout;
  quality: QualityFile;
  facts: ReadingFacts;
  /** Numbers of pages whose text is still to be recognised. */
  pending: number[];
  /** Those of them whose text layer would do. */
  spare?: number[];
}

/** How the text was found, for the report. */
export interface ReadingHistory {
  requested: OcrMode;
  effective: OcrMode;
  warnings: string[];
  signs: Map<number, PageSigns>;
  strayInk?: Map<number, number>;
  drawn?: ReadonlyMap<number, OcrDrawing>;
  mayBeEmpty?: boolean;
}

/** What its blocks are, and which captions are of which figures, told in the frame of each page's text. */
const structured = (layout: Layout): Layout => ({
  ...layout,
  pages: inOwnFrames(layout.pages, (pages) => structureLayout({ ...layout, pages }).pages.map(tieCaptions)),
});

/** Sets a page's layout and its report down as they are now. @throws JobFailure (no text) when nothing is to come */
export function finishReading(given: Layout, history: ReadingHistory, pending: number[]): ReadDocument {
  const { requested, effective, warnings, signs, strayInk = new Map<number, number>(), drawn } = history;
  const report = judgeDocument({
    layout: given,
    requestedOcrMode: requested,
    effectiveOcrMode: effective,
    escalatedToPremium: effective === "PREMIUM" && requested !== "PREMIUM",
    warnings,
    signs,
    strayInk,
  });
  const told = pending.length > 0 ? given : structured(given);
  const layout = pending.length === 0 && requested === "LOW" ? withoutPlaces(told) : told;
  const { provider, pageCount, pages } = layout;
  const facts: ReadingFacts = {
    provider,
    pageCount,
    wordCount: 0,
    characterCount: 0,
    quality: { score: report.score, category: report.category },
  };
  for (const page of pages) {
    const words = pageWords(page);
    facts.wordCount += words.length;
    for (const { text } of words) facts.characterCount += text.length;
  }
  if (facts.wordCount === 0 && pending.length === 0 && history.mayBeEmpty !== true)
    throw new JobFailure(JOB_SENTENCES.noText);
  const evidence = {
    signs: [...signs],
    strayInk: [...strayInk],
    // Tables come with the last page that is recognised.
    ...(pending.length === 0 || drawn === undefined ? {} : { drawn: [...drawn] }),
  };
  return { layout, quality: { ...report, evidence }, facts, pending };
}
