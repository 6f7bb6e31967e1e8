/** The router with a model, the same wherever the service runs: here, and deployed. */
import { describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { answerJson, fail, type ModelScript, type ModelServer } from "../support/model-server.ts";
import { command, INVOICE_STATES, router, SAFETY_DATA_SHEET, SHEET_STATES, statesOf } from "../support/router.ts";
import type { TestService } from "../support/service.ts";

const PDF = { name: "document.pdf", type: "application/pdf" };
const TEXT = { name: "sheet.txt", type: "text/plain" };
const INVOICE = { invoice_number: "SH-2026-0117", net_total: 431 };
const SHEET = { product_name: "Lemon Cleaner 500", signal_word: "Warning" };

/** Knows documents by their words. */
const knows: ModelScript = ({ user }) => {
  const isInvoice = user.includes("SH-2026-0117");
  if (user.includes("document_type")) return answerJson({ document_type: isInvoice ? "invoice" : "safety_data_sheet" });
  return answerJson(isInvoice ? INVOICE : SHEET);
};

/** @param get the service, whose models are `a-small-model` for nano and `a-model`, and the server that they are asked at */
export function routerSuite(get: () => { target: TestService; server: ModelServer }): void {
  const jsonOf = async (path: string) => (await get().target.api.get(path)).json;
  const resultOf = (guid: string) => jsonOf(`/job/result/${guid}/json`);
  const runs = async (pipeline: object, more: object = {}) =>
    get().target.api.processed(await drawInvoice(), command(pipeline, more), PDF);

  describe.each(["inline", "queue"])("the router, %s", (mode) => {
    it("takes both branches; every node is charged once, and all are in one trace", async () => {
      const { server, target } = get();
      server.play(knows);
      const before = server.requests.length;
      const status = await runs(router({ execution: { mode } }), { trace: true });
      expect(status).toMatchObject({ status: "COMPLETED", engine: "a-small-model", usage: { llmTokens: 240 } });
      expect(statesOf(status.pipeline.nodes)).toEqual(INVOICE_STATES);
      const asked = server.requests.slice(before).map(({ body }) => body.model);
      expect(asked).toEqual(["a-small-model", "a-model"]);
      expect(await resultOf(status.guid)).toEqual({ branch: "invoice", data: INVOICE });
      const queued = status.pipeline.nodes.map(
        ({ queuedTaskId }: { queuedTaskId?: string }) => queuedTaskId !== undefined,
      );
      expect(queued).toEqual(mode === "queue" ? [true, true, false, false, false, false] : Array(6).fill(false));
      const trace = await jsonOf(`/job/trace/${status.guid}`);
      expect(trace).toMatchObject({ extraction_mode: "PIPELINE", total_llm_calls: 2, total_tokens: 240 });
      const events: { type: string; name: string; response: string }[] = trace.events;
      const ended = events.filter(({ type, name }) => type === "chain_end" && name in INVOICE_STATES);
      const states = ended.map(({ name, response }) => [name, JSON.parse(response).status]);
      expect(Object.fromEntries(states)).toEqual(INVOICE_STATES);
      expect(states.length).toBe(ended.length);
      const calls = events.filter(({ type }) => type === "llm_end" || type === "chain_start");
      const nodesAsked = calls.flatMap(({ type }, at) => (type === "llm_end" ? (calls[at - 1]?.type ?? []) : []));
      expect(nodesAsked).toEqual(["chain_start", "chain_start"]);

      const sheet = await target.api.processed(
        Buffer.from(SAFETY_DATA_SHEET),
        command(router({ execution: { mode } })),
        TEXT,
      );
      expect(statesOf(sheet.pipeline.nodes)).toEqual(SHEET_STATES);
      expect(await resultOf(sheet.guid)).toEqual({ branch: "safety_data_sheet", data: SHEET });
    });

    it("fails with a node whose model refuses, and the other nodes stay unchanged", async () => {
      get().server.play((request) =>
        request.user.includes("document_type") ? answerJson({ document_type: "invoice" }) : fail(401),
      );
      const status = await runs(router({ execution: { mode } }));
      expect(status).toMatchObject({
        status: "FAILED",
        error: "Processing failed: AI service refused the key of this deployment",
      });
      expect(statesOf(status.pipeline.nodes)).toMatchObject({
        classify: "COMPLETED",
        extract_invoice: "FAILED",
        invoice_final: "PENDING",
      });
      expect(status.usage.llmTokens).toBe(120);
    });
  });
}
