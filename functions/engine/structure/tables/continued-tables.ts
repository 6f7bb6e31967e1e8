/** Joins tables that continue on the next page: the same columns at its top, perhaps with the header repeated. */

import type { Block, Box, Page, TableBlock } from "../../../ports/layout.ts";
import { spanOverlap } from "../../layout/geometry.ts";
import { lineText } from "../../layout/page-words.ts";

/** Share of a page's height at either end where running headers and footers stand. */
const PAGE_MARGIN_SHARE = 0.12;
/** Difference of column edges from page to page where lines are drawn. */
const SAME_EDGE_INCHES = 0.08;
/**
 * Share of the narrower column's width from which columns without lines, which are as wide as their text, are the same.
 */
const SAME_COLUMN_OVERLAP_SHARE = 0.6;

/** True for blocks that part no table from its next page: headers and footers, logos and barcodes. */
const isRunning = (block: Block): boolean =>
  block.kind === "header" || block.kind === "footer" || (block.kind !== "table" && block.lines.length === 0);

/** The table that ends the page's text, apart from its footer. */
function lastTable({ blocks, height }: Page): TableBlock | undefined {
  const block = blocks.findLast((one) => !isRunning(one) && one.box.top < (1 - PAGE_MARGIN_SHARE) * height);
  return block?.kind === "table" ? block : undefined;
}

/** The table that begins the page's text, apart from its header. */
function firstTable({ blocks, height }: Page): TableBlock | undefined {
  const block = blocks.find((one) => !isRunning(one) && one.box.bottom > PAGE_MARGIN_SHARE * height);
  return block?.kind === "table" ? block : undefined;
}

/** The span of each column, from cells in that column only. */
function columnsOf(table: TableBlock): Pick<Box, "left" | "right">[] {
  const columns: Pick<Box, "left" | "right">[] = [];
  for (const { column, columnSpan, box } of table.cells)
    if (columnSpan === 1) columns[column] ??= { left: box.left, right: box.right };
  return Array.from({ length: table.columns }, (_, column) => columns[column] ?? { left: 0, right: 0 });
}

function haveSameColumns(before: TableBlock, after: TableBlock): boolean {
  if (before.columns !== after.columns) return false;
  const others = columnsOf(after);
  return columnsOf(before).every((column, index) => {
    const other = others[index];
    if (other === undefined) return false;
    const apart = Math.max(Math.abs(column.left - other.left), Math.abs(column.right - other.right));
    const narrower = Math.min(column.right - column.left, other.right - other.left);
    return (
      apart <= SAME_EDGE_INCHES ||
      spanOverlap(column.left, column.right, other.left, other.right) >= SAME_COLUMN_OVERLAP_SHARE * narrower
    );
  });
}

const rowText = (table: TableBlock, row: number): string =>
  table.cells
    .filter((cell) => cell.row === row)
    .map((cell) => cell.lines.map(lineText).join(" "))
    .join("|")
    .toLowerCase();

/** Number of rows of the first table's header that are repeated at the top of the second. */
function repeatedRows(before: TableBlock, after: TableBlock): number {
  let rows = 0;
  while (rows < Math.min(before.headerRows, after.rows - 1) && rowText(before, rows) === rowText(after, rows))
    rows += 1;
  return rows;
}

/**
 * Marks tables that continue the previous page's: where one ends a page and the next page begins with the same columns,
 * or with the same header, that one is `continued`, and its header is the repeated rows. Headers and footers of pages
 * do not part them.
 * @param pages of one document in order; pages that do not follow each other are left alone
 */
export function joinTables(pages: readonly Page[]): Page[] {
  /** The table with the header, which stands where the table begins, not on each page. */
  let start: TableBlock | undefined;
  return pages.map((page, index) => {
    const previous = pages[index - 1];
    const last = previous?.number === page.number - 1 ? lastTable(previous) : undefined;
    const first = firstTable(page);
    const ended = previous === undefined ? undefined : last;
    if (ended === undefined || first === undefined) {
      start = undefined;
      return page;
    }
    const wasFirst = previous !== undefined && firstTable(previous) === ended;
    const head = wasFirst && start !== undefined ? start : ended;
    const repeated = repeatedRows(head, first);
    const isHeader = repeated > 0 && repeated === head.headerRows && head.columns === first.columns;
    if (!isHeader && !haveSameColumns(ended, first)) {
      start = undefined;
      return page;
    }
    start = head;
    const joined: TableBlock = { ...first, headerRows: repeated, continued: true };
    return { ...page, blocks: page.blocks.map((block) => (block === first ? joined : block)) };
  });
}
