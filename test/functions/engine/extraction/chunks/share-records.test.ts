/** Records of a whole document, shared among its chunks. */
import { describe, expect, it } from "vitest";
import type { ChunkAnswer, FoundRecord } from "../../../../../functions/engine/extraction/chunks/chunk-answer.ts";
import { shareRecords } from "../../../../../functions/engine/extraction/chunks/share-records.ts";

/** A record named by its number, with words at some places. */
const record = (name: number, ...sourceRefs: string[]): FoundRecord => ({
  value: { name },
  evidence:
    sourceRefs.length === 0
      ? [{ pointer: "/name", reason: "derived" }]
      : [{ pointer: "/name", location: { resolution: "word", sourceRefs, pageAnchors: [], confidence: 1 } }],
});

const whole = (...records: FoundRecord[]): ChunkAnswer => ({
  records,
  rest: { value: { customer: "Harbour" }, evidence: [] },
  faults: [],
});

const namesOf = (shares: readonly ChunkAnswer[]) =>
  shares.map(({ records }) => records.map(({ value }) => (value as { name: number }).name));

describe("shareRecords", () => {
  it("gives each chunk the records that begin on its pages, whole and in order", () => {
    const all = whole(record(1, "p1/w5"), record(2, "p2/w0", "p1/w9"), record(3, "p2/w4"), record(4, "p3/w1"));
    const chunks = [{ pages: [1] }, { pages: [2] }, { pages: [3] }];
    expect(namesOf(shareRecords(all, chunks))).toEqual([[1, 2], [3], [4]]);
    expect(shareRecords(all, chunks)[0]?.records[1]).toBe(all.records[1]);
  });

  it("gives records of shared pages to both chunks, and those of a header's pages to none", () => {
    const all = whole(record(1, "p1/w1"), record(2, "p2/w1"), record(3, "p3/w1"), record(4, "p4/w1"));
    expect(namesOf(shareRecords(all, [{ pages: [2, 3] }, { pages: [3, 4] }]))).toEqual([
      [2, 3],
      [3, 4],
    ]);
  });

  it("compares words with the cuts within a page", () => {
    const cut = { page: 1, block: 3, word: 10 };
    const all = whole(record(1, "p1/w9"), record(2, "p1/w10"), record(3, "p2/w0"));
    expect(
      namesOf(
        shareRecords(all, [
          { pages: [1], to: cut },
          { pages: [1, 2], from: cut },
        ]),
      ),
    ).toEqual([[1], [2, 3]]);
  });

  it("keeps a record without a place behind the one before it, and gives the other members to the first chunk", () => {
    const all = whole(record(1, "p2/w1"), record(2), record(3, "p1/w1"));
    const shares = shareRecords(all, [{ pages: [1] }, { pages: [2] }]);
    expect(namesOf(shares)).toEqual([[3], [1, 2]]);
    expect(shares.map(({ rest }) => rest.value)).toEqual([{ customer: "Harbour" }, {}]);
  });
});
