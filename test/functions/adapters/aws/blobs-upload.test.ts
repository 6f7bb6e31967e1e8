/** Writing through the S3 driver, against exchanges written from S3's API reference. */
import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import { S3Client } from "@aws-sdk/client-s3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openS3Blobs } from "../../../../functions/adapters/aws/blobs.ts";
import type { Blobs } from "../../../../functions/ports/blobs.ts";
import { AppError, ConditionFailed } from "../../../../functions/ports/errors.ts";
import { manualClock } from "../../../support/clock.ts";
import { type Answer, clientOptions, connectionReset, Exchanges, type Seen } from "./exchanges.ts";

let exchanges: Exchanges;
let blobs: Blobs;
beforeEach(() => {
  exchanges = new Exchanges();
  blobs = openS3Blobs({
    client: new S3Client(clientOptions(exchanges)),
    bucket: "sheaf-test",
    clock: manualClock(),
  });
});
afterEach(() => expect(exchanges.left).toBe(0));

const MB = 1024 * 1024;
const PUT_PATH = "/a/b?x-id=PutObject";
const refusal = (status: number, code: string): Answer => ({
  status,
  body: `<Error><Code>${code}</Code><Message>At least one of the pre-conditions did not hold</Message></Error>`,
});
const written = (etag: string): Answer => ({ status: 200, headers: { etag: `"${etag}"` } });
const checksumOf = (bytes: Uint8Array): string => {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(bytes));
  return checksum.toString("base64");
};
const asked = ({ method, path }: Seen): string => `${method} ${path}`;
const codesOf = async (work: Promise<unknown>) => work.catch((error: unknown) => error);

describe("uploadBlob with one request", () => {
  it("sends content, type and checksum, from bytes and from a stream", async () => {
    exchanges.add(written("e1"), written("e2"));
    const bytes = Buffer.from("Grüße");
    expect(await blobs.put("a/b", bytes, { contentType: "text/plain" })).toEqual({ etag: "e1", size: 7 });
    const stream = Readable.from(["Grü", Buffer.from("ße")]);
    expect(await blobs.put("a/b", stream, { contentType: "text/plain" })).toEqual({ etag: "e2", size: 7 });
    const request = {
      method: "PUT",
      host: "https://sheaf-test.s3.eu-central-1.amazonaws.com",
      path: PUT_PATH,
      headers: {
        "content-type": "text/plain",
        "content-length": "7",
        "x-amz-meta-writer": expect.stringMatching(/^[0-9a-f-]{36}$/),
        "x-amz-sdk-checksum-algorithm": "CRC32",
        "x-amz-checksum-crc32": checksumOf(bytes),
      },
      body: bytes,
    };
    expect(exchanges.seen).toEqual([request, request]);
  });

  it("sends 8 MB at once, and nothing of a source that fails", async () => {
    exchanges.add(written("e"));
    expect(await blobs.put("a/b", Readable.from([Buffer.alloc(8 * MB)]))).toEqual({ etag: "e", size: 8 * MB });
    const failure = new Error("the source broke");
    const failing = async function* () {
      yield Buffer.alloc(3 * MB);
      throw failure;
    };
    expect(await codesOf(blobs.put("a/b", Readable.from(failing())))).toBe(failure);
    expect(exchanges.seen.map(asked)).toEqual([`PUT ${PUT_PATH}`]);
  });
});

describe("uploadBlob with ifAbsent", () => {
  const absent = () => blobs.put("a/b", Buffer.from("x"), { ifAbsent: true });

  it("uses S3's own condition", async () => {
    exchanges.add(written("e"), refusal(412, "PreconditionFailed"));
    expect(await absent()).toEqual({ etag: "e", size: 1 });
    await expect(absent()).rejects.toThrow(new ConditionFailed("A file is there already"));
    for (const { headers } of exchanges.seen) expect(headers["if-none-match"]).toBe("*");
  });

  it("retries when a deletion came in between, and gives up in the end", async () => {
    const conflict = refusal(409, "ConditionalRequestConflict");
    exchanges.add(conflict, conflict, written("e"));
    expect(await absent()).toEqual({ etag: "e", size: 1 });
    exchanges.add(conflict, conflict, conflict, conflict, conflict);
    await expect(absent()).rejects.toThrow(ConditionFailed);
    expect(exchanges.seen.map(asked)).toEqual(Array.from({ length: 8 }, () => `PUT ${PUT_PATH}`));
  });

  it("recognises its own blob when the first answer was lost", async () => {
    const ours = (): Answer => ({
      status: 200,
      headers: { etag: '"mine"', "x-amz-meta-writer": exchanges.seen[0]?.headers["x-amz-meta-writer"] ?? "" },
    });
    exchanges.add(connectionReset(), refusal(412, "PreconditionFailed"), ours);
    expect(await absent()).toEqual({ etag: "mine", size: 1 });
    expect(exchanges.seen.map(asked)).toEqual([`PUT ${PUT_PATH}`, `PUT ${PUT_PATH}`, "HEAD /a/b"]);
  });

  it("does not mistake another writer's blob for its own", async () => {
    const theirs: Answer = { status: 200, headers: { etag: '"x"', "x-amz-meta-writer": "somebody" } };
    exchanges.add(connectionReset(), refusal(412, "PreconditionFailed"), theirs);
    await expect(absent()).rejects.toThrow(ConditionFailed);
  });
});

const CREATED: Answer = {
  status: 200,
  body: "<InitiateMultipartUploadResult><UploadId>VXBsb2FkIElE</UploadId></InitiateMultipartUploadResult>",
};
const COMPLETED: Answer = {
  status: 200,
  body: "<CompleteMultipartUploadResult><ETag>&quot;17fbc0a106abbb6f381aac6e331f2a19-3&quot;</ETag></CompleteMultipartUploadResult>",
};
const part = ({ headers }: Seen): Answer => ({
  status: 200,
  headers: {
    etag: `"part of ${headers["content-length"]}"`,
    "x-amz-checksum-crc32": headers["x-amz-checksum-crc32"] ?? "",
  },
});
const partPath = (number: number): string => `/a/b?partNumber=${number}&uploadId=VXBsb2FkIElE&x-id=UploadPart`;

describe("uploadBlob in parts", () => {
  const bytes = Buffer.alloc(20 * MB, "0123456789");
  const pieces = () => Readable.from([bytes.subarray(0, 5), bytes.subarray(5, 19 * MB), bytes.subarray(19 * MB)]);

  for (const [what, body] of [
    ["bytes", () => bytes],
    ["a stream", pieces],
  ] as const) {
    it(`sends parts of 8 MB for ${what} above that`, async () => {
      exchanges.add(CREATED, part, part, part, COMPLETED);
      expect(await blobs.put("a/b", body(), { contentType: "application/pdf" })).toEqual({
        etag: "17fbc0a106abbb6f381aac6e331f2a19-3",
        size: bytes.length,
      });
      const [create, ...rest] = exchanges.seen;
      const complete = rest.pop();
      const parts = rest.sort((one, other) => (one.path < other.path ? -1 : 1));
      expect(create).toMatchObject({
        method: "POST",
        path: "/a/b?uploads",
        headers: { "content-type": "application/pdf", "x-amz-checksum-algorithm": "CRC32" },
      });
      expect(
        parts.map(({ method, path, headers, body }) => [method, path, body.length, headers["x-amz-checksum-crc32"]]),
      ).toEqual(
        [bytes.subarray(0, 8 * MB), bytes.subarray(8 * MB, 16 * MB), bytes.subarray(16 * MB)].map((one, index) => [
          "PUT",
          partPath(index + 1),
          one.length,
          checksumOf(one),
        ]),
      );
      expect(complete).toMatchObject({ method: "POST", path: "/a/b?uploadId=VXBsb2FkIElE" });
      const listed = [...(complete?.body.toString() ?? "").matchAll(/<Part>.*?<\/Part>/g)].map(([one]) => one);
      expect(listed).toHaveLength(3);
      listed.forEach((one, index) => {
        expect(one).toContain(`<PartNumber>${index + 1}</PartNumber>`);
        expect(one).toContain(`<ETag>&quot;part of ${index < 2 ? 8 * MB : 4 * MB}&quot;</ETag>`);
        expect(one).toContain(`<ChecksumCRC32>${parts[index]?.headers["x-amz-checksum-crc32"]}</ChecksumCRC32>`);
      });
    });
  }

  it("removes the parts when the source fails, and throws the source's error", async () => {
    const failure = new Error("the source broke");
    const failing = () =>
      Readable.from(
        (async function* () {
          yield bytes.subarray(0, 12 * MB);
          await new Promise((resolve) => setTimeout(resolve, 20));
          throw failure;
        })(),
      );
    exchanges.add(CREATED, part, { status: 204 });
    expect(await codesOf(blobs.put("a/b", failing()))).toBe(failure);
    const requests = [
      "POST /a/b?uploads",
      `PUT ${partPath(1)}`,
      "DELETE /a/b?uploadId=VXBsb2FkIElE&x-id=AbortMultipartUpload",
    ];
    expect(exchanges.seen.map(asked)).toEqual(requests);
    exchanges.add(CREATED, part, refusal(403, "AccessDenied"));
    expect(await codesOf(blobs.put("a/b", failing())), "also when they cannot be removed").toBe(failure);
    expect(exchanges.seen.map(asked)).toEqual([...requests, ...requests]);
  });

  it("removes the parts and closes the source when S3 refuses a part", async () => {
    const source = pieces();
    exchanges.add(CREATED, refusal(403, "AccessDenied"), part, part, { status: 204 });
    const failure = await codesOf(blobs.put("a/b", source));
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({ kind: "InternalServerError", cause: { name: "AccessDenied" } });
    expect(source.destroyed).toBe(true);
    expect(asked(exchanges.seen.at(-1) as Seen)).toMatch(/^DELETE \/a\/b\?uploadId=VXBsb2FkIElE/);
  });
});

describe("uploadBlob with a source that goes on after S3 refused its blob", () => {
  for (const [what, ending] of [
    ["fails", () => Promise.reject(new Error("too late"))],
    ["ends", () => Promise.resolve()],
  ] as const) {
    it(`survives a source that ${what}`, async () => {
      exchanges.add(refusal(403, "AccessDenied"));
      const slow = Readable.from(
        (async function* () {
          yield Buffer.alloc(17 * MB);
          await new Promise((resolve) => setTimeout(resolve, 30));
          await ending();
        })(),
      );
      await expect(blobs.put("a/b", slow)).rejects.toThrow();
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(slow.destroyed).toBe(true);
      expect(exchanges.seen.map(asked)).toEqual(["POST /a/b?uploads"]);
    });
  }
});

describe("uploadBlob in parts with ifAbsent", () => {
  const bytes = Buffer.alloc(9 * MB);
  const absent = () => blobs.put("a/b", bytes, { ifAbsent: true });

  it("sends no parts when a blob exists", async () => {
    exchanges.add({ status: 200, headers: { etag: '"x"' } }, { status: 200, headers: { etag: '"x"' } });
    await expect(absent()).rejects.toThrow(ConditionFailed);
    const source = Readable.from([bytes, bytes]);
    await expect(blobs.put("a/b", source, { ifAbsent: true })).rejects.toThrow(ConditionFailed);
    expect(source.destroyed, "nobody will read it").toBe(true);
    expect(exchanges.seen.map(asked)).toEqual(["HEAD /a/b", "HEAD /a/b"]);
  });

  it("fails when another writer's blob appears before the last request", async () => {
    exchanges.add({ status: 404 }, CREATED, part, part, refusal(412, "PreconditionFailed"), { status: 204 });
    await expect(absent()).rejects.toThrow(ConditionFailed);
    const complete = exchanges.seen.at(-2);
    expect(complete && asked(complete)).toBe("POST /a/b?uploadId=VXBsb2FkIElE");
    expect(complete?.headers["if-none-match"]).toBe("*");
    expect(asked(exchanges.seen.at(-1) as Seen)).toMatch(/^DELETE/);
  });
});

describe("uploadBlob in parts whose last answer was lost", () => {
  const bytes = Buffer.alloc(9 * MB);
  const gone = refusal(404, "NoSuchUpload");
  const headBy = (writer: (create: Seen | undefined) => string | undefined) => (): Answer => ({
    status: 200,
    headers: {
      etag: '"mine-2"',
      "x-amz-meta-writer": writer(exchanges.seen.find(({ path }) => path === "/a/b?uploads")) ?? "",
    },
  });
  const ours = headBy((create) => create?.headers["x-amz-meta-writer"]);

  it("finds its own blob", async () => {
    exchanges.add(CREATED, part, part, connectionReset(), gone, gone, ours);
    expect(await blobs.put("a/b", bytes)).toEqual({ etag: "mine-2", size: bytes.length });
    expect(exchanges.seen.slice(-4).map(({ method }) => method)).toEqual(["POST", "POST", "DELETE", "HEAD"]);
  });

  it("finds its own blob with ifAbsent too", async () => {
    exchanges.add({ status: 404 }, CREATED, part, part, connectionReset(), gone, gone, ours);
    expect(await blobs.put("a/b", bytes, { ifAbsent: true })).toEqual({ etag: "mine-2", size: bytes.length });
  });

  it("fails when the blob is another writer's", async () => {
    exchanges.add(
      CREATED,
      part,
      part,
      connectionReset(),
      gone,
      gone,
      headBy(() => "somebody"),
    );
    await expect(blobs.put("a/b", bytes)).rejects.toMatchObject({
      kind: "InternalServerError",
      cause: { name: "NoSuchUpload" },
    });
  });
});
