/** Pipelines that ask a model: what they are asked, what they cost, what becomes of answers that lack something. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { batchCalls } from "../support/batches.ts";
import { answerJson, answerText, fail, type ModelServer, startModelServer } from "../support/model-server.ts";
import { command, statesOf } from "../support/router.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { routerSuite } from "./router.suite.ts";

const PDF = { name: "document.pdf", type: "application/pdf" };
const INVOICE = { invoice_number: "SH-2026-0117", net_total: 431 };

let server: ModelServer;
let target: TestService;

beforeAll(async () => {
  server = await startModelServer();
  const env = {
    OPENAI_API_KEY: "sk-test",
    OPENAI_BASE_URL: server.url,
    LLM_MODEL_DEFAULT: "a-model",
    LLM_MODEL_NANO: "a-small-model",
  };
  target = await startTestService({ env, jobTimeoutSeconds: 20 });
});
beforeEach(() => server.play([answerText("nobody asked")]));
afterAll(async () => {
  await target.close();
  await server.close();
});

const jsonOf = async (path: string) => (await target.api.get(path)).json;
const resultOf = (guid: string) => jsonOf(`/job/result/${guid}/json`);
const runs = async (pipeline: object, more: object = {}) =>
  target.api.processed(await drawInvoice(), command(pipeline, more), PDF);

routerSuite(() => ({ target, server }));

describe("a pipeline node with a model", () => {
  it("makes the run PARTIAL when incomplete, only if it is part of the result", async () => {
    server.play([answerJson({ invoice_number: "SH-2026-0117", net_total: "four" })]);
    const schema = {
      type: "object",
      properties: { invoice_number: { type: "string" }, net_total: { type: "number" } },
      required: ["invoice_number", "net_total"],
    };
    const read = { id: "read", type: "extract", schema };
    const partial = await runs({ nodes: [read, { id: "end", type: "final", output: { data: "$nodes.read.result" } }] });
    expect(partial).toMatchObject({ status: "PARTIAL", validationErrors: [expect.anything()] });
    expect(statesOf(partial.pipeline.nodes)).toEqual({ read: "COMPLETED", end: "COMPLETED" });
    expect(partial.pipeline.nodes[0].warnings).not.toEqual([]);
    const whole = await runs({ nodes: [read, { id: "end", type: "final", dependsOn: ["read"], output: "done" }] });
    expect(whole).toMatchObject({ status: "COMPLETED" });
  });

  it("makes its document of a batch PARTIAL when incomplete, which still has its data", async () => {
    const { created, added, process, ended, listOf } = batchCalls(() => target.api);
    server.play(({ user }) => {
      if (user.includes("B-2")) return fail(401);
      return answerJson({ total: user.includes("B-1") ? "four" : 4 });
    });
    const guid = await created();
    for (const number of [0, 1, 2]) await added(guid, `Invoice number: B-${number}\nTotal: 4.00 EUR\n`);
    const schema = { type: "object", properties: { total: { type: "number" } }, required: ["total"] };
    const nodes = [{ id: "read", type: "extract", schema }];
    await process(guid, command({ nodes, finals: ["read"] }, { sourceLocations: true }));
    expect(await ended(guid)).toMatchObject({ status: "PARTIAL", error: "1 of 3 documents failed", completedDocs: 2 });
    const refused = "Processing failed: AI service refused the key of this deployment";
    expect(await listOf(guid)).toEqual([{ total: 4 }, {}, refused]);
    const states = [0, 1, 2].map(async (index) => {
      const [node] = await jsonOf(`/job/pipeline/${guid}/nodes?batchIndex=${index}`);
      return [node.status, node.warnings.length];
    });
    expect(await Promise.all(states)).toEqual([
      ["COMPLETED", 0],
      ["COMPLETED", 1],
      ["FAILED", 1],
    ]);
  });

  it("reads another node's result and given values, and its own values are located in the document", async () => {
    server.play(({ user }) => answerJson(user.includes("Mind") ? { number: "SH-2026-0117" } : INVOICE));
    const status = await runs({
      ocr: { sourceLocations: true },
      nodes: [
        { id: "read", type: "extract", schema: { invoice_number: "string", net_total: "number" } },
        {
          id: "again",
          type: "extract",
          source: "read",
          input: { total: "$nodes.read.result.net_total" },
          prompt: "Mind the number",
          schema: { number: "string" },
        },
      ],
      finals: ["again"],
    });
    expect(status).toMatchObject({ status: "COMPLETED", pipeline: { chosenFinal: "again" } });
    const asked = server.requests.at(-1)?.user ?? "";
    expect(asked).toContain('{"total":431}');
    expect(asked).not.toContain("Harbour");
    const { locations } = await jsonOf(`/job/result/${status.guid}/source-locations`);
    expect(locations["/number"].pageAnchors[0].pageNumber).toBe(1);
  });

  it("is FAILED when it takes too long; its later result changes nothing", async () => {
    server.play(async () => {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      return answerJson(INVOICE);
    });
    const slow = { id: "slow", type: "extract", schema: { invoice_number: "string" }, timeoutSeconds: 1 };
    const ends = await runs({ nodes: [slow, { id: "end", type: "final", dependsOn: ["slow"], output: 1 }] });
    expect(ends).toMatchObject({
      status: "FAILED",
      error: 'Processing failed: The node "slow" took longer than its 1 seconds',
    });
    expect(statesOf(ends.pipeline.nodes)).toEqual({ slow: "FAILED", end: "PENDING" });
    const goesOn = await runs({
      nodes: [
        { ...slow, onError: "continue" },
        { id: "end", type: "final", output: { state: "$nodes.slow.status", data: "$nodes.slow.result" } },
      ],
    });
    expect(await resultOf(goesOn.guid)).toEqual({ state: "FAILED", data: null });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const later = await jsonOf(`/job/status/${goesOn.guid}`);
    expect(statesOf(later.pipeline.nodes)).toEqual({ slow: "FAILED", end: "COMPLETED" });
  });

  it.each([
    ["preserve", null],
    ["compress", "compressed-upstream"],
    ["none", "no-source-map"],
  ])("may correct text for others to read; their places with %s", async (sourceMap, reason) => {
    server.play(({ user }) => answerJson(user.includes("431") ? INVOICE : {}));
    const status = await runs({
      ocr: { sourceLocations: true },
      nodes: [
        { id: "correct", type: "OCR_CORRECT", sourceMap },
        { id: "read", type: "extract", source: "correct", schema: { invoice_number: "string", net_total: "number" } },
        { id: "end", type: "final", output: { data: "$nodes.read.result" } },
      ],
    });
    expect(status).toMatchObject({ status: "COMPLETED", error: null });
    expect(await resultOf(status.guid)).toEqual({ data: INVOICE });
    const { locations, unresolved } = await jsonOf(`/job/result/${status.guid}/source-locations`);
    const pointers = ["/data/invoice_number", "/data/net_total"];
    if (reason === null) expect(Object.keys(locations).sort()).toEqual(pointers);
    else expect(unresolved).toEqual(pointers.map((pointer) => ({ pointer, reason })));
  });

  it("may be an operation, which is a job of its own", async () => {
    server.play(({ user }) =>
      user.includes("limerick") ? answerText("There once was a bill [p. 1]") : answerJson(INVOICE),
    );
    const status = await runs({
      nodes: [
        { id: "read", type: "extract", schema: { invoice_number: "string" } },
        {
          id: "poem",
          type: "operation",
          operation: "generative-task",
          dependsOn: ["read"],
          config: { prompt: "Write a limerick" },
        },
        { id: "end", type: "final", output: { text: "$nodes.poem.result.generated_text" } },
      ],
    });
    expect(status).toMatchObject({ status: "COMPLETED", error: null });
    expect(await resultOf(status.guid)).toEqual({ text: "There once was a bill [p. 1]" });
    const { childOperationGuid } = status.pipeline.nodes[1];
    const child = await jsonOf(`/job/status/${childOperationGuid}`);
    expect(child).toMatchObject({ status: "COMPLETED", jobMode: "OPERATION", operationType: "generative-task" });
  });
});
