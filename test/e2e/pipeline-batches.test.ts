/** Batches whose documents each run a pipeline; a deployed service shows the same. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { batchCalls } from "../support/batches.ts";
import { command, INVOICE_STATES, router, SAFETY_DATA_SHEET, SHEET_STATES, statesOf } from "../support/router.ts";
import { sharedTestService, type TestService } from "../support/service.ts";
import { REMOTE_URL } from "../support/target.ts";

let target: TestService;
beforeAll(async () => {
  target = await sharedTestService();
});
afterAll(() => target.close());

const { created, added, process, ended, listOf } = batchCalls(() => target.api);
/** For tests that wait for a whole batch. */
const LONG = { timeout: REMOTE_URL === undefined ? 30_000 : 300_000 };
const PDF = { name: "invoice.pdf", type: "application/pdf" };
const TEXT = { name: "sheet.txt", type: "text/plain" };
const NO_TEXT = "Processing failed: Text extraction failed";
const INVOICE = { branch: "invoice", data: { invoice_number: "SH-2026-0117", net_total: 431 } };

const nodesOf = async (guid: string, batchIndex: number, more = "") =>
  (await target.api.get(`/job/pipeline/${guid}/nodes?batchIndex=${batchIndex}${more}`)).json;

describe("a batch of five through the router, one of them broken", () => {
  let guid: string;

  it("returns each document's result or error in the order of the uploads", LONG, async () => {
    guid = await created({ maxConcurrency: 2 });
    const invoice = await drawInvoice();
    for (const index of [0, 1, 2, 3, 4]) {
      if (index === 1) await added(guid, SAFETY_DATA_SHEET, TEXT);
      else if (index === 3) await added(guid, " \n \n", TEXT);
      else await added(guid, invoice, PDF);
    }
    expect(await process(guid, command(router()))).toMatchObject({ status: "PENDING", maxConcurrency: 2 });
    expect(await ended(guid)).toMatchObject({
      status: "PARTIAL",
      error: "1 of 5 documents failed",
      jobMode: "PIPELINE",
      isBatch: true,
      completedDocs: 4,
      failedDocs: 1,
      inProgressDocs: 0,
      usage: { ocrPages: 0, llmTokens: 0 },
    });
    const [one, sheet, two, broken, three] = await listOf(guid);
    expect([one, two, three]).toEqual([INVOICE, INVOICE, INVOICE]);
    expect(sheet).toMatchObject({ branch: "safety_data_sheet", data: { product_name: "Lemon Cleaner 500" } });
    expect(broken).toBe(NO_TEXT);
  });

  it("shows each document's nodes and places by its index", async () => {
    const { api, other } = target;
    expect(statesOf(await nodesOf(guid, 0))).toEqual(INVOICE_STATES);
    expect(statesOf(await nodesOf(guid, 1))).toEqual(SHEET_STATES);
    expect(new Set(Object.values(statesOf(await nodesOf(guid, 3))))).toEqual(new Set(["PENDING"]));
    const { locations, unresolved } = (await api.get(`/job/result/${guid}/source-locations?batchIndex=4`)).json;
    expect(Object.keys(locations).sort()).toEqual(["/data/invoice_number", "/data/net_total"]);
    expect(unresolved).toEqual([{ pointer: "/branch", reason: "constant" }]);
    const [without, beyond] = [`/job/pipeline/${guid}/nodes`, `/job/pipeline/${guid}/nodes?batchIndex=5`];
    expect((await api.get(without)).json).toMatchObject({ status: 404, message: expect.stringMatching(/batchIndex/) });
    expect((await api.get(beyond)).status).toBe(404);
    expect((await other.get(`${without}?batchIndex=0`)).status).toBe(404);
  });

  it("exports one table of its documents", async () => {
    const csv = await target.api.get(`/job/result/${guid}/csv`);
    const lines = csv.text.trimEnd().split("\r\n");
    expect(lines).toHaveLength(6);
    expect(lines[0]?.split(",")).toEqual(
      expect.arrayContaining(["source", "branch", "data.invoice_number", "data.product_name"]),
    );
    expect(lines.filter((line) => line.includes("SH-2026-0117"))).toHaveLength(3);
    expect(lines.filter((line) => line.includes(NO_TEXT))).toHaveLength(1);
  });

  it("runs another pipeline in a new run, and recognises nothing again", LONG, async () => {
    const nodes = [
      { id: "list", type: "transform", transform: "merge", input: ["$document.fileName"] },
      { id: "end", type: "final", when: { eq: ["$document.fileName", "sheet.txt"] }, output: "$document.fileName" },
    ];
    const [fails, end] = nodes;
    await process(guid, command({ nodes: [{ ...fails, onError: "continue" }, end] }, { maxConcurrency: 100 }));
    const status = await ended(guid);
    expect(status).toMatchObject({ status: "PARTIAL", error: "4 of 5 documents failed", usage: { ocrPages: 0 } });
    const none = "Processing failed: no final node completed";
    expect(await listOf(guid)).toEqual([none, "sheet.txt", none, NO_TEXT, none]);
    expect(statesOf(await nodesOf(guid, 1))).toEqual({ list: "FAILED", end: "COMPLETED" });
    expect(statesOf(await nodesOf(guid, 1, "&run=1"))).toEqual(SHEET_STATES);
    expect((await listOf(guid, "?run=1"))[0]).toEqual(INVOICE);
  });
});

describe("a batch of pipelines", () => {
  it("is refused as a whole for the faults of its definition, and opens nothing", async () => {
    const guid = await created();
    await added(guid, "Total: 5.00 EUR");
    const pipeline = {
      nodes: [
        { id: "a", type: "extract", source: "b" },
        { id: "end", type: "final" },
      ],
    };
    const refused = await target.api.post(`/document/batch/${guid}/process`, { json: command(pipeline) });
    expect(refused.json).toMatchObject({ status: 400, errors: expect.any(Array) });
    expect(refused.json.errors.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(["/pipeline/nodes/0/source", "/pipeline/nodes/1/output"]),
    );
    expect((await target.api.get(`/job/status/${guid}`)).json).toMatchObject({ status: "PENDING", runs: [] });
  });

  it("runs nodes on queues, too", LONG, async () => {
    const guid = await created();
    for (const number of [1, 2]) await added(guid, `Invoice number: Q-${number}\nTotal: ${number}.50 EUR\n`);
    const nodes = [
      { id: "read", type: "extract", schema: { invoice_number: "string" } },
      { id: "end", type: "final", output: "$nodes.read.result.invoice_number" },
    ];
    await process(guid, command({ execution: { mode: "queue" }, nodes }));
    expect(await ended(guid)).toMatchObject({ status: "COMPLETED", error: null });
    expect(await listOf(guid)).toEqual(["Q-1", "Q-2"]);
    const [read] = await nodesOf(guid, 1);
    expect(read).toMatchObject({ status: "COMPLETED", queuedTaskId: expect.stringMatching(/./) });
  });
});
