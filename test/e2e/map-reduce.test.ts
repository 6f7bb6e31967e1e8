/** Long documents chunk by chunk, as a user sees it: with a model of these tests' own, and offline. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answerJson, answerText, type ModelServer, startModelServer } from "../support/model-server.ts";
import { ITEM_SCHEMA, item, pagesOf, priceList, readsPrices, withoutContext } from "../support/price-list.ts";
import { startTestService, type TestService } from "../support/service.ts";

const PDF = { name: "prices.pdf", type: "application/pdf" };

let server: ModelServer;
let target: TestService;
let list: Uint8Array;

beforeAll(async () => {
  server = await startModelServer();
  const env = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: server.url, LLM_MODEL_DEFAULT: "a-model" };
  target = await startTestService({ env, jobTimeoutSeconds: 20 });
  list = await priceList([
    { heading: "Order", lines: ["Customer: Harbour"], items: [item(1), item(2)] },
    { items: [item(3), item(4)] },
    { items: [item(5)] },
  ]);
});
beforeEach(() => server.play([answerText("nobody asked")]));
afterAll(async () => {
  await target.close();
  await server.close();
});

const run = (mapReduce: object, more: object = {}, document = list) =>
  target.api.processed(document, { schema: ITEM_SCHEMA, mapReduce: { enabled: true, ...mapReduce }, ...more }, PDF);
const resultOf = async (guid: string) => (await target.api.get(`/job/result/${guid}/json`)).json;

describe("mapReduce with a model", () => {
  it("returns records in the order of the document, each with its place, and reports its work", async () => {
    server.play(readsPrices());
    const status = await run({ parallelProcessing: true }, { sourceLocations: true, trace: true });
    expect(status).toMatchObject({
      status: "COMPLETED",
      error: null,
      jobMode: "MAP_REDUCE",
      engine: "a-model",
      usage: { llmTokens: 360 },
      mapReduceStatus: {
        totalChunks: 3,
        completedChunks: 3,
        headerCaptured: false,
        stopWhenEmpty: false,
        earlyTerminated: false,
        terminationChunkIndex: null,
        terminationReason: null,
      },
    });
    expect(await resultOf(status.guid)).toEqual({ header: null, records: [1, 2, 3, 4, 5].map(item) });
    const { json: sources } = await target.api.get(`/job/result/${status.guid}/source-locations`);
    expect(Object.keys(sources.locations)).toHaveLength(15);
    expect(sources.locations["/records/4/sku"].pageAnchors[0].pageNumber).toBe(3);
    expect(sources.unresolved).toEqual([{ pointer: "/header", reason: "null-value" }]);
    expect(sources.pages.map(({ pageNumber }: { pageNumber: number }) => pageNumber)).toEqual([1, 2, 3]);
    const { json: trace } = await target.api.get(`/job/trace/${status.guid}`);
    expect(trace).toMatchObject({ extraction_mode: "MAP_REDUCE", total_llm_calls: 3, total_tokens: 360 });
    const began = trace.events.filter(
      ({ type, name }: { type: string; name: string }) => type === "chain_start" && name.startsWith("chunk"),
    );
    expect(began.map(({ response }: { response: string }) => response)).toEqual(["page 1", "page 2", "page 3"]);
  });

  it("names a record missing from a chunk's answer, and the run is PARTIAL", async () => {
    const pages = [1, 2, 3].map((page) => ({ items: [1, 2, 3, 4, 5, 6].map((row) => item(10 * page + row)) }));
    const document = await priceList(pages);
    server.play(readsPrices({ without: "SKU-24" }));
    const status = await run({ parallelProcessing: true }, {}, document);
    expect(status).toMatchObject({
      status: "PARTIAL",
      receipt: { expected: 18, returned: 17, missing: [{ pageNumber: 2, text: expect.stringContaining("SKU-24") }] },
    });
    server.play(readsPrices());
    const whole = await run({ parallelProcessing: true }, {}, document);
    expect(whole).toMatchObject({ status: "COMPLETED", receipt: { expected: 18, returned: 18, missing: [] } });
  });

  it("reads a header from its own pages and with its own schema", async () => {
    server.play(readsPrices());
    const header = {
      enabled: true,
      pageLimit: 3,
      pageIndices: [-3],
      schema: { customer: "string" },
      rowPromptAugmentation: "Mind the packs.",
    };
    const status = await run({ header });
    expect(status).toMatchObject({ status: "COMPLETED", mapReduceStatus: { totalChunks: 2, headerCaptured: true } });
    expect(await resultOf(status.guid)).toEqual({ header: { customer: "Harbour" }, records: [3, 4, 5].map(item) });
    const asked = server.requests.slice(-3);
    expect(asked.map((request) => request.user.includes("Mind the packs."))).toEqual([false, true, true]);
    const rows = await run({ header: { ...header, includeInRows: true } });
    expect((await resultOf(rows.guid)).records).toHaveLength(5);
  });

  it("returns a record once that two chunks read from a shared page", async () => {
    server.play(readsPrices());
    const status = await run({ pagesPerChunk: 2, overlapPages: 1, dedupKey: "$.sku" });
    expect(status.mapReduceStatus.totalChunks).toBe(2);
    expect(server.requests.slice(-2).map(pagesOf)).toEqual([
      [1, 2],
      [2, 3],
    ]);
    expect((await resultOf(status.guid)).records).toEqual([1, 2, 3, 4, 5].map(item));
  });

  it("takes records by the prompt without a schema, under any name the model gives them", async () => {
    server.play((request) =>
      pagesOf(request).includes(3) ? answerJson({ sku: "SKU-5" }) : readsPrices({ list: "rows" })(request),
    );
    const command = { prompt: "Every item", mapReduce: { enabled: true, pagesPerChunk: 2 }, extractionMode: "SIMPLE" };
    const status = await target.api.processed(list, command, PDF);
    expect(status).toMatchObject({ status: "COMPLETED", mapReduceStatus: { totalChunks: 2 } });
    expect((await resultOf(status.guid)).records).toEqual([...[1, 2, 3, 4].map(item), { sku: "SKU-5" }]);
  });

  it("leaves out rows that the model rejects by the prompt's words, and no others", async () => {
    const prompt = "Only items dearer than 3 EUR";
    const stated = { count: null, first_page: null, last_page: null, criterion: "price over 3" };
    const limits = [{ list: "/records", limit: stated, reason: prompt }];
    const play = (rejects: boolean) =>
      server.play((request) => {
        const lines = [...request.user.matchAll(/^(\d+)\. page \d+: /gm)].map(([, line]) => ({
          line: Number(line),
          row: null,
        }));
        if (lines.length > 0) return answerJson({ rows: rejects ? lines : [] });
        const records = [1, 2, 3, 4, 5].map(item).filter(({ sku, price }) => price > 3 && request.user.includes(sku));
        return answerJson({ result: { records }, limits });
      });
    play(true);
    const status = await run({}, { prompt });
    expect(status).toMatchObject({
      status: "COMPLETED",
      receipt: { expected: 3, returned: 3, lists: [{ pointer: "/records", restricted: true }] },
    });
    expect((await resultOf(status.guid)).records).toEqual([3, 4, 5].map(item));
    play(false);
    expect(await run({}, { prompt })).toMatchObject({ status: "PARTIAL", receipt: { expected: 5, returned: 3 } });
  });

  it("makes the run PARTIAL and names the chunk when one fails, and FAILED when all do", async () => {
    server.play(readsPrices({ broken: 2 }));
    const status = await run({ parallelProcessing: true });
    expect(status).toMatchObject({
      status: "PARTIAL",
      error: expect.stringContaining("/records: Page 2 is missing: "),
      mapReduceStatus: { totalChunks: 3, completedChunks: 2 },
    });
    expect(status.validationErrors).toEqual([
      { pointer: "/records", message: expect.stringMatching(/^Page 2 is missing: /) },
    ]);
    expect((await resultOf(status.guid)).records).toEqual([1, 2, 5].map(item));

    server.play(() => answerText("no JSON at all"));
    const failed = await run({}, { trace: true });
    expect(failed).toMatchObject({
      status: "FAILED",
      error: "Processing failed: The model's answer is not valid JSON",
    });
    expect(failed.usage.llmTokens).toBe(720);
    expect((await target.api.get(`/job/trace/${failed.guid}`)).json).toMatchObject({
      status: "FAILED",
      total_llm_calls: 6,
    });
  });

  it("stops after more empty chunks than allowed", async () => {
    const document = await priceList([
      { items: [item(1)] },
      { items: [], lines: ["Blank on purpose"] },
      { items: [item(3)] },
      { items: [], lines: ["Terms"] },
      { items: [], lines: ["More terms"] },
      { items: [item(6)] },
    ]);
    server.play(readsPrices());
    const status = await run({ stopWhenEmpty: true, emptyChunkGrace: 1, parallelProcessing: true }, {}, document);
    expect(status).toMatchObject({
      status: "COMPLETED",
      mapReduceStatus: {
        totalChunks: 6,
        completedChunks: 5,
        stopWhenEmpty: true,
        earlyTerminated: true,
        terminationChunkIndex: 4,
        terminationReason: "2 empty chunks in a row",
      },
    });
    expect((await resultOf(status.guid)).records).toEqual([item(1), item(3)]);
  });

  it("splits the document at headings, and adds the rest of the text to the header", async () => {
    const document =
      "# Prices\n\nFor Harbour\n\n## Tools\n\nSKU-1 1 1.50\n\n## Paint\n\nSKU-2 2 2.50\n\n### Blue\n\nSKU-3 3 3.50\n";
    server.play((request) => {
      const records = readsPrices({ list: "lines" })(request);
      if (!withoutContext(request.user).includes("Harbour")) return records;
      return answerJson({ customer: "Harbour", lines: [] });
    });
    const schema = {
      type: "object",
      required: ["customer", "lines"],
      properties: {
        customer: { type: "string" },
        lines: { type: "array", minItems: 3, items: ITEM_SCHEMA },
        total: { type: "number", "x-calculated": { formula: "SUM({lines.price})" } },
      },
    };
    const guid = await target.api.upload(document, { name: "prices.md", type: "text/markdown" });
    const mapReduce = { enabled: true, splitType: "markdown-header", pagesPerChunk: 1, overlapPages: 0 };
    const flat = { schema: { type: "object", properties: { lines: schema.properties.lines } }, mapReduce };
    await target.api.post(`/document/process/${guid}`, { json: flat });
    const status = await target.api.ended(guid);
    expect(status).toMatchObject({ status: "COMPLETED", mapReduceStatus: { totalChunks: 3 } });
    expect((await resultOf(guid)).records).toEqual([1, 2, 3].map(item));

    const byKey = { schema, mapReduce: { enabled: true, dedupKey: "lines.sku" }, sourceLocations: true };
    await target.api.post(`/document/process/${guid}`, { json: byKey });
    server.play((request) =>
      answerJson({
        customer: "Harbour",
        lines: JSON.parse(
          String(
            (readsPrices({ list: "lines" })(request) as { body: { choices: [{ message: { content: string } }] } }).body
              .choices[0].message.content,
          ),
        ).lines,
      }),
    );
    const whole = await target.api.ended(guid);
    expect(whole).toMatchObject({ status: "COMPLETED" });
    const { header, records } = await resultOf(guid);
    expect(header).toEqual({ customer: "Harbour", total: 7.5 });
    expect(records).toEqual([1, 2, 3].map(item));
  });

  it("fails in time when a run takes too long, and counts the tokens used", async () => {
    const slow = await startTestService({
      env: { OPENAI_API_KEY: "sk", OPENAI_BASE_URL: server.url, LLM_MODEL_DEFAULT: "a-model" },
      jobTimeoutSeconds: 3,
    });
    try {
      server.play(async (request) => {
        if (pagesOf(request).includes(2)) await new Promise((later) => setTimeout(later, 6000));
        return readsPrices()(request);
      });
      const status = await slow.api.processed(
        list,
        { schema: ITEM_SCHEMA, trace: true, mapReduce: { enabled: true } },
        PDF,
      );
      const [{ startedAt, completedAt }] = status.runs;
      expect(Date.parse(completedAt) - Date.parse(startedAt)).toBeLessThan(8000);
      expect(status).toMatchObject({
        status: "FAILED",
        error: "Processing timeout after 3 seconds",
        usage: { llmTokens: 120 },
      });
      expect((await slow.api.get(`/job/trace/${status.guid}`)).json.status).toBe("FAILED");
    } finally {
      await slow.close();
    }
  }, 30_000);
});

it("a tool for an unknown case is a 400 naming it, and starts nothing", async () => {
  const guid = await target.api.upload(list, PDF);
  const tools = [{ type: "KNOWLEDGE_BASE_SEARCH", config: { caseId: "4711" } }];
  const answer = await target.api.post(`/document/process/${guid}`, { json: { tools } });
  expect(answer.status).toBe(400);
  expect(answer.json.message).toContain("4711");
  expect(answer.json.errors[0].path).toBe("/tools/0/config/caseId");
  expect((await target.api.get(`/job/status/${guid}`)).json.runs).toEqual([]);
});

describe("mapReduce offline", () => {
  it("runs the same command without a model", async () => {
    const offline = await startTestService({ env: {} });
    try {
      const command = {
        schema: ITEM_SCHEMA,
        sourceLocations: true,
        mapReduce: { enabled: true, parallelProcessing: true },
      };
      const status = await offline.api.processed(list, command, PDF);
      expect(status).toMatchObject({ status: "COMPLETED", engine: "offline", jobMode: "MAP_REDUCE" });
      const { json } = await offline.api.get(`/job/result/${status.guid}/json`);
      expect(json.records).toEqual([1, 2, 3, 4, 5].map(item));
      const { json: sources } = await offline.api.get(`/job/result/${status.guid}/source-locations`);
      expect(sources.locations["/records/2/sku"].pageAnchors[0].pageNumber).toBe(2);

      // A page that is one record, and one that only has a word in common with it.
      const letters =
        "Invoice number: A-1\nTotal: 12.50\n\fInvoice number: A-2\nTotal: 13.00\n\fThe total is not stated.\n";
      const schema = { invoice_number: "string", total: "number", due_date: "date" };
      const forms = await offline.api.processed(letters, { schema, mapReduce: { enabled: true } });
      expect(forms.mapReduceStatus).toMatchObject({ totalChunks: 3, completedChunks: 3 });
      expect((await offline.api.get(`/job/result/${forms.guid}/json`)).json.records).toEqual([
        { invoice_number: "A-1", total: 12.5, due_date: null },
        { invoice_number: "A-2", total: 13, due_date: null },
      ]);
    } finally {
      await offline.close();
    }
  });
});
