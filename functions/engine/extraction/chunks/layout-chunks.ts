/** Splits a layout into chunks by pages or headings, and cuts out the layout of one chunk. Pure. */
import { type Block, LAYOUT_VERSION, type Layout, type Page } from "../../../ports/layout.ts";
import { blockLines } from "../../layout/page-words.ts";
import type { HeaderSettings, MapReduceSettings } from "./map-reduce-settings.ts";

/** A place between blocks of a page: before the block with this index in reading order. */
interface Cut {
  page: number;
  block: number;
  /** Number of words before it on its page. */
  word: number;
}

export interface Chunk {
  /** Page numbers from 1, ascending. */
  pages: number[];
  /** For MARKDOWN_HEADER: the start in the first page, and the end in the last one. */
  from?: Cut;
  to?: Cut;
  /** Text before the chunk, as context for a model. */
  before?: string;
}

export interface Chunks {
  /** Page numbers of the header; null without a header. */
  header: number[] | null;
  chunks: Chunk[];
}

/** The page number of an index from 0; negative indexes count from the end. */
const numberOf = (index: number, pageCount: number): number => (index < 0 ? pageCount + index : index) + 1;

function headerPages(header: HeaderSettings, numbers: readonly number[], pageCount: number): number[] {
  const { pageIndices, pageLimit } = header;
  if (pageIndices === undefined) return numbers.slice(0, pageLimit);
  const wanted = new Set(pageIndices.map((index) => numberOf(index, pageCount)));
  return numbers.filter((number) => wanted.has(number));
}

/** Windows of pages; each begins with the last `overlap` pages of the one before. */
function windows(numbers: readonly number[], size: number, overlap: number): Chunk[] {
  const chunks: Chunk[] = [];
  for (let start = 0; start < numbers.length; start += size - overlap) {
    chunks.push({ pages: numbers.slice(start, start + size) });
    if (start + size >= numbers.length) break;
  }
  return chunks;
}

const wordCount = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, block) => sum + blockLines(block).reduce((words, line) => words + line.words.length, 0), 0);

/** Running headers and footers belong to no section. */
export const isRunning = ({ kind }: Block): boolean => kind === "header" || kind === "footer";

interface Section {
  from: Cut;
  pages: number[];
  hasText: boolean;
  /** It has text besides headings. */
  hasContent: boolean;
}

const sectionAt = (page: number, block: number, word: number): Section => ({
  from: { page, block, word },
  pages: [],
  hasText: false,
  hasContent: false,
});

/** Sections by headings; one that has only headings is joined with the next, which they introduce. */
function sections(pages: readonly Page[], level: number): Section[] {
  const found: Section[] = [];
  for (const { number, blocks } of pages) {
    if (found.length === 0) found.push(sectionAt(number, 0, 0));
    let words = 0;
    for (const [index, block] of blocks.entries()) {
      const begins = block.kind === "heading" && (block.level ?? 1) <= level;
      if (begins && found.at(-1)?.hasContent) found.push(sectionAt(number, index, words));
      words += wordCount([block]);
      const section = found.at(-1);
      if (section === undefined) continue;
      if (!isRunning(block)) section.hasText = true;
      if (!isRunning(block) && block.kind !== "heading") section.hasContent = true;
      if (section.pages.at(-1) !== number) section.pages.push(number);
    }
  }
  return found;
}

function chunksByHeading(pages: readonly Page[], level: number): Chunk[] {
  const found = sections(pages, level);
  return found.flatMap(({ from, pages: numbers, hasText }, at): Chunk[] => {
    const to = found[at + 1]?.from;
    return hasText ? [{ pages: numbers, from, ...(to === undefined ? {} : { to }) }] : [];
  });
}

/**
 * Chunks in document order. Pages of the header yield records only with `includeInRows`; missing pages are ignored.
 */
export function chunksOf(layout: Layout, settings: MapReduceSettings): Chunks {
  const numbers = layout.pages.map(({ number }) => number);
  const { header: wanted, splitType, headerLevel, pagesPerChunk, overlapPages } = settings;
  const header = wanted === undefined ? null : headerPages(wanted, numbers, layout.pageCount);
  const reserved = new Set(wanted?.includeInRows === true ? [] : header);
  const rows = layout.pages.filter(({ number }) => !reserved.has(number));
  const chunks =
    splitType === "MARKDOWN_HEADER"
      ? chunksByHeading(rows, headerLevel)
      : windows(
          rows.map(({ number }) => number),
          pagesPerChunk,
          overlapPages,
        );
  return { header, chunks };
}

/**
 * The layout of one chunk.
 * @param facts of the whole layout
 * @param pages the complete pages of the chunk
 * @returns `skipped`: number of words before the chunk's part of a page; references to words count them
 */
export function chunkLayout(
  facts: Omit<Layout, "pages">,
  pages: readonly Page[],
  { from, to }: Chunk,
): { layout: Layout; skipped: Map<number, number> } {
  const skipped = new Map<number, number>();
  const cut = pages.map((page): Page => {
    const start = from?.page === page.number ? from.block : 0;
    const end = to?.page === page.number ? to.block : page.blocks.length;
    if (start > 0) skipped.set(page.number, wordCount(page.blocks.slice(0, start)));
    return start === 0 && end === page.blocks.length ? page : { ...page, blocks: page.blocks.slice(start, end) };
  });
  return { layout: { ...facts, v: LAYOUT_VERSION, pages: cut }, skipped };
}

/** Page numbers in words: `page 4`, `pages 4-6`, `pages 1, 3`. */
export function pagesText(pages: readonly number[]): string {
  const [first = 0, ...rest] = pages;
  if (rest.length === 0) return `page ${first}`;
  const run = rest.every((page, at) => page === first + at + 1);
  return `pages ${run ? `${first}-${rest.at(-1)}` : pages.join(", ")}`;
}
