import { isObject, type Json, own } from "../../../ports/json.ts";
import { pointTo } from "../../schema/json-pointer.ts";
import { canonicalText } from "../../schema/json-text.ts";
import type { Evidence, FoundRecord } from "./chunk-answer.ts";

/** `$.a.b`, `a[*].b`, `a['b']` as names; positions in lists say nothing about a record. */
export function keyPath(path: string): string[] {
  return path
    .replace(/^\s*\$/, "")
    .replaceAll(/\[\s*(?:'([^']*)'|"([^"]*)"|([^\]]*))\s*\]/g, (_, single, double, other) => {
      const name = single ?? double ?? other ?? "";
      return `.${/^(?:\*|\d+)$/.test(name) ? "" : name}`;
    })
    .split(".")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "*");
}

/** The value there; through lists, those of all items. */
function lookUp(value: Json | undefined, path: readonly string[]): Json | undefined {
  const [name, ...rest] = path;
  if (name === undefined || value === undefined) return value;
  if (Array.isArray(value)) {
    const found = value.map((item) => lookUp(item, path)).filter((item) => item !== undefined);
    return found.length === 0 ? undefined : found;
  }
  return isObject(value) ? lookUp(own(value, name), rest) : undefined;
}

const isBlank = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === "string" && value.trim() === "") ||
  (Array.isArray(value) && value.every(isBlank));

/**
 * What tells a record apart. Of `lineItems.sku` the record may be an item itself, so that `sku` alone is tried too. A
 * record that says nothing there is told apart by all that it says.
 */
export function keyOf(record: Json, path: readonly string[]): string {
  for (let start = 0; start < path.length; start += 1) {
    const found = lookUp(record, path.slice(start));
    if (isBlank(found)) continue;
    return `key ${typeof found === "string" ? found.replace(/\s+/g, " ").trim() : canonicalText(found ?? null)}`;
  }
  return `record ${canonicalText(record)}`;
}

/** The pages that a record was found on; none where nothing of it was found. */
function pagesOf({ evidence }: FoundRecord): Set<number> {
  const pages = new Set<number>();
  for (const { location } of evidence) for (const { pageNumber } of location?.pageAnchors ?? []) pages.add(pageNumber);
  return pages;
}

const standsOn = (record: FoundRecord, shared: readonly number[]): boolean => {
  const pages = pagesOf(record);
  return pages.size === 0 || shared.some((page) => pages.has(page));
};

/** Members that the record lacks come from its repetition, with their places. */
function complete(record: FoundRecord, again: FoundRecord): void {
  const { value } = record;
  if (!isObject(value) || !isObject(again.value)) return;
  for (const [name, member] of Object.entries(again.value)) {
    const there = own(value, name);
    if (isBlank(member) || !isBlank(there)) continue;
    Object.defineProperty(value, name, { value: member, writable: true, enumerable: true, configurable: true });
    const inside = ({ pointer }: Evidence): boolean => {
      const begin = pointTo("", name);
      return pointer === begin || pointer.startsWith(`${begin}/`);
    };
    record.evidence = [...record.evidence.filter((one) => !inside(one)), ...again.evidence.filter(inside)];
  }
}

export interface ChunkRecords {
  pages: readonly number[];
  records: FoundRecord[];
}

/**
 * Takes records out of chunks that a chunk before, with pages in common, gave already; each stands for one. Records of
 * one chunk are never taken for each other, nor those that are known to stand on pages which the chunks do not share.
 * @param chunks in the order of the document; their records are changed
 */
export function mergeOverlaps(chunks: readonly ChunkRecords[], dedupKey: string): void {
  const path = keyPath(dedupKey);
  // What a chunk gave, with what it gave that a chunk before had already.
  const given: { pages: readonly number[]; records: { key: string; record: FoundRecord }[] }[] = [];
  for (const chunk of chunks) {
    const keyed = chunk.records.map((record) => ({ key: keyOf(record.value, path), record }));
    const gone = new Map<FoundRecord, FoundRecord>();
    for (let before = given.length - 1; before >= 0; before -= 1) {
      const earlier = given[before];
      const shared = chunk.pages.filter((page) => earlier?.pages.includes(page));
      if (earlier === undefined || shared.length === 0) break;
      matchUp(earlier.records, keyed, shared, gone);
    }
    for (const [again, first] of gone) complete(first, again);
    chunk.records = chunk.records.filter((record) => !gone.has(record));
    given.push({
      pages: chunk.pages,
      records: keyed.map(({ key, record }) => ({ key, record: gone.get(record) ?? record })),
    });
  }
}

type Keyed = { key: string; record: FoundRecord };

/** One for one, in their order. @param gone gets those of the later chunk, each with the one that stays */
function matchUp(
  earlier: readonly Keyed[],
  later: readonly Keyed[],
  shared: readonly number[],
  gone: Map<FoundRecord, FoundRecord>,
): void {
  const open = new Map<string, FoundRecord[]>();
  const taken = new Set(gone.values());
  for (const { key, record } of earlier) {
    if (taken.has(record) || !standsOn(record, shared)) continue;
    const waiting = open.get(key);
    if (waiting === undefined) open.set(key, [record]);
    else waiting.push(record);
  }
  for (const { key, record } of later) {
    if (gone.has(record) || !standsOn(record, shared)) continue;
    const first = open.get(key)?.shift();
    if (first !== undefined) gone.set(record, first);
  }
}
