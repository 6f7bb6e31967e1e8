import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { ConditionFailed } from "../../functions/ports/errors.ts";
import { type BlobsContext, bytesOf, noise, sha256, textOf, utf8 } from "./blobs.suite.ts";

/** Part of the suite in blobs.suite.ts: streamed bodies, and many writers at once. */
export function blobsStreamTests(context: BlobsContext): void {
  streamTests(context);
  brokenTests(context);
  raceTests(context);
}

const large = noise(5 * 1024 * 1024 + 17);

function streamTests({ blobs, key }: BlobsContext): void {
  test("Blobs streams 5 MB in and out", async () => {
    const one = key();
    const pieces = [large.subarray(0, 100_001), large.subarray(100_001, 100_002), large.subarray(100_002)];
    expect(await blobs().put(one, Readable.from(pieces))).toMatchObject({ size: large.length });
    expect((await bytesOf(await blobs().stream(one)))?.equals(large)).toBe(true);
    const middle = await bytesOf(await blobs().stream(one, { start: 1_000_000, end: 2_999_999 }));
    expect(middle?.equals(large.subarray(1_000_000, 3_000_000))).toBe(true);
    expect(Buffer.from((await blobs().get(one)) ?? []).equals(large)).toBe(true);
  });

  test("Blobs.put stores the same blob from bytes and from a stream of them", async () => {
    const [one, other] = [key(), key()];
    const bytes = large.subarray(0, 70_000);
    await blobs().put(one, bytes);
    await blobs().put(other, Readable.from([bytes]));
    expect(await blobs().get(one)).toEqual(await blobs().get(other));
    await blobs().put(other, Readable.from([]));
    expect(await blobs().head(other)).toMatchObject({ size: 0 });
  });

  test("Blobs.put with a failing source writes nothing, and keeps the old blob", async () => {
    const one = key();
    const failing = () =>
      Readable.from(
        (async function* () {
          yield large.subarray(0, 300_000);
          await new Promise((resolve) => setTimeout(resolve, 5));
          throw new Error("the source broke");
        })(),
      );
    await expect(blobs().put(one, failing())).rejects.toThrow("the source broke");
    expect(await blobs().head(one)).toBeUndefined();
    await blobs().put(one, utf8("old"), { contentType: "text/plain" });
    await expect(blobs().put(one, failing(), { contentType: "image/png" })).rejects.toThrow("the source broke");
    expect(textOf(await blobs().get(one))).toBe("old");
    expect(await blobs().head(one)).toMatchObject({ size: 3, contentType: "text/plain" });
    const prefix = one.slice(0, one.lastIndexOf("/") + 1);
    expect((await blobs().list(prefix)).blobs.map((blob) => blob.key)).toEqual([one]);
  });
}

function brokenTests({ blobs, key }: BlobsContext): void {
  test("Blobs.put refuses a source that is broken from the start", async () => {
    const one = key();
    const broken = new Readable({ read() {} });
    const writing = blobs().put(one, broken);
    broken.destroy(new Error("gone at once"));
    await expect(writing).rejects.toThrow("gone at once");
    expect(await blobs().head(one)).toBeUndefined();
  });

  test("Blobs.get tolerates a reader that stops early", async () => {
    const one = key();
    await blobs().put(one, large);
    const stream = await blobs().stream(one);
    for await (const chunk of stream ?? []) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect(stream?.destroyed).toBe(true);
    await blobs().delete(one);
    expect(await blobs().head(one)).toBeUndefined();
  });
}

function raceTests({ blobs, key }: BlobsContext): void {
  test("Blobs.put with ifAbsent lets one of 20 concurrent writers win, with its content", async () => {
    const one = key();
    const bodies = Array.from({ length: 20 }, (_, writer) => noise(20_000 + writer, writer + 1));
    const outcomes = await Promise.allSettled(bodies.map((body) => blobs().put(one, body, { ifAbsent: true })));
    for (const outcome of outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(ConditionFailed);
    }
    const winners = bodies.filter((_, writer) => outcomes[writer]?.status === "fulfilled");
    expect(winners).toHaveLength(1);
    expect(Buffer.from((await blobs().get(one)) ?? []).equals(winners[0] ?? Buffer.alloc(0))).toBe(true);
  });

  test("Blobs.get beside writers returns one blob or another, never a mixture", async () => {
    const one = key();
    const bodies = Array.from({ length: 8 }, (_, writer) => noise(150_000 + 1000 * writer, writer + 1));
    const known = new Set(bodies.map(sha256));
    await blobs().put(one, bodies[0] ?? utf8(""), { contentType: "application/x-0" });
    let writing = true;
    const writers = Promise.all(
      bodies.map(async (body, writer) => {
        for (let round = 0; round < 4; round++)
          await blobs().put(one, body, { contentType: `application/x-${writer}` });
      }),
    ).finally(() => {
      writing = false;
    });
    let reads = 0;
    for (; writing || reads < 5; reads++) {
      const whole = (await blobs().get(one)) ?? new Uint8Array(0);
      expect(known.has(sha256(whole))).toBe(true);
      const streamed = (await bytesOf(await blobs().stream(one))) ?? Buffer.alloc(0);
      expect(known.has(sha256(streamed))).toBe(true);
      const head = await blobs().head(one);
      expect(head?.size).toBe(150_000 + 1000 * Number(head?.contentType.slice("application/x-".length)));
    }
    await writers;
  });

  test("Blobs.put and Blobs.delete of neighbours at once lose nothing", async () => {
    const prefix = key("");
    await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const [kept, passing] = [`${prefix}deep/er/kept-${n}`, `${prefix}deep/er/passing-${n}`];
        for (let round = 0; round < 6; round++) {
          await blobs().put(passing, utf8("x"), { ifAbsent: true });
          await blobs().delete(passing);
        }
        await blobs().put(kept, utf8(String(n)));
      }),
    );
    const { blobs: found } = await blobs().list(prefix);
    expect(found.map((blob) => blob.key)).toEqual(Array.from({ length: 8 }, (_, n) => `${prefix}deep/er/kept-${n}`));
  });
}
