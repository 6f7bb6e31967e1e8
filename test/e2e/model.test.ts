/** Extraction with a model, as a user sees it: its server is one of these tests' own. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DEMO_TRUTH, drawInvoice } from "../../bin/demo/invoice.ts";
import { form } from "../support/api.ts";
import {
  answerJson,
  answerText,
  fail,
  type ModelServer,
  refusal,
  silence,
  startModelServer,
} from "../support/model-server.ts";
import { startTestService, type TestService } from "../support/service.ts";

const KEY = "sk-this-key-must-never-be-told-1234567890";
const PDF = { name: "invoice.pdf", type: "application/pdf" };

let server: ModelServer;
let target: TestService;
let invoice: Uint8Array;

beforeAll(async () => {
  server = await startModelServer();
  const env = { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server.url, LLM_MODEL_DEFAULT: "a-model" };
  target = await startTestService({ env, jobTimeoutSeconds: 8 });
  invoice = await drawInvoice();
});
beforeEach(() => server.play([answerText("nobody asked")]));
afterAll(async () => {
  await target.close();
  await server.close();
});

const SCHEMA = {
  type: "object",
  required: ["invoice_number", "net_total", "tax_total"],
  properties: {
    invoice_number: { type: "string", pattern: "^SH-\\d{4}-\\d{4}$" },
    issue_date: { type: "string", format: "date" },
    net_total: { type: "number" },
    tax_total: { type: "number" },
    gross: {
      type: "number",
      "x-docudevs": { fieldType: "calculated", formula: { lang: "excel", expression: "{net_total} + {tax_total}" } },
    },
  },
};
const DATA = { invoice_number: "SH-2026-0117", issue_date: "2026-03-09", net_total: 431, tax_total: 86.2 };

const processed = (command: unknown) => target.api.processed(invoice, command, PDF);

describe("extraction with a model", () => {
  it("returns data with places, calculated fields, token use and a trace", async () => {
    server.play([answerJson(DATA)]);
    const status = await processed({ schema: SCHEMA, sourceLocations: true, trace: true, llm: "MINI" });
    expect(status).toMatchObject({ status: "COMPLETED", error: null, engine: "a-model" });
    expect(status.usage.llmTokens).toBeGreaterThan(0);
    const { json } = await target.api.get(`/job/result/${status.guid}/json`);
    expect(json).toEqual({ ...DATA, gross: 517.2 });

    const { json: sources } = await target.api.get(`/job/result/${status.guid}/source-locations`);
    expect(Object.keys(sources.locations).sort()).toEqual([
      "/invoice_number",
      "/issue_date",
      "/net_total",
      "/tax_total",
    ]);
    expect(sources.unresolved).toEqual([{ pointer: "/gross", reason: "derived" }]);

    const { json: trace } = await target.api.get(`/job/trace/${status.guid}`);
    expect(trace).toMatchObject({
      job_id: status.guid,
      status: "COMPLETED",
      extraction_mode: "SIMPLE",
      llm_level: "MINI",
    });
    expect(trace.total_llm_calls).toBe(1);
    expect(JSON.stringify(trace)).not.toContain(KEY);
    expect(target.log()).not.toContain(KEY);
    const [request] = server.requests.slice(-1);
    expect(request?.user).toContain("Harbour Street Library");
    expect(request?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it("asks once more for values that fail the schema, then names them and leaves them out", async () => {
    server.play([answerJson({ ...DATA, invoice_number: "0117" }), answerJson({ ...DATA, invoice_number: "17" })]);
    const status = await processed({ schema: SCHEMA });
    expect(status).toMatchObject({ status: "PARTIAL", error: expect.stringMatching(/^\/invoice_number \S/) });
    expect(status.validationErrors).toContainEqual(expect.objectContaining({ pointer: "/invoice_number" }));
    const { json } = await target.api.get(`/job/result/${status.guid}/json`);
    expect(json.invoice_number ?? null).toBeNull();
    expect(json.net_total).toBe(DATA.net_total);
  });

  it("is complete after a repaired answer", async () => {
    server.play([answerJson({ ...DATA, invoice_number: "0117" }), answerJson(DATA)]);
    expect(await processed({ schema: SCHEMA })).toMatchObject({ status: "COMPLETED" });
  });

  it("stores nothing of the trace without the option", async () => {
    server.play([answerJson(DATA)]);
    const { guid } = await processed({ schema: SCHEMA });
    expect((await target.api.get(`/job/trace/${guid}`)).status).toBe(404);
    expect((await target.other.get(`/job/trace/${guid}`)).status).toBe(404);
  });

  it.each([
    ["a refusal", [refusal("I will not")], "Processing failed: The model refused to answer"],
    ["words", [answerText("Sure! Here it is.")], "Processing failed: The model's answer is not valid JSON"],
    ["a bad key", [fail(401, { error: { message: "bad key" } })], /^Processing failed: AI service refused the key/],
  ] as const)("ends in a FAILED job with one sentence and counted tokens: %s", async (_name, script, sentence) => {
    server.play([...script]);
    const status = await processed({ schema: SCHEMA, trace: true });
    expect(status.status).toBe("FAILED");
    if (typeof sentence === "string") expect(status.error).toBe(sentence);
    else expect(status.error).toMatch(sentence);
    expect((await target.api.get(`/job/trace/${status.guid}`)).json.status).toBe("FAILED");
    expect((await target.api.get(`/job/result/${status.guid}/json`)).status).toBe(404);
  });

  it("fails by the run's timeout, within 5 s of it, when the server never answers", async () => {
    server.play([silence()]);
    const began = performance.now();
    const status = await processed({ schema: SCHEMA });
    expect(status).toMatchObject({ status: "FAILED", error: "Processing timeout after 8 seconds" });
    expect(performance.now() - began).toBeLessThan(13_000);
  }, 60_000);

  it("analyses a document, and makes a schema", async () => {
    const schema = { type: "object", properties: { number: { type: "string" } } };
    server.play((request) =>
      request.system.toLowerCase().includes("schema") && !/document_type/.test(JSON.stringify(request.body))
        ? answerJson(schema)
        : answerJson({
            document_type: "invoice",
            language: "en",
            suggested_prompt: "Extract the number",
            suggested_schema: JSON.stringify(schema),
          }),
    );
    const analysed = await target.api.post("/document/analyze", { body: form(invoice, PDF) });
    const analysis = await target.api.ended(analysed.json.guid);
    expect(analysis).toMatchObject({ status: "COMPLETED", error: null, engine: "a-model" });
    const { json } = await target.api.get(`/job/result/${analysis.guid}/json`);
    expect(json).toMatchObject({ document_type: "invoice", language: "en", pages: 1 });

    const made = await target.api.post("/document/generate-schema", { body: form(invoice, PDF) });
    const status = await target.api.ended(made.json.guid);
    expect(status).toMatchObject({ status: "COMPLETED", error: null, engine: "a-model" });
    expect((await target.api.get(`/job/result/${status.guid}/json`)).json).toMatchObject(schema);
    expect(status.usage.llmTokens).toBeGreaterThan(0);
  });

  it("asks again for rows that the model leaves out, and names those still missing", async () => {
    const schema = {
      type: "object",
      properties: {
        lines: {
          type: "array",
          items: {
            type: "object",
            properties: {
              description: { type: "string" },
              quantity: { type: "number" },
              unit_price: { type: "number" },
            },
          },
        },
      },
    };
    const lines = [
      { description: "Binding, half cloth", quantity: 12, unit_price: 18.5 },
      { description: "Paper, 120 g, A4", quantity: 40, unit_price: 3.2 },
      { description: "Gold stamping", quantity: 12, unit_price: 6.75 },
    ];
    const first = answerJson({ lines: [lines[0], lines[2]] });
    server.play((request) =>
      request.user.includes("are not in it") ? answerJson({ rows: [{ line: 1, row: lines[1] }] }) : first,
    );
    const whole = await processed({ schema, sourceLocations: true });
    expect(whole).toMatchObject({ status: "COMPLETED", receipt: { expected: 3, returned: 3, missing: [] } });
    expect((await target.api.get(`/job/result/${whole.guid}/json`)).json).toEqual({ lines });
    const { json: sources } = await target.api.get(`/job/result/${whole.guid}/source-locations`);
    expect(sources.locations["/lines/1/unit_price"].pageAnchors[0].pageNumber).toBe(1);

    server.play((request) => (request.user.includes("are not in it") ? answerJson({ rows: [] }) : first));
    const short = await processed({ schema });
    expect(short).toMatchObject({ status: "PARTIAL", receipt: { expected: 3, returned: 2 } });
    expect(short.error).toBe("/lines lacks 1 of 3 rows (pages 1)");
    expect(short.receipt).toMatchObject({ missingPages: "1", lists: [{ pointer: "/lines", counted: true }] });
    expect(short.receipt.missing).toMatchObject([{ pageNumber: 1, text: expect.stringContaining("Paper, 120 g") }]);

    const prompt = "Only lines over 50 GBP";
    expect(await processed({ schema, prompt })).toMatchObject({ status: "PARTIAL", receipt: { expected: 3 } });
    const stated = { count: null, first_page: null, last_page: null, criterion: "over 50 GBP" };
    const limits = [{ list: "/lines", limit: stated, reason: prompt }];
    server.play((request) =>
      request.user.includes("are not in it")
        ? answerJson({ rows: [{ line: 1, row: null }] })
        : answerJson({ result: { lines: [lines[0], lines[2]] }, limits }),
    );
    const wished = await processed({ schema, prompt });
    expect(wished).toMatchObject({ status: "COMPLETED", receipt: { expected: 2, returned: 2 } });
    expect(wished.receipt.lists[0].restricted).toBe(true);
  });

  it("reports its state at the start and in GET /health", async () => {
    const { json } = await target.api.get("/health");
    expect(json.engines.model).toMatchObject({ on: true });
    expect(json.engines.model.detail).toContain("a-model");
    expect(JSON.stringify(json)).not.toContain(KEY);
  });
});

it("an invalid formula is a 400 that names its place", async () => {
  const broken = { properties: { a: { "x-calculated": { formula: "{b} +" } } } };
  const guid = await target.api.upload(invoice, PDF);
  const answer = await target.api.post(`/document/process/${guid}`, { json: { schema: broken } });
  expect(answer.status).toBe(400);
  expect(answer.json.errors[0].path).toBe("/schema/properties/a/x-calculated/formula/expression");
  expect(DEMO_TRUTH.invoice_number).toBe(DATA.invoice_number);
});
