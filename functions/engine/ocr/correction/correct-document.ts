/** A document's recognised text corrected page by page, with a map back to its words. */
import type { Layout } from "../../../ports/layout.ts";
import { type Change, type CorrectedPage, correctPage, type MappedWord, pageToCorrect } from "./correct-page.ts";
import { vocabularyOf } from "./dictionary-correction.ts";

/** `preserve`: word by word; `compress`: page by page; `none`: no map. */
export type SourceMapMode = "preserve" | "compress" | "none";

/** Where pages, and words of them, stand in the corrected content; UTF-16 code units. */
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

/** Between two pages of the content. */
const BETWEEN = "\n\n";

/** The pages that recognition read, as a model is shown them. */
export const pagesToCorrect = (layout: Pick<Layout, "pages">): { number: number; text: string }[] =>
  layout.pages.flatMap((page) => {
    const { text, recognised } = pageToCorrect(page);
    return recognised ? [{ number: page.number, text }] : [];
  });

/**
 * Corrects every page: those that a model has a proposal for by it, the others by a dictionary.
 * @param proposals texts of pages by their number
 */
export function correctPages(
  layout: Pick<Layout, "pages">,
  { proposals = {}, sourceMap: mode }: { proposals?: Readonly<Record<number, string>>; sourceMap: SourceMapMode },
): CorrectedDocument {
  const own = vocabularyOf(layout);
  const corrected = layout.pages.map((page) => correctPage(page, proposals[page.number] ?? null, own));
  const content = corrected.map((page) => page.content).join(BETWEEN);
  const pages = corrected.map(({ pageNumber, content: text, changes }) => ({ pageNumber, content: text, changes }));
  return mode === "none" ? { content, pages } : { content, pages, sourceMap: mapOf(corrected, mode) };
}

function mapOf(corrected: readonly CorrectedPage[], mode: SourceMap["mode"]): SourceMap {
  let start = 0;
  const pages = corrected.map(({ pageNumber, content, words }) => {
    const begins = start;
    start += content.length + BETWEEN.length;
    const mapped = words.map((word) => ({ ...word, start: begins + word.start }));
    return { pageNumber, start: begins, length: content.length, ...(mode === "preserve" ? { words: mapped } : {}) };
  });
  return { version: 1, mode, pages };
}
