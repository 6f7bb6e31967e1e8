/** Commands of runs, and calls that are out of scope. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sharedTestService, type TestService } from "../support/service.ts";

let target: TestService;
beforeAll(async () => {
  target = await sharedTestService();
});
afterAll(() => target.close());

const DOCUMENT = "Invoice number: B-1\nTotal: 5.00 EUR\n";

describe("a job's parameters", () => {
  it("are the newest run's command, and can be processed again", async () => {
    const { api, other } = target;
    const first = {
      schema: { total: "number" },
      prompt: "The total",
      sourceLocations: true,
      ocr: "none",
      minConfidence: 0,
    };
    const { guid } = await api.processed(DOCUMENT, first);
    const { json } = await api.get(`/job/params/${guid}`);
    const schema = { type: "object", properties: { total: { type: "number" } } };
    expect({ ...json, schema: JSON.parse(json.schema) }).toEqual({
      guid,
      run: 1,
      ocr: "NONE",
      prompt: "The total",
      minConfidence: 0,
      mimeType: "text/plain",
      sourceLocations: true,
      sourceLocationGranularity: "AUTO",
      schema,
    });
    expect((await api.get(`/job/result/${guid}/schema`)).json).toEqual(schema);
    const { guid: _guid, run: _run, ...command } = json;
    const mapReduce = {
      enabled: true,
      pagesPerChunk: "2",
      overlapPages: 1,
      dedupKey: "sku",
      header: { enabled: true },
    };
    expect((await api.post(`/document/process/${guid}`, { json: { ...command, mapReduce } })).status).toBe(200);
    await api.get(`/job/status/${guid}?waitSeconds=20`);
    const newest = (await api.get(`/job/params/${guid}`)).json;
    expect(newest).toMatchObject({
      run: 2,
      mapReduce: { ...mapReduce, pagesPerChunk: 2, splitType: "PAGE", header: { enabled: true, pageLimit: 1 } },
    });
    expect((await api.get(`/job/params/${guid}?run=1`)).json).toEqual(json);
    for (const path of [`/job/params/${guid}?run=9`, "/job/params/none", "/job/result/none/schema"]) {
      expect((await api.get(path)).status, path).toBe(404);
    }
    expect((await other.get(`/job/params/${guid}`)).status).toBe(404);
  });

  it("are 404 before the first run, and a schema where none was sent", async () => {
    const { api } = target;
    const guid = await api.upload(DOCUMENT);
    expect((await api.get(`/job/params/${guid}`)).json).toMatchObject({
      status: 404,
      message: expect.stringMatching(/never processed/),
    });
    await api.post(`/document/ocr/${guid}`, { json: { ocrFormat: "markdown" } });
    await api.get(`/job/status/${guid}?waitSeconds=20`);
    expect((await api.get(`/job/params/${guid}`)).json).toMatchObject({ extractionMode: "OCR", ocrFormat: "markdown" });
    expect((await api.get(`/job/result/${guid}/schema`)).json).toMatchObject({
      status: 404,
      message: expect.stringMatching(/no schema/),
    });
  });

  it("of an operation are its type and parameters, without the service's files", async () => {
    const { api } = target;
    const { guid } = await api.processed(DOCUMENT, { schema: { total: "number" } });
    const asked = {
      jobGuid: guid,
      type: "error-analysis",
      parameters: { customParameters: { focus_areas: ["total"] } },
    };
    const { jobGuid } = (await api.post("/operation", { json: asked })).json;
    const { json } = await api.get(`/job/params/${jobGuid}`);
    expect(json).toMatchObject({
      guid: jobGuid,
      operationType: "error-analysis",
      parameters: { customParameters: { focus_areas: ["total"] } },
    });
    expect(JSON.stringify(json)).not.toContain("jobs/");
  });
});

it.each([
  ["POST", "/configuration/bills/excel-template", /^Templates of workbooks are out of this service's scope/],
  ["GET", "/configuration/bills/lookup-file", /^Lookup files are out of this service's scope/],
  ["DELETE", "/compat/configuration/bills/lookup-file", /^Lookup files are out of this service's scope/],
  ["POST", "/document/batch/none/lookup-file", /^Lookup files are out of this service's scope/],
  ["GET", "/job/result/none/excel?configuration=bills", /^Workbooks after .* are out of this service's scope/],
])("%s %s is a 404 that says what is out of scope", async (method, path, sentence) => {
  const answer = await target.api.call(method, path);
  expect([answer.status, answer.json.error]).toEqual([404, "NotFound"]);
  expect(answer.json.message).toMatch(sentence);
});
