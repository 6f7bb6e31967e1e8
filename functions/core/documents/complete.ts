/** Recognised pages put into what was read of a document. */
import { mergeOcr } from "../ocr/merge.ts";
import type { OcrLevel, OcrPage } from "../ocr/ports.ts";
import { withTables } from "../ocr/tables.ts";
import type { OcrMode } from "../ports.ts";
import { finishReading, type QualityFile, type ReadDocument } from "./finish.ts";
import { type Layout, type Page, pageWords } from "./layout.ts";
import { joinTables } from "./tables/join.ts";
import { inOwnFrame } from "./upright.ts";

export interface Recognition {
  pages: OcrPage[];
  /** The engine's name. */
  engine: string;
  level: OcrLevel;
  ocr: OcrMode;
  /** Numbers of pages that could not be recognised. */
  unread: number[];
  mayBeEmpty?: boolean;
}

const MOST_NAMED = 10;

function warningOf(unread: readonly number[], engine: string): string[] {
  if (unread.length === 0) return [];
  const named =
    unread.length > MOST_NAMED ? `${unread.length} pages` : `page${unread.length > 1 ? "s" : ""} ${unread.join(", ")}`;
  return [
    engine === ""
      ? `The text of ${named} could not be recognised: this deployment has no text recognition`
      : `The text of ${named} could not be recognised`,
  ];
}

/**
 * @returns the reading; pages are pending again where the mode is AUTO, they came out poor, and there is a higher level
 * @throws JobFailure (no text) when there is still none
 */
export function completeDocument(
  { layout, quality }: { layout: Layout; quality: QualityFile },
  { pages, engine, level, ocr, unread, mayBeEmpty = false }: Recognition,
): ReadDocument {
  const recognised = new Set(pages.map(({ page }) => page.number));
  const merged = pages.length === 0 ? layout : mergeOcr(layout, pages, engine);
  const strayInk = new Map(quality.evidence.strayInk);
  for (const { page, strayInk: share } of pages) if (share !== undefined) strayInk.set(page.number, share);
  const history = {
    requested: ocr,
    effective: level === "PREMIUM" ? ("PREMIUM" as const) : ocr,
    warnings: [...quality.warnings, ...warningOf(unread, engine)],
    signs: new Map(quality.evidence.signs),
    strayInk,
    mayBeEmpty,
  };
  if (ocr !== "AUTO" || level === "PREMIUM") return finishReading(tabulated(merged), history, []);
  const first = finishReading(merged, history, [...recognised]);
  const poor = first.quality.pages
    .filter(({ escalate, pageNumber }) => escalate && recognised.has(pageNumber))
    .map(({ pageNumber }) => pageNumber);
  return finishReading(poor.length > 0 ? merged : tabulated(merged), history, poor);
}

/** Tables come last: a page that is recognised again is compared word by word before. */
function tabulated(layout: Layout): Layout {
  const isRecognised = (page: Page): boolean => pageWords(page).some(({ source }) => source === "ocr");
  return {
    ...layout,
    pages: joinTables(layout.pages.map((page) => (isRecognised(page) ? inOwnFrame(page, withTables) : page))),
  };
}
