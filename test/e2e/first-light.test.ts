/** The main job, as a user does it: a document in, its data out, with the place of every value. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cutText } from "../../bench/support/cut-text.ts";
import { DEMO_SCHEMA, DEMO_TRUTH, drawInvoice } from "../../bin/demo/invoice.ts";
import type { Box } from "../../functions/ports/layout.ts";
import { form } from "../support/api.ts";
import { startTestService, type TestService } from "../support/service.ts";

let target: TestService;
let invoice: Uint8Array;

beforeAll(async () => {
  target = await startTestService();
  invoice = await drawInvoice();
});
afterAll(() => target.close());

/** Every leaf of a JSON value by its pointer; empty lists and objects count as leaves. */
function leavesOf(value: unknown, pointer = ""): string[] {
  if (value === null || typeof value !== "object") return [pointer];
  const members = Object.entries(value);
  if (members.length === 0) return [pointer];
  return members.flatMap(([name, member]) =>
    leavesOf(member, `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
}

describe("one document", () => {
  it("returns the data on the page, each value with its place", async () => {
    const { api } = target;
    const guid = await api.upload(invoice, { name: "invoice.pdf", type: "application/pdf" });
    const started = await api.post(`/document/process/${guid}`, {
      json: { schema: JSON.stringify(DEMO_SCHEMA), prompt: "", sourceLocations: true, mimeType: "application/pdf" },
    });
    expect(started.status).toBe(200);
    expect(started.json).toMatchObject({ guid, status: "PENDING" });

    const status = await api.ended(guid);
    expect(status).toMatchObject({
      status: "COMPLETED",
      error: null,
      engine: "offline",
      organizationId: target.keys.organizationId,
    });
    expect(status.usage).toEqual({ tokens: 0, ocrPages: 0, llmTokens: 0 });
    expect(status.confidence).toBeGreaterThan(0.5);
    expect(status.runs).toEqual([expect.objectContaining({ run: 1, status: "COMPLETED", engine: "offline" })]);

    const result = await api.get(`/job/result/${guid}/json`);
    expect(result.json).toEqual(DEMO_TRUTH);
    expect((await api.get(`/job/result/${guid}`)).json).toEqual(DEMO_TRUTH);

    const { json: sources } = await api.get(`/job/result/${guid}/source-locations`);
    const placed = [
      ...Object.keys(sources.locations),
      ...sources.unresolved.map((one: { pointer: string }) => one.pointer),
    ];
    expect(placed.sort()).toEqual(leavesOf(result.json).sort());

    // The part of the page inside each box shows the value.
    const printed: Record<string, string> = {
      "/invoice_number": "SH-2026-0117",
      "/issue_date": "9 March 2026",
      "/due_date": "8 April 2026",
      "/seller": "Quire & Daughters Bindery Ltd.",
      "/buyer": "Harbour Street Library",
      "/currency": "£517.20",
      "/net_total": "£431.00",
      "/tax_total": "£86.20",
      "/gross_total": "£517.20",
    };
    const locations = Object.entries<{ pageAnchors: { pageNumber: number; bbox: Box }[] }>(sources.locations);
    for (const [pointer, { pageAnchors }] of locations) {
      const cuts = await Promise.all(pageAnchors.map(({ pageNumber, bbox }) => cutText(invoice, pageNumber, bbox)));
      expect(cuts.join(" "), pointer).toBe(printed[pointer]);
    }
    expect(locations).toHaveLength(Object.keys(printed).length);
  });

  it("returns a general result without schema and prompt", async () => {
    const { api } = target;
    const status = await api.processed(invoice, {}, { name: "invoice.pdf" });
    expect(status.status).toBe("COMPLETED");
    const { json } = await api.get(`/job/result/${status.guid}`);
    expect(json).toMatchObject({ document_type: "invoice", language: "en" });
    expect(Object.values(json.key_values)).toContain("SH-2026-0117");
    // Not asked for: no source locations, and the clients take 404 for that.
    expect((await api.get(`/job/result/${status.guid}/source-locations`)).status).toBe(404);
  });

  it("accepts a shape as a schema", async () => {
    const { api } = target;
    const status = await api.processed(invoice, {
      schema: { invoice_number: "string", issue_date: "date", total: "number" },
    });
    const { json } = await api.get(`/job/result/${status.guid}`);
    expect(json).toEqual({ invoice_number: "SH-2026-0117", issue_date: "2026-03-09", total: 517.2 });
  });

  it("returns the text in three formats", async () => {
    const { api } = target;
    const guid = await api.upload(invoice);
    const texts: Record<string, string> = {};
    for (const format of ["plain", "markdown", "jsonl"]) {
      const started = await api.post(`/document/ocr/${guid}?format=${format}`, {
        json: { ocr: "DEFAULT", ocrFormat: "plain" },
      });
      expect(started.status).toBe(200);
      expect((await api.ended(guid)).status).toBe("COMPLETED");
      const answer = await api.get(`/job/result/${guid}`);
      texts[answer.headers.get("content-type") ?? ""] = answer.text;
    }
    expect(Object.keys(texts)).toEqual([
      "text/plain; charset=utf-8",
      "text/markdown; charset=utf-8",
      "application/jsonl; charset=utf-8",
    ]);
    for (const text of Object.values(texts)) expect(text).toContain("Harbour Street Library");
    expect(texts["text/markdown; charset=utf-8"]).toContain("<!-- page 1 -->");
    for (const line of (texts["application/jsonl; charset=utf-8"] ?? "").trim().split("\n")) {
      expect(JSON.parse(line)).toMatchObject({ page: 1, bbox: expect.anything() });
    }
    // Three runs, one reading, of a text layer: no page was recognised.
    const status = (await api.get(`/job/status/${guid}`)).json;
    expect(status.runs).toHaveLength(3);
    expect(status.usage.ocrPages).toBe(0);
    expect((await api.get(`/job/result/${guid}/json?run=1`)).json).toBe(
      (await api.get(`/job/result/${guid}?run=1`)).text,
    );
  });

  it("is uploaded, processed and awaited in one call", async () => {
    const { api } = target;
    const texts = {
      instructions: "Extract the totals",
      metadata: JSON.stringify({ sourceLocations: true }),
      schema: "None",
    };
    const sync = await api.post("/document/upload-files/sync", {
      body: form(invoice, { name: "invoice.pdf" }, { ...texts, schema: JSON.stringify(DEMO_SCHEMA) }),
    });
    expect(sync.status).toBe(200);
    expect(sync.json).toEqual(DEMO_TRUTH);
    const started = await api.post("/document/upload-files", { body: form(invoice, {}, texts) });
    expect(started.status).toBe(200);
    expect((await api.ended(started.json.guid)).status).toBe("COMPLETED");
    expect((await api.get(`/job/result/${started.json.guid}/source-locations`)).status).toBe(200);
    const text = await api.post("/document/ocr/sync?format=plain", { body: form("Hello there, reader.") });
    expect(text.text).toContain("Hello there, reader.");
  });

  it("may be plain text or Word as well", async () => {
    const { api } = target;
    const status = await api.processed("Invoice number: A-77\nTotal: 12.50 EUR\n", {
      schema: { invoice_number: "string", total: "number" },
    });
    expect((await api.get(`/job/result/${status.guid}`)).json).toEqual({ invoice_number: "A-77", total: 12.5 });
  });
});

describe("runs", () => {
  it("are opened one at a time, and the newest finished one is served", async () => {
    const { api } = target;
    const guid = await api.upload(invoice);
    expect((await api.get(`/job/result/${guid}`)).status).toBe(404);
    await api.post(`/document/process/${guid}`, { json: { schema: { invoice_number: "string" } } });
    const second = await api.post(`/document/process/${guid}`, { json: {} });
    expect([200, 409]).toContain(second.status);
    await api.ended(guid);
    await api.post(`/document/process/${guid}?dependsOn=${guid}`, { json: { schema: { total: "number" } } });
    await api.ended(guid);
    expect((await api.get(`/job/result/${guid}`)).json).toEqual({ total: 517.2 });
    expect((await api.get(`/job/result/${guid}?run=1`)).json).toEqual({ invoice_number: "SH-2026-0117" });
    expect((await api.get(`/job/result/${guid}?run=99`)).status).toBe(404);
  });

  it("refuse a second one while one is open", async () => {
    const { api } = target;
    const guid = await api.upload(invoice);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => api.post(`/document/process/${guid}`, { json: { schema: { total: "number" } } })),
    );
    // When requests are slow, the first run may be over before the last one comes; then that one opens the next run.
    const accepted = answers.filter(({ status }) => status === 200).length;
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([]);
    expect(accepted).toBeLessThan(5);
    const { runs } = await api.ended(guid);
    expect(runs).toHaveLength(accepted);
    for (const [index, run] of runs.entries()) {
      if (index > 0) expect(run.startedAt >= runs[index - 1].completedAt).toBe(true);
    }
  });

  it("are listed and deleted with their job", async () => {
    const { api, other } = target;
    const before = (await api.get("/job/list?size=1")).json.totalSize;
    const guid = await api.upload("One page of text.");
    const { json: page } = await api.get("/job/list?page=0&size=2&sort=createdAt,desc");
    expect(page).toMatchObject({ pageNumber: 0, size: 2, numberOfElements: 2, totalSize: before + 1, empty: false });
    expect(page.content[0].guid).toBe(guid);
    expect((await api.get(`/job/list?cursor=${page.nextCursor}&size=2`)).json.content[0].guid).not.toBe(
      page.content[1].guid,
    );
    expect((await api.get("/job/list?status=pending")).json.content.map((one: { guid: string }) => one.guid)).toContain(
      guid,
    );
    expect((await api.get("/job/list?createdAtFrom=2099-01-01")).json.totalSize).toBe(0);
    expect((await other.get("/job/list")).json.totalSize).toBe(0);
    expect((await api.delete(`/job/${guid}`)).json).toEqual({ jobsDeleted: 1, errors: [] });
    expect((await api.get(`/job/status/${guid}`)).status).toBe(404);
    expect((await api.delete(`/job/${guid}`)).status).toBe(404);
    expect((await api.get("/job/list?size=1")).json.totalSize).toBe(before);
  });

  it("are awaited on request", async () => {
    const { api } = target;
    const guid = await api.upload(invoice);
    await api.post(`/document/process/${guid}`, { json: {} });
    const status = await api.get(`/job/status/${guid}?waitSeconds=20`);
    expect(status.json.status).toBe("COMPLETED");
    // A job that nobody processes is answered when the time is over.
    const idle = await api.upload("Nothing to do.");
    const started = Date.now();
    expect((await api.get(`/job/status/${idle}?waitSeconds=1`)).json.status).toBe("PENDING");
    expect(Date.now() - started).toBeGreaterThan(900);
  });
});
