/** Operations on finished jobs: jobs of their own beside their parent. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";

let target: TestService;
let parent: string;
beforeAll(async () => {
  target = await startTestService();
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

describe("what is refused", () => {
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
  ])("%s", async (_name, body, status, expected) => {
    const answer = await start({ jobGuid: parent, ...body });
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject(expected);
  });

  it("another organization's job", async () => {
    const body = { jobGuid: parent, type: "generative-task", parameters: { customParameters: { prompt: "?" } } };
    const answer = await target.other.post("/operation", { json: body });
    expect(answer.status).toBe(404);
    expect(answer.json).toMatchObject({ code: "not_found", disabled: false });
    expect((await target.other.get(`/operation/${parent}`)).status).toBe(404);
  });

  it("a job that is not completed", async () => {
    const guid = await target.api.upload("Nothing was done with this");
    const answer = await target.api.post(`/operation/${guid}/generative-task`, { json: { prompt: "Sum it up" } });
    expect(answer.status).toBe(409);
    expect(answer.json.message).toContain("is PENDING");
    expect(answer.json).not.toHaveProperty("code");
  });
});

describe("a generative task", () => {
  it("FAILS without a model, and is kept", async () => {
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
    [{ prompt: "?", maxTokens: "many" }, "/maxTokens"],
    [{ prompt: " " }, "/prompt"],
    [{}, "/prompt"],
  ])("refuses %j", async (body, path) => {
    const answer = await target.api.post(`/operation/${parent}/generative-task`, { json: body });
    expect(answer.status).toBe(400);
    expect(answer.json.errors).toMatchObject([{ path }]);
  });
});
