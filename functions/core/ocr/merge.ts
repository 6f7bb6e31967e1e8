/**
 * Recognised pages into a layout. What becomes of a page:
 *
 * - Its text layer is missing: what was recognised takes its place. Pictures on the page stay, and so do comments, here
 *   and below.
 * - Its text layer is not good (quality/page.ts): the better of both, by score.
 * - It is a few words for what was recognised, less than half: a scanner's stamp, a signature. What was recognised stands
 *   and keeps company of those words of the layer that it has not found at their place.
 * - It is most of the page: it stands, as it is exact. Words that were recognised where it has none, in logos and
 *   pictures, come to it, marks of boxes to tick into its lines, and tables that the engine found where it has none take
 *   its words.
 * - The page was recognised before: the better of both readings.
 */
import { type Block, blockLines, type Layout, type Page, pageWords, type Word } from "../documents/layout.ts";
import { toPage } from "./merge/blocks.ts";
import { fieldsByPlace, withFields } from "./merge/fields.ts";
import { markLayer } from "./merge/marks.ts";
import { area, filterBlocks, insertByPlace, placesOf } from "./merge/places.ts";
import { cutTables, fillByPlace } from "./merge/tables.ts";
import type { OcrPage } from "./ports.ts";
import { judgePage } from "./quality/page.ts";

/** A text layer of a smaller share of the words that were recognised is an addition to them. */
const MOST = 0.5;
/** A reading of a smaller share of the other's words has missed something: then quantity counts too. */
const MUCH_LESS = 0.5;
/** A picture of so much of the page is the page. */
const WHOLE_PAGE = 0.5;

const isRecognised = ({ source }: Word): boolean => source === "ocr";

const hasWords = (page: Page): boolean => pageWords(page).length > 0;

const scoreOf = (page: Page, source: "text" | "ocr"): number => judgePage({ page, source }).score;

/** The better of two recognitions of one page: by score, and by words where one has less than half of the other's. */
function betterOf(before: Page, now: Page): Page {
  const [one, other] = [pageWords(before).length, pageWords(now).length];
  const [first, second] = [scoreOf(before, "ocr"), scoreOf(now, "ocr")];
  const apart = Math.min(one, other) < MUCH_LESS * Math.max(one, other);
  return (apart ? first * one > second * other : first > second) ? before : now;
}

/** The words of one reading that stand where another has none, in their blocks. */
function unfound(blocks: readonly Block[], other: Page): Block[] {
  const isFound = placesOf(other);
  return filterBlocks(blocks, ({ box }) => !isFound(box)).filter((block) => blockLines(block).length > 0);
}

/** Pictures on the page, which no recognition finds; not the one that is the page. */
function figuresOf({ blocks, width, height }: Page): Block[] {
  return blocks.filter(
    (block) => block.kind === "figure" && block.lines.length === 0 && area(block.box) < WHOLE_PAGE * width * height,
  );
}

const withoutNotes = (blocks: readonly Block[]): Block[] => blocks.filter(({ kind }) => kind !== "note");

/** @param layer the page with the words of its text layer only */
function mergePage(layer: Page, ocr: OcrPage): Page {
  const recognised = toPage(ocr);
  if (!hasWords(recognised)) return layer;
  const withBlocks = (blocks: Block[]): Page => withFields({ ...layer, blocks }, recognised.fields ?? []);
  const notes = layer.blocks.filter(({ kind }) => kind === "note");
  const own = withBlocks(withoutNotes(layer.blocks));
  const { grade, score, wordCount } = judgePage({ page: own, source: "text" });
  const angle = recognised.angle === undefined ? {} : { angle: recognised.angle };
  const replaced = { ...withBlocks(insertByPlace(recognised.blocks, [...figuresOf(own), ...notes])), ...angle };
  if (wordCount === 0) return replaced;
  if (grade !== "good") return scoreOf(recognised, "ocr") > score ? replaced : layer;
  if (wordCount < MOST * pageWords(recognised).length) {
    return { ...replaced, blocks: insertByPlace(replaced.blocks, unfound(own.blocks, recognised)) };
  }
  const marked = markLayer(layer.blocks, recognised, ocr);
  const tabled = cutTables(marked, fillByPlace(ocr, withoutNotes(marked)));
  const added = unfound(recognised.blocks, withBlocks(withoutNotes(tabled)));
  const merged = withBlocks(insertByPlace(tabled, added));
  return withFields(merged, fieldsByPlace(recognised.fields ?? [], merged));
}

function replacePage(page: Page, ocr: OcrPage): Page {
  if (!pageWords(page).some(isRecognised)) return mergePage(page, ocr);
  const { angle: _, ...rest } = page;
  const layer = withFields({ ...rest, blocks: filterBlocks(page.blocks, (word) => !isRecognised(word)) }, []);
  return betterOf(page, mergePage(layer, ocr));
}

/** `pdf-text`, `pdf-text+tesseract`, `textract`: what the words of the pages are from. */
function providerOf(before: Layout, pages: readonly Page[], engine: string): string {
  const old = before.pages.flatMap(pageWords);
  const oldSet = new Set(old);
  const names = before.provider.split("+");
  // The reader's name stands first as long as there are words of its own, or nothing was recognised yet.
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
 * Puts recognised pages into a layout by the rule above; pages that it does not have yet are added. Engines' positions
 * of words (`OcrSpan.words`) do not hold for the merged page.
 * @param engine the engine's name
 */
export function mergeOcr(layout: Layout, recognised: readonly OcrPage[], engine: string): Layout {
  const byNumber = new Map(recognised.map((ocr) => [ocr.page.number, ocr]));
  const pages = layout.pages.map((page) => {
    const ocr = byNumber.get(page.number);
    byNumber.delete(page.number);
    return ocr === undefined ? page : replacePage(page, ocr);
  });
  for (const ocr of byNumber.values()) pages.push(toPage(ocr));
  pages.sort((a, b) => a.number - b.number);
  return { ...layout, provider: providerOf(layout, pages, engine), pages };
}
