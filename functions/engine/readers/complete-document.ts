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
import { namePageRanges } from "../values/page-ranges.ts";
import type { EntryReader } from "./entry-reader.ts";
import { finishReading, type QualityFile, type ReadDocument } from "./finish-reading.ts";

export interface RecognisedPages {
  pages: OcrPage[];
  /** The engine's name. */
  engine: string;
  level: OcrLevel;
  ocr: OcrMode;
  /** Numbers of pages that could not be recognised. */
  unread: number[];
  /** Pages without a sufficient text layer that there was no time to recognise. */
  late?: number[];
  /** Pages with a text layer that there was no time to look at. */
  unseen?: number[];
  /** Recognised pages that there was no time to recognise again. */
  hurried?: number[];
  mayBeEmpty?: boolean;
}

/** Share of the counted letters from which all are found: the count is rough. */
const FOUND_LETTERS_SHARE = 0.5;

/** Sentences on pages that recognition did not read, or not as well as it could. */
function warningsOf({ unread, late = [], unseen = [], hurried = [], engine }: RecognisedPages): string[] {
  const warn = (pages: readonly number[], sentence: (named: string) => string): string[] =>
    pages.length === 0 ? [] : [sentence(namePageRanges(pages))];
  const why = engine === "" ? ": this deployment has no text recognition" : "";
  return [
    ...warn(unread, (named) => `The text of ${named} could not be recognised${why}`),
    ...warn(late, (named) => `There was no time to recognise the text of ${named}`),
    ...warn(unseen, (named) => `There was no time to look at pictures of ${named}, whose text is that of the file`),
    ...warn(hurried, (named) => `There was no time to recognise ${named} again with more care`),
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
  given: RecognisedPages,
  entryReader?: EntryReader,
): ReadDocument {
  const { pages, engine, level, ocr, hurried = [], mayBeEmpty = false } = given;
  const recognised = new Set(pages.map(({ page }) => page.number));
  const signs = new Map(quality.evidence.signs);
  const merged = pages.length === 0 ? layout : mergeOcr(layout, pages, engine, signs);
  const strayInk = new Map(quality.evidence.strayInk);
  const textInk = new Map(quality.evidence.textInk);
  const drawn = new Map(quality.evidence.drawn);
  for (const { page, strayInk: share, textInk: cells, drawn: own } of pages) {
    if (cells !== undefined) textInk.set(page.number, cells);
    if (share !== undefined) strayInk.set(page.number, share);
    if (own !== undefined) drawn.set(page.number, own);
  }
  for (const page of merged.pages) {
    const own = recognised.has(page.number) ? signs.get(page.number) : undefined;
    if (own !== undefined) signs.set(page.number, signsAfterRecognition(own, page));
  }
  const history = {
    requested: ocr,
    // A second look that there was no time for is none.
    effective: level === "PREMIUM" && (pages.length > 0 || hurried.length === 0) ? ("PREMIUM" as const) : ocr,
    warnings: [...quality.warnings, ...warningsOf(given)],
    signs,
    strayInk,
    textInk,
    drawn,
    mayBeEmpty,
  };
  if (ocr !== "AUTO" || level === "PREMIUM")
    return finishReading(withTablesOfText(merged, drawn, entryReader), history, []);
  const first = finishReading(merged, history, [...recognised]);
  const poor = first.quality.pages
    .filter(({ escalate, pageNumber }) => escalate && recognised.has(pageNumber))
    .map(({ pageNumber }) => pageNumber);
  return finishReading(poor.length > 0 ? merged : withTablesOfText(merged, drawn, entryReader), history, poor);
}

/** Adds tables and the places of forms, last: a page that is recognised again is compared word by word before. */
function withTablesOfText(
  layout: Layout,
  drawn: ReadonlyMap<number, OcrDrawing>,
  entryReader: EntryReader | undefined,
): Layout {
  const isRecognised = (page: Page): boolean => pageWords(page).some(({ source }) => source === "ocr");
  const pages = layout.pages.map((page) => {
    if (!isRecognised(page)) return page;
    const onPage = drawn.get(page.number) ?? { rules: [], bars: [] };
    const own = { rules: deskewBoxes(page, onPage.rules), bars: deskewBoxes(page, onPage.bars) };
    const tabled = withUprightPage(page, (upright) => withTables(upright, own));
    // The fields of a PDF's form are known from the file.
    const entries = page.entries ?? entryReader?.recognised(tabled, onPage) ?? [];
    return entries.length === 0 ? tabled : { ...tabled, entries };
  });
  return { ...layout, pages: withUprightPages(pages, joinTables) };
}
