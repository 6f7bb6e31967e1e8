/** Merges records that two chunks give because they share pages. One record stays, with additions from the other. */
import { isObject, own, setOwn } from "../../../ports/json.ts";
import { pointTo } from "../../schema/json-pointer.ts";
import type { Evidence, FoundRecord } from "./chunk-answer.ts";
import { isBlank, keyOf, keyPath } from "./record-key.ts";

/** The pages of a record's values; empty when none was located. */
function pagesOf({ evidence }: FoundRecord): Set<number> {
  const pages = new Set<number>();
  for (const { location } of evidence) for (const { pageNumber } of location?.pageAnchors ?? []) pages.add(pageNumber);
  return pages;
}

const standsOn = (record: FoundRecord, shared: readonly number[]): boolean => {
  const pages = pagesOf(record);
  return pages.size === 0 || shared.some((page) => pages.has(page));
};

/** Fills missing members of a record from its repetition, with their places. */
function fillFrom(record: FoundRecord, again: FoundRecord): void {
  const { value } = record;
  if (!isObject(value) || !isObject(again.value)) return;
  for (const [name, member] of Object.entries(again.value)) {
    const there = own(value, name);
    if (isBlank(member) || !isBlank(there)) continue;
    setOwn(value, name, member);
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
 * Removes records that an earlier chunk with shared pages gave already, one for one. Records of one chunk are never
 * merged, nor records on pages that the chunks do not share.
 * @param chunks in document order; changed in place
 */
export function mergeOverlaps(chunks: readonly ChunkRecords[], dedupKey: string): void {
  const path = keyPath(dedupKey);
  // The records of each chunk; a repetition is represented by the record that stays.
  const given: { pages: readonly number[]; records: { key: string; record: FoundRecord }[] }[] = [];
  for (const chunk of chunks) {
    const keyed = chunk.records.map((record) => ({ key: keyOf(record.value, path), record }));
    const repetitions = new Map<FoundRecord, FoundRecord>();
    for (let before = given.length - 1; before >= 0; before -= 1) {
      const earlier = given[before];
      const shared = chunk.pages.filter((page) => earlier?.pages.includes(page));
      if (earlier === undefined || shared.length === 0) break;
      matchRecords(earlier.records, keyed, shared, repetitions);
    }
    for (const [again, first] of repetitions) fillFrom(first, again);
    chunk.records = chunk.records.filter((record) => !repetitions.has(record));
    given.push({
      pages: chunk.pages,
      records: keyed.map(({ key, record }) => ({ key, record: repetitions.get(record) ?? record })),
    });
  }
}

type KeyedRecord = { key: string; record: FoundRecord };

/** Matches records one for one, in order. @param repetitions gets the later chunk's records, each with the one that stays */
function matchRecords(
  earlier: readonly KeyedRecord[],
  later: readonly KeyedRecord[],
  shared: readonly number[],
  repetitions: Map<FoundRecord, FoundRecord>,
): void {
  const open = new Map<string, FoundRecord[]>();
  const taken = new Set(repetitions.values());
  for (const { key, record } of earlier) {
    if (taken.has(record) || !standsOn(record, shared)) continue;
    const waiting = open.get(key);
    if (waiting === undefined) open.set(key, [record]);
    else waiting.push(record);
  }
  for (const { key, record } of later) {
    if (repetitions.has(record) || !standsOn(record, shared)) continue;
    const first = open.get(key)?.shift();
    if (first !== undefined) repetitions.set(record, first);
  }
}
