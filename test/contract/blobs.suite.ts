/** The contract of Blobs. A real bucket is shared, so each test stays below a prefix of its own. */
import { createHash, randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Blobs, ByteRange } from "../../functions/ports/blobs.ts";
import { ConditionFailed, StoreLimitExceeded } from "../../functions/ports/errors.ts";
import { blobsListTests } from "./blobs-list.suite.ts";
import { blobsPresignTests } from "./blobs-presign.suite.ts";
import { blobsStreamTests } from "./blobs-streams.suite.ts";

export interface BlobsSubject {
  blobs: Blobs;
  /** Closes the driver and opens it again on the same data; later calls use the new one. */
  reopen?: () => Promise<Blobs>;
  /** The driver's own clock, when a test can move it. */
  clock?: { now(): number; advance(milliseconds: number): void };
  close(): Promise<void>;
}

/** The context of a group of tests. */
export interface BlobsContext {
  blobs(): Blobs;
  /** An unused key, below `test/`. */
  key(name?: string): string;
  /** Waits for this time, in reality or on the driver's clock. */
  wait(milliseconds: number): Promise<void>;
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Reproducible bytes without a pattern that a buffer's length could hide. */
export function noise(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

/** A blob's text, or undefined without a blob. */
export const textOf = (bytes: Uint8Array | undefined): string | undefined =>
  bytes && new TextDecoder("utf-8", { fatal: true }).decode(bytes);

export async function bytesOf(stream: Readable | undefined): Promise<Buffer | undefined> {
  return stream && Buffer.concat(await stream.toArray());
}

export function blobsSuite(name: string, make: () => Promise<BlobsSubject>): void {
  describe(`Blobs: ${name}`, () => {
    let subject: BlobsSubject;
    beforeAll(async () => {
      subject = await make();
    });
    afterAll(() => subject.close());
    const context: BlobsContext = {
      blobs: () => subject.blobs,
      key: (of = "blob") => `test/${randomUUID()}/${of}`,
      async wait(milliseconds) {
        if (subject.clock) subject.clock.advance(milliseconds);
        else await new Promise((resolve) => setTimeout(resolve, milliseconds));
      },
    };
    describe("whole blobs", () => wholeTests(context));
    describe("blobs over blobs", () => replacingTests(context));
    describe("ranges", () => rangeTests(context));
    describe("streams and races", () => blobsStreamTests(context));
    describe("keys", () => keyTests(context));
    describe("odd keys", () => oddKeyTests(context));
    describe("lists", () => blobsListTests(context));
    describe("presigned requests", () => blobsPresignTests(context));

    test("Blobs keeps acknowledged writes after reopening", async ({ skip }) => {
      if (subject.reopen === undefined) return skip("nothing outlives this driver");
      const key = context.key();
      await subject.blobs.put(key, utf8("kept"), { contentType: "text/plain" });
      const before = await subject.blobs.head(key);
      subject.blobs = await subject.reopen();
      expect(await subject.blobs.head(key)).toEqual(before);
      expect(textOf(await subject.blobs.get(key))).toBe("kept");
    });
  });
}

function wholeTests({ blobs, key }: BlobsContext): void {
  test("Blobs.get and Blobs.head return undefined for a missing blob, and Blobs.delete succeeds", async () => {
    const one = key();
    expect(await blobs().get(one)).toBeUndefined();
    expect(await blobs().stream(one)).toBeUndefined();
    expect(await blobs().head(one)).toBeUndefined();
    expect(await blobs().get(one, { start: 0, end: 1 })).toBeUndefined();
    await expect(blobs().delete(one)).resolves.toBeUndefined();
  });

  test("Blobs.put, head, get and delete work on one blob", async () => {
    const one = key();
    const written = await blobs().put(one, utf8("Grüße"), { contentType: "text/plain; charset=utf-8" });
    expect(written).toEqual({ etag: expect.stringMatching(/./), size: 7 });
    const head = await blobs().head(one);
    expect(head).toEqual({
      key: one,
      ...written,
      contentType: "text/plain; charset=utf-8",
      lastModified: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/),
    });
    expect(textOf(await blobs().get(one))).toBe("Grüße");
    await blobs().delete(one);
    expect(await blobs().get(one)).toBeUndefined();
    expect(await blobs().head(one)).toBeUndefined();
  });

  test("Blobs.put later can be read at once, and Blobs.keep ends when it is kept", async () => {
    const one = key();
    const written = await blobs().put(one, utf8("again"), { later: true });
    expect(textOf(await blobs().get(one))).toBe("again");
    expect(await blobs().head(one)).toMatchObject(written);
    await blobs().keep(one);
    await blobs().keep("nothing/below/this");
    expect(await blobs().isWhole(one)).toBe(true);
  });

  test("Blobs.put without a type stores application/octet-stream", async () => {
    const one = key();
    await blobs().put(one, utf8("x"));
    expect((await blobs().head(one))?.contentType).toBe("application/octet-stream");
  });

  test("Blobs.put stores an empty blob", async () => {
    const one = key();
    expect(await blobs().put(one, new Uint8Array(0))).toMatchObject({ size: 0 });
    expect(await blobs().head(one)).toMatchObject({ size: 0 });
    expect((await blobs().get(one))?.length).toBe(0);
    expect((await bytesOf(await blobs().stream(one)))?.length).toBe(0);
  });
}

function replacingTests({ blobs, key }: BlobsContext): void {
  test("Blobs.put replaces content, type and etag together", async () => {
    const one = key();
    const first = await blobs().put(one, utf8("the first, and longer"), { contentType: "text/plain" });
    const second = await blobs().put(one, utf8("{}"), { contentType: "application/json" });
    expect(second.etag).not.toBe(first.etag);
    expect(await blobs().head(one)).toMatchObject({ ...second, contentType: "application/json" });
    expect(textOf(await blobs().get(one))).toBe("{}");
    const again = await blobs().put(one, utf8("{}"), { contentType: "application/json" });
    expect(again.etag).toBe(second.etag);
  });

  test("Blobs.put with ifAbsent writes once and keeps an existing blob", async () => {
    const one = key();
    await blobs().put(one, utf8("first"), { ifAbsent: true, contentType: "text/plain" });
    await expect(blobs().put(one, utf8("second"), { ifAbsent: true })).rejects.toThrow(ConditionFailed);
    expect(textOf(await blobs().get(one))).toBe("first");
    expect((await blobs().head(one))?.contentType).toBe("text/plain");
    await blobs().delete(one);
    await blobs().put(one, utf8("third"), { ifAbsent: true });
    expect(textOf(await blobs().get(one))).toBe("third");
  });

  test("Blobs.put refuses a type that no header can carry", async () => {
    for (const contentType of ["", "text/plain\r\nX-Evil: 1", "text/pläin", "t".repeat(256)]) {
      await expect(blobs().put(key(), utf8("x"), { contentType })).rejects.toThrow(StoreLimitExceeded);
    }
  });
}

function rangeTests({ blobs, key }: BlobsContext): void {
  const one = key();
  beforeAll(() => blobs().put(one, utf8("0123456789")));

  const cases: { range: ByteRange; text: string }[] = [
    { range: { start: 0 }, text: "0123456789" },
    { range: { start: 0, end: 0 }, text: "0" },
    { range: { start: 3, end: 5 }, text: "345" },
    { range: { start: 7 }, text: "789" },
    { range: { start: 9, end: 9 }, text: "9" },
    { range: { start: 8, end: 100 }, text: "89" },
    { range: { start: 10 }, text: "" },
    { range: { start: 50, end: 60 }, text: "" },
  ];
  for (const { range, text } of cases) {
    test(`Blobs.get with ${JSON.stringify(range)} of 10 bytes returns '${text}'`, async () => {
      expect(textOf(await blobs().get(one, range))).toBe(text);
      expect(textOf(await bytesOf(await blobs().stream(one, range)))).toBe(text);
    });
  }

  test("Blobs.get returns nothing for a range of an empty blob", async () => {
    const empty = key();
    await blobs().put(empty, new Uint8Array(0));
    expect((await blobs().get(empty, { start: 0, end: 4 }))?.length).toBe(0);
  });

  test("Blobs.get refuses reversed ranges, and ranges that are not in bytes", async () => {
    for (const range of [{ start: -1 }, { start: 2, end: 1 }, { start: 0.5 }, { start: 0, end: Number.NaN }]) {
      await expect(blobs().get(one, range)).rejects.toThrow(StoreLimitExceeded);
      await expect(blobs().stream(one, range)).rejects.toThrow(StoreLimitExceeded);
    }
  });
}

function keyTests({ blobs }: BlobsContext): void {
  const refused = {
    "an empty key": "",
    "a slash at the beginning": "/a",
    "a slash at the end": "test/a/",
    "an empty segment": "test//a",
    "a segment .": "test/./a",
    "a segment ..": "test/../a",
    "only ..": "..",
    "over 1,024 bytes": "t".repeat(1025),
    "over 1,024 bytes in fewer characters": "é".repeat(513),
    "half a surrogate pair": "test/\ud83e",
  };
  for (const [what, one] of Object.entries(refused)) {
    test(`Blobs refuses a key with ${what} in every call`, async () => {
      await expect(blobs().put(one, utf8("x"))).rejects.toThrow(StoreLimitExceeded);
      await expect(blobs().get(one)).rejects.toThrow(StoreLimitExceeded);
      await expect(blobs().stream(one)).rejects.toThrow(StoreLimitExceeded);
      await expect(blobs().head(one)).rejects.toThrow(StoreLimitExceeded);
      await expect(blobs().delete(one)).rejects.toThrow(StoreLimitExceeded);
      await expect(blobs().presignGet(one, { expiresInSeconds: 60 })).rejects.toThrow(StoreLimitExceeded);
    });
  }
}

const ODD_NAMES = [
  ...[
    "a",
    "a/b",
    "a/b/c",
    "a=",
    "a,",
    "a.",
    ".a",
    "A",
    "%61",
    "a%2fb",
    "a b",
    "a+b",
    "con",
    "nul.txt",
    "...",
    ".tmp/x",
  ],
  ...[
    "\u00e1",
    "a\u0301",
    "\u00c5",
    "\u212b",
    "ß",
    "SS",
    "🧾/🧾",
    "\u{10ffff}",
    "\uffff",
    "a\\b",
    'a:b*c?d"e<f>g|h',
    "a\u0007b",
  ],
];

function oddKeyTests({ blobs, key }: BlobsContext): void {
  test("Blobs accepts a key of exactly 1,024 bytes, in one segment or many", async () => {
    const start = key("");
    const room = 1024 - start.length;
    for (const one of [
      `${start}${"s".repeat(room)}`,
      start + "é/".repeat(room).slice(0, Math.floor(room / 3) * 2 - 1),
    ]) {
      await blobs().put(one, utf8("x"));
      expect(await blobs().head(one)).toMatchObject({ key: one });
      expect((await blobs().list(one)).blobs).toHaveLength(1);
      await blobs().delete(one);
      expect(await blobs().head(one)).toBeUndefined();
    }
  });

  test("Blobs keeps similar keys apart, and a key that continues another", async () => {
    const prefix = key("");
    await Promise.all(ODD_NAMES.map((name) => blobs().put(prefix + name, utf8(name))));
    for (const name of ODD_NAMES) expect(textOf(await blobs().get(prefix + name))).toBe(name);
    const { blobs: found } = await blobs().list(prefix);
    expect(new Set(found.map((blob) => blob.key))).toEqual(new Set(ODD_NAMES.map((name) => prefix + name)));
    await blobs().delete(`${prefix}a`);
    expect(textOf(await blobs().get(`${prefix}a/b`))).toBe("a/b");
    await blobs().delete(`${prefix}a/b`);
    expect(textOf(await blobs().get(`${prefix}a/b/c`))).toBe("a/b/c");
  });
}
