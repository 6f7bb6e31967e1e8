/** The pages of rows in documents that the reader paginates. */

import { pageWords } from "../../functions/engine/layout/page-words.ts";
import type { Layout } from "../../functions/ports/layout.ts";
import type { TrueRow } from "./articles.ts";
import type { GeneratedDocument } from "./documents.ts";

/** The true rows with their pages in the reader's layout. */
export function withPages(
  { truth, named }: Pick<GeneratedDocument, "truth" | "named">,
  layout: Layout,
): Record<string, TrueRow[]> {
  if (named === undefined) return truth;
  const pages = layout.pages.map((page) => ({
    number: page.number,
    text: ` ${pageWords(page)
      .map(({ text }) => text)
      .join(" ")} `,
  }));
  const place = (rows: readonly TrueRow[]): TrueRow[] => {
    // A misrecognised row stands on the page of the row before.
    let page = 1;
    return rows.map((one) => {
      page = pages.find(({ text }) => text.includes(` ${one.row[named]} `))?.number ?? page;
      return { ...one, page };
    });
  };
  return Object.fromEntries(Object.entries(truth).map(([name, rows]) => [name, place(rows)]));
}
