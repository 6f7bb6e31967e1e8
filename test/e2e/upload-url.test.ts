/** A document that goes past the API: an address first, the document to it by PUT, then its run as of any other. */
import { PDFDocument } from "@cantoo/pdf-lib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEMO_SCHEMA, DEMO_TRUTH, drawInvoice } from "../../bin/demo/invoice.ts";
import { SheafClient } from "../../client/index.ts";
import { type Answer, form } from "../support/api.ts";
import { sharedTestService, type TestService } from "../support/service.ts";

let target: TestService;
let invoice: Uint8Array;
beforeAll(async () => {
  target = await sharedTestService();
  invoice = await drawInvoice();
});
afterAll(() => target.close());

const PDF = "application/pdf";
const TEXT = Buffer.from("Invoice number: A-77\nTotal: 12.50 EUR\n");

async function announce(
  members: { fileName?: string; mimeType?: string; size?: number } = {},
): Promise<Answer["json"]> {
  const answer = await target.api.post("/document/upload-url", {
    json: { fileName: "a.txt", mimeType: "text/plain", size: TEXT.length, ...members },
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

/** As any program would send it, without a key. @returns the store's status */
async function put(
  { uploadUrl, method, headers }: { uploadUrl: string; method: string; headers: Record<string, string> },
  bytes: Uint8Array,
): Promise<number> {
  const response = await fetch(uploadUrl, { method, headers, body: new Uint8Array(bytes) });
  await response.arrayBuffer();
  return response.status;
}

/** The same document, with a file of noise attached that no compression makes smaller. */
async function largeInvoice(): Promise<Uint8Array> {
  const document = await PDFDocument.load(invoice);
  let seed = 7;
  const noise = Uint8Array.from({ length: 5_000_000 }, () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed >>> 24;
  });
  await document.attach(noise, "noise.bin", { mimeType: "application/octet-stream" });
  return document.save();
}

describe("an upload address", () => {
  it("accepts the document, which is processed like any upload", async () => {
    const { api } = target;
    const ticket = await announce({ fileName: "in/voice.pdf", mimeType: PDF, size: invoice.length });
    expect(ticket).toMatchObject({ method: "PUT", headers: expect.any(Object) });
    const lasts = Date.parse(ticket.expiresAt) - Date.now();
    expect(lasts).toBeGreaterThan(600_000);
    expect(lasts).toBeLessThan(3_600_000);

    const waiting = (await api.get(`/job/status/${ticket.guid}`)).json;
    expect(waiting).toMatchObject({ status: "PENDING", fileName: "voice.pdf", mimeType: PDF, runs: [] });
    const command = { schema: DEMO_SCHEMA, sourceLocations: true };
    const early = await api.post(`/document/process/${ticket.guid}`, { json: command });
    expect(early.status).toBe(409);
    expect(early.json.message).toMatch(/not there yet.*uploadUrl/);
    expect((await api.post(`/document/ocr/${ticket.guid}`, { json: {} })).status).toBe(409);

    expect(await put(ticket, invoice)).toBe(200);
    expect((await api.post(`/document/process/${ticket.guid}`, { json: command })).status).toBe(200);
    expect((await api.ended(ticket.guid)).status).toBe("COMPLETED");
    expect((await api.get(`/job/result/${ticket.guid}`)).json).toEqual(DEMO_TRUTH);
    expect((await api.get(`/job/result/${ticket.guid}/source-locations`)).status).toBe(200);
  });

  it("accepts more than a single request could carry, wherever the service runs", async () => {
    const { api } = target;
    const large = await largeInvoice();
    const limit = (await api.get("/openapi.json")).json["x-limits"].maxRequestBytes;
    const direct = await api.post("/document/upload", { body: form(large, { name: "large.pdf", type: PDF }) });
    if (limit > large.length) expect(direct.status).toBe(201);
    else {
      expect(direct.status).toBe(413);
      expect(direct.json.message).toContain("POST /document/upload-url");
    }
    const client = new SheafClient({ apiUrl: target.url, token: target.keys.one });
    const { guid } = await client.uploadDirect(large, { fileName: "large.pdf", mimeType: PDF });
    await client.process(guid, { schema: JSON.stringify(DEMO_SCHEMA) });
    expect((await api.ended(guid)).status).toBe("COMPLETED");
    expect((await api.get(`/job/result/${guid}`)).json).toEqual(DEMO_TRUTH);
  });

  it("accepts only the announced document", async () => {
    const { api } = target;
    const ticket = await announce();
    expect(await put(ticket, Buffer.concat([TEXT, TEXT]))).toBe(403);
    expect(await put({ ...ticket, headers: { "content-type": "text/html" } }, TEXT)).toBe(403);
    expect(await put({ ...ticket, uploadUrl: ticket.uploadUrl.replace(ticket.guid, "0".repeat(36)) }, TEXT)).toBe(403);
    expect((await api.post(`/document/process/${ticket.guid}`, { json: {} })).status).toBe(409);
  });

  it("stores a document that is inspected when first processed, and may be sent again", async () => {
    const { api } = target;
    const ticket = await announce({ mimeType: PDF });
    expect(await put(ticket, TEXT)).toBe(200);
    const wrong = await api.post(`/document/process/${ticket.guid}`, { json: {} });
    expect(wrong.status).toBe(415);
    expect(wrong.json.message).toMatch(/text\/plain.*application\/pdf/);
    const broken = Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(TEXT.length - 9, " ")]);
    expect(await put(ticket, broken)).toBe(200);
    expect((await api.post(`/document/ocr/${ticket.guid}`, { json: {} })).status).toBe(422);
    expect((await api.get(`/job/status/${ticket.guid}`)).json).toMatchObject({ status: "PENDING", runs: [] });

    const untyped = await announce({ mimeType: "application/octet-stream" });
    expect(await put(untyped, TEXT)).toBe(200);
    expect((await api.post(`/document/process/${untyped.guid}`, { json: { mimeType: "image/png" } })).status).toBe(415);
    const started = await api.post(`/document/process/${untyped.guid}`, {
      json: { schema: { invoice_number: "string", total: "number" } },
    });
    expect(started.status).toBe(200);
    expect((await api.ended(untyped.guid)).mimeType).toBe("text/plain");
    expect((await api.get(`/job/result/${untyped.guid}`)).json).toEqual({ invoice_number: "A-77", total: 12.5 });
  });

  it("is one job however often it is requested with one key, and belongs to its organization", async () => {
    const { api, other } = target;
    const json = { fileName: "a.txt", mimeType: "text/plain", size: TEXT.length };
    const headers = { "idempotency-key": `upload-url-${Date.now()}` };
    const first = await api.post("/document/upload-url", { json, headers });
    const again = await api.post("/document/upload-url", { json, headers });
    expect(again.json).toEqual(first.json);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect((await other.get(`/job/status/${first.json.guid}`)).status).toBe(404);
    expect((await other.post(`/document/process/${first.json.guid}`, { json: {} })).status).toBe(404);
    expect((await api.delete(`/job/${first.json.guid}`)).json.jobsDeleted).toBe(1);
    expect((await api.post(`/document/process/${first.json.guid}`, { json: {} })).status).toBe(404);
  });
});

describe("an announcement", () => {
  const good = { fileName: "a.txt", mimeType: "text/plain", size: 3 };
  it.each<[string, unknown, string]>([
    ["without a size", { ...good, size: null }, "/size"],
    ["of nothing", { ...good, size: 0 }, "/size"],
    ["of half a byte", { ...good, size: 1.5 }, "/size"],
    ["with a size in words", { ...good, size: "three" }, "/size"],
    ["without a type", { fileName: "a.txt", size: 3 }, "/mimeType"],
    ["with a type that is none", { ...good, mimeType: "text" }, "/mimeType"],
    ["with a type that would end its header", { ...good, mimeType: "text/plain\r\nX-Evil: 1" }, "/mimeType"],
    ["with a type that no header could carry", { ...good, mimeType: "text/plain\v; a=b" }, "/mimeType"],
    ["with a name that is none", { ...good, fileName: 7 }, "/fileName"],
  ])("%s is refused by name", async (_name, json, path) => {
    const answer = await target.api.post("/document/upload-url", { json });
    expect(answer.status, answer.text).toBe(400);
    expect(answer.json.errors.map((error: { path: string }) => error.path)).toEqual([path]);
  });

  it("is refused for more than 10 MB, and accepted for exactly that", async () => {
    const answer = await target.api.post("/document/upload-url", { json: { ...good, size: 10_000_001 } });
    expect(answer.status).toBe(413);
    expect(answer.json).toMatchObject({ error: "PayloadTooLarge", message: expect.stringContaining("10 MB") });
    await announce({ size: 10_000_000 });
  });

  it("requires a key with the write scope", async () => {
    const { api, keys } = target;
    expect((await api.post("/document/upload-url", { json: good, key: null })).status).toBe(401);
    expect((await api.post("/document/upload-url", { json: good, key: keys.reader })).status).toBe(403);
  });
});
