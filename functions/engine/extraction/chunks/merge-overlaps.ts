import { isObject, own } from "../../../ports/json.ts";
import { pointTo } from "../../schema/json-pointer.ts";
import type { Evidence, FoundRecord } from "./chunk-answer.ts";
import { isBlank, keyOf, keyPath } from "./record-key.ts";

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
