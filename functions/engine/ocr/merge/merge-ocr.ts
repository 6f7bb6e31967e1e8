/**
 * Merges recognised pages into a layout. Cases of a page:
 *
 * - Its text layer is missing: recognised text takes its place. Pictures and barcodes on the page stay, and so do
 *   comments, here and below; barcodes and figures that its picture showed come to it.
 * - Its text layer is not good (quality/page-quality.ts), its garbled words aside: the better of both, by score.
 * - It has less than half of the recognised words: a scanner's stamp, a form typed over a picture of it. The page is made
 *   up as it was recognised, but the layer's words stay, as they are exact.
 * - It has most of the page: it stays. Its garbled words are replaced by recognised words at their places. Words that were
 *   recognised where it has none, in logos and pictures, are added, checkboxes go into its lines, and tables that the
 *   engine found where it has none take its words.
 * - The page was recognised before: the better of both readings.
 */

import type { Block, Box, Layout, Page, Word } from "../../../ports/layout.ts";
import type { OcrPage } from "../../../ports/ocr.ts";
import { isCheckboxCharacter } from "../../layout/checkbox-characters.ts";
import { area } from "../../layout/geometry.ts";
import { isLikelyText } from "../../layout/likely-text.ts";
import { newBarcodes } from "../../layout/new-barcodes.ts";
import { blockLines, pageWords } from "../../layout/page-words.ts";
import {
  areaTest,
  filterBlocks,
  insertByPlace,
  keepLines,
  replaceByPlace,
  wordPlaceTest,
} from "../../layout/word-places.ts";
import type { TextLayerEvidence } from "../quality/page-evidence.ts";
import { judgePage } from "../quality/page-quality.ts";
import { addLayerCheckboxes } from "./layer-checkboxes.ts";
import { toPage } from "./recognised-blocks.ts";
import { fieldsByPlace, withFields } from "./recognised-fields.ts";
import { withFigures } from "./recognised-figures.ts";
import { cutTables, fillByPlace } from "./recognised-tables.ts";

/** Share of the recognised words below which a text layer is an addition to them. */
const MIN_LAYER_WORD_SHARE = 0.5;
/** Share of the other reading's words below which a reading has missed something: then quantity counts too. */
const COMPLETE_READING_SHARE = 0.5;
/** Share of the page from which a picture is the page. */
const WHOLE_PAGE_SHARE = 0.5;

const isRecognised = ({ source }: Word): boolean => source === "ocr";

const hasWords = (page: Page): boolean => pageWords(page).length > 0;

const scoreOf = (page: Page, source: "text" | "ocr"): number => judgePage({ page, source }).score;

/**
 * The better of two recognitions of one page: by score, and by words too where one has less than half of the other's.
 */
function betterOf(before: Page, now: Page): Page {
  const [one, other] = [pageWords(before).length, pageWords(now).length];
  const [first, second] = [scoreOf(before, "ocr"), scoreOf(now, "ocr")];
  const apart = Math.min(one, other) < COMPLETE_READING_SHARE * Math.max(one, other);
  return (apart ? first * one > second * other : first > second) ? before : now;
}

/** The words of one reading, in their blocks, that stand where another has none. */
function wordsMissingIn(blocks: readonly Block[], other: Page): Block[] {
  const isFound = wordPlaceTest(other);
  return filterBlocks(blocks, ({ box }) => !isFound(box)).filter((block) => blockLines(block).length > 0);
}

/** Pictures on the page, as its file places them, and barcodes; without the picture that is the page. */
function figuresOf({ blocks, width, height }: Page): Block[] {
  return blocks.filter(
    (block) =>
      block.kind === "barcode" ||
      (block.kind === "figure" && block.lines.length === 0 && area(block.box) < WHOLE_PAGE_SHARE * width * height),
  );
}

const withoutNotes = (blocks: readonly Block[]): Block[] => blocks.filter(({ kind }) => kind !== "note");

/** The page with the angle of another's text. */
function withAngleOf({ angle }: Page, { angle: _, ...page }: Page): Page {
  return angle === undefined ? page : { ...page, angle };
}

/** The page with the barcodes of its picture, and its figures where the file does not say what is one. */
function withSeenBlocks(page: Page, { barcodes = [], figures }: OcrPage): Page {
  const words = pageWords(page);
  const isPicture = words.filter(isRecognised).length >= MIN_LAYER_WORD_SHARE * words.length;
  const pictured = isPicture ? withFigures(page, figures) : page;
  const fresh = newBarcodes(pictured.blocks, barcodes);
  return fresh.length === 0 ? pictured : { ...pictured, blocks: insertByPlace(pictured.blocks, fresh) };
}

/** Recognised words where a layer has none, without lines that are more likely specks of a picture. */
function missingLines(recognised: Page, layer: Page): Block[] {
  return keepLines(wordsMissingIn(recognised.blocks, layer), isLikelyText);
}

/** A page that is mostly recognised, with the words of its layer where that has some. */
function layOver(replaced: Page, recognised: Page, layer: Page): Page {
  const blocks = replaceByPlace(replaced.blocks, ({ text }) => !isCheckboxCharacter(text), layer);
  const merged = { ...replaced, blocks: insertByPlace(blocks, wordsMissingIn(layer.blocks, recognised)) };
  return withFields(merged, fieldsByPlace(recognised.fields ?? [], merged));
}

/** A page that is mostly its layer's, with recognised words where that has nothing, or nothing readable. */
function addToLayer(layer: Page, recognised: Page, ocr: OcrPage, isGarbled: (word: Word) => boolean): Page {
  const withBlocks = (blocks: Block[]): Page => withFields({ ...layer, blocks }, recognised.fields ?? []);
  const sound = withBlocks(filterBlocks(withoutNotes(layer.blocks), (word) => !isGarbled(word)));
  const free = withBlocks(wordsMissingIn(recognised.blocks, sound));
  const mended = replaceByPlace(layer.blocks, isGarbled, free);
  const marked = addLayerCheckboxes(mended, recognised, ocr);
  const tabled = cutTables(marked, fillByPlace(ocr, withoutNotes(marked)));
  const added = missingLines(recognised, withBlocks(withoutNotes(tabled)));
  const merged = withBlocks(insertByPlace(tabled, added));
  return withFields(merged, fieldsByPlace(recognised.fields ?? [], merged));
}

/**
 * Merges a recognised page into its text layer.
 * @param layer the page with the words of its text layer only
 * @param garbled areas where its characters have no meaning
 */
function mergePage(layer: Page, ocr: OcrPage, garbled: readonly Box[]): Page {
  const recognised = toPage(ocr);
  if (!hasWords(recognised)) return layer;
  const withBlocks = (blocks: Block[]): Page => withFields({ ...layer, blocks }, recognised.fields ?? []);
  const notes = layer.blocks.filter(({ kind }) => kind === "note");
  const own = withBlocks(withoutNotes(layer.blocks));
  const isGarbled = areaTest(garbled);
  const sound = withBlocks(filterBlocks(own.blocks, (word) => !isGarbled(word)));
  const blocks = insertByPlace(recognised.blocks, [...figuresOf(own), ...notes]);
  const replaced = withAngleOf(recognised, withBlocks(blocks));
  const { grade, score, wordCount } = judgePage({ page: hasWords(sound) ? sound : own, source: "text" });
  if (wordCount === 0) return replaced;
  if (grade !== "good") return scoreOf(recognised, "ocr") > score ? replaced : layer;
  if (wordCount < MIN_LAYER_WORD_SHARE * pageWords(recognised).length) return layOver(replaced, recognised, sound);
  return addToLayer(layer, recognised, ocr, isGarbled);
}

function replacePage(page: Page, ocr: OcrPage, garbled: readonly Box[]): Page {
  if (!pageWords(page).some(isRecognised)) return mergePage(page, ocr, garbled);
  const layer = withFields({ ...page, blocks: filterBlocks(page.blocks, (word) => !isRecognised(word)) }, []);
  return betterOf(page, mergePage(layer, ocr, garbled));
}

/** Source of the pages' words: `pdf-text`, `pdf-text+tesseract`, `textract`. */
function providerOf(before: Layout, pages: readonly Page[], engine: string): string {
  const old = before.pages.flatMap(pageWords);
  const oldSet = new Set(old);
  const names = before.provider.split("+");
  // The reader's name stays first as long as there are words of its own, or nothing was recognised yet.
  const [reader, engines] = old.every(isRecognised) && old.length > 0 ? [undefined, names] : [names[0], names.slice(1)];
  const words = pages.flatMap(pageWords);
  const recognised = words.filter(isRecognised);
  const kept = recognised.some((word) => oldSet.has(word)) ? engines : [];
  const used = recognised.some((word) => !oldSet.has(word)) ? [engine] : [];
  const read = reader !== undefined && !words.every(isRecognised) ? [reader] : [];
  const all = [...new Set([...read, ...kept, ...used])];
  return all.length === 0 ? before.provider : all.join("+");
}

/**
 * Merges recognised pages into a layout by the rule above; missing pages are added. Engines' positions of words
 * (`OcrSpan.words`) do not hold for the merged page.
 * @param engine the engine's name
 * @param signs of the pages' text layers, by number, where known
 */
export function mergeOcr(
  layout: Layout,
  recognised: readonly OcrPage[],
  engine: string,
  signs: ReadonlyMap<number, TextLayerEvidence> = new Map(),
): Layout {
  const byNumber = new Map(recognised.map((ocr) => [ocr.page.number, ocr]));
  const pages = layout.pages.map((page) => {
    const ocr = byNumber.get(page.number);
    byNumber.delete(page.number);
    if (ocr === undefined) return page;
    return withSeenBlocks(replacePage(page, ocr, signs.get(page.number)?.garbled ?? []), ocr);
  });
  for (const ocr of byNumber.values()) pages.push(withSeenBlocks(toPage(ocr), ocr));
  pages.sort((a, b) => a.number - b.number);
  return { ...layout, provider: providerOf(layout, pages, engine), pages };
}
