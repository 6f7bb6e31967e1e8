import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { IncomingMessage, ServerResponse } from "node:http";
import { connect, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type LocalBlobs, openBlobs } from "../../../../functions/adapters/local/blobs.ts";
import { createBlobGateway, parseRange } from "../../../../functions/adapters/local/blobs-gateway.ts";
import { attachment } from "../../../../functions/ports/http.ts";
import { manualClock } from "../../../support/clock.ts";
import { serveGateway } from "../../../support/gateway.ts";

const clock = manualClock();
const presign = { secret: Buffer.alloc(32, 3), baseUrl: () => `${server.url}/` };
let root = "";
let server: Awaited<ReturnType<typeof serveGateway>>;
let blobs: LocalBlobs;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "sheaf-gateway-"));
  blobs = openBlobs(root, { clock, presign });
  server = await serveGateway(blobs, presign, clock, 300);
});
afterAll(async () => {
  await server.close();
  rmSync(root, { recursive: true });
});
beforeEach(() => blobs.put("a/b", Buffer.from("0123456789"), { contentType: "text/html" }));

/** Sends bytes as they are and gives what comes back until the other side closes. */
function raw(lines: readonly string[], body: string, endAfter?: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    let answer = "";
    socket.setEncoding("latin1").on("data", (text: string) => {
      answer += text;
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", (error: Error & { code?: string }) => error.code === "ECONNRESET" || reject(error));
    socket.write(`${lines.join("\r\n")}\r\nHost: x\r\n\r\n${body}`);
    if (endAfter !== undefined) setTimeout(() => socket.destroy(), endAfter);
  });
}

describe("the blob gateway", () => {
  test("leaves other paths to other handlers", async () => {
    for (const path of ["/", "/_blobs", "/health", "/x/_blobs/a"]) {
      expect(await (await fetch(server.url + path)).text()).toBe("not the gateway's");
    }
  });

  test("answers refusals as JSON with a sentence and the status", async () => {
    const { url } = await blobs.presignGet("a/b", { expiresInSeconds: 60 });
    const put = await blobs.presignPut("a/new", { expiresInSeconds: 60, contentType: "text/plain", size: 4 });
    const refusals: [status: number, message: RegExp, url: string, init?: RequestInit][] = [
      [403, /not a presigned one/, `${server.url}/_blobs/a/b`],
      [403, /not a presigned one/, `${server.url}/_blobs/%zz?expires=9`],
      [403, /not signed for this GET/, url.replace("/a/b", "/a/%2e%2e%2fb")],
      [403, /not signed for this GET/, `${url}&name=evil.html`],
      [403, /not signed for this GET/, url.replace("method=GET", "method=PUT")],
      [403, /not signed for this GET/, url.replace("expires=1", "expires=9")],
      [403, /not signed for this PUT/, url, { method: "PUT", body: "x" }],
      [405, /takes GET or PUT/, url, { method: "DELETE" }],
      [403, /exactly 4 bytes/, put.url, { method: "PUT", body: "abc", headers: put.headers }],
      [403, /Content-Type text\/plain$/, put.url, { method: "PUT", body: "abcd", headers: { "content-type": "x/y" } }],
    ];
    for (const [status, message, target, init] of refusals) {
      const response = await fetch(target, init);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(await response.json()).toEqual({ message: expect.stringMatching(message), status });
      expect(response.status).toBe(status);
    }
    clock.advance(60_000);
    expect(await (await fetch(url)).json()).toEqual({ message: "The presigned address has expired", status: 403 });
    expect(await blobs.head("a/new")).toBeUndefined();
  });

  test("answers an attachment that no browser interprets", async () => {
    const { url } = await blobs.presignGet("a/b", { expiresInSeconds: 60 });
    const { headers } = await fetch(url);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "text/html",
      "content-disposition": "attachment",
      "x-content-type-options": "nosniff",
      "accept-ranges": "bytes",
      "last-modified": new Date(Math.floor(clock.now() / 1000) * 1000).toUTCString(),
      etag: `"${(await blobs.head("a/b"))?.etag}"`,
    });
  });

  test("answers If-Range with the range of the same blob, and the whole of another", async () => {
    const { url } = await blobs.presignGet("a/b", { expiresInSeconds: 60 });
    const etag = `"${(await blobs.head("a/b"))?.etag}"`;
    const range = "bytes=0-1";
    expect(await (await fetch(url, { headers: { range, "if-range": etag } })).text()).toBe("01");
    expect(await (await fetch(url, { headers: { range, "if-range": '"other"' } })).text()).toBe("0123456789");
  });

  test("refuses a body without a length, also when it is as long as signed", async () => {
    const { url } = await blobs.presignPut("a/new", { expiresInSeconds: 60, contentType: "text/plain", size: 4 });
    const path = url.slice(server.url.length);
    const headers = [`PUT ${path} HTTP/1.1`, "Content-Type: text/plain", "Transfer-Encoding: chunked"];
    expect(await raw(headers, "4\r\nabcd\r\n0\r\n\r\n")).toMatch(/^HTTP\/1\.1 403 /);
    expect(await raw([...headers, "Content-Length: 4"], "4\r\nabcd\r\n0\r\n\r\n")).toMatch(/^HTTP\/1\.1 4/);
    expect(await blobs.head("a/new")).toBeUndefined();
  });

  test("drops bytes after the signed length", async () => {
    const { url } = await blobs.presignPut("a/long", { expiresInSeconds: 60, contentType: "text/plain", size: 4 });
    const path = url.slice(server.url.length);
    const headers = [`PUT ${path} HTTP/1.1`, "Content-Type: text/plain", "Content-Length: 4", "Connection: close"];
    // Node's parser may see the rest before or after the answer is written.
    expect(await raw(headers, "abcdefgh")).toMatch(/^HTTP\/1\.1 (200|400) /);
    expect([undefined, 4]).toContain((await blobs.head("a/long"))?.size);
  });

  test.each(["abc", "abcdefgh"])("refuses the body %s where 4 bytes were signed and announced", async (body) => {
    const presigned = { expiresInSeconds: 60, contentType: "text/plain", size: 4 };
    const { url } = await blobs.presignPut(`a/${body}`, presigned);
    const request = new IncomingMessage(new Socket());
    Object.assign(request, { method: "PUT", url: url.slice(server.url.length) });
    Object.assign(request.headers, { "content-type": "text/plain", "content-length": "4" });
    request.push(body);
    request.push(null);
    const response = new ServerResponse(request);
    expect(await createBlobGateway(blobs, presign, clock)(request, response)).toBe(true);
    expect(response.statusCode).toBe(403);
    expect(await blobs.head(`a/${body}`)).toBeUndefined();
    expect(readdirSync(join(root, ".tmp"))).toEqual([]);
  });

  test("ends an upload that stops by 408, and stores nothing of it", async () => {
    const presigned = { expiresInSeconds: 60, contentType: "text/plain", size: 100 };
    const { url } = await blobs.presignPut("a/silent", presigned);
    const path = url.slice(server.url.length);
    const answer = await raw([`PUT ${path} HTTP/1.1`, "Content-Type: text/plain", "Content-Length: 100"], "x", 1_000);
    expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*nothing came for 0\.3 s; send the request again/);
    expect(await blobs.head("a/silent")).toBeUndefined();
    await expect.poll(() => readdirSync(join(root, ".tmp"))).toEqual([]);
  });

  test("asks for a body that waits to be asked for, unless the address does not take it", async () => {
    const presigned = { expiresInSeconds: 60, contentType: "text/plain", size: 4 };
    const path = (await blobs.presignPut("a/asked", presigned)).url.slice(server.url.length);
    const ask = (length: number): Promise<string> =>
      raw(
        [`PUT ${path} HTTP/1.1`, "Content-Type: text/plain", `Content-Length: ${length}`, "Expect: 100-continue"],
        "abcd",
        200,
      );
    expect(await ask(4)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
    expect(await ask(5)).toMatch(/^HTTP\/1\.1 403 /);
  });

  test("stores nothing of an interrupted upload", async () => {
    const { url } = await blobs.presignPut("a/part", {
      expiresInSeconds: 60,
      contentType: "text/plain",
      size: 100_000,
    });
    const path = url.slice(server.url.length);
    await raw([`PUT ${path} HTTP/1.1`, "Content-Type: text/plain", "Content-Length: 100000"], "x".repeat(50_000), 50);
    await expect.poll(() => readdirSync(join(root, ".tmp"))).toEqual([]);
    expect(await blobs.head("a/part")).toBeUndefined();
    expect((await fetch(`${server.url}/still-there`)).status).toBe(404);
  });

  test("survives an interrupted download", async () => {
    await blobs.put("a/large", Buffer.alloc(20_000_000, 7));
    const { url } = await blobs.presignGet("a/large", { expiresInSeconds: 60 });
    await raw([`GET ${url.slice(server.url.length)} HTTP/1.1`], "", 20);
    const again = await fetch(url);
    expect((await again.arrayBuffer()).byteLength).toBe(20_000_000);
  });
});

test.each([
  [undefined, "attachment"],
  ["plain name.pdf", 'attachment; filename="plain name.pdf"'],
  ["Übung.pdf", "attachment; filename=\"_bung.pdf\"; filename*=UTF-8''%C3%9Cbung.pdf"],
  ['a"b;c.pdf', "attachment; filename=\"a_b;c.pdf\"; filename*=UTF-8''a%22b%3Bc.pdf"],
  ["100% (it's)*.pdf", "attachment; filename=\"100_ (it's)*.pdf\"; filename*=UTF-8''100%25%20%28it%27s%29%2a.pdf"],
  ["../../etc/passwd", 'attachment; filename=".._.._etc_passwd"'],
  ["a\r\nSet-Cookie: x", 'attachment; filename="a__Set-Cookie: x"'],
  ["half \ud83e", "attachment; filename=\"half _\"; filename*=UTF-8''half%20%EF%BF%BD"],
])("attachment writes the Content-Disposition of %j", (fileName, header) => {
  expect(attachment(fileName)).toBe(header);
});

test.each([
  [undefined, undefined],
  ["bytes=0-0", { start: 0, end: 0 }],
  ["bytes=3-", { start: 3, end: 9 }],
  ["bytes=3-99", { start: 3, end: 9 }],
  ["bytes=-4", { start: 6, end: 9 }],
  ["bytes=-99", { start: 0, end: 9 }],
  ["bytes=-0", "unsatisfiable"],
  ["bytes=10-", "unsatisfiable"],
  ["bytes=10-12", "unsatisfiable"],
  ["bytes=5-4", undefined],
  ["bytes=-", undefined],
  ["bytes=0-1,3-4", undefined],
  ["lines=0-1", undefined],
  ["bytes=a-b", undefined],
] as const)("parseRange reads %j of 10 bytes", (header, range) => {
  expect(parseRange(header, 10)).toEqual(range);
});
