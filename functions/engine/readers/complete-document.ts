/** Merges recognised pages into the reading of a document. */
import type { Layout, Page } from "../../ports/layout.ts";
import type { OcrDrawing, OcrLevel, OcrMode, OcrPage } from "../../ports/ocr.ts";
import { deskewBoxes, withUprightPage, withUprightPages } from "../layout/deskew.ts";
import { pageWords } from "../layout/page-words.ts";
import { areaTest } from "../layout/word-places.ts";
import { mergeOcr } from "../ocr/merge/merge-ocr.ts";
import type { TextLayerEvidence } from "../ocr/quality/page-evidence.ts";
import { withTables } from "../ocr/tables-of-recognised-text.ts";
import { joinTables } from "../structure/tables/continued-tables.ts";
import { finishReading, type QualityFile, type ReadDocument } from "./finish-reading.ts";

export interface RecognisedPages {
  pages: OcrPage[];
  /** The engine's name. */
  engine: string;
  level: OcrLevel;
  ocr: OcrMode;
  /** Numbers of pages that could not be recognised. */
  unread: number[];
  /** Pages with a text layer that there was no time to look at. */
  unseen?: number[];
  mayBeEmpty?: boolean;
}

const MAX_NAMED_PAGES = 10;
/** Share of the counted letters from which all are found: the count is rough. */
const FOUND_LETTERS_SHARE = 0.5;

const namePages = (pages: readonly number[]): string =>
  pages.length > MAX_NAMED_PAGES ? `${pages.length} pages` : `page${pages.length > 1 ? "s" : ""} ${pages.join(", ")}`;

const unseenWarning = (unseen: readonly number[]): string[] =>
  unseen.length === 0
    ? []
    : [`There was no time to look at pictures of ${namePages(unseen)}, whose text is that of the file`];

function warningOf(unread: readonly number[], engine: string): string[] {
  if (unread.length === 0) return [];
  const named = namePages(unread);
  return [
    engine === ""
      ? `The text of ${named} could not be recognised: this deployment has no text recognition`
      : `The text of ${named} could not be recognised`,
  ];
}

/** Signs of a page's text layer after the page is recognised and merged. */
function signsAfterRecognition(signs: TextLayerEvidence, page: Page): TextLayerEvidence {
  const { unreadLetters = 0, garbled = [], ...rest } = signs;
  const words = pageWords(page).filter(({ source }) => source === "ocr");
  const left = garbled.filter((box) => !words.some(areaTest([box])));
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  const unread = signs.looked === true || letters < FOUND_LETTERS_SHARE * unreadLetters ? unreadLetters : 0;
  return {
    ...rest,
    unmappedShare: garbled.length === 0 ? rest.unmappedShare : (rest.unmappedShare * left.length) / garbled.length,
    ...(left.length === 0 ? {} : { garbled: left }),
    ...(unread === 0 ? {} : { unreadLetters: unread }),
    looked: true,
  };
}

/**
 * Completes a reading with recognised pages.
 * @returns the reading; pages are pending again where the mode is AUTO, they came out poor, and there is a higher level
 * @throws JobFailure (no text) where there is still none
 */
export function completeDocument(
  { layout, quality }: { layout: Layout; quality: QualityFile },
  { pages, engine, level, ocr, unread, unseen = [], mayBeEmpty = false }: RecognisedPages,
): ReadDocument {
  const recognised = new Set(pages.map(({ page }) => page.number));
  const signs = new Map(quality.evidence.signs);
  const merged = pages.length === 0 ? layout : mergeOcr(layout, pages, engine, signs);
  const strayInk = new Map(quality.evidence.strayInk);
  const drawn = new Map(quality.evidence.drawn);
  for (const { page, strayInk: share, drawn: own } of pages) {
    if (share !== undefined) strayInk.set(page.number, share);
    if (own !== undefined) drawn.set(page.number, own);
  }
  for (const page of merged.pages) {
    const own = recognised.has(page.number) ? signs.get(page.number) : undefined;
    if (own !== undefined) signs.set(page.number, signsAfterRecognition(own, page));
  }
  const history = {
    requested: ocr,
    effective: level === "PREMIUM" ? ("PREMIUM" as const) : ocr,
    warnings: [...quality.warnings, ...warningOf(unread, engine), ...unseenWarning(unseen)],
    signs,
    strayInk,
    drawn,
    mayBeEmpty,
  };
  if (ocr !== "AUTO" || level === "PREMIUM") return finishReading(withTablesOfText(merged, drawn), history, []);
  const first = finishReading(merged, history, [...recognised]);
  const poor = first.quality.pages
    .filter(({ escalate, pageNumber }) => escalate && recognised.has(pageNumber))
    .map(({ pageNumber }) => pageNumber);
  return finishReading(poor.length > 0 ? merged : withTablesOfText(merged, drawn), history, poor);
}

/** Adds tables, last: a page that is recognised again is compared word by word before. */
function withTablesOfText(layout: Layout, drawn: ReadonlyMap<number, OcrDrawing>): Layout {
  const isRecognised = (page: Page): boolean => pageWords(page).some(({ source }) => source === "ocr");
  const pages = layout.pages.map((page) => {
    if (!isRecognised(page)) return page;
    const { rules = [], bars = [] } = drawn.get(page.number) ?? {};
    const own = { rules: deskewBoxes(page, rules), bars: deskewBoxes(page, bars) };
    return withUprightPage(page, (upright) => withTables(upright, own));
  });
  return { ...layout, pages: withUprightPages(pages, joinTables) };
}
