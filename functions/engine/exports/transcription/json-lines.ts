/** JSON lines: one object per block. */
import type { Block, Box, Layout, Line } from "../../../ports/layout.ts";
import { deskewPage } from "../../layout/deskew.ts";
import { barcodeMembers } from "../../layout/page-view.ts";
import { blockLines } from "../../layout/page-words.ts";
import { blockText, linesText } from "../../structure/layout-text.ts";

interface CellRecord {
  row: number;
  column: number;
  rowSpan: number;
  columnSpan: number;
  header: boolean;
  bbox: Box;
  text: string;
}

/** Mean confidence of the words that have one, to three digits; absent for the file's own text. */
function confidenceOf(lines: readonly Line[]): { confidence?: number } {
  let sum = 0;
  let count = 0;
  for (const { words } of lines) {
    for (const { confidence } of words) {
      if (confidence === undefined) continue;
      sum += confidence;
      count += 1;
    }
  }
  return count === 0 ? {} : { confidence: Math.round((sum / count) * 1000) / 1000 };
}

function detailsOf(block: Block): Record<string, unknown> {
  if (block.kind === "table") {
    const { rows, columns, headerRows, continued } = block;
    const cells = block.cells.map(
      ({ row, column, rowSpan, columnSpan, box, lines, text }): CellRecord => ({
        ...{ row, column, rowSpan, columnSpan, header: row < headerRows, bbox: box },
        text: text ?? linesText(lines, "\n"),
      }),
    );
    return { rows, columns, headerRows, ...(continued ? { continued } : {}), cells };
  }
  if (block.kind === "figure") return block.caption === undefined ? {} : { caption: block.caption };
  if (block.kind === "barcode") return barcodeMembers(block);
  const { level, marker } = block;
  return { ...(level === undefined ? {} : { level }), ...(marker === undefined ? {} : { marker }) };
}

export const jsonLines = (layout: Layout): string =>
  layout.pages
    .flatMap((page) => {
      const { blocks } = deskewPage(page);
      return page.blocks.map((block, at) =>
        JSON.stringify({
          page: page.number,
          kind: block.kind,
          bbox: block.box,
          text: blockText(blocks[at] ?? block),
          ...detailsOf(block),
          ...confidenceOf(blockLines(block)),
        }),
      );
    })
    .join("\n");
