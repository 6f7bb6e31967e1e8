/** A layout as text: plain, Markdown, or one JSON line for each block. */
import { type Block, blockLines, type Layout, type Line, lineText } from "./layout.ts";

/** Between two lines of one row: wide enough to be told from a space, and read back as a gap by the text reader. */
const COLUMN_SPACE = "   ";

/** Whether `line` stands on the row of `before`, to the right of it. */
function continuesRow(before: Line, line: Line): boolean {
  const overlap = Math.min(before.box.bottom, line.box.bottom) - Math.max(before.box.top, line.box.top);
  const height = Math.min(before.box.bottom - before.box.top, line.box.bottom - line.box.top);
  return line.box.left >= before.box.right && overlap > 0.5 * height;
}

/** The rows of a block, lines of one row joined. */
function blockRows(block: Block): string[] {
  const rows: string[] = [];
  const lines = blockLines(block);
  lines.forEach((line, index) => {
    const before = lines[index - 1];
    if (before !== undefined && continuesRow(before, line)) rows.push(`${rows.pop()}${COLUMN_SPACE}${lineText(line)}`);
    else rows.push(lineText(line));
  });
  return rows;
}

const blockText = (block: Block): string => blockRows(block).join("\n");

/** What would begin a heading, quote, list, fence, rule, table or HTML at a line's start is escaped. */
function escapeMarkdown(row: string): string {
  return row
    .replace(/^(#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|={2,}\s*$|-{2,}\s*$|~{3,}|`{3,}|\||<(?=[a-z!/?]))/i, "\\$1")
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, "$1\\$2")
    .replace(/^([*_])(?=(?:\s*\1){2,}\s*$)/, "\\$1");
}

const plain = (layout: Layout): string =>
  layout.pages.map((page) => page.blocks.map(blockText).join("\n\n")).join("\n\f");

const markdown = (layout: Layout): string =>
  layout.pages
    .map((page) => {
      const blocks = page.blocks.map((block) => blockRows(block).map(escapeMarkdown).join("\n"));
      return [`<!-- page ${page.number} -->`, ...blocks].join("\n\n");
    })
    .join("\n\n");

const jsonLines = (layout: Layout): string =>
  layout.pages
    .flatMap((page) =>
      page.blocks.map((block) =>
        JSON.stringify({ page: page.number, kind: block.kind, bbox: block.box, text: blockText(block) }),
      ),
    )
    .join("\n");

const WRITERS = { plain, markdown, jsonl: jsonLines };

/**
 * A layout's text in reading order, ending in a line feed when there is any. Plain: lines by line feeds, a blank line
 * between blocks, a form feed before each further page. Markdown: page markers as comments, the text as it stands.
 * JSON lines: `{page, kind, bbox, text}` for each block, bbox in inches.
 */
export function transcribe(layout: Layout, format: "plain" | "markdown" | "jsonl"): string {
  const text = WRITERS[format](layout);
  return text === "" ? "" : `${text}\n`;
}
