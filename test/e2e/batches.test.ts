/** Many documents under one job: their places, their results in order, and what a batch refuses. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { form } from "../support/api.ts";
import { batchCalls } from "../support/batches.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { REMOTE_URL } from "../support/target.ts";

let target: TestService;
beforeAll(async () => {
  target = await startTestService();
});
afterAll(() => target.close());

/** Uploads at once; the emulator is a process of Python, and each request a process of Node. */
const MANY = REMOTE_URL === undefined ? 40 : 8;
/** For tests that wait for a whole batch. */
const LONG = { timeout: REMOTE_URL === undefined ? 30_000 : 300_000 };
const TEXT = { name: "bill.txt", type: "text/plain" };
const SCHEMA = { invoice_number: "string", total: "number" };
const bill = (number: number): string => `Invoice number: B-${number}\nTotal: ${number}.50 EUR\n`;
/** It is text, and has none. */
const BLANK = " \n \n";
const NO_TEXT = "Processing failed: Text extraction failed";

const { created, added, process, ended, listOf } = batchCalls(() => target.api);

describe("a batch of 20 with two broken documents", () => {
  let guid: string;
  const broken = [4, 13];
  const expected = Array.from({ length: 20 }, (_, index) =>
    broken.includes(index) ? NO_TEXT : { invoice_number: `B-${index}`, total: index + 0.5 },
  );

  it("accepts them in order", async () => {
    const { api } = target;
    const answer = await api.post("/document/batch", { json: { maxConcurrency: 8 } });
    ({ guid } = answer.json);
    expect(answer.json).toEqual({ guid, jobGuid: guid, maxConcurrency: 8, isBatch: true, totalDocuments: 0 });
    expect(await listOf(guid)).toEqual([]);
    for (let index = 0; index < 20; index++) {
      const place = await added(guid, broken.includes(index) ? BLANK : bill(index));
      expect(place).toEqual({ guid, jobGuid: guid, index, totalDocuments: index + 1 });
    }
    expect(await listOf(guid)).toEqual(Array(20).fill(null));
    expect((await api.get(`/job/result/${guid}`)).status).toBe(404);
    const { json } = await api.get(`/job/status/${guid}`);
    expect(json).toMatchObject({
      status: "PENDING",
      isBatch: true,
      totalDocs: 20,
      totalDocuments: 20,
      maxConcurrency: 8,
    });
  });

  it("returns 18 results and two error strings at their indexes", LONG, async () => {
    const { api } = target;
    expect(await process(guid, { schema: SCHEMA, sourceLocations: true })).toEqual({
      guid,
      jobGuid: guid,
      maxConcurrency: 8,
      status: "PENDING",
    });
    const again = await api.post(`/document/batch/${guid}/process`, { json: {} });
    const late = await api.post(`/document/batch/${guid}/upload`, { body: form(bill(20), TEXT) });
    expect([again.status, late.status, (await api.delete(`/job/${guid}`)).status]).toEqual([409, 409, 409]);
    const status = await ended(guid);
    expect(status).toMatchObject({
      status: "PARTIAL",
      error: "2 of 20 documents failed",
      totalDocs: 20,
      completedDocs: 18,
      failedDocs: 2,
      inProgressDocs: 0,
      totalDocuments: 20,
      completedDocuments: 18,
      failedDocuments: 2,
      usage: { ocrPages: 0, llmTokens: 0 },
    });
    expect(await listOf(guid)).toEqual(expected);
    expect((await api.get(`/job/result/${guid}`)).json).toEqual(expected);
  });

  it("returns each document's evidence by its index", async () => {
    const { api, other } = target;
    const sources = await api.get(`/job/result/${guid}/source-locations?batchIndex=7`);
    expect(Object.keys(sources.json.locations).sort()).toEqual(["/invoice_number", "/total"]);
    const quality = await api.get(`/job/result/${guid}/ocr-quality?batchIndex=7`);
    expect(quality.json.pages).toHaveLength(1);
    const layout = await api.get(`/job/result/${guid}/layout?batchIndex=7`);
    expect(layout.json.pages[0].words.map((word: { content: string }) => word.content)).toContain("B-7");
    const without = await api.get(`/job/result/${guid}/source-locations`);
    expect(without.status).toBe(404);
    expect(without.json.message).toMatch(/batchIndex/);
    expect((await api.get(`/job/result/${guid}/source-locations?batchIndex=20`)).status).toBe(404);
    const failed = await api.get(`/job/result/${guid}/source-locations?batchIndex=4`);
    expect(failed.status).toBe(404);
    expect(failed.json.message).toContain(`Document 4 of batch ${guid}`);
    expect((await other.get(`/job/result/${guid}/layout?batchIndex=7`)).status).toBe(404);
  });

  it("is one job of the list", async () => {
    const { content } = (await target.api.get("/job/list?size=100")).json;
    const own = content.filter((job: { createdAt: string; isBatch: boolean }) => job.isBatch);
    expect(own).toHaveLength(1);
    expect(own[0]).toMatchObject({ guid, completedDocs: 18, failedDocs: 2 });
    expect(content).toHaveLength(1);
  });

  it("processes a new run with other wishes without recognising anything again", LONG, async () => {
    const { api } = target;
    const place = await added(guid, bill(20));
    expect(place).toMatchObject({ index: 20, totalDocuments: 21 });
    expect(await listOf(guid)).toEqual([...expected, null]);
    await process(guid, { schema: { total: "number" }, maxConcurrency: 3 });
    const status = await ended(guid);
    expect(status).toMatchObject({ status: "PARTIAL", error: "2 of 21 documents failed", maxConcurrency: 3 });
    expect(status.usage.ocrPages).toBe(0);
    expect(status.runs).toHaveLength(2);
    expect((await listOf(guid))[20]).toEqual({ total: 20.5 });
    expect((await listOf(guid, "?run=1")).slice(0, 20)).toEqual(expected);
    expect((await api.get(`/job/result/${guid}/json?run=9`)).status).toBe(404);
  });

  it("exports one table of all rows, each with its document", async () => {
    const { api } = target;
    const csv = await api.get(`/job/result/${guid}/csv?run=1`);
    expect([csv.status, csv.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/csv")]);
    const lines = csv.text.trimEnd().split("\r\n");
    expect(lines).toHaveLength(22);
    expect(lines[0]?.split(",")).toEqual(expect.arrayContaining(["source", "invoice_number", "total"]));
    expect(lines.filter((line: string) => line.includes(NO_TEXT))).toHaveLength(2);
    expect(csv.text).toContain("B-7");
    const excel = await api.get(`/job/result/${guid}/excel`);
    expect([excel.status, excel.text.slice(0, 2)]).toEqual([200, "PK"]);
  });

  it("deletes all its documents with itself", async () => {
    const { api } = target;
    expect((await api.delete(`/job/${guid}`)).json).toEqual({ jobsDeleted: 1, errors: [] });
    expect((await api.get(`/job/result/${guid}/json`)).status).toBe(404);
    expect((await api.get(`/job/result/${guid}/layout?batchIndex=7`)).status).toBe(404);
    expect((await api.post(`/document/batch/${guid}/upload`, { body: form(bill(1), TEXT) })).status).toBe(409);
  });
});

describe("a batch", () => {
  it("gives every document of many concurrent uploads its own place", LONG, async () => {
    const { api } = target;
    const guid = await created();
    const places = await Promise.all(Array.from({ length: MANY }, (_, number) => added(guid, bill(number))));
    expect(places.map(({ index }) => index).sort((a, b) => a - b)).toEqual([...Array(MANY).keys()]);
    expect((await api.get(`/job/status/${guid}`)).json.totalDocs).toBe(MANY);
    await process(guid, { schema: SCHEMA, maxConcurrency: 20 });
    expect(await ended(guid)).toMatchObject({ status: "COMPLETED", error: null, completedDocs: MANY, failedDocs: 0 });
    const list = await listOf(guid);
    for (const [number, { index }] of places.entries()) expect(list[index].invoice_number).toBe(`B-${number}`);
  });

  it("adds a document once that is sent twice under one key", LONG, async () => {
    const { api } = target;
    const headers = { "idempotency-key": "batch-create" };
    const one = await api.post("/document/batch", { json: {}, headers });
    const two = await api.post("/document/batch", { json: {}, headers });
    expect(two.json).toEqual(one.json);
    const { guid } = one.json;
    const send = () =>
      api.post(`/document/batch/${guid}/upload`, {
        body: form(bill(1), TEXT),
        headers: { "idempotency-key": "batch-upload" },
      });
    const answers = await Promise.all([send(), send(), send()]);
    for (const { json } of answers) expect(json).toMatchObject({ index: 0, totalDocuments: 1 });
    const start = () =>
      api.post(`/document/batch/${guid}/process`, { json: {}, headers: { "idempotency-key": "batch-process" } });
    expect((await Promise.all([start(), start()])).map(({ status }) => status)).toEqual([200, 200]);
    expect((await ended(guid)).runs).toHaveLength(1);
    expect((await start()).status).toBe(200);
    expect((await api.get(`/job/status/${guid}`)).json.runs).toHaveLength(1);
  });

  it("is FAILED when all documents fail, and its list says why", async () => {
    const guid = await created();
    await added(guid, BLANK);
    await added(guid, BLANK);
    await process(guid, { schema: SCHEMA });
    expect(await ended(guid)).toMatchObject({ status: "FAILED", error: "2 of 2 documents failed", failedDocs: 2 });
    expect(await listOf(guid)).toEqual([NO_TEXT, NO_TEXT]);
  });

  it("gives a document without any page of the range its own entry", async () => {
    const guid = await created();
    await added(guid, `${"Total: 1.00 EUR\n".repeat(200)}`);
    await added(guid, bill(1));
    await process(guid, { schema: { total: "number" }, pageRange: [2, 900] });
    expect(await ended(guid)).toMatchObject({ status: "PARTIAL", error: "1 of 2 documents failed" });
    const [, entry] = await listOf(guid);
    expect(entry).toBe("Processing failed: The document has 1 page, and pageRange names none of them");
  });

  it("applies its default to documents that declare nothing, and none fails by it", async () => {
    const guid = await created({ mimeType: "text/markdown" });
    await added(guid, "# Heading\n\nTotal: 5.00 EUR\n", {});
    await added(guid, "# Heading\n\nTotal: 5.00 EUR\n", { type: "text/plain" });
    await process(guid, { extractionMode: "OCR", mimeType: "application/pdf" });
    expect(await ended(guid)).toMatchObject({ status: "COMPLETED", mimeType: "text/markdown" });
    const [markdown, plain] = await listOf(guid);
    expect(markdown).not.toContain("#");
    expect(plain).toContain("# Heading");
  });

  it("cancels unfinished documents, and can be processed again", LONG, async () => {
    const { api } = target;
    const guid = await created({ maxConcurrency: 1 });
    for (let number = 0; number < 6; number++) await added(guid, bill(number));
    await process(guid, { schema: SCHEMA });
    const cancelled = await api.post(`/job/${guid}/cancel`);
    expect([cancelled.status, cancelled.json.status]).toEqual([200, "CANCELLED"]);
    expect(cancelled.json).toMatchObject({ error: null, isBatch: true, totalDocs: 6 });
    expect((await api.post(`/job/${guid}/cancel`)).status).toBe(409);
    expect((await api.get(`/job/status/${guid}`)).json.status).toBe("CANCELLED");
    await process(guid, { schema: SCHEMA });
    expect(await ended(guid)).toMatchObject({ status: "COMPLETED", completedDocs: 6 });
    expect((await listOf(guid)).map((one: { invoice_number: string }) => one.invoice_number)).toEqual(
      Array.from({ length: 6 }, (_, number) => `B-${number}`),
    );
  });

  it("refuses with 409 an action in the wrong state, and a job that is not a batch", async () => {
    const { api, other } = target;
    const guid = await created();
    const single = await api.upload("Total: 5");
    const unknown = "019aa5c0-7d1e-7cc0-8a55-5f2f5a0f9d11";
    const calls = [
      (id: string) => api.post(`/document/batch/${id}/upload`, { body: form("Total: 5") }),
      (id: string) => api.post(`/document/batch/${id}/process`, { json: {} }),
      (id: string) => api.post(`/document/batch/${id}/process/with-configuration/plain`, { json: {} }),
      (id: string) => api.post(`/document/batch/${id}/schedule`, { json: {} }),
    ];
    for (const id of [single, unknown]) {
      for (const call of calls) expect((await call(id)).json).toMatchObject({ status: 409, error: "Conflict" });
    }
    expect((await other.post(`/document/batch/${guid}/schedule`)).status).toBe(409);
    const empty = await api.post(`/document/batch/${guid}/process`, { json: {} });
    expect(empty.json).toMatchObject({ status: 409, message: expect.stringMatching(/empty/) });
    expect((await api.post(`/document/process/${guid}`, { json: {} })).status).toBe(409);
    expect((await api.post(`/document/ocr/${guid}`, { json: {} })).status).toBe(409);
    const named = await api.post(`/document/batch/${guid}/process/with-configuration/none`);
    expect(named.json).toMatchObject({ status: 404, message: expect.stringContaining('"none"') });
    expect((await api.post(`/document/batch/${guid}/schedule`)).json).toEqual({
      guid,
      jobGuid: guid,
      scheduled: false,
      status: "PENDING",
    });
  });

  it("refuses invalid members and invalid documents", async () => {
    const { api } = target;
    for (const maxConcurrency of [0, 101, 2.5, "eight", "101"]) {
      const { status, json } = await api.post("/document/batch", { json: { maxConcurrency } });
      expect(status).toBe(400);
      expect(json.errors).toEqual([{ path: "/maxConcurrency", message: "must be an integer from 1 to 100" }]);
    }
    const guid = await created();
    const upload = (text: string) => api.post(`/document/batch/${guid}/upload`, { body: form(text) });
    expect((await upload("")).status).toBe(422);
    expect((await upload("\u0000\u0001\u0002")).status).toBe(415);
    expect((await api.get(`/job/status/${guid}`)).json.totalDocs).toBe(0);
  });
});
