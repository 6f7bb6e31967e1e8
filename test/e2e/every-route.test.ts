/** What all routes of a kind have in common: each is asked, so that a new one is held to it too. */
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documentRoutes } from "../../functions/api/documents.ts";
import { ROUTES } from "../../functions/api/routes.ts";
import { patternPng, picturesPdf, show } from "../functions/engine/structure/figures/pictures.ts";
import { form } from "../support/api.ts";
import { sharedTestService, type TestService } from "../support/service.ts";

let target: TestService;
/** A finished job with one figure and every finding, the index of the same document in a batch, and a text's job. */
const made = { job: "", batch: "", text: "", caseId: "", pdf: new Uint8Array() as Uint8Array };

const EVERY_FINDING = {
  barcodes: true,
  extractFigures: true,
  acroFormMetadata: true,
  sourceLocations: true,
  trace: true,
  schema: { title: "string" },
};

beforeAll(async () => {
  target = await sharedTestService();
  const { api } = target;
  made.caseId = String((await api.post("/cases", { json: { name: "Refused" } })).json.id);
  made.pdf = await picturesPdf({ a: await patternPng(320, 200) }, [
    (page, { a }) => {
      show(page, a, 72, 560, 240, 150);
      page.drawText("Figure 1: The harbour at noon", { x: 72, y: 540, size: 11 });
    },
  ]);
  made.job = (await api.processed(made.pdf, EVERY_FINDING)).guid;
  made.text = await api.upload("Total: 5.00 EUR");
  made.batch = (await api.post("/document/batch")).json.guid;
  await api.post(`/document/batch/${made.batch}/upload`, { body: form(made.pdf) });
  await api.post(`/document/batch/${made.batch}/process`, { json: EVERY_FINDING });
  await api.ended(made.batch);
});
afterAll(() => target.close());

const VIDEO = Buffer.concat([Buffer.from([0, 0, 0, 0x20]), Buffer.from("ftypisom"), Buffer.alloc(200)]);
const takesDocument = (route: (typeof ROUTES)[number]): boolean =>
  route.body.kind === "multipart" && "document" in route.body.parts;

/** The answer to a form of so many bytes, which is given before any of them has come. */
async function announce(path: string, length: number): Promise<number | undefined> {
  const headers = {
    authorization: `Bearer ${target.keys.one}`,
    "content-type": "multipart/form-data; boundary=b",
    "content-length": String(length),
  };
  const request = httpRequest(target.url + path, { method: "POST", headers });
  request.on("error", () => undefined);
  request.flushHeaders();
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  request.destroy();
  return answer.statusCode;
}

describe("a route that takes a document", () => {
  const paths = ROUTES.filter(takesDocument).map(({ path }) => path);

  it.each(paths)("%s refuses a form without it, an empty one, another kind and one that is too large", async (path) => {
    const send = async (body: FormData) => {
      const filled = path
        .replace("{guid}", path.includes("/batch/") ? emptyBatch : made.job)
        .replace("{caseId}", made.caseId)
        .replace("{name}", "refused");
      const answer = await target.api.post(filled, { body });
      return [answer.status, answer.json.error];
    };
    const emptyBatch = path.includes("/batch/") ? (await target.api.post("/document/batch")).json.guid : "";
    const other = new FormData();
    other.append("prompt", "The total");
    expect(await send(other)).toEqual([400, "BadRequest"]);
    expect(await send(form(""))).toEqual([422, "UnprocessableEntity"]);
    // A form is read of PDFs only, whatever else the document is.
    const unread = path.includes("acroform") ? [400, "BadRequest"] : [415, "UnsupportedMediaType"];
    expect(await send(form(VIDEO))).toEqual(unread);
    expect(
      await announce(
        path.replace("{guid}", emptyBatch).replace("{caseId}", made.caseId).replace("{name}", "refused"),
        15_000_001,
      ),
    ).toBe(413);
  });

  it("is one of ten", () => {
    expect(paths).toHaveLength(10);
  });
});

describe("a route that reads a run", () => {
  const reads = (name: string) =>
    ROUTES.filter(({ method, query }) => method === "GET" && name in query.shape).map(({ path }) => path);
  const at = (path: string, guid: string) =>
    path.replace("{guid}", guid).replace("{pageIndex}", "0").replace("{imageId}", "p1f1");
  /** Not there for a document without a pipeline. */
  const ofPipelines = (path: string) => path.includes("/pipeline/");

  it.each(reads("run"))("%s takes the number of a run, and refuses any other text", async (path) => {
    const { api } = target;
    const plain = await api.get(at(path, made.job));
    expect(plain.status, plain.text.slice(0, 200)).toBe(ofPipelines(path) ? 404 : 200);
    const first = await api.get(`${at(path, made.job)}?run=1`);
    expect(first.status).toBe(plain.status);
    if (first.status === 200) expect(first.text).toBe(plain.text);
    // A page is the document's; the values drawn on it are a run's.
    const drawn = path.includes("/image/") ? "&locations=true" : "";
    expect((await api.get(`${at(path, made.job)}?run=7${drawn}`)).status).toBe(404);
    const refused = await api.get(`${at(path, made.job)}?run=first`);
    expect([refused.status, refused.json.errors?.[0]?.path]).toEqual([400, "/run"]);
  });

  it.each(reads("batchIndex"))(
    "%s takes the index of a document of a batch, and refuses any other text",
    async (path) => {
      const { api } = target;
      const own = await api.get(`${at(path, made.batch)}?batchIndex=0`);
      expect(own.status, own.text.slice(0, 200)).toBe(ofPipelines(path) ? 404 : 200);
      expect((await api.get(`${at(path, made.batch)}?batchIndex=1`)).status).toBe(404);
      const refused = await api.get(`${at(path, made.batch)}?batchIndex=-1`);
      expect([refused.status, refused.json.errors?.[0]?.path]).toEqual([400, "/batchIndex"]);
    },
  );
});

const OPTIONS = {
  ocr: "AUTO",
  llm: "MINI",
  extractionMode: "SIMPLE",
  schema: { total: "number" },
  prompt: "The total",
  mimeType: "text/plain",
  pageRange: [1],
  sourceLocations: true,
  sourceLocationGranularity: "WORD",
  minConfidence: 0.2,
  barcodes: true,
  describeFigures: true,
  extractFigures: true,
  acroFormMetadata: true,
  trace: true,
  includeCurrentDate: true,
  reasoningEffort: "low",
};
/** The schema as it comes back: JSON Schema, as a text. */
const read = (json: Record<string, unknown>) => ({ ...json, schema: Object.keys(JSON.parse(String(json.schema))) });
const EXPECTED = { ...OPTIONS, schema: ["type", "properties"] };

describe("a command's options", () => {
  it("are those of the run, of a job", async () => {
    const { guid } = await target.api.processed("Total: 5.00 EUR", OPTIONS);
    expect(read((await target.api.get(`/job/params/${guid}`)).json)).toMatchObject(EXPECTED);
  });

  it("are those of the run, of a batch", async () => {
    const { api } = target;
    const { guid } = (await api.post("/document/batch")).json;
    await api.post(`/document/batch/${guid}/upload`, { body: form("Total: 5.00 EUR") });
    expect((await api.post(`/document/batch/${guid}/process`, { json: OPTIONS })).status).toBe(200);
    await api.ended(guid);
    expect(read((await api.get(`/job/params/${guid}`)).json)).toMatchObject(EXPECTED);
    const again = async (json: unknown) => (await api.post(`/document/batch/${guid}/process`, { json })).status;
    expect(await again({ configuration: "unknown" })).toBe(404);
    expect(await again({ schema: { type: "nothing" } })).toBe(422);
    expect(await again({ mapReduce: { enabled: true }, schema: { rows: [{ total: "number" }] } })).toBe(200);
    expect((await api.ended(guid)).runs).toHaveLength(2);
    expect((await api.get(`/job/params/${guid}`)).json.mapReduce).toMatchObject({ enabled: true, pagesPerChunk: 1 });
  });

  it("are kept by a saved configuration, and used by its runs", async () => {
    const { api } = target;
    expect((await api.post("/configuration/every-option", { json: OPTIONS })).status).toBe(201);
    const saved = (await api.get("/configuration/every-option")).json;
    expect({ ...saved, schema: JSON.parse(saved.schema) }).toMatchObject(OPTIONS);
    const guid = await api.upload("Total: 5.00 EUR");
    expect((await api.post(`/document/process/${guid}/with-configuration/every-option`)).status).toBe(200);
    await api.ended(guid);
    expect(read((await api.get(`/job/params/${guid}`)).json)).toMatchObject(EXPECTED);
  });

  it("of text recognition are those of its run", async () => {
    const { api } = target;
    const guid = await api.upload(made.pdf);
    const options = { ocr: "NONE", ocrFormat: "markdown", describeFigures: true, extractFigures: true };
    expect(
      (await api.post(`/document/ocr/${guid}`, { json: { ...options, mimeType: "application/pdf" } })).status,
    ).toBe(200);
    await api.ended(guid);
    expect((await api.get(`/job/figures/${guid}`)).json.images).toHaveLength(1);
    expect((await api.get(`/job/result/${guid}`)).headers.get("content-type")).toMatch(/^text\/markdown/);
    const other = await api.post(`/document/ocr/${guid}`, { json: { mimeType: "image/png" } });
    expect([other.status, other.json.error]).toEqual([415, "UnsupportedMediaType"]);
  });

  it("of an analysis are those of its run", async () => {
    const { api } = target;
    for (const option of ["describeFigures", "extractFigures"]) {
      const started = await api.post(`/document/analyze?${option}=true&ocr=NONE`, { body: form(made.pdf) });
      const { guid } = started.json;
      await api.ended(guid);
      expect((await api.get(`/job/figures/${guid}`)).json.images, option).toHaveLength(1);
    }
    const plain = await api.post("/document/analyze?ocr=none", { body: form(made.pdf) });
    await api.ended(plain.json.guid);
    expect((await api.get(`/job/figures/${plain.json.guid}`)).status).toBe(404);
    expect((await api.post("/document/analyze?ocr=best", { body: form(made.pdf) })).status).toBe(400);
  });

  it("may be parts of a form", async () => {
    const { api } = target;
    const wait = async (path: string, texts: Record<string, string>) =>
      (await api.post(path, { body: form("Total: 5.00 EUR", {}, texts) })).json;
    const schema = '{"total":"number"}';
    expect(await wait("/document/upload-files/sync", { prompt: "The total", schema })).toEqual({ total: 5 });
    const { guid } = await wait("/document/upload-files", { prompt: "The total", schema });
    await api.ended(guid);
    expect((await api.get(`/job/params/${guid}`)).json.prompt).toBe("The total");
    const { guid: described } = await wait("/document/generate-schema", { instructions: "Only the total" });
    expect((await api.ended(described)).status).toBe("COMPLETED");
    expect((await api.post("/document/ocr/sync?ocr=best", { body: form("Total") })).status).toBe(400);
    expect((await api.post("/document/ocr/sync?ocr=NONE", { body: form("Total") })).text.trim()).toBe("Total");
  });
});

describe("a saved configuration that does not fit", () => {
  it("is refused like its command, and starts nothing", async () => {
    const { api } = target;
    const save = (json: unknown) => api.post("/configuration/unfit?overwrite=true", { json });
    const run = async (guid: string) => (await api.post(`/document/process/${guid}/with-configuration/unfit`)).status;
    const empty = (await api.post("/document/batch")).json.guid;
    await save({ mimeType: "application/pdf" });
    expect(await run(made.text)).toBe(415);
    await save({ pageRange: [5] });
    expect(await run(await target.api.upload(made.pdf))).toBe(400);
    await save({ mapReduce: { enabled: true }, mimeType: "text/plain" });
    expect(await run(empty)).toBe(409);
    expect(await run("019aa5c0-7d1e-7cc0-8a55-5f2f5a0f9d11")).toBe(404);
    expect((await api.get(`/job/status/${made.text}`)).json.runs).toEqual([]);
  });
});

describe("a document of a batch", () => {
  it("is what an operation works on that names its index", async () => {
    const { api } = target;
    const started = await api.post("/operation", {
      json: { jobGuid: made.batch, type: "error-analysis", batchIndex: 0 },
    });
    expect(started.status, started.text).toBe(200);
    expect((await api.ended(started.json.jobGuid)).status).toBe("COMPLETED");
    const missing = await api.post("/operation", {
      json: { jobGuid: made.batch, type: "error-analysis", batchIndex: 1 },
    });
    expect([missing.status, missing.json.code]).toEqual([404, "not_found"]);
    const path = `/operation/${made.batch}/generative-task?batchIndex=`;
    const task = { json: { prompt: "Sum it up", model: "MINI" } };
    expect((await api.post(`${path}0`, task)).status).toBe(200);
    expect((await api.post(`${path}1`, task)).status).toBe(404);
    expect((await api.post(`${path}0`, { json: { prompt: "Sum it up", model: "BEST" } })).status).toBe(400);
  });
});

describe("a list", () => {
  it("of jobs ends before the time that it is given", async () => {
    const { api } = target;
    const { createdAt } = (await api.get(`/job/status/${made.job}`)).json;
    const before = (await api.get(`/job/list?size=100&createdAtTo=${createdAt}`)).json.content as {
      createdAt: string;
    }[];
    expect(before.every((job) => job.createdAt <= createdAt)).toBe(true);
    expect((await api.get(`/job/list?createdAtTo=2000-01-01T00:00:00.000Z`)).json.content).toEqual([]);
    expect((await api.get("/job/list?createdAtTo=yesterday")).status).toBe(400);
  });

  it("of deliveries refuses what is no event and no number", async () => {
    const { api } = target;
    expect((await api.get("/settings/webhook/deliveries?before=yesterday")).json.errors[0].path).toBe("/before");
    expect((await api.get("/settings/webhook/deliveries?size=none")).json.errors[0].path).toBe("/size");
  });
});

it("The newest operation of a type is 400 for no type", async () => {
  const answer = await target.api.get(`/operation/${made.job}/no-type`);
  expect([answer.status, answer.json.message]).toEqual([400, expect.stringMatching(/^Invalid operation type: /)]);
});

it("A request whose address or headers are too long is answered like every other refusal", async () => {
  const long = "a".repeat(20_000);
  for (const answer of [
    await fetch(`${target.url}/job/status/${long}`),
    await fetch(`${target.url}/health`, { headers: { "x-long": long } }),
  ]) {
    expect([answer.status, answer.headers.get("content-type")]).toEqual([431, "application/json"]);
    const error = { status: 431, error: "RequestHeaderFieldsTooLarge", message: expect.any(String) };
    expect(await answer.json()).toMatchObject({ ...error, path: expect.any(String), timestamp: expect.any(String) });
  }
});

it("The document routes of the table are all asked here", () => {
  expect(documentRoutes.filter(takesDocument).every((route) => ROUTES.includes(route))).toBe(true);
});
