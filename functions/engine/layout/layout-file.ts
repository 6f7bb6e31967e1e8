/**
 * Layout file: one JSON object whose last member is `pages`. The `index` before it holds the bytes of each page, so
 * that one page of a long document can be read alone. Version 3 packs its pages (packed-pages.ts), version 2 writes
 * them as the model has them, version 1 also lacks the index.
 */

import type { Blobs } from "../../ports/blobs.ts";
import { LAYOUT_VERSION, type Layout, type Page } from "../../ports/layout.ts";
import { type PackedPage, packPage, unpackPage } from "./packed-pages.ts";
import { textLength } from "./page-view.ts";

/**
 * Page number, UTF-8 bytes of the page's JSON (one comma stands between two pages) and length of its text
 * (`textLength`).
 */
export type PageEntry = [number: number, bytes: number, length: number];

/** The members before the pages. */
export interface LayoutHead extends Omit<Layout, "pages"> {
  /** One entry a page, in file order. */
  index: PageEntry[];
}

const PAGES_MEMBER = ',"pages":[';
/** Bytes of the first read of a head. Most heads are far smaller; the head of 100,000 pages is not. */
const FIRST_RANGE_BYTES = 16_384;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

const toJson = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value));

/**
 * Writes a layout and empties it: each page is released once written, because a long document's objects and its text
 * side by side run out of memory.
 */
export function writeLayout({ pages, ...facts }: Layout): Uint8Array {
  const parts: Uint8Array[] = [];
  const index: PageEntry[] = [];
  for (let page = pages.shift(); page !== undefined; page = pages.shift()) {
    const part = toJson(packPage(page));
    parts.push(part);
    index.push([page.number, part.length, textLength(page)]);
  }
  const head = toJson({ ...facts, index }).subarray(0, -1);
  const comma = encoder.encode(",");
  const body = parts.flatMap((part, at) => (at === 0 ? [part] : [comma, part]));
  return Buffer.concat([head, encoder.encode(PAGES_MEMBER), ...body, encoder.encode("]}")]);
}

/** First version that packs its pages. */
const FIRST_PACKED_VERSION = 3;

/** Older versions hold a subset: version 1 has no form fields, version 2 no barcodes. */
function checkVersion(v: number): void {
  if (![1, 2, LAYOUT_VERSION].includes(v)) throw new RangeError(`Layout version ${v} is not ${LAYOUT_VERSION}`);
}

/** Parses a page of the given file version. */
function parsePage(bytes: Uint8Array, v: number): Page {
  const page: unknown = JSON.parse(decoder.decode(bytes));
  return v < FIRST_PACKED_VERSION ? (page as Page) : unpackPage(page as PackedPage);
}

export interface ParsedHead {
  head: LayoutHead;
  /** Byte offset of the first page. */
  start: number;
  /** The version of the file. */
  v: number;
}

/** @returns undefined where the bytes end before the head does; a version 1 head has no index */
function parseHead(bytes: Uint8Array): (Omit<ParsedHead, "head"> & { head: Partial<LayoutHead> }) | undefined {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(PAGES_MEMBER);
  if (at < 0) return undefined;
  const head = JSON.parse(`${decoder.decode(bytes.subarray(0, at))}}`) as LayoutHead;
  const v: number = head.v;
  checkVersion(v);
  return { head: { ...head, v: LAYOUT_VERSION }, start: at + PAGES_MEMBER.length, v };
}

/**
 * Parses a whole layout page by page, so that a long document's text never stands in memory beside its objects.
 * @throws RangeError for the layout of an unknown version; TypeError for bytes that are not UTF-8, SyntaxError for
 * invalid JSON
 */
export function parseLayout(bytes: Uint8Array): Layout {
  const found = parseHead(bytes);
  const { index, ...facts } = found?.head ?? {};
  if (found === undefined || index === undefined) {
    const layout = JSON.parse(decoder.decode(bytes)) as Layout;
    checkVersion(layout.v);
    return { ...layout, v: LAYOUT_VERSION };
  }
  let at = found.start;
  const pages = index.map(([, length]) => {
    const page = parsePage(bytes.subarray(at, at + length), found.v);
    at += length + 1;
    return page;
  });
  return { ...(facts as Omit<Layout, "pages">), pages };
}

/** Number of pages in a layout file; undefined for bytes that are none, or of a version without an index. */
export function countPages(bytes: Uint8Array): number | undefined {
  try {
    const { index } = parseHead(bytes)?.head ?? {};
    return Array.isArray(index) ? index.length : undefined;
  } catch {
    return undefined;
  }
}

/** Reads bytes `start` to `end` of a layout file, both inclusive; fewer at its end. */
export type ReadRange = (range: { start: number; end: number }) => Promise<Uint8Array>;

/** Reads ranges of a stored layout. */
export const blobRangeReader =
  (blobs: Pick<Blobs, "get">, key: string): ReadRange =>
  async (range) =>
    (await blobs.get(key, range)) ?? new Uint8Array();

/** Reads the head of a layout file. @throws RangeError for a file without an index */
export async function readLayoutHead(read: ReadRange): Promise<ParsedHead> {
  for (let size = FIRST_RANGE_BYTES; ; size *= 8) {
    const bytes = await read({ start: 0, end: size - 1 });
    const found = parseHead(bytes);
    if (found !== undefined) {
      const { head, start, v } = found;
      if (!Array.isArray(head.index)) throw new RangeError("This layout has no index of its pages");
      return { head: head as LayoutHead, start, v };
    }
    if (bytes.length < size) throw new RangeError("This is not a layout");
  }
}

/**
 * Yields pages of a layout file in file order. Each page is read on demand, so that the pages need not fit in memory
 * together.
 * @param isWanted takes the page number, from 1
 */
export async function* streamPages(
  read: ReadRange,
  { head, start, v }: ParsedHead,
  isWanted: (number: number) => boolean = () => true,
): AsyncGenerator<Page> {
  let at = start;
  for (const [number, bytes] of head.index) {
    if (isWanted(number)) yield parsePage(await read({ start: at, end: at + bytes - 1 }), v);
    at += bytes + 1;
  }
}

/**
 * Parses consecutive pages of a layout file.
 * @param bytes of these pages, with the commas between them @param index their entries @param v the file's version
 */
export function* parsePages(bytes: Uint8Array, index: readonly PageEntry[], v: number): Generator<Page> {
  let at = 0;
  for (const [, length] of index) {
    yield parsePage(bytes.subarray(at, at + length), v);
    at += length + 1;
  }
}

/**
 * Reads some pages of a layout file, in file order.
 * @param numbers page numbers, from 1; numbers outside the layout are ignored
 * @param known its head, if already read
 */
export async function readLayoutPages(
  read: ReadRange,
  numbers: readonly number[],
  known?: ParsedHead,
): Promise<Page[]> {
  const wanted = new Set(numbers);
  const pages: Page[] = [];
  for await (const page of streamPages(read, known ?? (await readLayoutHead(read)), (number) => wanted.has(number))) {
    pages.push(page);
  }
  return pages;
}
