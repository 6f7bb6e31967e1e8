/** The door of the server over HTTP, and its answers about jobs that end otherwise than hoped. */
import { request } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SheafClient } from "../../../client/index.ts";
import { type HttpServer, serveOverHttp } from "../../../client/mcp/http.ts";
import { makeServer } from "../../../client/mcp/server.ts";
import { FakeService, refuse } from "../fake-service.ts";

const KEY = "sheaf-local";
const service = new FakeService();
const fresh = { ...service.ending };
let server: HttpServer;
const logged: string[] = [];
const log = (line: string): void => void logged.push(line);

beforeAll(async () => {
  await service.start();
  const make = (token: string) =>
    makeServer({ client: new SheafClient({ apiUrl: service.url, token }) }, { version: "1.0.0", log });
  server = await serveOverHttp({
    port: 0,
    host: "127.0.0.1",
    allowedHosts: ["docs.test"],
    make,
    knows: async () => true,
    log,
  });
});
afterAll(async () => {
  await server.close();
  await service.stop();
});
beforeEach(() => {
  service.forget();
  Object.assign(service.ending, fresh);
});

/** A client of the newest revision of the protocol, or of the one before. */
async function connected(mode: "auto" | "legacy", headers = key): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }));
  return client;
}

/** Sends a request as it is, with headers that fetch does not let through. */
function send(headers: Record<string, string>, path = "/mcp", body = "{}"): Promise<{ status?: number; text: string }> {
  return new Promise((resolve, reject) => {
    const target = new URL(path, server.url);
    const sent = request(target, { method: "POST", headers }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => {
        text += chunk;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const key = { Authorization: `Bearer ${KEY}` };

describe("the MCP server over HTTP refuses", () => {
  it.each([
    ["another Host, as of a rebound name", { ...key, Host: "evil.test" }, "/mcp", 403, /Host/],
    ["a page of another origin", { ...key, Origin: "https://evil.test" }, "/mcp", 403, /origin/],
    ["an origin that is none", { ...key, Origin: "null" }, "/mcp", 403, /origin/],
    ["a request without a key", {}, "/mcp", 401, /Authorization: Bearer KEY/],
    ["a key that is no bearer key", { Authorization: "Basic YTpi" }, "/mcp", 401, /Bearer/],
    ["another path", key, "/", 404, /\/mcp/],
    ["a message that is too large", { ...key, "Content-Length": "15000000" }, "/mcp", 413, /10 MB/],
  ])("%s", async (_name, headers, path, status, sentence) => {
    const answer = await send(headers as Record<string, string>, path, "Content-Length" in headers ? "" : "{}").catch(
      // A body that never comes: the answer closes the connection.
      (error) => error,
    );
    expect(answer.status, String(answer)).toBe(status);
    expect(JSON.parse(answer.text).error.message).toMatch(sentence);
    expect(service.requests).toEqual([]);
  });

  it("no name of this machine, and none that is allowed", async () => {
    for (const host of ["localhost:80", "127.0.0.1", "[::1]:3333", "docs.test"]) {
      const { status } = await send({ ...key, Host: host, "Content-Type": "application/json" });
      expect(status, host).toBe(400); // the message is none, but it was looked at
    }
  });
});

describe("the MCP server's tools", () => {
  // The newest revision of the protocol; the end-to-end tests speak the one before.
  const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  beforeAll(() =>
    client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: key } })),
  );
  afterAll(() => client.close());
  const content = Buffer.from("Dear Ada").toString("base64");
  const call = (name: string, args: Record<string, unknown>, options = {}) =>
    client.callTool({ name, arguments: args }, options);
  const textOf = (answer: { content: unknown[] }) => (answer.content[0] as { text: string }).text;

  it.each(["FAILED", "CANCELLED"] as const)("say that a job is %s, as an error without a result", async (status) => {
    Object.assign(service.ending, { status, error: "The page is unreadable" });
    const answer = await call("process", { content });
    expect(answer).toMatchObject({ isError: true, structuredContent: { status, error: "The page is unreadable" } });
    expect(answer.structuredContent).not.toHaveProperty("result");
    expect(textOf(answer)).toContain(`is ${status} and has no result: The page is unreadable`);
  });

  it("say that a job is PARTIAL, as an error with the incomplete result", async () => {
    Object.assign(service.ending, { status: "PARTIAL", error: "Page 3 is missing" });
    const answer = await call("process", { content });
    expect(answer).toMatchObject({ isError: true, structuredContent: { status: "PARTIAL", result: { total: 12.5 } } });
    expect(textOf(answer)).toContain("its result is INCOMPLETE: Page 3 is missing");
  });

  it("answer a job that still runs without a result, and status reads it later", async () => {
    service.ending.workMs = 150;
    const { structuredContent, isError } = await call("process", { content, waitSeconds: 0 });
    expect([isError, structuredContent]).toMatchObject([undefined, { finished: false }]);
    expect(structuredContent).not.toHaveProperty("result");
    const { guid } = structuredContent as { guid: string };
    const ended = await call("status", { guid, waitSeconds: 20 });
    expect(ended.structuredContent).toMatchObject({ status: "COMPLETED", result: { total: 12.5 } });
  });

  it.each(["auto", "legacy"] as const)("tell the progress, which only grows, to %s clients", async (mode) => {
    service.ending.workMs = 120;
    const told: number[] = [];
    const other = await connected(mode);
    const onprogress = ({ progress }: { progress: number }): void => void told.push(progress);
    await other.callTool({ name: "process", arguments: { content } }, { onprogress });
    await other.close();
    expect(told.length).toBeGreaterThan(0);
    expect(told).toEqual([...new Set(told)].sort((a, b) => a - b));
  });

  it.each(["auto", "legacy"] as const)("cancel the job of a caller that cancels, as %s clients do", async (mode) => {
    service.ending.workMs = 60_000;
    const cancel = new AbortController();
    const caller = await connected(mode);
    const answer = caller.callTool({ name: "process", arguments: { content } }, { signal: cancel.signal });
    while (service.seen("GET", /status/).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    cancel.abort();
    await expect(answer).rejects.toThrow();
    await expect.poll(() => service.seen("POST", /cancel/).length).toBe(1);
    await caller.close();
  });

  it("leave the job of an earlier revision's client alone when its connection breaks", async () => {
    service.ending.workMs = 60_000;
    const broken = new AbortController();
    const headers = { ...key, "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
    const post = (message: object, more: Record<string, string> = {}, init: RequestInit = {}) =>
      fetch(server.url, {
        method: "POST",
        headers: { ...headers, ...more },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
        ...init,
      });
    const hello = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1.0.0" },
    };
    const begun = await post({ method: "initialize", params: hello });
    const session = { "Mcp-Session-Id": begun.headers.get("mcp-session-id") ?? "" };
    await begun.text();
    const params = { name: "process", arguments: { content } };
    const { signal } = broken;
    const answer = post({ method: "tools/call", params }, session, { signal }).then((got) => got.text());
    while (service.seen("GET", /status/).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    const stranger = await post({ method: "tools/list" }, { ...session, Authorization: "Bearer another-key" });
    expect([stranger.status, await stranger.text()]).toEqual([
      404,
      expect.stringContaining("There is no such session"),
    ]);
    broken.abort();
    await expect(answer).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(service.seen("POST", /cancel/)).toEqual([]);
    const ended = await fetch(server.url, { method: "DELETE", headers: { ...headers, ...session } });
    expect(ended.status).toBe(200);
    expect((await post({ method: "tools/list" }, session)).status).toBe(404);
    expect((await post({ method: "tools/list" })).status).toBe(400);
    expect((await fetch(server.url, { headers: { ...headers, ...session } })).status).toBe(405);
  });

  it("leave out what is too long, and say so", async () => {
    service.ending.result = { type: "text/plain", body: "word ".repeat(50_000) };
    const { structuredContent } = await call("ocr", { content });
    const { guid, text, left } = structuredContent as { guid: string; text: string; left: string[] };
    expect([text.length, left]).toEqual([
      100_000,
      [expect.stringContaining(`250000 characters: read sheaf://jobs/${guid}/result`)],
    ]);
  });

  it("pass the service's sentence on, with what to do and the request's id", async () => {
    service.failNext(
      "POST",
      /upload/,
      refuse(402, "PaymentRequired", "No tokens are left", { body: { checkout_url: "https://pay.test" } }),
    );
    const answer = await call("process", { content });
    expect([answer.isError, textOf(answer)]).toEqual([
      true,
      "No tokens are left\nTokens are sold at https://pay.test\nRequest id: req-7",
    ]);
  });

  it.each([
    ["process", { content: "no base64!" }, /must be base64/],
    ["process", {}, /Give one document as `content`/],
    ["process", { content, path: "/etc/passwd" }, /path|Unrecognized/],
    ["process", { content, waitSeconds: 601 }, /600/],
    ["process", { content, frobnicate: true }, /frobnicate|Unrecognized/],
    ["ocr", { content, format: "html" }, /format/],
    ["status", { guid: "7" }, /guid/],
    ["search", { caseId: 1, question: "", topK: 51 }, /50/],
    ["fill", { template: "a/b", fields: {} }, /Letters, digits/],
    ["fill", { template: "form" }, /Give `fields` or `fromJob`/],
  ])("refuse wrong input to %s and send nothing: %j", async (name, args, sentence) => {
    const answer = await call(name, args).catch((error) => ({ isError: true, content: [{ text: error.message }] }));
    expect([answer.isError, textOf(answer)]).toEqual([true, expect.stringMatching(sentence)]);
    expect(service.requests).toEqual([]);
  });

  it("log nothing of a caller's faults", () => {
    expect(logged.join("\n")).not.toMatch(/sheaf-local|Dear Ada/);
  });
});
