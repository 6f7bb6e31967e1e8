import { beforeAll, expect, test } from "vitest";
import { BadRequest, StoreLimitExceeded } from "../../functions/ports/errors.ts";
import type { RecordOperation, RecordQuery, Records } from "../../functions/ports/records.ts";
import type { RecordsContext } from "./records.suite.ts";

/** Part of the suite in records.suite.ts: sorted pages of one partition. */
export function recordsQueryTests(context: RecordsContext): void {
  boundTests(context);
  orderTests(context);
  pagingTests(context);
  cursorTests(context);
}

const sortsOf = async (records: Records, query: RecordQuery): Promise<string[]> =>
  (await records.query(query)).items.map(({ key }) => key.sort);

async function fill(records: Records, partition: string, sorts: readonly string[]): Promise<void> {
  for (let at = 0; at < sorts.length; at += 100) {
    const some = sorts.slice(at, at + 100);
    await records.transact(
      some.map((sort, n): RecordOperation => ({ kind: "put", key: { partition, sort }, value: { v: 1, n: at + n } })),
    );
  }
}

function boundTests({ records, key }: RecordsContext): void {
  const { partition } = key();
  beforeAll(() => fill(records(), partition, ["a", "a/", "a/1", "a/2", "a0", "ab", "b", "b/1"]));

  const cases: { query: Omit<RecordQuery, "partition">; sorts: string[] }[] = [
    { query: {}, sorts: ["a", "a/", "a/1", "a/2", "a0", "ab", "b", "b/1"] },
    { query: { descending: true }, sorts: ["b/1", "b", "ab", "a0", "a/2", "a/1", "a/", "a"] },
    { query: { prefix: "" }, sorts: ["a", "a/", "a/1", "a/2", "a0", "ab", "b", "b/1"] },
    { query: { prefix: "a" }, sorts: ["a", "a/", "a/1", "a/2", "a0", "ab"] },
    { query: { prefix: "a/" }, sorts: ["a/", "a/1", "a/2"] },
    { query: { prefix: "a/", descending: true, limit: 2 }, sorts: ["a/2", "a/1"] },
    { query: { prefix: "c" }, sorts: [] },
    { query: { from: "a/1" }, sorts: ["a/1", "a/2", "a0", "ab", "b", "b/1"] },
    { query: { to: "a/1" }, sorts: ["a", "a/", "a/1"] },
    { query: { from: "a/1", to: "ab" }, sorts: ["a/1", "a/2", "a0", "ab"] },
    { query: { from: "a/11", to: "aa", descending: true }, sorts: ["a0", "a/2"] },
    { query: { from: "b", to: "b" }, sorts: ["b"] },
    { query: { from: "b", to: "a" }, sorts: [] },
  ];
  for (const { query, sorts } of cases) {
    test(`Records.query with ${JSON.stringify(query)} returns ${sorts.join(" ") || "nothing"}`, async () => {
      expect(await sortsOf(records(), { partition, ...query })).toEqual(sorts);
    });
  }

  test("Records.query returns the same records as Records.get", async () => {
    const { items } = await records().query({ partition, from: "ab", to: "ab" });
    expect(items).toEqual([await records().get({ partition, sort: "ab" })]);
  });

  test("Records.query excludes other partitions, whatever their names", async () => {
    await fill(records(), `${partition}/a`, ["x"]);
    await fill(records(), `${partition} `, ["y"]);
    expect(await sortsOf(records(), { partition, prefix: "x" })).toEqual([]);
    expect(await sortsOf(records(), { partition: `${partition}/a` })).toEqual(["x"]);
    expect(await sortsOf(records(), { partition: key().partition })).toEqual([]);
  });

  test("Records.query refuses a prefix with a range, a limit out of range and an empty partition as defects", async () => {
    await expect(records().query({ partition, prefix: "a", from: "a" })).rejects.toThrow(TypeError);
    await expect(records().query({ partition, prefix: "a", to: "b" })).rejects.toThrow(TypeError);
    for (const limit of [0, -1, 1.5, 1001, Number.NaN]) {
      await expect(records().query({ partition, limit })).rejects.toThrow(StoreLimitExceeded);
    }
    await expect(records().query({ partition: "" })).rejects.toThrow(StoreLimitExceeded);
  });
}

function orderTests({ records, key }: RecordsContext): void {
  // Sorted by UTF-8 bytes; by UTF-16 units the last three would come before U+E000.
  const ordered = [
    "A",
    "Z",
    "a",
    "a\u0301",
    "z",
    "\u00df",
    "\u00e1",
    "\ud7ff",
    "\ue000",
    "\ufb00",
    "\uffff",
    "\u{10000}",
    "🧾",
    "\u{10ffff}",
  ];

  test("Records.query sorts by UTF-8 bytes", async () => {
    expect([...ordered].sort(), "the default order of strings differs, or this test shows nothing").not.toEqual(
      ordered,
    );
    const { partition } = key();
    await fill(records(), partition, [...ordered].reverse());
    expect(await sortsOf(records(), { partition })).toEqual(ordered);
    expect(await sortsOf(records(), { partition, descending: true })).toEqual([...ordered].reverse());
    expect(await sortsOf(records(), { partition, from: "\uffff", to: "🧾" })).toEqual(["\uffff", "\u{10000}", "🧾"]);
    expect(await sortsOf(records(), { partition, from: "\u{10000}" })).toEqual(ordered.slice(-3));
  });

  test("Records.query ends a prefix at its last character", async () => {
    const { partition } = key();
    await fill(
      records(),
      partition,
      ordered.flatMap((text) => [text, `${text}/1`, `${text}\u{10ffff}`]),
    );
    for (const prefix of ordered) {
      const wanted = ordered
        .filter((text) => text.startsWith(prefix))
        .flatMap((text) => [text, `${text}/1`, `${text}\u{10ffff}`]);
      const found = await sortsOf(records(), { partition, prefix });
      expect(new Set(found), prefix).toEqual(new Set(wanted));
    }
  });
}

function pagingTests({ records, key }: RecordsContext): void {
  const COUNT = 2500;
  const { partition } = key();
  const all = Array.from({ length: COUNT }, (_, n) => `item/${String(n).padStart(5, "0")}`);
  beforeAll(() => fill(records(), partition, all));

  const pagesOf = async (query: RecordQuery): Promise<string[][]> => {
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await records().query({ ...query, ...(cursor === undefined ? {} : { cursor }) });
      pages.push(page.items.map(({ key: { sort } }) => sort));
      cursor = page.cursor;
    } while (cursor !== undefined && pages.length <= COUNT);
    return pages;
  };

  test("Records.query returns 100 records a page by default", async () => {
    const page = await records().query({ partition });
    expect(page.items.map(({ key: { sort } }) => sort)).toEqual(all.slice(0, 100));
    expect(page.cursor).toBeTypeOf("string");
  });

  for (const descending of [false, true]) {
    const wanted = descending ? all.toReversed() : all;
    test(`Records.query returns 2,500 records ${descending ? "downwards" : "upwards"}, each once`, async () => {
      const pages = await pagesOf({ partition, descending, limit: 1000 });
      expect(pages.map(({ length }) => length)).toEqual([1000, 1000, 500]);
      expect(pages.flat()).toEqual(wanted);
      expect((await pagesOf({ partition, descending, prefix: "item/", limit: 333 })).flat()).toEqual(wanted);
    });

    test(`Records.query returns the pages of a range ${descending ? "downwards" : "upwards"}`, async () => {
      const query = { partition, descending, from: "item/00100", to: "item/00199x", limit: 30 };
      const pages = await pagesOf(query);
      expect(pages.map(({ length }) => length)).toEqual([30, 30, 30, 10]);
      expect(pages.flat()).toEqual(wanted.filter((sort) => sort >= "item/00100" && sort <= "item/00199"));
    });
  }

  test("Records.query returns no cursor with a full last page", async () => {
    expect((await records().query({ partition, prefix: "item/000", limit: 100 })).cursor).toBeUndefined();
    expect((await records().query({ partition, prefix: "item/000", limit: 99 })).cursor).toBeDefined();
  });
}

function cursorTests({ records, key }: RecordsContext): void {
  test("Records.query continues after the last record of a page, whatever was written or deleted there", async () => {
    const { partition } = key();
    await fill(records(), partition, ["b", "d", "f", "h"]);
    const first = await records().query({ partition, limit: 2 });
    await records().delete({ partition, sort: "d" });
    await fill(records(), partition, ["a", "e"]);
    const cursor = first.cursor ?? "";
    expect(await sortsOf(records(), { partition, limit: 2, cursor })).toEqual(["e", "f"]);
    expect(await sortsOf(records(), { partition, limit: 50, cursor })).toEqual(["e", "f", "h"]);
  });

  test("Records.query refuses the cursor of another query, and a malformed one", async () => {
    const { partition } = key();
    const other = key().partition;
    await fill(records(), partition, ["a1", "a2", "a3"]);
    await fill(records(), other, ["a1", "a2", "a3"]);
    const { cursor = "" } = await records().query({ partition, prefix: "a", limit: 1 });
    const wrong: RecordQuery[] = [
      { partition: other, prefix: "a", cursor },
      { partition, cursor },
      { partition, prefix: "a1", cursor },
      { partition, from: "a", cursor },
      { partition, prefix: "a", descending: true, cursor },
      { partition, prefix: "a", cursor: "" },
      { partition, prefix: "a", cursor: "a1" },
      { partition, prefix: "a", cursor: `${cursor}!` },
      { partition, prefix: "a", cursor: Buffer.from("a".repeat(40)).toString("base64url") },
    ];
    for (const query of wrong) await expect(records().query(query)).rejects.toThrow(BadRequest);
    expect(await sortsOf(records(), { partition, prefix: "a", cursor })).toEqual(["a2", "a3"]);
  });
}
