/** The threshold of a result's values, without a model and with one. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { batchCalls } from "../support/batches.ts";
import { answerJson, type ModelServer, startModelServer } from "../support/model-server.ts";
import { sharedTestService, startTestService, type TestService } from "../support/service.ts";

const TEXT = { name: "letter.txt", type: "text/plain" };
const PDF = { name: "invoice.pdf", type: "application/pdf" };

/** Its only date has no label, and day and month may be either way around. */
const LETTER = "Harbour Works\n\n03/04/2026\n\nReference number: HW-77-2026\n\nThe pier is closed for the winter.\n";
const SCHEMA = {
  type: "object",
  properties: {
    reference_number: { type: "string" },
    issue_date: { type: "string", format: "date" },
    label: {
      type: "string",
      "x-docudevs": {
        fieldType: "calculated",
        formula: { lang: "excel", expression: 'COALESCE({issue_date}, "none")' },
      },
    },
  },
};
const SURE = { reference_number: "HW-77-2026", issue_date: null, label: "none" };
const ALL = { reference_number: "HW-77-2026", issue_date: "2026-03-04", label: "2026-03-04" };
const UNSURE = {
  pointer: "/issue_date",
  reason: "unsure",
  candidates: [
    {
      value: "2026-03-04",
      place: { resolution: "word", pageAnchors: [{ pageNumber: 1 }] },
      confidence: expect.toSatisfy((confidence: number) => confidence > 0.1 && confidence < 0.5),
    },
  ],
};

let target: TestService;
beforeAll(async () => {
  target = await sharedTestService();
});
afterAll(() => target.close());

const batch = batchCalls(() => target.api);
const resultOf = async (guid: string) => (await target.api.get(`/job/result/${guid}/json`)).json;
const unsureOf = async (guid: string, query = "") => {
  const { json } = await target.api.get(`/job/result/${guid}/source-locations${query}`);
  return json.unresolved.filter(({ reason }: { reason: string }) => reason === "unsure");
};
const run = (more: object, text = LETTER) =>
  target.api.processed(text, { schema: SCHEMA, sourceLocations: true, ...more }, TEXT);

describe("a value that is less sure than 0.5, without a model", () => {
  it("is null, and a candidate with its place and confidence", async () => {
    const status = await run({});
    expect(status).toMatchObject({ status: "COMPLETED", engine: "offline" });
    expect(status.confidence).toBeGreaterThan(0.5);
    expect(await resultOf(status.guid)).toEqual(SURE);
    expect(await unsureOf(status.guid)).toMatchObject([UNSURE]);
  });

  it("is given from the confidence that `minConfidence` names", async () => {
    expect(await resultOf((await run({ minConfidence: 0 })).guid)).toEqual(ALL);
    expect(await resultOf((await run({ minConfidence: 0.999 })).guid)).toEqual({ ...SURE, reference_number: null });
  });

  it("is withheld from the records of chunks as well", async () => {
    const mapReduce = { enabled: true, pagesPerChunk: 1 };
    const status = await run({ mapReduce });
    expect(await resultOf(status.guid)).toMatchObject({ records: [SURE] });
    expect(await unsureOf(status.guid)).toMatchObject([{ ...UNSURE, pointer: "/records/0/issue_date" }]);
    expect(await resultOf((await run({ mapReduce, minConfidence: 0 })).guid)).toMatchObject({ records: [ALL] });
  });

  it("is withheld in a batch", async () => {
    const guid = await batch.created();
    await batch.added(guid, LETTER);
    await batch.process(guid, { schema: SCHEMA, sourceLocations: true });
    await batch.ended(guid);
    expect(await batch.listOf(guid)).toEqual([SURE]);
    expect(await unsureOf(guid, "?batchIndex=0")).toMatchObject([UNSURE]);
    await batch.process(guid, { schema: SCHEMA, minConfidence: 0 });
    await batch.ended(guid);
    expect(await batch.listOf(guid)).toEqual([ALL]);
  });

  it("is withheld by a saved configuration's threshold", async () => {
    const saved = await target.api.post("/configuration/strict", { json: { schema: SCHEMA, minConfidence: 0.999 } });
    expect(saved.status).toBe(201);
    expect((await target.api.get("/configuration/strict")).json).toMatchObject({ minConfidence: 0.999 });
    const { guid } = await target.api.processed(LETTER, { configuration: "strict" }, TEXT);
    expect(await resultOf(guid)).toEqual({ ...SURE, reference_number: null });
  });

  it("is withheld in a pipeline, and its candidates reach the final result", async () => {
    const pipeline = {
      ocr: { sourceLocations: true },
      nodes: [
        { id: "read", type: "extract", schema: SCHEMA },
        { id: "end", type: "final", output: { date: "$nodes.read.result.issue_date" } },
      ],
    };
    const submit = (more: object) =>
      target.api.processed(LETTER, { extractionMode: "PIPELINE", pipeline, ...more }, TEXT);
    const { guid } = await submit({});
    expect(await resultOf(guid)).toEqual({ date: null });
    expect(await unsureOf(guid)).toMatchObject([{ ...UNSURE, pointer: "/date" }]);
    expect(await resultOf((await submit({ minConfidence: 0.1 })).guid)).toEqual({ date: "2026-03-04" });
  });

  it("gives way to a value that stands beside the document", async () => {
    const pipeline = {
      inputs: { known: { kind: "literal", value: { issue_date: "2026-03-13" } } },
      nodes: [
        { id: "read", type: "extract", schema: SCHEMA, input: "$inputs.known" },
        { id: "end", type: "final", output: "$nodes.read.result" },
      ],
    };
    const { guid } = await target.api.processed(LETTER, { extractionMode: "PIPELINE", pipeline }, TEXT);
    expect(await resultOf(guid)).toEqual({ ...SURE, issue_date: "2026-03-13", label: "2026-03-13" });
  });
});

describe("trace: true without a model", () => {
  type Event = { type: string; name: string; response: string | null; duration_ms: number | null };
  const traceOf = async (more: object) => {
    const { guid } = await run({ trace: true, ...more });
    const { status, json } = await target.api.get(`/job/trace/${guid}`);
    expect(status).toBe(200);
    const events: Event[] = json.events;
    const how = Object.fromEntries(
      events.filter(({ name }) => name.startsWith("/")).map(({ name, response }) => [name, JSON.parse(response ?? "")]),
    );
    const timed = events.filter(({ duration_ms }) => duration_ms !== null).map(({ name }) => name);
    return { json, how, timed, events };
  };

  it("tells what was tried, the rule that gave each value, and times", async () => {
    const { json, how, timed } = await traceOf({});
    expect(json).toMatchObject({ status: "COMPLETED", extraction_mode: "RULES", total_llm_calls: 0, total_tokens: 0 });
    expect(how).toEqual({
      "/reference_number": { tried: ["label"], rule: "label" },
      "/issue_date": { tried: ["label", "sentence", "lone date"], rule: "lone date" },
    });
    expect(timed).toEqual(["rules", "receipt", "threshold"]);
  });

  it("tells that no rule gave a value, and how many items a list has", async () => {
    const list = { type: "array", items: { type: "object", properties: { sku: { type: "string" } } } };
    const schema = { type: "object", properties: { vessel: { type: "string" }, list } };
    const { how } = await traceOf({ schema });
    expect(how["/vessel"]).toMatchObject({ rule: null });
    expect(how["/vessel"].tried[0]).toBe("label");
    expect(how["/list"]).toEqual({ tried: ["table"], rule: null, items: 0 });
  });

  it("tells it chunk by chunk, and node by node", async () => {
    const chunked = await traceOf({ mapReduce: { enabled: true } });
    expect(chunked.json.extraction_mode).toBe("MAP_REDUCE");
    expect(chunked.events[0]).toMatchObject({ type: "chain_start", name: "document", response: "all pages" });
    expect(chunked.timed).toContain("rules");
    const pipeline = { nodes: [{ id: "read", type: "extract", schema: SCHEMA }], finals: [{ node: "read" }] };
    const { json, how } = await traceOf({ schema: undefined, extractionMode: "PIPELINE", pipeline });
    expect(json.extraction_mode).toBe("PIPELINE");
    expect(how["/issue_date"]).toMatchObject({ rule: "lone date" });
  });
});

describe("minConfidence in a command", () => {
  it("is refused outside of 0 to 1, with its name", async () => {
    const guid = await target.api.upload(LETTER, TEXT);
    for (const minConfidence of [-0.1, 1.5, "high"]) {
      const { status, json } = await target.api.post(`/document/process/${guid}`, { json: { minConfidence } });
      expect(status).toBe(400);
      expect(json.errors).toEqual([{ path: "/minConfidence", message: "must be a number from 0 to 1" }]);
    }
  });
});

describe("minConfidence with a model", () => {
  let server: ModelServer;
  let withModel: TestService;
  beforeAll(async () => {
    server = await startModelServer();
    const env = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: server.url, LLM_MODEL_DEFAULT: "a-model" };
    withModel = await startTestService({ env, jobTimeoutSeconds: 20 });
  });
  afterAll(async () => {
    await withModel.close();
    await server.close();
  });

  const ANSWER = { invoice_number: "SH-2026-0117", issue_date: "1999-01-01" };
  const HELD = { ...ANSWER, issue_date: null };
  const INVENTED = { reason: "unsure", candidates: [{ value: "1999-01-01" }] };
  const asked = { invoice_number: "string", issue_date: "date" };
  const modelBatch = batchCalls(() => withModel.api);
  const json = async (path: string) => (await withModel.api.get(path)).json;
  const extracted = async (command: object, answer: object = ANSWER) => {
    server.play([answerJson(answer)]);
    const { guid } = await withModel.api.processed(await drawInvoice(), { sourceLocations: true, ...command }, PDF);
    return {
      data: await json(`/job/result/${guid}/json`),
      unresolved: (await json(`/job/result/${guid}/source-locations`)).unresolved,
    };
  };

  it("withholds the model's values only where it is sent", async () => {
    expect((await extracted({ schema: asked })).data).toEqual(ANSWER);
    const held = await extracted({ schema: asked, minConfidence: 0.5 });
    expect(held.data).toEqual(HELD);
    expect(held.unresolved).toMatchObject([{ pointer: "/issue_date", ...INVENTED }]);
    expect(held.unresolved[0].candidates[0]).not.toHaveProperty("place");
  });

  it("withholds them from the records and the header of chunks", async () => {
    const mapReduce = { enabled: true, header: { enabled: true, includeInRows: true, schema: asked } };
    const { data, unresolved } = await extracted({ schema: asked, minConfidence: 0.5, mapReduce });
    expect(data).toEqual({ header: HELD, records: [HELD] });
    expect(unresolved).toMatchObject(
      ["/header", "/records/0"].map((at) => ({ pointer: `${at}/issue_date`, ...INVENTED })),
    );
    const open = await extracted({ schema: asked, mapReduce });
    expect(open.data).toEqual({ header: ANSWER, records: [ANSWER] });
  });

  it("withholds them in pipelines, batches and by saved configurations", async () => {
    const pipeline = { nodes: [{ id: "read", type: "extract", schema: asked }], finals: [{ node: "read" }] };
    const command = { extractionMode: "PIPELINE", pipeline };
    expect((await extracted({ ...command, minConfidence: 0.5 })).data).toEqual(HELD);
    expect((await extracted(command)).data).toEqual(ANSWER);
    const saved = await withModel.api.post("/configuration/sure", { json: { schema: asked, minConfidence: 0.5 } });
    expect(saved.status).toBe(201);
    expect((await extracted({ configuration: "sure" })).data).toEqual(HELD);
    const guid = await modelBatch.created();
    await modelBatch.added(guid, "Invoice number: SH-2026-0117\n");
    await modelBatch.process(guid, { schema: asked, minConfidence: 0.5 });
    await modelBatch.ended(guid);
    expect(await modelBatch.listOf(guid)).toEqual([HELD]);
  });

  it("is no threshold at 0, and takes null also where the schema has no null", async () => {
    const schema = {
      type: "object",
      properties: { invoice_number: { type: "string" }, issue_date: { type: "string" } },
      required: ["issue_date"],
    };
    expect((await extracted({ schema, minConfidence: 0 })).data).toEqual(ANSWER);
    expect((await extracted({ schema, minConfidence: 0.5 })).data).toEqual(HELD);
  });
});
