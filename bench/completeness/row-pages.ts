/** Where rows stand whose pages the reader makes. */

import { pageWords } from "../../functions/engine/layout/page-words.ts";
import type { Layout } from "../../functions/ports/layout.ts";
import type { TrueRow } from "./articles.ts";
import type { GeneratedDocument } from "./documents.ts";

/** The true rows with the pages that they stand on, as the reader has them. */
export function placed(
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
    // What recognition spoiled stands where the row before stands.
    let page = 1;
    return rows.map((one) => {
      page = pages.find(({ text }) => text.includes(` ${one.row[named]} `))?.number ?? page;
      return { ...one, page };
    });
  };
  return Object.fromEntries(Object.entries(truth).map(([name, rows]) => [name, place(rows)]));
}
