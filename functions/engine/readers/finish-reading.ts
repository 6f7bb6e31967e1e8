/** Last passes of a reading: structure, quality, counts. */
import { JOB_SENTENCES, JobFailure } from "../../ports/errors.ts";
import type { Layout } from "../../ports/layout.ts";
import type { OcrDrawing, OcrMode, OcrTextInk } from "../../ports/ocr.ts";
import { textOnlyLayout } from "../exports/transcription/text-only-layout.ts";
import { withUprightPages } from "../layout/deskew.ts";
import { pageWords } from "../layout/page-words.ts";
import { type DocumentQuality, judgeDocument } from "../ocr/quality/document-quality.ts";
import type { TextLayerEvidence } from "../ocr/quality/page-evidence.ts";
import { unreadTextWarnings } from "../ocr/quality/unread-text.ts";
import { tieCaptions } from "../structure/figures/figure-captions.ts";
import { structureLayout } from "../structure/structure-layout.ts";
import type { ReadingFacts } from "./reading.ts";

/** The quality report with its evidence, kept for later recognition of more pages. */
export interface QualityFile extends DocumentQuality {
  evidence: {
    signs: [number, TextLayerEvidence][];
    strayInk: [number, number][];
    textInk?: [number, OcrTextInk][];
    /** Drawings of recognised pages. */
    drawn?: [number, OcrDrawing][];
  };
}

/** A document as far as it has been read. */
export interface ReadDocument {
  layout: Layout;
  quality: QualityFile;
  facts: ReadingFacts;
  /** Numbers of pages that still need OCR. */
  pending: number[];
  /** Pending pages whose text layer would suffice. */
  spare?: number[];
}

/** The way the text was found, for the report. */
export interface ReadingHistory {
  requested: OcrMode;
  effective: OcrMode;
  warnings: string[];
  signs: Map<number, TextLayerEvidence>;
  strayInk?: Map<number, number>;
  textInk?: ReadonlyMap<number, OcrTextInk>;
  drawn?: ReadonlyMap<number, OcrDrawing>;
  mayBeEmpty?: boolean;
}

/** Structures the blocks and links captions to figures, on pages turned upright. */
const structureUpright = (layout: Layout): Layout => ({
  ...layout,
  pages: withUprightPages(layout.pages, (pages) => structureLayout({ ...layout, pages }).pages.map(tieCaptions)),
});

/** Builds the layout and quality report of the current state. @throws JobFailure (no text) when nothing is pending */
export function finishReading(given: Layout, history: ReadingHistory, pending: number[]): ReadDocument {
  const { requested, effective, warnings, signs, strayInk = new Map<number, number>(), textInk, drawn } = history;
  const report = judgeDocument({
    layout: given,
    requestedOcrMode: requested,
    effectiveOcrMode: effective,
    escalatedToPremium: effective === "PREMIUM" && requested !== "PREMIUM",
    // While pages are pending, they may yet be read.
    warnings: pending.length > 0 ? warnings : [...warnings, ...unreadTextWarnings(textInk ?? new Map())],
    signs,
    strayInk,
    textInk,
  });
  const full = pending.length > 0 ? given : structureUpright(given);
  const layout = pending.length === 0 && requested === "LOW" ? textOnlyLayout(full) : full;
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
    ...(textInk === undefined || textInk.size === 0 ? {} : { textInk: [...textInk] }),
    // Tables are found once the last page is recognised.
    ...(pending.length === 0 || drawn === undefined ? {} : { drawn: [...drawn] }),
  };
  return { layout, quality: { ...report, evidence }, facts, pending };
}
