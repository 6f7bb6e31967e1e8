/** A layout reduced to its text, for requests without places. */
import type { Layout } from "../../../ports/layout.ts";
import { LogicalPages } from "../../layout/logical/logical-pages.ts";
import { pageRows } from "./transcribe.ts";

const ROW_COLUMNS = 240;

/**
 * Keeps the pages and the text in its order, laid out on logical pages like plain text. Places are dropped. Each page of
 * the document is one logical page, as long as needed.
 */
export function textOnlyLayout(layout: Layout): Layout {
  const pages = layout.pages.flatMap((page) => {
    const logical = new LogicalPages({ provider: layout.provider, columns: ROW_COLUMNS, rowsPerPage: Infinity });
    for (const text of pageRows(page)) logical.line([{ text }]);
    return logical.finish().pages.map((one) => ({ ...one, number: page.number }));
  });
  return { ...layout, logicalPages: true, pages };
}
