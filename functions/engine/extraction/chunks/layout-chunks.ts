/** A layout in chunks: by pages, or by headings; and the layout of one chunk. Pure. */
import { type Block, LAYOUT_VERSION, type Layout, type Page } from "../../../ports/layout.ts";
import { blockLines } from "../../layout/page-words.ts";
import type { HeaderSettings, MapReduceSettings } from "./map-reduce-settings.ts";

/** A place between the blocks of a page: before the block of that index, in reading order. */
interface Cut {
  page: number;
  block: number;
}

export interface Chunk {
  /** Page numbers from 1, in their order. */
  pages: number[];
  /** Of MARKDOWN_HEADER: where its first page's share begins, and where its last page's ends. */
  from?: Cut;
  to?: Cut;
}

export interface Chunks {
  /** Page numbers of the header; null: none is asked for. */
  header: number[] | null;
  chunks: Chunk[];
}

/** An index from 0, or from the end where it is negative, as a page number. */
const numberOf = (index: number, pageCount: number): number => (index < 0 ? pageCount + index : index) + 1;

function headerPages(header: HeaderSettings, numbers: readonly number[], pageCount: number): number[] {
  const { pageIndices, pageLimit } = header;
  if (pageIndices === undefined) return numbers.slice(0, pageLimit);
  const wanted = new Set(pageIndices.map((index) => numberOf(index, pageCount)));
  return numbers.filter((number) => wanted.has(number));
}

/** Windows of pages, each beginning with the last `overlap` pages of the one before. */
function windows(numbers: readonly number[], size: number, overlap: number): Chunk[] {
  const chunks: Chunk[] = [];
  for (let start = 0; start < numbers.length; start += size - overlap) {
    chunks.push({ pages: numbers.slice(start, start + size) });
    if (start + size >= numbers.length) break;
  }
  return chunks;
}

/** Running headers and footers are no part of any section. */
const isRunning = ({ kind }: Block): boolean => kind === "header" || kind === "footer";

interface Section {
  from: Cut;
  pages: number[];
  /** It says something; and that besides its headings. */
  spoken: boolean;
  content: boolean;
}

const beginning = (page: number, block: number): Section => ({
  from: { page, block },
  pages: [],
  spoken: false,
  content: false,
});

/** A section that is nothing but headings goes with the one that follows: its title is about that. */
function sections(pages: readonly Page[], level: number): Section[] {
  const found: Section[] = [];
  for (const { number, blocks } of pages) {
    if (found.length === 0) found.push(beginning(number, 0));
    for (const [index, block] of blocks.entries()) {
      const begins = block.kind === "heading" && (block.level ?? 1) <= level;
      if (begins && found.at(-1)?.content) found.push(beginning(number, index));
      const section = found.at(-1);
      if (section === undefined) continue;
      if (!isRunning(block)) section.spoken = true;
      if (!isRunning(block) && block.kind !== "heading") section.content = true;
      if (section.pages.at(-1) !== number) section.pages.push(number);
    }
  }
  return found;
}

function headed(pages: readonly Page[], level: number): Chunk[] {
  const found = sections(pages, level);
  return found.flatMap(({ from, pages: numbers, spoken }, at): Chunk[] => {
    const to = found[at + 1]?.from;
    return spoken ? [{ pages: numbers, from, ...(to === undefined ? {} : { to }) }] : [];
  });
}

/**
 * Chunks in the order of the document. A header's pages yield records only where the settings say so; pages that do not
 * exist are ignored.
 */
export function chunksOf(layout: Layout, settings: MapReduceSettings): Chunks {
  const numbers = layout.pages.map(({ number }) => number);
  const { header: wanted, splitType, headerLevel, pagesPerChunk, overlapPages } = settings;
  const header = wanted === undefined ? null : headerPages(wanted, numbers, layout.pageCount);
  const reserved = new Set(wanted?.includeInRows === true ? [] : header);
  const rows = layout.pages.filter(({ number }) => !reserved.has(number));
  const chunks =
    splitType === "MARKDOWN_HEADER"
      ? headed(rows, headerLevel)
      : windows(
          rows.map(({ number }) => number),
          pagesPerChunk,
          overlapPages,
        );
  return { header, chunks };
}

const wordCount = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, block) => sum + blockLines(block).reduce((words, line) => words + line.words.length, 0), 0);

/**
 * The layout of one chunk.
 * @param facts of the whole layout
 * @param pages the chunk's, whole
 * @returns `skipped`: words of a page that stand before the chunk's share of it, which references to words count
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

/** `page 4`, `pages 4-6`, `pages 1, 3`: for readers. */
export function pagesText(pages: readonly number[]): string {
  const [first = 0, ...rest] = pages;
  if (rest.length === 0) return `page ${first}`;
  const run = rest.every((page, at) => page === first + at + 1);
  return `pages ${run ? `${first}-${rest.at(-1)}` : pages.join(", ")}`;
}
