/**
 * A layout as a file: one JSON object whose last member is `pages`, and before it `index`, the bytes of each page, so
 * that a page of a long document can be read without the others.
 */
import { LAYOUT_VERSION, type Layout, type Page } from "./layout.ts";
import { textLength } from "./layout-view.ts";

/**
 * Number of a page that the file holds, the UTF-8 bytes of its JSON (one comma stands between two pages), and the length
 * of its text (`textLength`).
 */
type PageEntry = [number: number, bytes: number, length: number];

/** What stands before the pages. */
export interface LayoutHead extends Omit<Layout, "pages"> {
  /** In the order of the pages. */
  index: PageEntry[];
}

const PAGES = ',"pages":[';
/** Reading a head: most are far smaller; one of 100,000 pages is not. */
const FIRST_RANGE = 16_384;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

const toJson = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value));

/**
 * Writes a layout and takes it apart: each page is let go when it is written, because a long document's objects and its
 * text side by side are what memory runs out on.
 */
export function writeLayout({ pages, ...facts }: Layout): Uint8Array {
  const parts: Uint8Array[] = [];
  const index: PageEntry[] = [];
  for (let page = pages.shift(); page !== undefined; page = pages.shift()) {
    const part = toJson(page);
    parts.push(part);
    index.push([page.number, part.length, textLength(page)]);
  }
  const head = toJson({ ...facts, index }).subarray(0, -1);
  const comma = encoder.encode(",");
  const body = parts.flatMap((part, at) => (at === 0 ? [part] : [comma, part]));
  return Buffer.concat([head, encoder.encode(PAGES), ...body, encoder.encode("]}")]);
}

/** The layouts of the release before this one hold a part of what these may. */
function checkVersion(layout: { v: number }): void {
  if (layout.v !== LAYOUT_VERSION && layout.v !== 1) {
    throw new RangeError(`Layout version ${layout.v} is not ${LAYOUT_VERSION}`);
  }
}

/**
 * A whole layout.
 * @throws RangeError for the layout of a release that this one does not read; TypeError for bytes that are not UTF-8,
 * SyntaxError for what is no JSON
 */
export function parseLayout(bytes: Uint8Array): Layout {
  const { index: _, ...layout } = JSON.parse(decoder.decode(bytes)) as Layout & { index?: PageEntry[] };
  checkVersion(layout);
  return { ...layout, v: LAYOUT_VERSION };
}

/** Bytes `start` to `end` of a layout's file, both counted in; fewer at its end. */
export type ReadRange = (range: { start: number; end: number }) => Promise<Uint8Array>;

/** The head of a layout's file, and where its first page begins. @throws RangeError for a file without an index */
export async function readLayoutHead(read: ReadRange): Promise<{ head: LayoutHead; start: number }> {
  for (let size = FIRST_RANGE; ; size *= 8) {
    const bytes = await read({ start: 0, end: size - 1 });
    const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(PAGES);
    if (at >= 0) {
      const head = JSON.parse(`${decoder.decode(bytes.subarray(0, at))}}`) as LayoutHead;
      checkVersion(head);
      if (!Array.isArray(head.index)) throw new RangeError("This layout has no index of its pages");
      return { head: { ...head, v: LAYOUT_VERSION }, start: at + PAGES.length };
    }
    if (bytes.length < size) throw new RangeError("This is not a layout");
  }
}

/**
 * Some pages of a layout's file, in the order of the file.
 * @param numbers page numbers, from 1; those that the layout does not hold are left out
 */
export async function readLayoutPages(read: ReadRange, numbers: readonly number[]): Promise<Page[]> {
  const { head, start } = await readLayoutHead(read);
  const wanted = new Set(numbers);
  const pages: Page[] = [];
  let at = start;
  for (const [number, bytes] of head.index) {
    if (wanted.has(number)) {
      pages.push(JSON.parse(decoder.decode(await read({ start: at, end: at + bytes - 1 }))) as Page);
    }
    at += bytes + 1;
  }
  return pages;
}
