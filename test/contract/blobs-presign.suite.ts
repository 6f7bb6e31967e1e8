import { expect, test } from "vitest";
import type { PresignedRequest } from "../../functions/ports/blobs.ts";
import { StoreLimitExceeded } from "../../functions/ports/errors.ts";
import { type BlobsContext, noise, textOf, utf8 } from "./blobs.suite.ts";

/** Part of the suite in blobs.suite.ts: presigned requests without a key, over real HTTP. */
export function blobsPresignTests(context: BlobsContext): void {
  getTests(context);
  downloadTests(context);
  putTests(context);
  refusalTests(context);
  abuseTests(context);
}

interface Answer {
  status: number;
  headers: Headers;
  body: Buffer;
}

async function send(request: PresignedRequest, change: RequestInit & { url?: string } = {}): Promise<Answer> {
  const { url = request.url, ...init } = change;
  const response = await fetch(url, { method: request.method, headers: request.headers, ...init });
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, body };
}

/** The same address with another signature. */
function forged(url: string): string {
  const changed = new URL(url);
  for (const [name, value] of changed.searchParams) {
    if (/signature/i.test(name))
      changed.searchParams.set(
        name,
        value.replace(/^./, (c) => (c === "0" ? "1" : "0")),
      );
  }
  expect(changed.href).not.toBe(url);
  return changed.href;
}

function getTests({ blobs, key }: BlobsContext): void {
  test("a presigned GET returns content and type", async () => {
    const one = key("Übung 東京+%25&?#.txt");
    await blobs().put(one, utf8("0123456789"), { contentType: "text/plain; charset=utf-8" });
    const request = await blobs().presignGet(one, { expiresInSeconds: 60 });
    expect(request).toMatchObject({ method: "GET", expiresAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    const answer = await send(request);
    expect(answer.status).toBe(200);
    expect(answer.body.toString()).toBe("0123456789");
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(answer.headers.get("content-length")).toBe("10");
    expect(answer.headers.get("etag")).toMatch(/^"/);
    expect((await send(request)).status, "it can be sent again until it expires").toBe(200);
  });

  for (const [range, text, contentRange] of [
    ["bytes=2-4", "234", "bytes 2-4/10"],
    ["bytes=7-", "789", "bytes 7-9/10"],
    ["bytes=-3", "789", "bytes 7-9/10"],
    ["bytes=8-99", "89", "bytes 8-9/10"],
  ] as const) {
    test(`a presigned GET with Range: ${range} of 10 bytes returns '${text}'`, async () => {
      const one = key();
      await blobs().put(one, utf8("0123456789"));
      const answer = await send(await blobs().presignGet(one, { expiresInSeconds: 60 }), { headers: { range } });
      expect(answer.status).toBe(206);
      expect(answer.body.toString()).toBe(text);
      expect(answer.headers.get("content-range")).toBe(contentRange);
    });
  }

  test("a presigned GET answers 416 to a range past the end", async () => {
    const one = key();
    await blobs().put(one, utf8("0123456789"));
    const request = await blobs().presignGet(one, { expiresInSeconds: 60 });
    expect((await send(request, { headers: { range: "bytes=10-" } })).status).toBe(416);
  });
}

function downloadTests({ blobs, key }: BlobsContext): void {
  test("a presigned GET sends the full file name as an attachment's", async () => {
    const one = key();
    await blobs().put(one, utf8("x"));
    const fileName = `Rechnung "März" 東京.pdf`;
    const answer = await send(await blobs().presignGet(one, { expiresInSeconds: 60, fileName }));
    const disposition = answer.headers.get("content-disposition") ?? "";
    expect(disposition).toMatch(
      /^attachment; filename="[\x20\x21\x23-\x5b\x5d-\x7e]+"; filename\*=UTF-8''[!#$&+.^_`|~\w%-]+$/,
    );
    expect(decodeURIComponent(disposition.split("UTF-8''")[1] ?? "")).toBe(fileName);
  });

  test("a presigned GET returns 5 MB whole, an empty blob empty, and 404 for none", async () => {
    const [large, empty, none] = [key(), key(), key()];
    const bytes = noise(5 * 1024 * 1024);
    await blobs().put(large, bytes);
    await blobs().put(empty, utf8(""));
    const get = async (one: string) => send(await blobs().presignGet(one, { expiresInSeconds: 60 }));
    expect((await get(large)).body.equals(bytes)).toBe(true);
    expect(await get(empty)).toMatchObject({ status: 200, body: Buffer.alloc(0) });
    expect((await get(none)).status).toBe(404);
  });
}

function putTests({ blobs, key }: BlobsContext): void {
  test("a presigned PUT writes the signed content", async () => {
    const one = key("Ünïcode 🧾.bin");
    const body = noise(300_000);
    const request = await blobs().presignPut(one, {
      expiresInSeconds: 60,
      contentType: "image/png",
      size: body.length,
    });
    expect(request.method).toBe("PUT");
    expect((await send(request, { body })).status).toBe(200);
    expect(await blobs().head(one)).toMatchObject({ size: body.length, contentType: "image/png" });
    expect(Buffer.from((await blobs().get(one)) ?? []).equals(body)).toBe(true);
  });

  test("a presigned PUT of nothing writes an empty blob", async () => {
    const one = key();
    const request = await blobs().presignPut(one, { expiresInSeconds: 60, contentType: "text/plain", size: 0 });
    expect((await send(request, { body: new Uint8Array(0) })).status).toBe(200);
    expect(await blobs().head(one)).toMatchObject({ size: 0, contentType: "text/plain" });
  });

  test("Blobs.presign refuses impossible times, sizes and types", async () => {
    for (const expiresInSeconds of [0, -1, 1.5, 604_801]) {
      await expect(blobs().presignGet(key(), { expiresInSeconds })).rejects.toThrow(StoreLimitExceeded);
    }
    const put = { expiresInSeconds: 60, contentType: "text/plain", size: 1 };
    for (const wrong of [
      { size: -1 },
      { size: 1.5 },
      { contentType: "a\nb" },
      { contentType: "" },
      { expiresInSeconds: 0 },
    ]) {
      await expect(blobs().presignPut(key(), { ...put, ...wrong })).rejects.toThrow(StoreLimitExceeded);
    }
  });
}

function refusalTests({ blobs, key }: BlobsContext): void {
  const signed = (one: string) => blobs().presignPut(one, { expiresInSeconds: 60, contentType: "text/plain", size: 4 });
  const changes: Record<string, (request: PresignedRequest) => RequestInit & { url?: string }> = {
    "a shorter body": () => ({ body: "abc" }),
    "a longer body": () => ({ body: "abcde" }),
    "a much longer body": () => ({ body: noise(400_000) }),
    "no body": () => ({}),
    "another type": () => ({ body: "abcd", headers: { "content-type": "text/html" } }),
    "a type with a parameter": () => ({ body: "abcd", headers: { "content-type": "text/plain; charset=utf-8" } }),
    "no type": () => ({ body: utf8("abcd"), headers: {} }),
    "another signature": ({ url }) => ({ body: "abcd", url: forged(url) }),
    "another key": ({ url }) => ({ body: "abcd", url: url.replace("/blob?", "/glob?") }),
    "no query": ({ url }) => ({ body: "abcd", url: url.split("?")[0] ?? "" }),
  };
  for (const [what, change] of Object.entries(changes)) {
    test(`a presigned PUT with ${what} is refused and writes nothing`, async () => {
      const one = key();
      const request = await signed(one);
      const { status } = await send(request, change(request));
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect((await blobs().list(one.slice(0, -"blob".length))).blobs).toEqual([]);
    });
  }

  test("a refused presigned PUT keeps the old blob", async () => {
    const one = key();
    await blobs().put(one, utf8("old"), { contentType: "image/png" });
    expect((await send(await signed(one), { body: "abcde" })).status).not.toBe(200);
    expect(textOf(await blobs().get(one))).toBe("old");
    expect((await blobs().head(one))?.contentType).toBe("image/png");
  });
}

function abuseTests({ blobs, key, wait }: BlobsContext): void {
  const signed = (one: string) => blobs().presignPut(one, { expiresInSeconds: 60, contentType: "text/plain", size: 4 });
  test("a presigned GET with another signature, for another key or with the address of a PUT is refused", async () => {
    const one = key();
    await blobs().put(one, utf8("secret"));
    const other = one.replace(/blob$/, "glob");
    await blobs().put(other, utf8("secret"));
    const get = await blobs().presignGet(one, { expiresInSeconds: 60, fileName: "a.txt" });
    const put = await signed(one);
    for (const url of [
      forged(get.url),
      get.url.replace("/blob?", "/glob?"),
      get.url.replace("a.txt", "b.txt"),
      put.url,
    ]) {
      expect(url).not.toBe(get.url);
      const answer = await send(get, { url });
      expect(answer.status).toBe(403);
      expect(answer.body.includes("secret")).toBe(false);
    }
    expect((await send(put, { url: get.url, body: "abcd" })).status).toBe(403);
  });

  test("a presigned request is refused after its expiry", async () => {
    const one = key();
    await blobs().put(one, utf8("old"));
    const get = await blobs().presignGet(one, { expiresInSeconds: 1 });
    const put = await blobs().presignPut(one, { expiresInSeconds: 1, contentType: "text/plain", size: 4 });
    await wait(2100);
    expect((await send(get)).status).toBe(403);
    expect((await send(put, { body: "abcd" })).status).toBe(403);
    expect(textOf(await blobs().get(one))).toBe("old");
  });
}
