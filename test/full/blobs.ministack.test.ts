/** The Blobs suite on the S3 driver, over HTTP against the emulator, and the behaviour of multipart uploads. */
import { Readable } from "node:stream";
import { CreateBucketCommand, ListMultipartUploadsCommand, S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openS3Blobs } from "../../functions/adapters/aws/blobs.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { ConditionFailed } from "../../functions/ports/errors.ts";
import { blobsSuite, noise } from "../contract/blobs.suite.ts";
import { startMinistack } from "../support/ministack.ts";

// Without enforced rights it would accept unsigned PUTs.
const emulator = await startMinistack({ enforceAuth: true });
const client = new S3Client({ ...emulator?.clientOptions, forcePathStyle: true });
afterAll(async () => {
  client.destroy();
  await emulator?.close();
});

describe.skipIf(emulator === undefined)("the emulator", () => {
  const bucket = "sheaf-suite";
  const open = () => openS3Blobs({ client, bucket, clock: systemClock() });
  beforeAll(() => client.send(new CreateBucketCommand({ Bucket: bucket })));

  blobsSuite("S3", async () => ({ blobs: open(), reopen: async () => open(), close: async () => {} }));

  describe("S3 multipart blobs", () => {
    const blobs = open();
    const large = noise(20 * 1024 * 1024 + 3);
    const pieces = () =>
      Readable.from([large.subarray(0, 11), large.subarray(11, 9_000_000), large.subarray(9_000_000)]);
    const unfinished = async () =>
      (await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads ?? [];

    it("are read whole and in ranges, and are the same from bytes and from a stream", async () => {
      const written = await blobs.put("parts/bytes", large, { contentType: "application/pdf" });
      expect(await blobs.put("parts/stream", pieces(), { contentType: "application/pdf" })).toEqual(written);
      expect(written).toEqual({ etag: expect.stringMatching(/^[0-9a-f]{32}-3$/), size: large.length });
      expect(await blobs.head("parts/stream")).toMatchObject({ ...written, contentType: "application/pdf" });
      expect(large.equals((await blobs.get("parts/stream")) ?? Buffer.alloc(0))).toBe(true);
      const across = await blobs.get("parts/stream", { start: 8_388_600, end: 8_388_619 });
      expect(large.subarray(8_388_600, 8_388_620).equals(across ?? Buffer.alloc(0))).toBe(true);
    });

    it("leave neither a blob nor parts when their source fails", async () => {
      const failing = async function* () {
        yield* pieces();
        throw new Error("the source broke");
      };
      await expect(blobs.put("parts/broken", Readable.from(failing()))).rejects.toThrow("the source broke");
      expect(await blobs.head("parts/broken")).toBeUndefined();
      expect(await unfinished()).toEqual([]);
    });

    it("are written once with ifAbsent, and leave no parts when they lose", async () => {
      const outcomes = await Promise.allSettled(
        [1, 2, 3].map((seed) => blobs.put("parts/once", noise(9_000_000, seed), { ifAbsent: true })),
      );
      const lost = outcomes.filter((outcome) => outcome.status === "rejected");
      expect(lost.map(({ reason }) => reason)).toEqual([expect.any(ConditionFailed), expect.any(ConditionFailed)]);
      const winner = outcomes.findIndex(({ status }) => status === "fulfilled") + 1;
      expect(noise(9_000_000, winner).equals((await blobs.get("parts/once")) ?? Buffer.alloc(0))).toBe(true);
      expect(await unfinished()).toEqual([]);
    });
  });
});
