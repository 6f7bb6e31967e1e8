/**
 * The text before a chunk that a model needs to read it: the headings of its section, the columns of a table that goes
 * on, and the last lines before it.
 */
import type { Block, Layout, Page } from "../../../ports/layout.ts";
import { blockText } from "../../structure/layout-text.ts";
import { modelContent } from "../prompts/model-content.ts";
import { type Chunk, isRunning } from "./layout-chunks.ts";

/** Lines before the chunk: enough for a row that goes on, few enough to be told from the chunk's own. */
const MAX_LINES_BEFORE = 6;
/** A line of a wide table; longer ones are cut. */
const MAX_LINE_CHARACTERS = 300;

const shorten = (text: string): string =>
  text.length > MAX_LINE_CHARACTERS ? `${text.slice(0, MAX_LINE_CHARACTERS)}…` : text;

interface OpenHeading {
  level: number;
  text: string;
}

/** The headings in force after some blocks, the highest first. @param open those in force before */
function passHeadings(open: readonly OpenHeading[], blocks: readonly Block[]): OpenHeading[] {
  const after = [...open];
  for (const block of blocks) {
    if (block.kind !== "heading") continue;
    const level = block.level ?? 1;
    while ((after.at(-1)?.level ?? 0) >= level) after.pop();
    after.push({ level, text: blockText(block).replaceAll("\n", " ") });
  }
  return after;
}

/** The headings in force where each page begins. */
function headingsAtPages({ pages }: Layout): OpenHeading[][] {
  let open: OpenHeading[] = [];
  return pages.map(({ blocks }) => {
    const before = open;
    open = passHeadings(open, blocks);
    return before;
  });
}

function lastLines(layout: Layout, page: Page, end: number): string[] {
  const blocks = page.blocks.slice(0, end).filter((block) => !isRunning(block));
  const [content] = modelContent({ ...layout, pages: [{ ...page, blocks }] });
  const lines = (content?.text ?? "").split("\n").filter((line) => line.trim() !== "");
  return lines.slice(-MAX_LINES_BEFORE).map(shorten);
}

/** A cut page has lines before the chunk; otherwise the page before it has. */
function linesBefore(layout: Layout, at: number, block: number): string[] {
  const page = layout.pages[at];
  if (page !== undefined && block > 0) return lastLines(layout, page, block);
  const before = layout.pages[at - 1];
  return before === undefined ? [] : lastLines(layout, before, before.blocks.length);
}

/**
 * The context of each chunk; undefined for one that begins the document.
 * @param columns headings of a table that begins a page and whose own headings stand on an earlier one, by page number
 */
export function carriedContexts(
  layout: Layout,
  chunks: readonly Chunk[],
  columns: ReadonlyMap<number, readonly string[]>,
): (string | undefined)[] {
  const headingsAt = headingsAtPages(layout);
  const places = new Map(layout.pages.map(({ number }, at) => [number, at]));
  return chunks.map(({ pages: [first = 0], from }) => {
    const at = places.get(first) ?? -1;
    const block = from?.page === first ? from.block : 0;
    if (at < 0 || (at === 0 && block === 0)) return undefined;
    const open = passHeadings(headingsAt[at] ?? [], layout.pages[at]?.blocks.slice(0, block) ?? []);
    const headings = block > 0 ? [] : (columns.get(first) ?? []);
    const parts = [
      ...open.map(({ level, text }) => shorten(`${"#".repeat(level)} ${text}`)),
      ...(headings.length === 0 ? [] : [shorten(`Column headings: ${headings.join(" | ")}`)]),
      ...linesBefore(layout, at, block),
    ];
    return parts.length === 0 ? undefined : parts.join("\n");
  });
}
