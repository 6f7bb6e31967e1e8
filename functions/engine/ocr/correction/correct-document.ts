/** Corrects a document's recognised text page by page, with a map back to its words. */
import type { Layout } from "../../../ports/layout.ts";
import { type Change, type CorrectedPage, correctPage, type MappedWord, pageToCorrect } from "./correct-page.ts";
import { vocabularyOf } from "./dictionary-correction.ts";

/** `preserve`: word by word; `compress`: page by page; `none`: no map. */
export type SourceMapMode = "preserve" | "compress" | "none";

/** Places of pages and their words in the corrected content; UTF-16 code units. */
export interface SourceMap {
  version: 1;
  mode: Exclude<SourceMapMode, "none">;
  pages: { pageNumber: number; start: number; length: number; words?: MappedWord[] }[];
}

export interface CorrectedDocument {
  content: string;
  pages: { pageNumber: number; content: string; changes: Change[] }[];
  /** Absent for `none`. */
  sourceMap?: SourceMap;
}

/** Separator of pages in the content. */
const PAGE_SEPARATOR = "\n\n";

/** The recognised pages, as a model is shown them. */
export const pagesToCorrect = (layout: Pick<Layout, "pages">): { number: number; text: string }[] =>
  layout.pages.flatMap((page) => {
    const { text, recognised } = pageToCorrect(page);
    return recognised ? [{ number: page.number, text }] : [];
  });

/**
 * Corrects every page, by a model's proposal where there is one, else by a dictionary.
 * @param proposals texts of pages by their number
 */
export function correctPages(
  layout: Pick<Layout, "pages">,
  { proposals = {}, sourceMap: mode }: { proposals?: Readonly<Record<number, string>>; sourceMap: SourceMapMode },
): CorrectedDocument {
  const own = vocabularyOf(layout);
  const corrected = layout.pages.map((page) => correctPage(page, proposals[page.number] ?? null, own));
  const content = corrected.map((page) => page.content).join(PAGE_SEPARATOR);
  const pages = corrected.map(({ pageNumber, content: text, changes }) => ({ pageNumber, content: text, changes }));
  return mode === "none" ? { content, pages } : { content, pages, sourceMap: sourceMapOf(corrected, mode) };
}

function sourceMapOf(corrected: readonly CorrectedPage[], mode: SourceMap["mode"]): SourceMap {
  let start = 0;
  const pages = corrected.map(({ pageNumber, content, words }) => {
    const begins = start;
    start += content.length + PAGE_SEPARATOR.length;
    const mapped = words.map((word) => ({ ...word, start: begins + word.start }));
    return { pageNumber, start: begins, length: content.length, ...(mode === "preserve" ? { words: mapped } : {}) };
  });
  return { version: 1, mode, pages };
}
