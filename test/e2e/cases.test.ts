/** Cases: made, filled with documents that are read at once, processed, listed and deleted. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEMO_SCHEMA, DEMO_TRUTH, drawInvoice } from "../../bin/demo/invoice.ts";
import { JOB_SENTENCES } from "../../functions/ports/errors.ts";
import { type Answer, form } from "../support/api.ts";
import { encryptedPdf } from "../support/pdf.ts";
import { sharedTestService, type TestService } from "../support/service.ts";

let target: TestService;
let invoice: Uint8Array;
beforeAll(async () => {
  target = await sharedTestService();
  invoice = await drawInvoice();
});
afterAll(() => target.close());

const PDF = "application/pdf";
const WAIT_ROUNDS = 150;
const WAIT_MS = 400;

/** Asks again until the answer is as wanted. */
async function eventually(ask: () => Promise<Answer>, wanted: (answer: Answer) => boolean): Promise<Answer> {
  let answer = await ask();
  for (let round = 0; round < WAIT_ROUNDS && !wanted(answer); round += 1) {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    answer = await ask();
  }
  expect(wanted(answer), answer.text).toBe(true);
  return answer;
}

async function newCase(name = "Claim", description?: string): Promise<number> {
  const answer = await target.api.post("/cases", { json: { name, description } });
  expect(answer.status, answer.text).toBe(201);
  return answer.json.id;
}

async function put(caseId: number, bytes: Uint8Array | string, texts: Record<string, string> = {}, name = "a.txt") {
  const answer = await target.api.post(`/cases/${caseId}/documents`, { body: form(bytes, { name }, texts) });
  expect(answer.status, answer.text).toBe(201);
  return answer.json;
}

const read = (caseId: number, documentId: string, wanted = "COMPLETED"): Promise<Answer> =>
  eventually(
    () => target.api.get(`/cases/${caseId}/documents/${documentId}`),
    ({ json }) => json.processingStatus === wanted,
  );

describe("a case", () => {
  it("is made, shown, listed, changed and deleted", async () => {
    const { api, keys } = target;
    const made = await api.post("/cases", { json: { name: " Claim 7 ", description: "Water damage" } });
    expect(made.status, made.text).toBe(201);
    const { id } = made.json;
    expect(made.json).toMatchObject({
      organizationId: keys.organizationId,
      name: "Claim 7",
      description: "Water damage",
      isKnowledgeBase: false,
      embeddingMetadataVersion: 1,
    });
    expect(made.json.userId).toBe((await api.get("/user/me")).json.id);
    expect((await api.get(`/cases/${id}`)).json).toEqual(made.json);
    expect((await api.get("/cases")).json).toContainEqual(made.json);
    const renamed = await api.call("PUT", `/cases/${id}`, { json: { name: "Claim 8" } });
    expect(renamed.status, renamed.text).toBe(200);
    expect(renamed.json).toMatchObject({ name: "Claim 8", description: "Water damage" });
    expect(renamed.json.updatedAt > made.json.updatedAt).toBe(true);
    expect(
      (await api.call("PUT", `/cases/${id}`, { json: { name: "C", description: "" } })).json.description,
    ).toBeNull();
    expect((await api.delete(`/cases/${id}`)).status).toBe(204);
    expect((await api.get(`/cases/${id}`)).status).toBe(404);
    expect((await api.delete(`/cases/${id}`)).status).toBe(404);
  });

  it("refuses a change of a state that it no longer has", async () => {
    const id = await newCase();
    const { updatedAt } = (await target.api.get(`/cases/${id}`)).json;
    const change = { name: "First", updatedAt };
    expect((await target.api.call("PUT", `/cases/${id}`, { json: change })).status).toBe(200);
    const second = await target.api.call("PUT", `/cases/${id}`, { json: { ...change, name: "Second" } });
    expect(second.status).toBe(409);
    expect(second.json.message).toContain("Concurrent modification");
    expect((await target.api.get(`/cases/${id}`)).json.name).toBe("First");
  });

  it("is made once by a repeated request", async () => {
    const send = () =>
      target.api.post("/cases", { json: { name: "Once" }, headers: { "idempotency-key": `k${Date.now()}` } });
    const key = { "idempotency-key": `case-${Date.now()}` };
    const [first, again] = [
      await target.api.post("/cases", { json: { name: "Once" }, headers: key }),
      await target.api.post("/cases", { json: { name: "Once" }, headers: key }),
    ];
    expect(again.json).toEqual(first.json);
    expect((await send()).json.id).not.toBe(first.json.id);
  });

  it.each([
    ["no name", {}],
    ["a blank name", { name: "  " }],
    ["a name that is no text", { name: 7 }],
    ["a name over 200 characters", { name: "x".repeat(201) }],
    ["a description over 2,000 characters", { name: "x", description: "x".repeat(2001) }],
  ])("is refused with %s", async (_what, json) => {
    const answer = await target.api.post("/cases", { json });
    expect(answer.status, answer.text).toBe(400);
    expect(answer.json.errors[0].path).toMatch(/^\/(name|description)$/);
  });

  it("is changed to nothing that it could not be made with", async () => {
    const id = await newCase("Kept");
    for (const json of [{}, { name: "" }, { name: "x", description: 7 }, { name: "x", updatedAt: 7 }]) {
      const answer = await target.api.call("PUT", `/cases/${id}`, { json });
      expect(answer.status, answer.text).toBe(400);
    }
    expect((await target.api.get(`/cases/${id}`)).json.name).toBe("Kept");
  });

  it.each(["0", "-1", "x", "1.5", "99999999999999999999"])("with the id %s is unknown", async (id) => {
    expect((await target.api.get(`/cases/${id}`)).status).toBe(404);
    expect((await target.api.get(`/cases/${id}/documents`)).status).toBe(404);
  });
});

describe("a document of a case", () => {
  it("is read and summarised, and processed without another upload", async () => {
    const { api } = target;
    const caseId = await newCase();
    const added = await put(caseId, invoice, { source: "mail", None: "None" }, "in/voice.pdf");
    const { documentId } = added;
    expect(added).toMatchObject({
      caseId,
      filename: "voice.pdf",
      contentType: PDF,
      sizeBytes: invoice.length,
      metadata: { source: "mail" },
      processingStatus: "PENDING",
      processingJobId: documentId,
    });
    const done = (await read(caseId, documentId)).json;
    expect(done).toMatchObject({ id: added.id, processingStatus: "COMPLETED", createdAt: added.createdAt });
    expect(await api.ended(documentId)).toMatchObject({ status: "COMPLETED" });
    const summary = await api.get(`/cases/${caseId}/documents/${documentId}/summary`);
    expect(summary.status, summary.text).toBe(200);
    expect(summary.json).toMatchObject({ documentId, filename: "voice.pdf", summary: { document_type: "invoice" } });
    expect(summary.json.summary.key_facts.length).toBeGreaterThan(0);
    expect((await api.get(`/cases/${caseId}/summaries`)).json).toEqual([summary.json]);
    expect((await api.get(`/job/params/${documentId}`)).status).toBe(200);
    // Its job goes on with another run, which takes over the reading.
    const run = await api.post(`/document/process/${documentId}`, { json: { schema: DEMO_SCHEMA } });
    expect(run.status, run.text).toBe(200);
    const job = await api.ended(documentId);
    expect(job).toMatchObject({ status: "COMPLETED", usage: { ocrPages: expect.any(Number) } });
    expect((await api.get(`/job/result/${documentId}`)).json).toMatchObject({
      invoice_number: DEMO_TRUTH.invoice_number,
    });
    expect((await api.get(`/cases/${caseId}/documents/${documentId}`)).json).toEqual(done);
    // No list shows it, and only its case deletes it.
    const { content } = (await api.get("/job/list?size=1000")).json;
    expect(content.map(({ guid }: { guid: string }) => guid)).not.toContain(documentId);
    expect((await api.delete(`/job/${documentId}`)).status).toBe(409);
  });

  it("is downloaded as it was uploaded, and deleted with its files", async () => {
    const { api } = target;
    const caseId = await newCase();
    const { documentId } = await put(caseId, invoice, {}, "voice.pdf");
    const path = `/cases/${caseId}/documents/${documentId}`;
    const file = await api.get(`${path}/download`);
    expect(file.status).toBe(200);
    expect(file.headers.get("content-type")).toBe(PDF);
    expect(file.headers.get("content-disposition")).toContain("voice.pdf");
    expect(Buffer.from(file.bytes).equals(Buffer.from(invoice))).toBe(true);
    expect((await api.delete(path)).status).toBe(204);
    expect((await api.get(path)).status).toBe(404);
    expect((await api.delete(path)).status).toBe(404);
    expect((await api.get(`${path}/download`)).status).toBe(404);
    expect((await api.get(`/cases/${caseId}/documents`)).json).toMatchObject({ content: [], totalSize: 0 });
    await eventually(
      () => api.get(`/job/status/${documentId}`),
      ({ status }) => status === 404,
    );
  });

  it("has a list for several parts of one name", async () => {
    const body = form("Some text.", {}, { tag: "a" });
    for (const tag of ["b", "None", " "]) body.append("tag", tag);
    const answer = await target.api.post(`/cases/${await newCase()}/documents`, { body });
    expect(answer.json.metadata).toEqual({ tag: ["a", "b"] });
  });

  it("that is a text in another encoding is downloaded byte for byte", async () => {
    const caseId = await newCase();
    const latin = Buffer.from("Grüße aus Köln, ein kurzer Brief.", "latin1");
    const { documentId } = await put(caseId, latin, {}, "a.txt");
    const file = await target.api.get(`/cases/${caseId}/documents/${documentId}/download`);
    expect(Buffer.from(file.bytes).equals(latin)).toBe(true);
  });

  it("that cannot be read is FAILED with its job's sentence", async () => {
    const caseId = await newCase();
    const locked = await encryptedPdf({ user: "known to few", owner: "owner" });
    const { documentId, processingJobId } = await put(caseId, locked, {}, "a.pdf");
    await read(caseId, documentId, "FAILED");
    expect((await target.api.ended(processingJobId)).error).toBe(JOB_SENTENCES.password);
    const summary = await target.api.get(`/cases/${caseId}/documents/${documentId}/summary`);
    expect(summary.status).toBe(404);
    expect((await target.api.get(`/cases/${caseId}/summaries`)).json).toEqual([]);
    // With its password another run reads it, of the same job.
    const command = { schema: { total: "number" }, password: "known to few" };
    expect((await target.api.post(`/document/process/${documentId}`, { json: command })).status).toBe(200);
    expect((await read(caseId, documentId)).json.processingStatus).toBe("COMPLETED");
  });

  it("is opened by the part password, which is no metadata", async () => {
    const caseId = await newCase();
    const locked = await encryptedPdf({ user: "known to few", owner: "owner" });
    const { documentId, metadata } = await put(caseId, locked, { password: "known to few", note: "x" }, "a.pdf");
    expect(metadata).toEqual({ note: "x" });
    expect((await read(caseId, documentId)).json.processingStatus).toBe("COMPLETED");
  });

  it("is refused like any upload, and takes no place then", async () => {
    const { api } = target;
    const caseId = await newCase();
    const path = `/cases/${caseId}/documents`;
    expect((await api.post(path, { body: form("") })).status).toBe(422);
    expect((await api.post(path, { body: form("MZ\u0000\u0001\u0002\u0003", { name: "a.exe" }) })).status).toBe(415);
    const long = await api.post(path, { body: form("Text.", {}, { note: "x".repeat(17_000) }) });
    expect(long.status).toBe(400);
    expect(long.json.message).toContain("16,000 bytes");
    expect((await api.get(path)).json.totalSize).toBe(0);
  });

  it("goes with its case", async () => {
    const { api } = target;
    const caseId = await newCase();
    const { documentId } = await put(caseId, "Some text of a claim.");
    expect((await api.delete(`/cases/${caseId}`)).status).toBe(204);
    expect((await api.get(`/cases/${caseId}/documents/${documentId}`)).status).toBe(404);
    expect((await api.post(`/cases/${caseId}/documents`, { body: form("More.") })).status).toBe(404);
    await eventually(
      () => api.get(`/job/status/${documentId}`),
      ({ status }) => status === 404,
    );
  });

  it("is sent to an address of its case, past the limits of a request", async () => {
    const { api } = target;
    const caseId = await newCase();
    const ticket = await api.post("/document/upload-url", {
      json: { fileName: "voice.pdf", mimeType: PDF, size: invoice.length, caseId },
    });
    expect(ticket.status, ticket.text).toBe(201);
    const { guid, uploadUrl, method, headers } = ticket.json;
    expect((await api.get(`/cases/${caseId}/documents`)).json).toMatchObject({
      totalSize: 1,
      content: [{ documentId: guid, processingStatus: "PENDING", filename: "voice.pdf" }],
    });
    expect((await api.get(`/cases/${caseId}/documents/${guid}/download`)).status).toBe(404);
    const sent = await fetch(uploadUrl, { method, headers, body: new Uint8Array(invoice) });
    expect(sent.ok).toBe(true);
    expect((await read(caseId, guid)).json.processingStatus).toBe("COMPLETED");
    const summary = await api.get(`/cases/${caseId}/documents/${guid}/summary`);
    expect(summary.json.summary.document_type).toBe("invoice");
  });

  it("has no address of a case that is not there", async () => {
    const json = { fileName: "a.pdf", mimeType: PDF, size: 7, caseId: 999_999 };
    expect((await target.api.post("/document/upload-url", { json })).status).toBe(404);
    const theirs = { ...json, caseId: await newCase() };
    expect((await target.other.post("/document/upload-url", { json: theirs })).status).toBe(404);
  });
});

describe("the documents of a case", () => {
  it("are paged in the order of their uploads", async () => {
    const { api } = target;
    const caseId = await newCase();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.push((await put(caseId, `Text number ${index}.`)).documentId);
    const pageOf = async (query: string) => (await api.get(`/cases/${caseId}/documents${query}`)).json;
    const idsOf = ({ content }: { content: { documentId: string }[] }) => content.map(({ documentId }) => documentId);
    const first = await pageOf("?page=0&size=2");
    expect(first).toMatchObject({
      pageNumber: 0,
      offset: 0,
      size: 2,
      numberOfElements: 2,
      totalSize: 5,
      totalPages: 3,
    });
    const pages = [first, await pageOf("?page=1&size=2"), await pageOf("?page=2&size=2")];
    expect(pages.flatMap(idsOf)).toEqual(ids);
    expect(await pageOf("?page=3&size=2")).toMatchObject({ content: [], empty: true, offset: 6, totalSize: 5 });
    expect(await pageOf("?page=1000000&size=200")).toMatchObject({ content: [], totalSize: 5 });
    expect(idsOf(await pageOf(""))).toEqual(ids);
    expect((await api.get(`/cases/${caseId}/documents?size=201`)).status).toBe(400);
  });
});
