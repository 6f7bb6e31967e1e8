/** Bytes to layout, with one reader a format, and the pages that need OCR. */
import { JOB_SENTENCES, JobFailure } from "../../ports/errors.ts";
import { type Block, type Box, LAYOUT_VERSION, type Layout, type Page } from "../../ports/layout.ts";
import { IMAGE_TYPES, PDF } from "../../ports/media-types.ts";
import type { OcrMode } from "../../ports/ocr.ts";
import { noSuchPages } from "../../ports/page-range.ts";
import { withUprightPages } from "../layout/deskew.ts";
import { pageWords } from "../layout/page-words.ts";
import { MAX_PICTURE_PIXELS, type TextLayerEvidence } from "../ocr/quality/page-evidence.ts";
import { hasFewWords, isGarbled, needsOcr } from "../ocr/quality/recognition-needs.ts";
import { joinTables } from "../structure/tables/continued-tables.ts";
import { namePageRanges } from "../values/page-ranges.ts";
import type { EntryReader, PageEntries } from "./entry-reader.ts";
import { finishReading, type ReadDocument } from "./finish-reading.ts";
import { readImageDocument } from "./images/image-document.ts";
import { type DrawnParts, drawnParts, newDrawingBudget, withDrawnParts } from "./pdf/drawn-blocks.ts";
import { withShownPdf } from "./pdf/optional-content.ts";
import { linkWords } from "./pdf/page-links.ts";
import type { PdfDocument } from "./pdf/pdf-document.ts";
import { textLayerEvidence } from "./pdf/pdf-page-evidence.ts";
import { boxInInches } from "./pdf/points-to-inches.ts";
import { readPdfPage } from "./pdf/read-pdf-page.ts";
import { SeenInk } from "./pdf/unread-letters.ts";
import type { ReadingOptions } from "./reading.ts";
import { TEXT_READERS } from "./text-formats.ts";

/** The layout of a reader, and the evidence on its pages by number. */
interface FirstReading {
  layout: Layout;
  /** Absent for formats that consist of text only. */
  signs?: Map<number, TextLayerEvidence>;
}

type Reader = (
  bytes: Uint8Array,
  options: ReadingOptions,
  entryReader?: EntryReader,
) => FirstReading | Promise<FirstReading>;

const pageFilter = ({ pageRange }: ReadingOptions): ((page: number) => boolean) => {
  const wanted = pageRange === undefined ? undefined : new Set(pageRange);
  return (page) => wanted?.has(page) ?? true;
};

/** The text of a comment, at the place of its mark on the page. */
function noteBlock({ text, box }: { text: string; box: Box }): Block {
  const place = boxInInches(box);
  const lines = text
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => line.split(/\s+/).filter((word) => word !== ""))
    .filter((words) => words.length > 0)
    .map((words) => ({ box: place, words: words.map((word) => ({ text: word, box: place })) }));
  return { kind: "note", box: place, lines };
}

/** Reads the pages of an open PDF. @param entriesOf finds the places of forms; absent: none are looked for */
function readPages(document: PdfDocument, options: ReadingOptions, entriesOf: PageEntries | undefined) {
  const wanted = pageFilter(options);
  const pages: Page[] = [];
  const signs = new Map<number, TextLayerEvidence>();
  const parts: DrawnParts[] = [];
  const budget = newDrawingBudget();
  const ink = new SeenInk();
  for (let number = 1; number <= document.pageCount; number += 1) {
    if (!wanted(number)) continue;
    document.withPage(number - 1, (page) => {
      const read = readPdfPage(page, number);
      const words = pageWords(read);
      if (page.links.length > 0) linkWords(words, page.links);
      const noted = { ...read, blocks: [...read.blocks, ...page.notes.map(noteBlock)] };
      const entries = entriesOf?.(noted, page) ?? [];
      pages.push(entries.length === 0 ? noted : { ...noted, entries });
      const seen = textLayerEvidence(page, ink, (cover) => options.ocr !== "NONE" && hasFewWords(words.length, cover));
      signs.set(number, seen);
      parts.push(drawnParts(page, read, seen, budget));
    });
  }
  const attachments = document.attachments();
  const facts = { pageCount: document.pageCount, ...(attachments.length > 0 ? { attachments } : {}) };
  return { pages, signs, parts, facts };
}

/** Opens a PDF once; one with a form again, as its fields are read from the file before its pages. */
async function readShownPages(bytes: Uint8Array, options: ReadingOptions, entryReader: EntryReader | undefined) {
  if (entryReader === undefined) return withShownPdf(bytes, (document) => readPages(document, options, undefined));
  const printed = await entryReader.open(bytes, false);
  const read = await withShownPdf(bytes, (document) =>
    document.hasForm ? undefined : readPages(document, options, printed),
  );
  if (read !== undefined) return read;
  const entriesOf = await entryReader.open(bytes, true);
  return withShownPdf(bytes, (document) => readPages(document, options, entriesOf));
}

const readPdf: Reader = async (bytes, options, entryReader) => {
  const { pages, signs, parts, facts } = await readShownPages(bytes, options, entryReader);
  const layout = { v: LAYOUT_VERSION, provider: "pdf-text", logicalPages: false, ...facts } as const;
  return { layout: { ...layout, pages: await withDrawnParts(withUprightPages(pages, joinTables), parts) }, signs };
};

/** Evidence on the page of an image: one picture and nothing else. */
const IMAGE_PAGE_EVIDENCE: TextLayerEvidence = {
  pictureCover: 1,
  hiddenShare: 0,
  unmappedShare: 0,
  largestPicture: 0,
  drawn: true,
};

const readImage: Reader = (bytes, options) => {
  const { pageCount, frames } = readImageDocument(bytes, options.mimeType);
  const wanted = pageFilter(options);
  const pages = frames.flatMap(({ width, height, rotation = 0 }, index): Page[] =>
    wanted(index + 1) ? [{ number: index + 1, width, height, unit: "inch", rotation, blocks: [] }] : [],
  );
  const signs = new Map(pages.map(({ number }) => [number, IMAGE_PAGE_EVIDENCE]));
  return { layout: { v: LAYOUT_VERSION, provider: "image", logicalPages: false, pageCount, pages }, signs };
};

/** Formats that consist of text only have no evidence of pictures. */
const textOnlyReaders = Object.entries(TEXT_READERS).map(([type, read]): [string, Reader] => [
  type,
  async (bytes, { mimeType, pageRange }) => ({ layout: await read(bytes, mimeType, pageRange) }),
]);

const READERS: Record<string, Reader> = { [PDF]: readPdf, ...Object.fromEntries(textOnlyReaders) };

/** Says which text layers would be recognised for what their characters mean. */
function garbledWarning(pages: readonly Page[], signs: ReadonlyMap<number, TextLayerEvidence>): string[] {
  const garbled = pages.filter((page) => isGarbled(page, signs.get(page.number))).map(({ number }) => number);
  return garbled.length === 0
    ? []
    : [
        `Characters on ${namePageRanges(garbled)} have no meaning, as their font does not say what they are; text recognition reads them`,
      ];
}

/**
 * Reads a document's text. Pages outside the page range are left out, pages that do not exist ignored. `pageCount`
 * counts the whole document; the counts of words and of their characters (without white space) cover the pages read.
 * `pending` lists the pages that need OCR; while there are some, headings, lists and running lines are not yet
 * recognised. At PREMIUM these are all pages with anything drawn on them; `spare` lists those whose text layer would
 * suffice.
 * @param entryReader finds the places of forms; absent: none are looked for
 * @throws JobFailure for a page range without an existing page, else with the contract's sentence: corrupted (also when one page is), password protected, text
 * extraction failed (no word anywhere, and no page pending), format not supported
 */
export async function readDocument(
  bytes: Uint8Array,
  options: ReadingOptions,
  entryReader?: EntryReader,
): Promise<ReadDocument> {
  const read = IMAGE_TYPES.has(options.mimeType) ? readImage : READERS[options.mimeType];
  if (read === undefined) throw new JobFailure(JOB_SENTENCES.unsupported);
  const { layout, signs } = await read(bytes, options, entryReader);
  const { pageRange } = options;
  if (pageRange !== undefined && layout.pages.length === 0 && layout.pageCount > 0) {
    throw new JobFailure(`Processing failed: ${noSuchPages(layout.pageCount)}`);
  }
  const ocr = options.ocr ?? "DEFAULT";
  const needing = (mode: OcrMode): number[] =>
    signs === undefined
      ? []
      : layout.pages.filter((page) => needsOcr(page, signs.get(page.number), mode).needed).map(({ number }) => number);
  const inNeed = needing(ocr);
  const tooLarge = inNeed.filter((page) => (signs?.get(page)?.largestPicture ?? 0) > MAX_PICTURE_PIXELS);
  const pending = inNeed.filter((page) => !tooLarge.includes(page));
  const warnings = tooLarge.map(
    (page) => `The text of page ${page} was not recognised: a picture on it has too many pixels`,
  );
  if (ocr === "NONE" && signs !== undefined) warnings.push(...garbledWarning(layout.pages, signs));
  const history = { requested: ocr, effective: ocr, warnings, signs: signs ?? new Map() };
  const finished = finishReading(layout, { ...history, mayBeEmpty: options.mayBeEmpty ?? false }, pending);
  if (ocr !== "PREMIUM") return finished;
  const urgent = new Set(needing("DEFAULT"));
  return { ...finished, spare: pending.filter((page) => !urgent.has(page)) };
}
