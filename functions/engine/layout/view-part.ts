/** Consecutive pages of a layout as the API shows them, as JSON texts that stand one after the other in the answer. */

import { type PageEntry, parsePages } from "./layout-file.ts";
import { LayoutLists, pageText } from "./layout-lists.ts";
import { LAYOUT_PARTS, type LayoutPart, viewPage } from "./page-view.ts";

export interface PagesToView {
  /** Pages of a layout file, with the commas between them. */
  pages: Uint8Array;
  /** Their entries, and the file's version. */
  index: PageEntry[];
  v: number;
  /** Start of the first page's text in the document's text. */
  offset: number;
  /** Pages to show; absent: all. */
  chosen?: number[] | undefined;
  parts: LayoutPart[];
  /** The pages before have begun a section. */
  continues: boolean;
}

export interface ViewedPages {
  /** JSON of the shown pages, without brackets. */
  pages: Uint8Array;
  /** The text of all pages as JSON without quotes; empty unless requested. */
  content: Uint8Array;
  /** JSON of the requested lists but sections, without brackets. */
  lists: Record<string, Uint8Array>;
  /** Elements of the section that the pages before have begun, and the sections that begin here. */
  continued: string[];
  sections: { id: string; elements: string[] }[];
}

const encoder = new TextEncoder();
const withoutEnds = (value: unknown): string => JSON.stringify(value).slice(1, -1);

/** Views some pages. */
export function viewPart({ pages, index, v, offset, chosen, parts, continues }: PagesToView): ViewedPages {
  const known = LAYOUT_PARTS.filter((part) => parts.includes(part));
  const lists = new LayoutLists(known, continues);
  const [shown, texts]: [string[], string[]] = [[], []];
  let at = offset;
  for (const page of parsePages(pages, index, v)) {
    if (known.includes("content")) texts.push(pageText(page));
    if (chosen === undefined || chosen.includes(page.number)) {
      shown.push(JSON.stringify(viewPage(page, at, known)));
      if (lists.hasRequestedLists) lists.add(page, at);
    }
    at += (index.find(([number]) => number === page.number)?.[2] ?? 0) + 1;
  }
  const { sections = [], ...others } = lists.lists();
  return {
    pages: encoder.encode(shown.join(",")),
    content: encoder.encode(withoutEnds(texts.join("\n"))),
    lists: Object.fromEntries(
      Object.entries(others).map(([name, items]) => [name, encoder.encode(withoutEnds(items))]),
    ),
    continued: [...lists.continued],
    sections: sections as ViewedPages["sections"],
  };
}
