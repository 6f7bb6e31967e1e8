/**
 * A layout as a file: one JSON object whose last member is `pages`, and before it `index`, the bytes of each page, so
 * that a page of a long document can be read without the others. Version 3 packs its pages (layout-pack.ts); 2 wrote them
 * as the model has them, 1 without an index.
 */

import type { Blobs } from "../../ports/blobs.ts";
import { LAYOUT_VERSION, type Layout, type Page } from "../../ports/layout.ts";
import { type PackedPage, packPage, unpackPage } from "./packed-pages.ts";
import { textLength } from "./page-view.ts";

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
    const part = toJson(packPage(page));
    parts.push(part);
    index.push([page.number, part.length, textLength(page)]);
  }
  const head = toJson({ ...facts, index }).subarray(0, -1);
  const comma = encoder.encode(",");
  const body = parts.flatMap((part, at) => (at === 0 ? [part] : [comma, part]));
  return Buffer.concat([head, encoder.encode(PAGES), ...body, encoder.encode("]}")]);
}

/** The first version that packs its pages. */
const PACKED = 3;

/** Older layouts hold a part of what these may: 1 has no fields of forms, 2 no barcodes. */
function checkVersion(v: number): void {
  if (![1, 2, LAYOUT_VERSION].includes(v)) throw new RangeError(`Layout version ${v} is not ${LAYOUT_VERSION}`);
}

/** A page as its version writes it. */
function parsePage(bytes: Uint8Array, v: number): Page {
  const page: unknown = JSON.parse(decoder.decode(bytes));
  return v < PACKED ? (page as Page) : unpackPage(page as PackedPage);
}

interface FoundHead {
  head: LayoutHead;
  /** Where the first page begins. */
  start: number;
  /** The version of the file. */
  v: number;
}

/** @returns undefined where these are not all of a head's bytes; the index is absent from the head of a version 1 */
function parseHead(bytes: Uint8Array): (Omit<FoundHead, "head"> & { head: Partial<LayoutHead> }) | undefined {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(PAGES);
  if (at < 0) return undefined;
  const head = JSON.parse(`${decoder.decode(bytes.subarray(0, at))}}`) as LayoutHead;
  const v: number = head.v;
  checkVersion(v);
  return { head: { ...head, v: LAYOUT_VERSION }, start: at + PAGES.length, v };
}

/**
 * A whole layout; page by page, so that a long document's text is never there beside its objects.
 * @throws RangeError for the layout of a release that this one does not read; TypeError for bytes that are not UTF-8,
 * SyntaxError for what is no JSON
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

/** Bytes `start` to `end` of a layout's file, both counted in; fewer at its end. */
export type ReadRange = (range: { start: number; end: number }) => Promise<Uint8Array>;

/** A layout that is stored. */
export const rangesOf =
  (blobs: Pick<Blobs, "get">, key: string): ReadRange =>
  async (range) =>
    (await blobs.get(key, range)) ?? new Uint8Array();

/** The head of a layout's file, and where its first page begins. @throws RangeError for a file without an index */
export async function readLayoutHead(read: ReadRange): Promise<FoundHead> {
  for (let size = FIRST_RANGE; ; size *= 8) {
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
 * Pages of a layout's file in its order, each read when it is its turn, so that they need not be there together.
 * @param isWanted by its number, from 1
 */
export async function* pagesIn(
  read: ReadRange,
  { head, start, v }: FoundHead,
  isWanted: (number: number) => boolean = () => true,
): AsyncGenerator<Page> {
  let at = start;
  for (const [number, bytes] of head.index) {
    if (isWanted(number)) yield parsePage(await read({ start: at, end: at + bytes - 1 }), v);
    at += bytes + 1;
  }
}

/**
 * Some pages of a layout's file, in the order of the file.
 * @param numbers page numbers, from 1; those that the layout does not hold are left out
 * @param known its head, where that was read already
 */
export async function readLayoutPages(read: ReadRange, numbers: readonly number[], known?: FoundHead): Promise<Page[]> {
  const wanted = new Set(numbers);
  const pages: Page[] = [];
  for await (const page of pagesIn(read, known ?? (await readLayoutHead(read)), (number) => wanted.has(number))) {
    pages.push(page);
  }
  return pages;
}
