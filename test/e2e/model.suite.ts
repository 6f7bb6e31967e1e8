/** Behaviour of a service with a model, the same here and deployed. */
import { expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { form } from "../support/api.ts";
import { answerJson, fail, type ModelServer } from "../support/model-server.ts";
import { ITEM_SCHEMA, item, priceList, readsPrices } from "../support/price-list.ts";
import type { TestService } from "../support/service.ts";

const PDF = { name: "document.pdf", type: "application/pdf" };

/** @param get the service, and the server that its model is asked at; the last of the tests leaves that one untrusted */
export function modelSuite(get: () => { target: TestService; server: ModelServer }): void {
  const jsonOf = async (path: string) => (await get().target.api.get(path)).json;

  it("a correct answer has its places, its trace and its tokens", async () => {
    const { target, server } = get();
    const data = { invoice_number: "SH-2026-0117", net_total: 431 };
    server.play([answerJson(data)]);
    const command = { schema: { invoice_number: "string", net_total: "number" }, sourceLocations: true, trace: true };
    const status = await target.api.processed(await drawInvoice(), command, PDF);
    expect(status).toMatchObject({ status: "COMPLETED", error: null, engine: "a-model", usage: { llmTokens: 120 } });
    expect(await jsonOf(`/job/result/${status.guid}/json`)).toEqual(data);
    const { locations } = await jsonOf(`/job/result/${status.guid}/source-locations`);
    expect(Object.keys(locations).sort()).toEqual(["/invoice_number", "/net_total"]);
    expect(await jsonOf(`/job/trace/${status.guid}`)).toMatchObject({ status: "COMPLETED", total_llm_calls: 1 });
  });

  it("the status names the extraction mode that ran", async () => {
    const { target, server } = get();
    const schema = { invoice_number: "string", net_total: "number", lines: [{ description: "string" }] };
    server.play(() => answerJson({ invoice_number: "SH-2026-0117", net_total: 431, lines: [] }));
    const asked = await target.api.processed(await drawInvoice(), { schema, extractionMode: "STEPS" }, PDF);
    expect(asked.extractionMode).toBe("STEPS");
    const chosen = await target.api.processed(await drawInvoice(), { schema }, PDF);
    expect(chosen.extractionMode).toBe("SIMPLE");
  });

  it("the summary of a case's document is the model's", async () => {
    const { target, server } = get();
    const summary = {
      document_type: "invoice",
      title: "Invoice 17",
      summary: "It asks for money.",
      key_facts: ["a: b"],
    };
    server.play([answerJson(summary)]);
    const caseId = (await target.api.post("/cases", { json: { name: "By a model" } })).json.id;
    const added = await target.api.post(`/cases/${caseId}/documents`, { body: form(await drawInvoice(), PDF) });
    const { documentId } = added.json;
    expect(await target.api.ended(documentId)).toMatchObject({ status: "COMPLETED", engine: "a-model" });
    expect(await jsonOf(`/cases/${caseId}/documents/${documentId}/summary`)).toMatchObject({ documentId, summary });
    expect((await target.api.delete(`/cases/${caseId}`)).status).toBe(204);
  });

  it("three pages in chunks give one result", async () => {
    const { target, server } = get();
    server.play(readsPrices({ broken: 2 }));
    const document = await priceList([1, 2, 3].map((page) => ({ items: [item(page)] })));
    const mapReduce = { enabled: true, parallelProcessing: true };
    const command = { schema: ITEM_SCHEMA, sourceLocations: true, trace: true, mapReduce };
    const partial = await target.api.processed(document, command, PDF);
    expect(partial).toMatchObject({ status: "PARTIAL", jobMode: "MAP_REDUCE", usage: { llmTokens: 240 } });
    expect(partial.validationErrors).toEqual([
      { pointer: "/records", message: expect.stringMatching(/^Page 2 is missing: /) },
    ]);
    expect((await jsonOf(`/job/result/${partial.guid}/json`)).records).toEqual([item(1), item(3)]);

    server.play(readsPrices());
    const status = await target.api.processed(document, command, PDF);
    expect(status).toMatchObject({
      status: "COMPLETED",
      mapReduceStatus: { totalChunks: 3, completedChunks: 3, earlyTerminated: false },
    });
    expect(await jsonOf(`/job/result/${status.guid}/json`)).toEqual({ header: null, records: [1, 2, 3].map(item) });
    const { locations } = await jsonOf(`/job/result/${status.guid}/source-locations`);
    expect(locations["/records/2/sku"].pageAnchors[0].pageNumber).toBe(3);
    expect(await jsonOf(`/job/trace/${status.guid}`)).toMatchObject({ status: "COMPLETED", total_llm_calls: 3 });
  });

  it("an unavailable model service is reported as such", async () => {
    const { target, server } = get();
    server.play(() => fail(503, undefined, { "retry-after": "0" }));
    const status = await target.api.processed("Total: 12.00 EUR", { schema: { total: "number" } });
    expect(status).toMatchObject({ status: "FAILED", error: "Processing failed: AI service unavailable" });
  });
}
