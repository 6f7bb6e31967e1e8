/** A layout reduced to its text, for whoever asked for text without places. */
import type { Layout } from "../../../ports/layout.ts";
import { LogicalPages } from "../../layout/logical/logical-pages.ts";
import { pageRows } from "./transcribe.ts";

const COLUMNS = 240;

/**
 * The same pages with the same text in the same order, laid out on logical pages as plain text is: what stood where on
 * the page is not kept. A page of the document is one logical page, as long as it needs to be.
 */
export function withoutPlaces(layout: Layout): Layout {
  const pages = layout.pages.flatMap((page) => {
    const logical = new LogicalPages({ provider: layout.provider, columns: COLUMNS, rowsPerPage: Infinity });
    for (const text of pageRows(page)) logical.line([{ text }]);
    return logical.finish().pages.map((one) => ({ ...one, number: page.number }));
  });
  return { ...layout, logicalPages: true, pages };
}
