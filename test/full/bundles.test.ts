/**
 * Each built function in a bare Node process outside the project: it starts, it finds all that it needs, and together
 * the functions take a document from its upload to its result, on a local DynamoDB and stubs of the other services.
 */
import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RESOURCES } from "../../functions/api/routes.ts";
import { AUTHORIZED, type BundleBench, ENTRIES, openBundleBench, upload } from "../support/bundle-bench.ts";
import { hasDynoxide } from "../support/dynoxide.ts";
import { fieldsOf, templatePdf } from "../support/form-pdf.ts";
import { invoiceLines, textPdf } from "../support/pdf.ts";

/** One organization's route of each resource. */
const ORGANIZATION_ROUTES = Object.entries(RESOURCES).flatMap(([resource, routes]) => {
  const route = routes.find(({ scope }) => scope !== null);
  return route === undefined ? [] : [[resource, route] as const];
});
const ROOT = resolve(import.meta.dirname, "../..");
const MAX_API_BUNDLE_BYTES = 1_000_000;
const MAX_API_START_MS = 200;
/**
 * The limits hold for a machine on which Node itself needs this time until its first line. The same process measures
 * how slow this machine is, alone or under load; both are CPU times, so that waiting does not count.
 */
const BARE_START_MS = 25;

let bench: BundleBench;
const invoke: BundleBench["invoke"] = (...given) => bench.invoke(...given);
const answerOf: BundleBench["answerOf"] = (...given) => bench.answerOf(...given);
const request: BundleBench["request"] = (...given) => bench.request(...given);

beforeAll(async () => {
  bench = await openBundleBench("{}");
}, 300_000);
afterAll(() => bench?.close());

describe("each bundle", () => {
  it("exists", () => {
    expect([...bench.entries].sort()).toEqual([...ENTRIES].sort());
  });

  it.each(ENTRIES)("starts, small and quick enough: %s", async (entry) => {
    const starts: { init: number; bare: number; scaled: number }[] = [];
    for (let start = 0; start < 3; start += 1) {
      const { took, close } = await bench.start(entry);
      starts.push({ ...took, scaled: (took.init / took.bare) * BARE_START_MS });
      await close();
    }
    const [code, map] = ["index.mjs", "index.mjs.map"].map((name) => statSync(join(bench.folderOf(entry), name)).size);
    const best = starts.reduce((one, other) => (other.scaled < one.scaled ? other : one));
    const [init, bare, scaled] = [best.init, best.bare, best.scaled].map((milliseconds) => milliseconds.toFixed(0));
    const sizes = [code, map].map((bytes = 0) => `${(bytes / 1000).toFixed(0).padStart(5)} kB`);
    console.info(
      `${entry.padEnd(18)} ${sizes[0]}, map ${sizes[1]}; starts in ${init} ms (Node in ${bare} ms), ${scaled} ms where Node takes ${BARE_START_MS}`,
    );
    if (!entry.startsWith("api-")) return;
    expect(code).toBeLessThanOrEqual(MAX_API_BUNDLE_BYTES);
    expect(best.scaled).toBeLessThanOrEqual(MAX_API_START_MS);
  });

  it("names the project's lines in the stack of an error", async () => {
    const path = "functions/adapters/aws/execution-status.ts";
    const lines = readFileSync(join(ROOT, path), "utf8").split("\n");
    const line = 1 + lines.findIndex((text) => text.includes("throw new BadRequest("));
    const outcome = await invoke("execution-status", {});
    const frames = "stack" in outcome ? outcome.stack.split("\n") : [];
    expect(frames[1]).toContain(`/${path}:${line}:`);
    expect(frames[2]).toMatch(/\/bin\/cloud\/handlers\/execution-status\.ts:\d+:\d+/);
  });
});

describe("the bundles without a store", () => {
  it("answer the service's own routes and unknown routes", async () => {
    expect(await request("api-service", "GET /health")).toMatchObject({ status: 200, body: { version: "1.2.3" } });
    const { status, body } = await request("api-service", "GET /openapi.json");
    expect(status).toBe(200);
    expect(Object.keys((body as { paths: object }).paths).length).toBeGreaterThan(10);
    expect(await request("api-service", "$default")).toMatchObject({ status: 404 });
  });

  it("keep the name of an error, which machines match", async () => {
    expect(await invoke("step-recognize", {})).toMatchObject({ errorType: "TypeError" });
    expect(await invoke("execution-status", {})).toMatchObject({ errorType: "BadRequest" });
  });

  it("inspect documents: refuse as data, and open a PDF with the engine in the bundle", async () => {
    bench.stubs.objects.set("/files/tmp/good", Buffer.from(await textPdf(invoiceLines)));
    bench.stubs.objects.set("/files/tmp/bad", Buffer.from("%PDF-1.4 and nothing more"));
    const look = (key: string) => {
      const payload = { bytes: { $bytes: key }, mimeType: "application/pdf" };
      return answerOf("inspect", { task: "inspect", payload, answerPrefix: "tmp/answer" });
    };
    expect(await look("tmp/good")).toEqual({ value: { pageCount: 1 } });
    expect(await look("tmp/bad")).toMatchObject({ refused: { kind: "UnprocessableEntity" } });
  });

  it("render a page with a value's box and name on it, without a font", async () => {
    bench.stubs.objects.set("/files/tmp/drawn", Buffer.from(await textPdf(invoiceLines)));
    const bbox = { left: 5, top: 8, right: 6, bottom: 9 };
    const total = { pageAnchors: [{ pageNumber: 1, unit: "inch", bbox, polygons: [] }], confidence: 1 };
    bench.stubs.objects.set("/files/tmp/sources", Buffer.from(JSON.stringify({ locations: { "/total": total } })));
    const draw = async (marks?: object) => {
      const options = { mimeType: "application/pdf", pageIndex: 0, ...(marks && { marks }) };
      const payload = { bytes: { $bytes: "tmp/drawn" }, options };
      const answer = await answerOf("inspect", { task: "pageImage", payload, answerPrefix: "tmp/drawn-answer" });
      expect(answer).toEqual({ value: { $bytes: "tmp/drawn-answer-0" } });
      return bench.stubs.objects.get("/files/tmp/drawn-answer-0");
    };
    const plain = await draw();
    const marked = await draw({ sources: { $bytes: "tmp/sources" }, pointers: [] });
    expect(marked?.subarray(0, 24)).toEqual(plain?.subarray(0, 24));
    // The box, and the letters above it, are green.
    const above = { left: 5 * 150, top: 8 * 150 - 20, width: 150, height: 15 };
    const green = async (picture: Uint8Array | undefined): Promise<number> => {
      const pixels = await sharp(picture).removeAlpha().extract(above).raw().toBuffer();
      return pixels.filter((level, at) => at % 3 === 1 && level > (pixels[at - 1] ?? 0) + 40).length;
    };
    expect(await green(plain)).toBe(0);
    expect(await green(marked)).toBeGreaterThan(50);
  });
});

describe.skipIf(!hasDynoxide())("the bundles with a store", () => {
  let guid = "";

  it("refuse a stranger, and accept a key of the secret at its first use", async () => {
    const params = { pathParameters: { guid: "0190a0a0-0000-7000-8000-000000000000" } };
    const route = "GET /job/status/{guid}";
    expect(await request("api-jobs", route, params)).toMatchObject({ status: 401 });
    const wrong = { ...params, headers: { authorization: "Bearer another-key" } };
    expect(await request("api-jobs", route, wrong)).toMatchObject({ status: 401 });
    expect(await request("api-jobs", route, { ...params, headers: AUTHORIZED })).toMatchObject({ status: 404 });
  });

  it.each(ORGANIZATION_ROUTES)("give %s all settings that its ports read", async (resource, { method, path }) => {
    const call = { headers: AUTHORIZED, pathParameters: { guid: "0190a0a0-0000-7000-8000-000000000000" } };
    expect((await request(`api-${resource}`, `${method} ${path}`, call)).status).toBeLessThan(500);
  });

  it("inspect and store an upload, and start its run", async () => {
    const bad = upload(Buffer.from("%PDF-1.4 and nothing more"));
    expect(await request("api-documents", "POST /document/upload-files", bad)).toMatchObject({ status: 422 });
    const good = upload(await textPdf(invoiceLines));
    const { status, body } = await request("api-documents", "POST /document/upload-files", good);
    expect(status).toBe(200);
    guid = (body as { guid: string }).guid;
    expect([...bench.stubs.objects.keys()].filter((key) => key.startsWith("/files/tmp/inspect/"))).toEqual([]);
    // On the machine of the stack: this function creates none.
    expect(bench.stubs.asked.filter(({ target }) => target === "CreateStateMachine")).toEqual([]);
    const begun = bench.stubs.asked.find(({ target }) => target === "StartExecution");
    const stateMachineArn = "arn:aws:states:eu-central-1:000000000000:stateMachine:Sheaf-document";
    expect(JSON.parse(begun?.body ?? "{}")).toMatchObject({ stateMachineArn, name: `${guid}-1` });
  });

  it("make its result with the steps", async () => {
    const input = { organizationId: 1, guid, run: 1, mode: "SIMPLE" };
    await answerOf("step-recognize", input);
    await answerOf("step-extract", input);
    expect(await answerOf("step-settle", input)).toEqual({ status: "COMPLETED" });
    const call = { headers: AUTHORIZED, pathParameters: { guid } };
    expect(await request("api-jobs", "GET /job/status/{guid}", call)).toMatchObject({ body: { status: "COMPLETED" } });
    const { status, body } = await request("api-jobs", "GET /job/result/{guid}", call);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toContain("INV");
  });

  it("make the result of a document in chunks with the steps", async () => {
    const file = upload(await textPdf(invoiceLines));
    const { body } = await request("api-documents", "POST /document/upload-files", file);
    const { guid: chunked } = body as { guid: string };
    const command = Buffer.from(JSON.stringify({ schema: { amount: "number" }, mapReduce: { enabled: true } }));
    const first = { organizationId: 1, guid: chunked, run: 1, mode: "SIMPLE" };
    for (const step of ["step-recognize", "step-extract", "step-settle"]) await answerOf(step, first);
    const call = { headers: AUTHORIZED, pathParameters: { guid: chunked } };
    const again = await request("api-documents", "POST /document/process/{guid}", { ...call, body: command });
    expect(again).toMatchObject({ status: 200 });
    const input = { organizationId: 1, guid: chunked, run: 2, mode: "MAP_REDUCE" };
    await answerOf("step-recognize", input);
    expect(await answerOf("step-chunk", input)).toMatchObject({ shares: [[0, 0]], concurrency: 1 });
    await answerOf("step-extract-chunk", { ...input, share: [0, 0] });
    await answerOf("step-reduce", input);
    expect(await answerOf("step-settle", input)).toEqual({ status: "COMPLETED" });
    const { body: result } = await request("api-jobs", "GET /job/result/{guid}", call);
    expect(result).toMatchObject({ header: null, records: expect.arrayContaining([{ amount: 198 }]) });
  });

  it("report the end of a run to a webhook through the queue's consumer", async () => {
    const put = { headers: AUTHORIZED, body: Buffer.from('{"url":"https://hooks.sheaf.invalid/x"}') };
    const { status, body } = await request("api-settings", "PUT /settings/webhook", put);
    expect([status, body]).toMatchObject([200, { secret: expect.stringMatching(/^whsec_/) }]);
    const inside = { headers: AUTHORIZED, body: Buffer.from('{"url":"https://127.0.0.1:9001/"}') };
    expect(await request("api-settings", "PUT /settings/webhook", inside)).toMatchObject({ status: 400 });
    const good = upload(await textPdf(invoiceLines));
    const { body: begun } = await request("api-documents", "POST /document/upload-files", good);
    const input = { organizationId: 1, guid: (begun as { guid: string }).guid, run: 1, mode: "SIMPLE" };
    expect(await answerOf("step-settle", input)).toEqual({ status: "FAILED" });
    const sent = JSON.parse(bench.stubs.asked.findLast(({ target }) => target === "SendMessage")?.body ?? "{}");
    expect(sent).toMatchObject({ QueueUrl: expect.stringMatching(/webhooks$/), MessageGroupId: "organization-1" });
    expect(JSON.parse(sent.MessageBody)).toMatchObject({ kind: "deliver-webhook", guid: input.guid });
    const message = { messageId: "m", receiptHandle: "h", body: sent.MessageBody };
    const Records = [{ ...message, attributes: { ApproximateReceiveCount: "1" } }];
    expect(await answerOf("webhooks", { Records })).toEqual({ batchItemFailures: [] });
    const log = await request("api-settings", "GET /settings/webhook/deliveries", { headers: AUTHORIZED });
    expect(log.body).toMatchObject([
      { status: "PENDING", jobGuid: input.guid, attempts: [{ status: null, error: expect.stringMatching(/host/) }] },
    ]);
    await request("api-settings", "PUT /settings/webhook", { headers: AUTHORIZED, body: Buffer.from("{}") });
  });

  it("keep a template, detect its fields by the queue's consumer, and fill it with the fonts in the bundle", async () => {
    const pathParameters = { name: "form" };
    const stored = await request("api-templates", "POST /template/{name}", {
      ...upload(await templatePdf()),
      pathParameters,
    });
    expect(stored).toEqual({ status: 200, body: [] });
    const call = { headers: AUTHORIZED, pathParameters };
    expect(await request("api-templates", "GET /template/metadata/{name}", call)).toEqual({ status: 202, body: [] });
    const sent = JSON.parse(bench.stubs.asked.findLast(({ target }) => target === "SendMessage")?.body ?? "{}");
    expect(JSON.parse(sent.MessageBody)).toMatchObject({ kind: "detect-fields", organizationId: 1 });
    const message = { messageId: "m", receiptHandle: "h", body: sent.MessageBody };
    const Records = [{ ...message, attributes: { ApproximateReceiveCount: "1" } }];
    expect(await answerOf("work", { Records })).toEqual({ batchItemFailures: [] });
    const { status, body: fields } = await request("api-templates", "GET /template/metadata/{name}", call);
    expect([status, fields]).toMatchObject([200, [{ templateName: "form", name: "applicant.name" }, {}, {}, {}, {}]]);
    // No font of a form has these.
    const values = { fields: { applicant: { name: "Łukasz 日本 Ελλάδα" } } };
    const filled = await request("api-templates", "POST /template/fill/{name}", {
      ...call,
      body: Buffer.from(JSON.stringify(values)),
    });
    expect(filled.status).toBe(200);
    expect(await fieldsOf(filled.body as Uint8Array)).toMatchObject({ "applicant.name": "Łukasz 日本 Ελλάδα" });
  });

  it("answer below /compat with the same functions", async () => {
    const call = { headers: { authorization: bench.key }, pathParameters: { guid } };
    const answer = await request("api-jobs", "GET /compat/job/status/{guid}", call);
    expect(answer).toMatchObject({ status: 200, body: { status: "COMPLETED" } });
  });

  it("explain a step that ran out of memory", async () => {
    const { body } = await request("api-documents", "POST /document/upload-files", upload(await textPdf(invoiceLines)));
    const { guid: other } = body as { guid: string };
    const Cause = JSON.stringify({ errorType: "Runtime.ExitError", errorMessage: "signal: killed" });
    const failed = {
      organizationId: 1,
      guid: other,
      run: 1,
      mode: "SIMPLE",
      failure: { Error: "Runtime.ExitError", Cause },
    };
    expect(await answerOf("step-settle", failed)).toEqual({ status: "FAILED" });
    const call = { headers: AUTHORIZED, pathParameters: { guid: other } };
    const { body: job } = await request("api-jobs", "GET /job/status/{guid}", call);
    expect(job).toMatchObject({ error: "Processing failed: The document needs more memory than is allowed" });
  });

  it("accept a document by an upload address, for which the job waits", async () => {
    const body = Buffer.from(JSON.stringify({ mimeType: "application/pdf", size: 6_000_000 }));
    const route = "POST /document/upload-url";
    const { status, body: ticket } = await request("api-documents", route, { body, headers: AUTHORIZED });
    expect(status).toBe(201);
    const { guid: announced, uploadUrl } = ticket as { guid: string; uploadUrl: string };
    expect(new URL(uploadUrl).pathname).toBe(`/files/org/1/jobs/${announced}/upload`);
    const call = { headers: AUTHORIZED, pathParameters: { guid: announced } };
    expect(await request("api-documents", "POST /document/process/{guid}", call)).toMatchObject({ status: 409 });
  });

  it("find nothing to do in a sweep, and nothing to settle in an event of an end", async () => {
    expect(await answerOf("sweep", {})).toEqual({ acted: 0, expired: 0, removed: 0 });
    const detail = {
      stateMachineArn: "arn:aws:states:eu-central-1:000000000000:stateMachine:Sheaf-0",
      name: `${guid}-1`,
      status: "TIMED_OUT",
      startDate: 0,
      input: JSON.stringify({ organizationId: 1, guid, run: 1 }),
    };
    const event = { source: "aws.states", "detail-type": "Step Functions Execution Status Change", detail };
    expect(await answerOf("execution-status", event)).toBeNull();
    const call = { headers: AUTHORIZED, pathParameters: { guid } };
    expect(await request("api-jobs", "GET /job/status/{guid}", call)).toMatchObject({ body: { status: "COMPLETED" } });
  });

  it("put a deletion on the queue, and carry it out with its consumer", async () => {
    const mine = () => [...bench.stubs.objects.keys()].filter((path) => path.startsWith(`/files/org/1/jobs/${guid}/`));
    expect(mine().length).toBeGreaterThan(2);
    const call = { headers: AUTHORIZED, pathParameters: { guid } };
    expect(await request("api-jobs", "DELETE /job/{guid}", call)).toMatchObject({ status: 200 });
    expect(await request("api-jobs", "GET /job/status/{guid}", call)).toMatchObject({ status: 404 });
    const sent = JSON.parse(bench.stubs.asked.findLast(({ target }) => target === "SendMessage")?.body ?? "{}");
    expect(JSON.parse(sent.MessageBody)).toEqual({ kind: "delete-job", organizationId: 1, guid });

    const bodies = [sent.MessageBody, '{"kind":"unheard-of","organizationId":1}'];
    const Records = bodies.map((body, index) => ({
      messageId: `m-${index}`,
      receiptHandle: `handle-${index}`,
      body,
      attributes: { ApproximateReceiveCount: "2" },
    }));
    expect(await answerOf("work", { Records })).toEqual({ batchItemFailures: [{ itemIdentifier: "m-1" }] });
    expect(mine()).toEqual([]);
    const hidden = bench.stubs.asked.filter(({ target }) => target === "ChangeMessageVisibility");
    expect(hidden.map(({ body }) => JSON.parse(body))).toEqual([
      { QueueUrl: `${bench.stubs.url}/1/work`, ReceiptHandle: "handle-1", VisibilityTimeout: 20 },
    ]);
  });
});
