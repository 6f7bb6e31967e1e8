/**
 * A real event for each built function: requests, and the inputs that machines send their steps, for a scan that a
 * Textract stub reads and a model that sees pictures. So each function reaches its adapters and the engines in its
 * bundle.
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withPdf } from "../../functions/engine/readers/pdf/pdf-document.ts";
import { readPdfPage } from "../../functions/engine/readers/pdf/read-pdf-page.ts";
import type { OcrEngine } from "../../functions/ports/ocr.ts";
import { compileMachine } from "../../functions/service/pipelines/definitions.ts";
import { documentMachine } from "../../statemachines/document.ts";
import { operationMachine, readOperationMachine } from "../../statemachines/operation.ts";
import {
  AUTHORIZED,
  type BundleBench,
  EDGE_TEXT,
  ENTRIES,
  httpEvent,
  openBundleBench,
  upload,
} from "../support/bundle-bench.ts";
import { type BundleMachines, openBundleMachines } from "../support/bundle-machines.ts";
import { drawPdf } from "../support/drawn-pdf.ts";
import { hasDynoxide } from "../support/dynoxide.ts";
import { flatForm } from "../support/flat-form.ts";
import { fieldsOf, templatePdf } from "../support/form-pdf.ts";
import { answerJson, answerText, type ModelServer, startModelServer } from "../support/model-server.ts";
import { invoiceLines, textPdf } from "../support/pdf.ts";
import { scannedPdf } from "../support/scans.ts";
import { Payment, signatureOf, stripeSettings } from "../support/stripe-events.ts";
import { startStripeServer } from "../support/stripe-server.ts";
import { startTextractStub, type TextractStub } from "../support/textract-stub.ts";

/** The functions with engines in their bundles, and the engines that these events use. */
const ENGINES_BY_ENTRY: Record<string, string[]> = {
  inspect: ["pdfium.wasm"],
  // Barcodes on pictures of recognised pages.
  "step-recognize": ["pdfium.wasm", "zxing_reader.wasm"],
  // Barcodes of pages that are rendered first.
  "step-enrich": ["pdfium.wasm", "zxing_reader.wasm"],
  // Recognised pages as pictures for the model.
  "step-extract": ["pdfium.wasm"],
  "step-extract-chunk": ["pdfium.wasm"],
  "step-extract-node": ["pdfium.wasm"],
  nodes: ["pdfium.wasm"],
  // Places to write on the pages of a PDF.
  "step-operate": ["pdfium.wasm"],
};
/** Their engines are for rare cases: a second recognition of poor pages, or a text in place of a document. */
const RARELY_USED_ENTRIES = ["step-collect", "step-correct-node", "step-operate-node"];
const SCHEMA = { type: "object", properties: { amount: { type: "number" } } };

let bench: BundleBench;
let machines: BundleMachines;
let model: ModelServer;
let textract: TextractStub;
let scan: Uint8Array;

/** Reads every picture as the page that all pictures were made of. */
async function engineOf(pdf: Uint8Array): Promise<OcrEngine> {
  const page = await withPdf(pdf, (document) => document.withPage(0, (open) => readPdfPage(open, 1)));
  return {
    name: "known",
    maxImageBytes: 10_000_000,
    maxSide: 10_000,
    parallel: 1,
    recognize: async () => ({
      page: { page, angle: 0, roles: page.blocks.map(() => "text"), tables: [], fields: [] },
      use: { provider: "known", operation: "", features: [], pages: 1 },
    }),
  };
}

beforeAll(async () => {
  const one = await textPdf(invoiceLines);
  scan = await scannedPdf(one);
  model = await startModelServer(({ schema }) => {
    if (schema === undefined) return answerText("A bill.");
    // A chunk is asked for all its records: both printed rows, so that the receipt finds none missing.
    const records = JSON.stringify(schema).includes('"records"');
    return answerJson(records ? { records: [{ amount: 198 }, { amount: 275 }] } : { amount: 198 });
  });
  const facts = { "test-model": { contextTokens: 32_000, answerTokens: 4_000, takesImages: true } };
  const settings = {
    OPENAI_API_KEY: "k",
    OPENAI_BASE_URL: model.url,
    LLM_MODEL_DEFAULT: "test-model",
    LLM_MODEL_FACTS: JSON.stringify(facts),
  };
  bench = await openBundleBench(JSON.stringify(settings));
  textract = await startTextractStub({
    engine: await engineOf(one),
    getObject: async (bucket, key) => bench.stubs.objects.get(`/${bucket}/${key}`) ?? new Uint8Array(),
  });
  bench.environment.AWS_ENDPOINT_URL_TEXTRACT = textract.url;
  machines = openBundleMachines(bench);
}, 300_000);

afterAll(async () => {
  machines?.close();
  await Promise.all([bench?.close(), model?.close(), textract?.close()]);
});

const json = (value: unknown) => ({ headers: AUTHORIZED, body: Buffer.from(JSON.stringify(value)) });

/** A document that is only uploaded. */
async function uploaded(file: Uint8Array = scan): Promise<string> {
  const { status, body } = await bench.request("api-documents", "POST /document/upload", upload(file));
  expect(status).toBeLessThan(300);
  return (body as { guid: string }).guid;
}

async function process(guid: string, command: object): Promise<void> {
  const call = { ...json(command), pathParameters: { guid } };
  expect(await bench.request("api-documents", "POST /document/process/{guid}", call)).toMatchObject({ status: 200 });
}

const statusOf = async (guid: string): Promise<unknown> =>
  (await bench.request("api-jobs", "GET /job/status/{guid}", { headers: AUTHORIZED, pathParameters: { guid } })).body;

/** @returns the job's GUID */
async function completed(command: object, definition: unknown = documentMachine(), file = scan): Promise<string> {
  const guid = await uploaded(file);
  await process(guid, command);
  expect(await machines.run(definition)).toMatchObject({ status: "SUCCEEDED" });
  expect(await statusOf(guid)).toMatchObject({ status: "COMPLETED", error: null });
  return guid;
}

const pipelined = (pipeline: object): [object, unknown] => [
  { extractionMode: "PIPELINE", ocr: "DEFAULT", pipeline },
  compileMachine(pipeline),
];

describe.skipIf(!hasDynoxide())("each bundle answers a real event", () => {
  let guid = "";

  it("of a scan with barcodes and data", async () => {
    guid = await completed({ schema: SCHEMA, ocr: "DEFAULT", barcodes: true });
    const call = { headers: AUTHORIZED, pathParameters: { guid } };
    const { body } = await bench.request("api-jobs", "GET /job/result/{guid}", call);
    expect(body).toEqual({ amount: 198 });
    expect(model.requests.at(-1)?.images.length).toBeGreaterThan(0);
    expect(textract.asked).toEqual(["DetectDocumentText"]);
  });

  it("of a scan of two pages, recognised asynchronously, as text", async () => {
    const lines = [{ text: "Quarterly report of the harbour office", x: 72, y: 700, size: 18 }];
    const two = await scannedPdf(await drawPdf([lines, lines]));
    await completed({ extractionMode: "OCR", ocr: "DEFAULT" }, documentMachine(), two);
    expect(textract.asked).toContain("GetDocumentTextDetection");
  });

  it("of a document in chunks", () =>
    completed({ schema: SCHEMA, ocr: "DEFAULT", mapReduce: { enabled: true } }).then(() => undefined));

  it("of a document to describe", async () => {
    model.play(() =>
      answerJson({
        document_type: "invoice",
        language: "en",
        suggested_prompt: "Read the bill",
        suggested_schema: SCHEMA,
      }),
    );
    const { body } = await bench.request(
      "api-documents",
      "POST /document/analyze",
      upload(await textPdf(invoiceLines)),
    );
    expect(await machines.run(documentMachine())).toMatchObject({ status: "SUCCEEDED" });
    expect(await statusOf((body as { guid: string }).guid)).toMatchObject({ status: "COMPLETED" });
  });

  it("of an operation on a finished job", async () => {
    model.play(() => answerText("A bill [p. 1]"));
    const parameters = { customParameters: { prompt: "What is this?" } };
    const wish = { jobGuid: guid, type: "generative-task", parameters };
    const { body } = await bench.request("api-operations", "POST /operation", json(wish));
    expect(await machines.run(operationMachine())).toMatchObject({ status: "SUCCEEDED" });
    expect(await statusOf((body as { jobGuid: string }).jobGuid)).toMatchObject({ status: "COMPLETED" });
  });

  it("of a flat PDF that becomes a form, read anew, filled, reviewed and written again", async () => {
    const parent = await completed({ extractionMode: "OCR" }, documentMachine(), await flatForm());
    const customParameters = { forceOcr: true, ocr: "DEFAULT", values: { "Full name": "Ада Лавлейс" } };
    const wish = { jobGuid: parent, type: "pdf-acroform", parameters: { customParameters } };
    const { body } = await bench.request("api-operations", "POST /operation", json(wish));
    expect(await machines.run(readOperationMachine())).toMatchObject({ status: "SUCCEEDED" });
    const made = (body as { jobGuid: string }).jobGuid;
    expect(await statusOf(made)).toMatchObject({ status: "COMPLETED", error: null });
    const read = (name: string, operationGuid: string) => {
      const call = { headers: AUTHORIZED, pathParameters: { operationGuid } };
      return bench.request("api-pages", `GET /job/result/{operationGuid}/${name}`, call);
    };
    const { fieldDefinitions } = (await read("pdf-acroform-field-definitions", made)).body as {
      fieldDefinitions: object[];
    };
    expect(fieldDefinitions.length).toBeGreaterThan(3);
    const call = {
      ...json({ fieldDefinitions: fieldDefinitions.slice(0, 2) }),
      pathParameters: { parentJobGuid: parent },
    };
    const route = "POST /job/{parentJobGuid}/pdf-acroform/apply";
    const applied = await bench.request("api-operations", route, call);
    expect(applied.status).toBe(200);
    expect(await machines.run(operationMachine())).toMatchObject({ status: "SUCCEEDED" });
    const again = (applied.body as { jobGuid: string }).jobGuid;
    expect(await statusOf(again)).toMatchObject({ status: "COMPLETED", error: null });
    expect(await read("pdf-acroform", again)).toMatchObject({ status: 200 });
  });

  it("of every kind of pipeline node", async () => {
    model.play(({ schema }) => (schema === undefined ? answerText("A bill [p. 1]") : answerJson({ amount: 198 })));
    const pipeline = {
      nodes: [
        { id: "correct", type: "OCR_CORRECT" },
        { id: "read", type: "extract", schema: SCHEMA },
        { id: "never", type: "extract", schema: SCHEMA, when: { eq: ["$nodes.read.result.amount", 1] } },
        {
          id: "poem",
          type: "operation",
          operation: "generative-task",
          dependsOn: ["read"],
          config: { prompt: "Sum up" },
        },
        { id: "end", type: "final", output: { amount: "$nodes.read.result.amount" } },
      ],
    };
    const verdict = await bench.request("api-pipelines", "POST /pipeline/validate", json(pipeline));
    expect(verdict).toMatchObject({ status: 200, body: { valid: true } });
    await completed(...pipelined(pipeline));
  });

  it("of a node from a queue", async () => {
    model.play(() => answerJson({ amount: 198 }));
    const nodes = [
      { id: "read", type: "extract", schema: SCHEMA },
      { id: "end", type: "final", output: "$nodes.read.result" },
    ];
    await completed(...pipelined({ execution: { mode: "queue" }, nodes }));
  });

  it("of a batch, its documents one by one", async () => {
    const made = await bench.request("api-batches", "POST /document/batch", json({}));
    const { guid: batch } = made.body as { guid: string };
    const place = { pathParameters: { guid: batch } };
    const document = { ...upload(await textPdf(invoiceLines)), ...place };
    for (let index = 0; index < 2; index += 1) {
      const added = await bench.request("api-batches", "POST /document/batch/{guid}/upload", document);
      expect(added).toMatchObject({ status: 201, body: { index } });
    }
    const command = { ...json({ schema: SCHEMA }), ...place };
    await bench.request("api-batches", "POST /document/batch/{guid}/process", command);
    const begun = bench.stubs.asked.findLast(({ target }) => target === "StartExecution");
    const input = JSON.parse(JSON.parse(begun?.body ?? "{}").input);
    expect(input).toMatchObject({ guid: batch, documentMachine: "Sheaf-document" });
    const { list } = (await bench.answerOf("step-batch-plan", input)) as { list: string };
    expect(JSON.parse(String(bench.stubs.objects.get(`/files/${list}`)))).toEqual([{ index: 0 }, { index: 1 }]);
    const iteration = { organizationId: 1, batch, run: 1 };
    const opened = (await bench.answerOf("step-batch-open", { ...iteration, index: 0 })) as {
      open: boolean;
      input: object;
    };
    expect(opened).toMatchObject({ open: true });
    for (const step of ["recognize", "extract", "settle"]) await bench.answerOf(`step-${step}`, opened.input);
    await bench.answerOf("step-batch-open", { ...iteration, index: 1 });
    const failure = { Error: "States.TaskFailed", Cause: "{}" };
    expect(await bench.answerOf("step-batch-close", { ...iteration, index: 1, failure })).toMatchObject({
      open: false,
    });
    expect(await bench.answerOf("step-batch-settle", input)).toEqual({ status: "PARTIAL" });
  });

  it("of every other resource of the API", async () => {
    const named = { pathParameters: { name: "bills" } };
    const saved = { ...json({ schema: SCHEMA }), ...named };
    expect((await bench.request("api-configurations", "POST /configuration/{name}", saved)).status).toBeLessThan(300);
    const page = { headers: AUTHORIZED, pathParameters: { guid, pageIndex: "0" } };
    expect((await bench.request("api-pages", "GET /job/image/{guid}/{pageIndex}", page)).status).toBe(200);
    const hook = json({ url: "https://hooks.sheaf.invalid/x" });
    expect(await bench.request("api-settings", "PUT /settings/webhook", hook)).toMatchObject({ status: 200 });
    expect(await bench.request("api-service", "GET /health")).toMatchObject({ status: 200 });
    expect(await bench.request("api-service", "$default")).toMatchObject({ status: 404 });
    expect(await bench.answerOf("edge", { identitySource: [EDGE_TEXT] })).toEqual({ isAuthorized: true });
  });

  it("of a case, its document, and a search of its knowledge base", async () => {
    const made = await bench.request("api-cases", "POST /cases", json({ name: "Claim" }));
    expect(made).toMatchObject({ status: 201, body: { name: "Claim", isKnowledgeBase: false } });
    const place = { pathParameters: { caseId: String((made.body as { id: number }).id) } };
    const document = { ...upload(await textPdf(invoiceLines)), ...place };
    const added = await bench.request("api-cases", "POST /cases/{caseId}/documents", document);
    expect(added).toMatchObject({ status: 201, body: { processingStatus: expect.stringMatching(/^P/) } });
    const promotion = json({ caseId: place.pathParameters.caseId });
    expect(await bench.request("api-cases", "POST /knowledge-bases", promotion)).toMatchObject({ status: 201 });
    const question = { headers: AUTHORIZED, ...place, query: { q: "total" } };
    // Its document waits for its reading.
    const found = await bench.request("api-cases", "GET /knowledge-bases/{caseId}/search", question);
    expect(found).toMatchObject({ status: 200, body: [] });
  });

  it("of a template, which is filled before its fields are known", async () => {
    const pathParameters = { name: "application" };
    const stored = { ...upload(await templatePdf()), pathParameters };
    expect(await bench.request("api-templates", "POST /template/{name}", stored)).toMatchObject({ status: 200 });
    const values = { ...json({ fields: { applicant: { name: "Łukasz" } } }), pathParameters };
    const { status, body } = await bench.request("api-templates", "POST /template/fill/{name}", values);
    expect(status).toBe(200);
    expect(await fieldsOf(body as Uint8Array)).toMatchObject({ "applicant.name": "Łukasz" });
  });

  it("of a balance, its entries and a quote of a stored document", async () => {
    const ask = (route: string) => bench.request("api-billing", route, { headers: AUTHORIZED });
    expect(await ask("GET /billing/balance")).toMatchObject({ status: 200, body: { status: "record", held: 0 } });
    const { body } = await ask("GET /billing/usage");
    expect((body as { entries: { kind: string }[] }).entries.map(({ kind }) => kind)).toContain("debit");
    const wish = { guid, command: { schema: SCHEMA } };
    const quote = await bench.request("api-billing", "POST /quotes", json(wish));
    expect(quote).toMatchObject({ status: 200, body: { upperBound: expect.any(Number) } });
    expect((quote.body as { upperBound: number }).upperBound).toBeGreaterThan(0);
  });

  it("of a payment, whose event comes as text and as base64", async () => {
    const stripe = await startStripeServer();
    bench.stubs.secrets.payments = JSON.stringify(stripeSettings(stripe.url));
    const bought = await bench.request("api-settings", "POST /billing/checkout", json({ priceId: "price_a" }));
    expect(bought).toMatchObject({ status: 200, body: { checkoutUrl: expect.stringContaining("https://") } });
    const { sessionId } = bought.body as { sessionId: string };
    const payment = new Payment(sessionId, stripe.sessions.get(sessionId) ?? {});
    await stripe.close();
    const text = JSON.stringify(payment.completed({ description: "Zwölf Pakete ✓" }));
    const headers = { "stripe-signature": signatureOf(text) };
    const send = (body: string) =>
      bench.request("api-settings", "POST /billing/webhook", { headers, body: Buffer.from(body) });
    expect(await send(text)).toMatchObject({ status: 200, body: { received: true } });
    const plain = {
      ...(httpEvent("POST /billing/webhook", { headers }) as object),
      body: text,
      isBase64Encoded: false,
    };
    expect(await bench.answerOf("api-settings", plain)).toMatchObject({ statusCode: 200 });
    expect(await send(`${text} `)).toMatchObject({ status: 400 });
    const balance = await bench.request("api-billing", "GET /billing/balance", { headers: AUTHORIZED });
    expect(balance.body).toMatchObject({ balance: 5_000 });
  });

  it("of background work", async () => {
    const late = await uploaded();
    await process(late, { schema: SCHEMA });
    const detail = {
      stateMachineArn: "arn:aws:states:eu-central-1:000000000000:stateMachine:Sheaf-document",
      name: `${late}-1`,
      status: "TIMED_OUT",
      startDate: 0,
      input: JSON.stringify({ organizationId: 1, guid: late, run: 1 }),
    };
    const event = { source: "aws.states", "detail-type": "Step Functions Execution Status Change", detail };
    expect(await bench.answerOf("execution-status", event)).toBeNull();
    expect(await statusOf(late)).toMatchObject({ status: "FAILED" });
    const body = JSON.stringify({ kind: "delete-job", organizationId: 1, guid: late });
    const message = { messageId: "m", receiptHandle: "h", body, attributes: { ApproximateReceiveCount: "1" } };
    expect(await bench.answerOf("work", { Records: [message] })).toEqual({ batchItemFailures: [] });
    // Its event is gone with the job, so that nothing is sent.
    const delivery = JSON.stringify({ kind: "deliver-webhook", organizationId: 1, guid: late, event: "1" });
    const sent = { ...message, body: delivery };
    expect(await bench.answerOf("webhooks", { Records: [sent] })).toEqual({ batchItemFailures: [] });
    expect(await bench.answerOf("sweep", {})).toMatchObject({ acted: expect.any(Number) });
  });

  it("with the engines in its bundle", () => {
    expect([...bench.answered.keys()].sort()).toEqual([...ENTRIES].sort());
    const carriers = ENTRIES.filter((entry) => existsSync(join(bench.folderOf(entry), "pdfium.wasm")));
    expect(carriers.sort()).toEqual([...Object.keys(ENGINES_BY_ENTRY), ...RARELY_USED_ENTRIES].sort());
    for (const [entry, engines] of Object.entries(ENGINES_BY_ENTRY)) {
      const sizes = engines.map((name) => statSync(join(bench.folderOf(entry), name)).size);
      expect(bench.answered.get(entry), entry).toEqual(expect.arrayContaining(sizes));
    }
  });
});
