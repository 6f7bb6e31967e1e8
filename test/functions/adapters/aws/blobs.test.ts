/** The S3 driver against exchanges written from S3's API reference: reading, listing, deleting, and errors. */
import { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import { S3Client } from "@aws-sdk/client-s3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openS3Blobs } from "../../../../functions/adapters/aws/blobs.ts";
import type { Blobs } from "../../../../functions/ports/blobs.ts";
import { AppError, BadRequest, ServiceUnavailable } from "../../../../functions/ports/errors.ts";
import { manualClock } from "../../../support/clock.ts";
import { type Answer, clientOptions, connectionReset, Exchanges, type Seen } from "./exchanges.ts";

let exchanges: Exchanges;
let blobs: Blobs;
const open = (options: { unlisted?: boolean } = {}): Blobs => {
  const client = new S3Client(clientOptions(exchanges));
  return openS3Blobs({ client, bucket: "sheaf-test", clock: manualClock(), ...options });
};
beforeEach(() => {
  exchanges = new Exchanges();
  blobs = open();
});
afterEach(() => expect(exchanges.left).toBe(0));

const refusal = (status: number, code: string): Answer => ({
  status,
  headers: { "content-type": "application/xml" },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>of the service, not ours</Message></Error>`,
});
const wire = ({ method, path, headers }: Seen) => ({ method, path, headers });
const READ = { "x-amz-checksum-mode": "ENABLED" };

describe("Blobs.get on S3", () => {
  it("requests the whole blob, and verifies S3's checksum", async () => {
    const body = Buffer.from("0123456789");
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32BE(crc32(body));
    const headers = { "content-length": "10", "x-amz-checksum-crc32": checksum.toString("base64") };
    exchanges.add({ status: 200, headers, body }, { status: 200, headers, body: "0123456780" });
    expect(Buffer.from((await blobs.get("a/b +%.txt")) ?? [])).toEqual(body);
    const failure = await blobs.get("a/b +%.txt").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ServiceUnavailable);
    const request = { method: "GET", path: "/a/b%20%2B%25.txt?x-id=GetObject", headers: READ };
    expect(exchanges.seen.map(wire)).toEqual([request, request]);
    expect(exchanges.seen[0]?.host).toBe("https://sheaf-test.s3.eu-central-1.amazonaws.com");
  });

  it("requests ranges as HTTP writes them; one past the end is empty", async () => {
    exchanges.add({ status: 206, body: "345" }, { status: 206, body: "789" });
    exchanges.add(refusal(416, "InvalidRange"), refusal(416, "InvalidRange"));
    expect(Buffer.from((await blobs.get("a", { start: 3, end: 5 })) ?? []).toString()).toBe("345");
    expect(Buffer.from((await blobs.get("a", { start: 7 })) ?? []).toString()).toBe("789");
    expect(await blobs.get("a", { start: 10 })).toHaveLength(0);
    expect(await (await blobs.stream("a", { start: 10, end: 12 }))?.toArray()).toEqual([]);
    expect(exchanges.seen.map(({ headers }) => headers.range)).toEqual([
      "bytes=3-5",
      "bytes=7-",
      "bytes=10-",
      "bytes=10-12",
    ]);
  });

  it("tells a missing blob from a missing bucket", async () => {
    exchanges.add(refusal(404, "NoSuchKey"), refusal(404, "NoSuchBucket"));
    expect(await blobs.get("a")).toBeUndefined();
    await expect(blobs.get("a")).rejects.toMatchObject({
      kind: "InternalServerError",
      cause: { name: "NoSuchBucket" },
    });
  });

  it("reports a broken body, also one that nobody has begun to read", async () => {
    const broken = () =>
      new Readable({
        read() {
          this.push("01234");
          this.destroy(connectionReset());
        },
      });
    const unread = new Readable({ read() {} });
    exchanges.add({ status: 200, body: broken() }, { status: 200, body: unread });
    await expect(blobs.get("a")).rejects.toThrow("A file could not be read to its end; try again.");
    const stream = await blobs.stream("a");
    unread.destroy(connectionReset());
    await new Promise((resolve) => setTimeout(resolve, 20));
    await expect(stream?.toArray()).rejects.toThrow(ServiceUnavailable);
  });

  it("closes the connection when a stream is dropped, begun or not", async () => {
    const bodies = [0, 1].map(() => Readable.from(["0", "1", "2"]));
    exchanges.add(...bodies.map((body) => ({ status: 200, body })));
    (await blobs.stream("a"))?.destroy();
    for await (const _ of (await blobs.stream("a")) ?? []) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(bodies.map((body) => body.destroyed)).toEqual([true, true]);
  });
});

describe("Blobs.head on S3", () => {
  it("reads the facts of an object", async () => {
    const headers = {
      "content-length": "7",
      "content-type": "text/plain; charset=utf-8",
      etag: '"9b2cf535f27731c974343645a3985328"',
      "last-modified": "Wed, 12 Oct 2022 17:50:00 GMT",
    };
    exchanges.add({ status: 200, headers }, { status: 404 });
    expect(await blobs.head("org/1/é")).toEqual({
      key: "org/1/é",
      size: 7,
      contentType: "text/plain; charset=utf-8",
      etag: "9b2cf535f27731c974343645a3985328",
      lastModified: "2022-10-12T17:50:00.000Z",
    });
    expect(await blobs.head("a")).toBeUndefined();
    expect(exchanges.seen.map(wire)).toEqual([
      { method: "HEAD", path: "/org/1/%C3%A9", headers: {} },
      { method: "HEAD", path: "/a", headers: {} },
    ]);
  });
});

const page = (keys: string[], more: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>sheaf-test</Name><EncodingType>url</EncodingType>
${keys.map((key) => `<Contents><Key>${key}</Key><ETag>&quot;e&quot;</ETag><Size>1</Size></Contents>`).join("")}${more}</ListBucketResult>`;
const NO_MORE = "<IsTruncated>false</IsTruncated>";
const MORE =
  "<IsTruncated>true</IsTruncated><NextContinuationToken>1ueGcxLPRx1Tr/XYExHnhbYLgveDs2J=</NextContinuationToken>";
const HEAD: Answer = { status: 200, headers: { "content-length": "1", etag: '"e"', "content-type": "text/plain" } };

describe("Blobs.list on S3", () => {
  it("decodes keys, and requests each one's head", async () => {
    exchanges.add({ status: 200, body: page(["p/a+b%2B%25", "p/%E2%9C%93", "p/gone"], NO_MORE) });
    exchanges.add(HEAD, HEAD, { status: 404 });
    const { blobs: found, cursor } = await blobs.list("p/", { limit: 5 });
    expect(found.map(({ key }) => key)).toEqual(["p/a b+%", "p/✓"]);
    expect(cursor).toBeUndefined();
    expect(exchanges.seen.map(wire)).toEqual([
      { method: "GET", path: "/?encoding-type=url&list-type=2&max-keys=5&prefix=p%2F", headers: {} },
      { method: "HEAD", path: "/p/a%20b%2B%25", headers: {} },
      { method: "HEAD", path: "/p/%E2%9C%93", headers: {} },
      { method: "HEAD", path: "/p/gone", headers: {} },
    ]);
  });

  it("continues after the last listed key, and only in the same listing", async () => {
    exchanges.add({ status: 200, body: page(["p/a"], MORE) }, HEAD, { status: 200, body: page([], NO_MORE) });
    const { cursor = "" } = await blobs.list("p/", { limit: 1 });
    expect(cursor).not.toBe("");
    expect(await blobs.list("p/", { cursor })).toEqual({ blobs: [] });
    expect(exchanges.seen[2]?.path).toBe("/?encoding-type=url&list-type=2&max-keys=1000&prefix=p%2F&start-after=p%2Fa");
    await expect(blobs.list("q/", { cursor })).rejects.toThrow(BadRequest);
  });

  it("continues after an empty page, and skips names that are not blob keys", async () => {
    exchanges.add({ status: 200, body: page([], MORE) }, { status: 200, body: page(["p/", "p//x", "p/a"], NO_MORE) });
    exchanges.add(HEAD);
    expect((await blobs.list("p/")).blobs.map(({ key }) => key)).toEqual(["p/a"]);
    expect(exchanges.seen[1]?.path).toContain("continuation-token=1ueGcxLPRx1Tr%2FXYExHnhbYLgveDs2J%3D&");
  });
});

describe("an error of S3", () => {
  it("is retried when transient, and then reported in one sentence", async () => {
    const slow = refusal(503, "SlowDown");
    exchanges.add(slow, connectionReset(), { status: 204 });
    await blobs.delete("a/b");
    const request = { method: "DELETE", path: "/a/b?x-id=DeleteObject", headers: {} };
    expect(exchanges.seen.map(wire)).toEqual([request, request, request]);
    exchanges.add(slow, refusal(500, "InternalError"), slow);
    await expect(blobs.delete("a")).rejects.toMatchObject({
      name: "ServiceUnavailable",
      message: "The file store is not available at the moment; try again in 5 seconds.",
      retryAfter: 5,
      cause: { name: "SlowDown" },
    });
  });

  it("is never the SDK's error", async () => {
    const calls: (() => Promise<unknown>)[] = [
      () => blobs.get("a"),
      () => blobs.stream("a", { start: 1 }),
      () => blobs.head("a"),
      () => blobs.list("a"),
      () => blobs.delete("a"),
      () => blobs.put("a", Buffer.from("x")),
      () => blobs.put("a", Buffer.from("x"), { ifAbsent: true }),
    ];
    for (const call of calls) {
      exchanges.add(refusal(403, "AccessDenied"));
      const failure = await call().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(AppError);
      expect(failure).toMatchObject({ kind: "InternalServerError", retryable: false });
      expect(String(failure)).not.toContain("of the service, not ours");
    }
  });

  it("of status 403 means a missing blob only for readers without the list permission", async () => {
    const own = open({ unlisted: true });
    for (const read of [() => own.get("a"), () => own.stream("a"), () => own.head("a")]) {
      exchanges.add(refusal(403, "AccessDenied"));
      expect(await read()).toBeUndefined();
    }
    for (const call of [() => own.list("a"), () => own.delete("a"), () => own.put("a", Buffer.from("x"))]) {
      exchanges.add(refusal(403, "AccessDenied"));
      await expect(call()).rejects.toMatchObject({ kind: "InternalServerError" });
    }
  });
});
