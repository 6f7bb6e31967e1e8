/**
 * The layout of a document as the API shows it, written part by part: no part of a long document's pages is held, or
 * computed, on the thread of all requests for long.
 */
import type { PageEntry, ParsedHead, ReadRange } from "../../../engine/layout/layout-file.ts";
import type { LayoutPart } from "../../../engine/layout/page-view.ts";
import { type PagesToView, type ViewedPages, viewPart } from "../../../engine/layout/view-part.ts";
import { viewPagesTask } from "../../../engine/tasks/view-pages.ts";
import type { Organization } from "../../organizations/organization.ts";
import { callLimits } from "../../organizations/request-limits.ts";

/** Bytes of layout viewed at a time; a page has some tens of KB, and its view about six times as many. */
const MAX_PART_BYTES = 512 * 1024;
/** Most time for a part; it takes some hundred milliseconds. */
const MAX_VIEW_MS = 20_000;

export interface WantedLayout {
  /** Page numbers from 1; absent: all. */
  pages?: readonly number[];
  parts: readonly LayoutPart[];
}

interface PagesPart {
  /** Byte offset in the layout file. */
  start: number;
  index: PageEntry[];
  /** Start of its text in the document's text. */
  offset: number;
}

const bytesOf = (index: readonly PageEntry[]): number =>
  index.reduce((sum, [, bytes]) => sum + bytes, Math.max(0, index.length - 1));

/** Consecutive needed pages, cut to parts. */
function partsOf({ head, start }: ParsedHead, isNeeded: (page: number) => boolean, partBytes: number): PagesPart[] {
  const parts: PagesPart[] = [];
  let [at, offset, isOpen] = [start, 0, false];
  for (const entry of head.index) {
    const [number, bytes, length] = entry;
    const last = parts.at(-1);
    if (!isNeeded(number)) isOpen = false;
    else if (isOpen && last !== undefined && bytesOf(last.index) + bytes < partBytes) last.index.push(entry);
    else {
      parts.push({ start: at, index: [entry], offset });
      isOpen = true;
    }
    at += bytes + 1;
    offset += length + 1;
  }
  return parts;
}

/** Views pages: few ones here, others in the engine. */
function view(org: Organization, pages: PagesToView): ViewedPages | Promise<ViewedPages> {
  if (pages.pages.length <= org.config.inlineLayoutBytes) return viewPart(pages);
  return org.engines.documents.run(viewPagesTask, pages, callLimits(org, MAX_VIEW_MS, pages.index.length));
}

/** Texts of the members behind the pages, gathered part by part. */
class MembersBehind {
  readonly #content: Uint8Array[] = [];
  readonly #lists = new Map<string, Uint8Array[]>();
  readonly #sections: { id: string; elements: string[] }[] = [];

  get hasSections(): boolean {
    return this.#sections.length > 0;
  }

  add({ content, lists, continued, sections }: ViewedPages): void {
    this.#content.push(content);
    for (const [name, list] of Object.entries(lists)) {
      const known = this.#lists.get(name) ?? [];
      if (list.length > 0) known.push(list);
      this.#lists.set(name, known);
    }
    this.#sections.at(-1)?.elements.push(...continued);
    this.#sections.push(...sections);
  }

  *write(parts: readonly LayoutPart[]): Generator<string | Uint8Array> {
    if (parts.includes("content")) {
      yield ',"contentFormat":"text","content":"';
      yield* between(this.#content, "\\n");
      yield '"';
    }
    for (const [name, list] of this.#lists) {
      yield `,"${name}":[`;
      yield* between(list, ",");
      yield "]";
    }
    if (parts.includes("sections")) yield `,"sections":${JSON.stringify(this.#sections)}`;
  }
}

function* between(texts: readonly Uint8Array[], separator: string): Generator<string | Uint8Array> {
  for (const [at, text] of texts.entries()) {
    if (at > 0) yield separator;
    yield text;
  }
}

/** The text of the answer, in pieces. @param facts members before the pages @param partBytes of layout, viewed at a time */
export async function* writeLayoutView(
  org: Organization,
  file: { read: ReadRange; parsed: ParsedHead },
  facts: object,
  { pages, parts }: WantedLayout,
  partBytes = MAX_PART_BYTES,
): AsyncGenerator<Buffer> {
  const chosen = pages === undefined ? undefined : [...pages];
  // `content` is the whole document's text, as spans count from its beginning.
  const isNeeded = (page: number): boolean =>
    chosen === undefined || parts.includes("content") || chosen.includes(page);
  const behind = new MembersBehind();
  yield Buffer.from(`${JSON.stringify(facts).slice(0, -1)},"pages":[`);
  let written = 0;
  // Without any part the lists are there, and empty.
  const needed = partsOf(file.parsed, isNeeded, partBytes);
  for (const { start, index, offset } of needed.length > 0 ? needed : [{ start: 0, index: [], offset: 0 }]) {
    const bytes = index.length === 0 ? new Uint8Array() : await file.read({ start, end: start + bytesOf(index) - 1 });
    const { v } = file.parsed;
    const asked = { pages: bytes, index, v, offset, chosen, parts: [...parts], continues: behind.hasSections };
    const viewed = await view(org, asked);
    behind.add(viewed);
    if (viewed.pages.length === 0) continue;
    if (written > 0) yield Buffer.from(",");
    yield Buffer.from(viewed.pages.buffer, viewed.pages.byteOffset, viewed.pages.length);
    written += 1;
  }
  yield Buffer.from("]");
  for (const piece of behind.write(parts)) yield typeof piece === "string" ? Buffer.from(piece) : Buffer.from(piece);
  yield Buffer.from("}");
}
