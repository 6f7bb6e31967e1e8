import { beforeAll, expect, test } from "vitest";
import { StoreLimitExceeded } from "../../functions/ports/errors.ts";
import { type BlobsContext, utf8 } from "./blobs.suite.ts";

/** Part of the suite in blobs.suite.ts: lists of keys in byte order, by prefix and page. */
export function blobsListTests(context: BlobsContext): void {
  prefixTests(context);
  pagingTests(context);
}

function prefixTests({ blobs, key }: BlobsContext): void {
  const root = key("");
  // Sorted by UTF-8 bytes: a slash comes after `!` and before `0`; U+E000 comes before U+10000.
  const names = [
    ...["Z", "a", "a!", "a/", "a/b", "a/b/c", "a/c", "a0", "aa/a", "b", "b/b/b/b"],
    ...["\u00e1", "\ud7ff/x", "\ue000", "\u{10000}", "🧾/1", "🧾/2"],
  ].filter((name) => !name.endsWith("/"));
  beforeAll(async () => {
    await Promise.all(names.map((name) => blobs().put(root + name, utf8(name), { contentType: "text/plain" })));
  });
  const below = async (prefix: string): Promise<string[]> =>
    (await blobs().list(root + prefix)).blobs.map((blob) => blob.key.slice(root.length));

  test("Blobs.list returns keys in byte order", async () => {
    expect([...names].sort(), "the default order of strings differs, or this test shows nothing").not.toEqual(names);
    expect(await below("")).toEqual(names);
  });

  for (const prefix of [
    "a",
    "a/",
    "a/b",
    "a/b/",
    "aa",
    "b/b",
    "c",
    "a/b/c",
    "a/b/c/",
    "🧾",
    "\ud7ff/",
    "Z/",
    "/",
    "a//",
  ]) {
    const wanted = names.filter((name) => name.startsWith(prefix));
    test(`Blobs.list with the prefix '${prefix}' returns ${wanted.join(" ") || "nothing"}`, async () => {
      expect(await below(prefix)).toEqual(wanted);
    });
  }

  test("Blobs.list returns only keys below the prefix", async () => {
    expect(await below("../")).toEqual([]);
    expect(await below("a/../a")).toEqual([]);
    expect(await below("./a")).toEqual([]);
  });

  test("Blobs.list returns the same heads as Blobs.head", async () => {
    const { blobs: found } = await blobs().list(`${root}a/b/c`);
    expect(found).toEqual([await blobs().head(`${root}a/b/c`)]);
  });

  test("Blobs.list refuses limits out of range and malformed prefixes", async () => {
    for (const limit of [0, -1, 1001, 2.5])
      await expect(blobs().list(root, { limit })).rejects.toThrow(StoreLimitExceeded);
    await expect(blobs().list("\ud83e")).rejects.toThrow(StoreLimitExceeded);
    await expect(blobs().list("p".repeat(1025))).rejects.toThrow(StoreLimitExceeded);
  });
}

function pagingTests({ blobs, key }: BlobsContext): void {
  const root = key("");
  const keys = Array.from(
    { length: 60 },
    (_, n) => `${root}${n % 3}/${String(n).padStart(3, "0")}${n % 4 ? "" : "/x"}`,
  ).sort();
  beforeAll(async () => {
    await Promise.all(keys.map((one) => blobs().put(one, utf8("x"))));
  });

  for (const limit of [1, 7, 20, 59, 60, 61]) {
    test(`Blobs.list with ${limit} keys a page returns each key once`, async () => {
      const pages: string[][] = [];
      let cursor: string | undefined;
      do {
        const page = await blobs().list(root, { limit, ...(cursor === undefined ? {} : { cursor }) });
        pages.push(page.blobs.map((blob) => blob.key));
        cursor = page.cursor;
      } while (cursor !== undefined && pages.length < 100);
      expect(pages.flat()).toEqual(keys);
      expect(pages).toHaveLength(Math.ceil(keys.length / limit));
    });
  }

  test("Blobs.list continues after the last key of a page, whatever was written or deleted there", async () => {
    const prefix = key("");
    for (const name of ["b", "d/d", "f"]) await blobs().put(prefix + name, utf8("x"));
    const { cursor = "" } = await blobs().list(prefix, { limit: 2 });
    await blobs().delete(`${prefix}d/d`);
    for (const name of ["a", "d/e", "d/a"]) await blobs().put(prefix + name, utf8("x"));
    const rest = await blobs().list(prefix, { cursor });
    expect(rest.blobs.map((blob) => blob.key)).toEqual([`${prefix}d/e`, `${prefix}f`]);
    expect(rest.cursor).toBeUndefined();
  });
}
