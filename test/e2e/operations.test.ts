/** Operations on finished jobs: jobs of their own beside their parent. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharedTestService, type TestService } from "../support/service.ts";

let target: TestService;
let parent: string;
beforeAll(async () => {
  target = await sharedTestService();
  const schema = { invoice_number: "string", total: "number" };
  const job = await target.api.processed("Invoice number: A-17\nTotal: 120.00 EUR\n", {
    schema,
    sourceLocations: true,
  });
  expect(job.status).toBe("COMPLETED");
  parent = job.guid;
});
afterAll(() => target.close());

const UNKNOWN = "019aa5c0-7d1e-7cc0-8a55-5f2f5a0f9d11";
const start = (json: Record<string, unknown>) => target.api.post("/operation", { json });

describe("an operation is refused", () => {
  it.each<[string, Record<string, unknown>, number, Record<string, unknown>]>([
    ["an unknown type", { type: "nonsense" }, 400, { message: "Invalid operation type: nonsense" }],
    ["no type", {}, 400, { errors: [{ path: "/type" }] }],
    [
      "an unknown job",
      { jobGuid: UNKNOWN, type: "generative-task", parameters: { customParameters: { prompt: "?" } } },
      404,
      { code: "not_found", disabled: false, error: "NotFound" },
    ],
    [
      "a missing parameter",
      { type: "generative-task" },
      400,
      { errors: [{ path: "/parameters/customParameters/prompt" }] },
    ],
    [
      "a tier that there is none of",
      { type: "generative-task", parameters: { llmType: "HUGE" } },
      400,
      { errors: [{ path: "/parameters/llmType" }] },
    ],
  ])("for %s", async (_name, body, status, expected) => {
    const answer = await start({ jobGuid: parent, ...body });
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject(expected);
  });

  it("for another organization's job", async () => {
    const body = { jobGuid: parent, type: "generative-task", parameters: { customParameters: { prompt: "?" } } };
    const answer = await target.other.post("/operation", { json: body });
    expect(answer.status).toBe(404);
    expect(answer.json).toMatchObject({ code: "not_found", disabled: false });
    expect((await target.other.get(`/operation/${parent}`)).status).toBe(404);
  });

  it("for a job that is not completed", async () => {
    const guid = await target.api.upload("Nothing was done with this");
    const answer = await target.api.post(`/operation/${guid}/generative-task`, { json: { prompt: "Sum it up" } });
    expect(answer.status).toBe(409);
    expect(answer.json.message).toContain("is PENDING");
    expect(answer.json).not.toHaveProperty("code");
  });
});

describe("an error analysis", () => {
  const analyze = async (guid: string, customParameters: Record<string, unknown> = {}) => {
    const body = { jobGuid: guid, type: "error-analysis", parameters: { customParameters } };
    const { status, json } = await target.api.post("/operation", { json: body });
    expect(status).toBe(200);
    const ended = await target.api.ended(json.jobGuid);
    expect(ended).toMatchObject({ status: "COMPLETED", engine: "offline", error: null });
    const { json: told } = await target.api.get(`/operation/${guid}/error-analysis`);
    expect(told.jobGuid).toBe(json.jobGuid);
    return { guid: json.jobGuid as string, result: JSON.parse(told.result) };
  };

  it("names a total that does not add up, and serves its result as JSON too", async () => {
    const text = "Invoice number: A-18\nNet total: 100.00\nTax: 19.00\nGrand total: 191.00\n";
    const schema = { invoice_number: "string", net_total: "number", tax_total: "number", gross_total: "number" };
    const job = await target.api.processed(text, { schema });
    const { guid, result } = await analyze(job.guid, { confidence_threshold: "0.4", detailed_suggestions: "true" });
    expect(result.analysis.field_confidence).toHaveProperty("gross_total");
    expect(result.analysis.potential_issues[0]).toMatchObject({ kind: "arithmetic", confidence: expect.any(Number) });
    expect(result.recommendations.map(({ type }: { type: string }) => type)).toContain("totals");
    expect((await target.api.get(`/job/result/${guid}`)).json).toEqual(result);
    const dates = (await analyze(job.guid, { focus_areas: "dates" })).result;
    expect(dates.analysis.potential_issues).toEqual([]);
    const none = (await analyze(job.guid, { confidence_threshold: 1 })).result;
    expect(none.analysis.potential_issues).toEqual([]);
    expect((await target.api.get(`/operation/${job.guid}`)).json.totalOperations).toBe(3);
  });

  it("requires data", async () => {
    const guid = await target.api.upload("Only its text is wanted");
    await target.api.post(`/document/ocr/${guid}`, { json: { ocrFormat: "plain" } });
    await target.api.ended(guid);
    const answer = await target.api.post("/operation", { json: { jobGuid: guid, type: "error-analysis" } });
    expect(answer.status).toBe(409);
    expect(answer.json.message).toContain("process it with a schema");
  });

  it("runs once for one Idempotency-Key", async () => {
    const call = () =>
      target.api.post("/operation", {
        json: { jobGuid: parent, type: "error-analysis" },
        headers: { "idempotency-key": "analysis-1" },
      });
    const [first, second] = [await call(), await call()];
    expect(second.json.jobGuid).toBe(first.json.jobGuid);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    await target.api.ended(first.json.jobGuid);
  });

  it("is deleted with its parent", async () => {
    const job = await target.api.processed("Total: 12.00", { schema: { total: "number" } });
    const { guid } = await analyze(job.guid);
    expect((await target.api.delete(`/job/${job.guid}`)).status).toBe(200);
    expect((await target.api.get(`/operation/${job.guid}`)).status).toBe(404);
    for (let round = 0; (await target.api.get(`/job/status/${guid}`)).status !== 404; round += 1) {
      if (round > 100) throw new Error("The operation is still there");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
});

describe("figures and recognised text", () => {
  it("are required by image-select", async () => {
    const refused = await start({
      jobGuid: parent,
      type: "image-select",
      parameters: { customParameters: { prompt: "logo" } },
    });
    expect(refused.status).toBe(409);
    expect(refused.json.message).toContain("extractFigures");
  });

  it("keep a text layer unchanged in ocr-correct", async () => {
    const answer = await start({
      jobGuid: parent,
      type: "ocr-correct",
      parameters: { customParameters: { sourceMap: "compress" } },
    });
    const ended = await target.api.ended(answer.json.jobGuid);
    expect(ended.status).toBe("COMPLETED");
    const { json } = await target.api.get(`/job/result/${answer.json.jobGuid}`);
    expect(json.pages).toMatchObject([{ pageNumber: 1, changes: [] }]);
    expect(json.content).toContain("Invoice number: A-17");
    expect(json.sourceMap).toMatchObject({ mode: "compress", pages: [{ pageNumber: 1, start: 0 }] });
  });

  it.each([
    [{ prompt: "logo", topK: "none" }, "topK"],
    [{ prompt: "logo", matchMode: "some" }, "matchMode"],
    [{ prompt: "logo", pageRange: "3-1" }, "pageRange"],
    [{ prompt: "logo", useVision: "perhaps" }, "useVision"],
  ])("image-select refuses %j", async (customParameters, name) => {
    const answer = await start({ jobGuid: parent, type: "image-select", parameters: { customParameters } });
    expect(answer.status).toBe(400);
    expect(answer.json.errors).toMatchObject([{ path: `/parameters/customParameters/${name}` }]);
  });
});

describe("a generative task", () => {
  it("is FAILED without a model, and is kept", async () => {
    const path = `/operation/${parent}/generative-task`;
    const before = (await target.api.get(`/operation/${parent}`)).json.totalOperations;
    const { status, json } = await target.api.post(path, { json: { prompt: "Sum it up", temperature: "0.2" } });
    expect(status).toBe(200);
    expect(json).toMatchObject({ operationType: "generative-task", message: expect.any(String) });
    const ended = await target.api.ended(json.jobGuid);
    expect(ended).toMatchObject({
      status: "FAILED",
      error: "Processing failed: AI service unavailable",
      jobMode: "OPERATION",
      operationType: "generative-task",
      parentJobGuid: parent,
    });
    expect((await target.api.get(path)).json).toMatchObject({
      jobGuid: json.jobGuid,
      parentJobGuid: parent,
      resultAvailable: false,
      result: null,
    });
    const listed = (await target.api.get(`/operation/${parent}`)).json;
    expect(listed.totalOperations).toBe(before + 1);
    expect(listed.operations[0].jobGuid).toBe(json.jobGuid);
    const jobs = (await target.api.get("/job/list?size=1000")).json.content.map(({ guid }: { guid: string }) => guid);
    expect(jobs).toContain(parent);
    expect(jobs).not.toContain(json.jobGuid);
    const again = await target.api.post(`/document/process/${json.jobGuid}`, { json: {} });
    expect(again.status).toBe(409);
  });

  it.each([
    [{ prompt: "?", temperature: 2.1 }, "/temperature"],
    [{ prompt: "?", maxTokens: 0 }, "/maxTokens"],
    [{ prompt: "?", maxTokens: 63 }, "/maxTokens"],
    [{ prompt: "?", maxTokens: "many" }, "/maxTokens"],
    [{ prompt: " " }, "/prompt"],
    [{}, "/prompt"],
  ])("refuses %j", async (body, path) => {
    const answer = await target.api.post(`/operation/${parent}/generative-task`, { json: body });
    expect(answer.status).toBe(400);
    expect(answer.json.errors).toMatchObject([{ path }]);
  });
});
