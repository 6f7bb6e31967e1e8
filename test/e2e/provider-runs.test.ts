/** Runs that ask an organization's own providers: their servers are these tests' own, on this machine. */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openRecords } from "../../functions/adapters/local/records.ts";
import { ledgerOf } from "../../functions/service/organizations/organization-ledger.ts";
import { form } from "../support/api.ts";
import { answerJson, fail, type ModelServer, type SeenRequest, startModelServer } from "../support/model-server.ts";
import { type OcrExample, startOcrExample } from "../support/ocr-server.ts";
import { pngOf } from "../support/scans.ts";
import { startTestService, type TestService } from "../support/service.ts";

const KEYS = {
  own: "sk-own+models/with=signs-0123456789",
  azure: "azure~key&with=signs-0123456789",
  ocr: "ocr-key-of-the-example-0123456789",
};
const TEXT = { name: "document.txt", type: "text/plain" };
const DOCUMENT = "Invoice SH-2026-0117\nTotal 431.00";
const SCHEMA = { number: "string" };

let server: ModelServer;
let service: ModelServer;
let ocr: OcrExample;
let target: TestService;
let dataDir: string;
const answers: string[] = [];

/** Calls the API, and keeps what it answers. */
async function call(method: string, path: string, json?: unknown) {
  const answer = await target.api.call(method, path, json === undefined ? {} : { json });
  answers.push(answer.text, JSON.stringify([...answer.headers]));
  return answer;
}
async function create(kind: "llm" | "ocr", wish: object): Promise<number> {
  const answer = await call("POST", `/${kind}/providers`, wish);
  expect(answer.status, answer.text).toBe(200);
  return answer.json.id;
}
const bind = (kind: "llm" | "ocr", key: string, providerId: number | null) =>
  call("PUT", `/${kind}/keys/${key}`, { providerId });
const processed = (command: object) => target.api.processed(DOCUMENT, { schema: SCHEMA, ...command }, TEXT);

beforeAll(async () => {
  [server, service] = await Promise.all([startModelServer(), startModelServer()]);
  ocr = await startOcrExample(["Invoice SH-2026-0117", "Total 431.00"], KEYS.ocr);
  dataDir = await mkdtemp(join(tmpdir(), "sheaf-providers-"));
  const env = {
    OPENAI_API_KEY: "sk-of-the-service",
    OPENAI_BASE_URL: service.url,
    LLM_MODEL_DEFAULT: "service-model",
    SHEAF_BILLING: "enforced",
    SHEAF_DATA_DIR: dataDir,
  };
  target = await startTestService({ env, dataDir });
  const command = { kind: "grant", key: "all", amount: 1_000_000, reason: "a test" } as const;
  const own = openRecords(join(dataDir, "records.sqlite"), { clock: systemClock() });
  for (const organization of [1, 2]) {
    await ledgerOf(target.records ?? own, organization, systemClock()).post([command]);
  }
  own.close();
});
beforeEach(async () => {
  server.play(() => answerJson({ number: "own" }));
  service.play(() => answerJson({ number: "service" }));
});
afterAll(async () => {
  await target.close();
  await Promise.all([server.close(), service.close(), ocr.close()]);
  rmSync(dataDir, { recursive: true, force: true });
});

const settingsOf = (name: string, model: string) => ({
  name,
  type: "CUSTOM",
  baseUrl: server.url,
  model,
  apiKey: KEYS.own,
});
const dataOf = async (guid: string) => (await target.api.get(`/job/result/${guid}/json`)).json;
const seenModels = (from: ModelServer): unknown[] => [...new Set(from.requests.map(({ body }) => body.model))].sort();
/** What the last run's hold and captures were. */
const entriesOf = async (guid: string): Promise<{ kind: string; amount: number }[]> =>
  (await target.api.get("/billing/usage")).json.entries.filter((one: { jobGuid?: string }) => one.jobGuid === guid);

describe("runs with own providers", () => {
  it("ask the bound provider for its tier alone, hold nothing and are not charged", async () => {
    const id = await create("llm", settingsOf("nano", "own-nano"));
    expect((await bind("llm", "NANO", id)).json).toEqual({ key: "NANO", providerId: id, providerName: "nano" });
    const command = { schema: SCHEMA, llm: "NANO" };
    const quoted = (await call("POST", "/quotes", { command, size: 40, mimeType: "text/plain" })).json;
    expect(quoted).toMatchObject({ tokens: 0, upperBound: 0 });
    const status = await processed({ llm: "NANO", trace: true });
    expect(status).toMatchObject({ status: "COMPLETED", engine: "own-nano", usage: { llmTokens: 120 } });
    expect(await dataOf(status.guid)).toEqual({ number: "own" });
    expect(await entriesOf(status.guid)).toEqual([]);
    const [seen] = server.requests.slice(-1) as [SeenRequest];
    expect(seen.path).toBe("/v1/chat/completions");
    expect(seen.headers.authorization).toBe(`Bearer ${KEYS.own}`);

    const other = await processed({ llm: "MINI" });
    expect(other).toMatchObject({ engine: "service-model" });
    expect((await entriesOf(other.guid)).map(({ kind }) => kind)).toEqual(["release", "capture", "hold"]);
    await bind("llm", "NANO", null);
    expect(await processed({ llm: "NANO" })).toMatchObject({ engine: "service-model" });
  });

  it("ask each tier's provider in steps, chunks, pipelines, batches and operations", async () => {
    const ids = await Promise.all(
      ["default", "mini", "high", "nano"].map((tier) => create("llm", settingsOf(tier, `own-${tier}`))),
    );
    await Promise.all(["DEFAULT", "MINI", "HIGH", "NANO"].map((key, at) => bind("llm", key, ids[at] ?? null)));
    server.requests.splice(0);
    service.requests.splice(0);
    server.play(({ user }) => answerJson({ number: "own", items: [], result: user.length }));
    expect(await processed({ extractionMode: "STEPS", llm: "HIGH" })).toMatchObject({ engine: "own-high" });
    expect(seenModels(server)).toEqual(["own-high"]);
    server.requests.splice(0);
    const mapReduce = { enabled: true, pagesPerChunk: 1 };
    const chunks = await target.api.processed(
      "One page.\fTwo pages.",
      { schema: SCHEMA, llm: "MINI", mapReduce },
      TEXT,
    );
    expect(chunks.jobMode).toBe("MAP_REDUCE");
    expect(seenModels(server)).toEqual(["own-mini"]);
    server.requests.splice(0);
    const pipeline = {
      nodes: [
        { id: "first", type: "extract", schema: SCHEMA, llm: { tier: "nano" } },
        { id: "second", type: "extract", schema: SCHEMA, dependsOn: ["first"] },
        {
          id: "task",
          type: "operation",
          operation: "generative-task",
          config: { prompt: "Say it" },
          dependsOn: ["second"],
          llm: { tier: "high" },
        },
        { id: "end", type: "final", dependsOn: ["task"], output: { data: "$nodes.second.result" } },
      ],
    };
    const piped = await target.api.processed(DOCUMENT, { extractionMode: "PIPELINE", pipeline }, TEXT);
    expect(piped, JSON.stringify(piped)).toMatchObject({ status: "COMPLETED" });
    expect(seenModels(server)).toEqual(["own-default", "own-high", "own-nano"]);
    expect(await entriesOf(piped.guid)).toEqual([]);
    server.requests.splice(0);
    const { guid: batch } = (await target.api.post("/document/batch", { json: {} })).json;
    for (let index = 0; index < 2; index += 1) {
      await target.api.post(`/document/batch/${batch}/upload`, { body: form(DOCUMENT, TEXT) });
    }
    await target.api.post(`/document/batch/${batch}/process`, { json: { schema: SCHEMA, llm: "HIGH" } });
    expect(await target.api.ended(batch)).toMatchObject({ status: "COMPLETED" });
    expect(seenModels(server)).toEqual(["own-high"]);
    expect(await entriesOf(batch)).toEqual([]);
    server.requests.splice(0);
    const parent = await processed({});
    const started = await target.api.post(`/operation/${parent.guid}/generative-task`, {
      json: { prompt: "Say it", model: "MINI" },
    });
    expect(started.status, started.text).toBeLessThan(300);
    const ended = await target.api.ended(started.json.jobGuid);
    expect(ended).toMatchObject({ status: "COMPLETED" });
    expect(seenModels(server)).toHaveLength(2);
    expect(service.requests).toEqual([]);
    await Promise.all(["DEFAULT", "MINI", "HIGH", "NANO"].map((key) => bind("llm", key, null)));
  });

  it("ask a deployment of Azure by its path, its version and its header", async () => {
    const azure = {
      name: "azure",
      modelType: "AZURE",
      apiUrl: server.url.replace(/\/v1$/, ""),
      deploymentName: "our gpt",
      kwargs: { "api-version": "2025-01-01", top_p: 0.5 },
      apiKey: KEYS.azure,
    };
    await bind("llm", "DEFAULT", await create("llm", azure));
    expect(await processed({})).toMatchObject({ status: "COMPLETED", engine: "our gpt" });
    const [seen] = server.requests.slice(-1) as [SeenRequest];
    expect(seen.path).toBe("/openai/deployments/our%20gpt/chat/completions?api-version=2025-01-01");
    expect(seen.headers["api-key"]).toBe(KEYS.azure);
    expect(seen.headers.authorization).toBeUndefined();
    expect(seen.body.top_p).toBe(0.5);
  });

  it("fail with one sentence, whatever the provider says back, and nothing in it is kept", async () => {
    const echo = `Bad key ${KEYS.azure} ${encodeURIComponent(KEYS.azure)} ${Buffer.from(KEYS.azure).toString("base64")}`;
    server.play(() => fail(401, { error: { message: echo } }));
    const status = await processed({ trace: true });
    expect(status.status).toBe("FAILED");
    expect(status.error).toMatch(/^Processing failed: AI service refused the key of LLM provider \d+$/);
    // A provider that answers well may say it, too.
    server.play(() => answerJson({ number: echo }));
    const told = await processed({ trace: true });
    expect(told.status).toBe("COMPLETED");
    expect(JSON.stringify(await dataOf(told.guid))).toContain("[removed]");
    for (const { guid } of [status, told]) {
      answers.push((await target.api.get(`/job/trace/${guid}`)).text, JSON.stringify(await dataOf(guid)));
    }
  });

  it("that wait for a slow provider leave other organizations their places", async () => {
    await bind("llm", "HIGH", await create("llm", settingsOf("slow", "own-slow")));
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    server.play(async () => {
      await released;
      return answerJson({ number: "own" });
    });
    server.requests.splice(0);
    const guids = await Promise.all(Array.from({ length: 20 }, () => target.api.upload(DOCUMENT, TEXT)));
    const command = { schema: SCHEMA, llm: "HIGH" };
    for (const guid of guids) await target.api.post(`/document/process/${guid}`, { json: command });
    await expect.poll(() => server.requests.length, { timeout: 20_000 }).toBeGreaterThan(8);
    // The other organization's runs end while all of these wait.
    const theirs = await target.other.processed(DOCUMENT, command, TEXT);
    expect(theirs).toMatchObject({ status: "COMPLETED", engine: "service-model" });
    const waiting = await target.api.get(`/job/status/${guids[0]}`);
    expect(waiting.json.status).toBe("PROCESSING");
    release();
    for (const guid of guids) expect(await target.api.ended(guid)).toMatchObject({ engine: "own-slow" });
    await bind("llm", "HIGH", null);
  }, 60_000);

  it("fail with one sentence when their provider is deleted meanwhile, and no other reads the document", async () => {
    const id = await create("llm", settingsOf("gone", "own-gone"));
    await bind("llm", "HIGH", id);
    server.play(async () => {
      await call("DELETE", `/llm/providers/${id}`);
      return answerJson({ number: "own" });
    });
    service.requests.splice(0);
    const node = { type: "extract", schema: SCHEMA, llm: { tier: "high" } };
    const nodes = [
      { ...node, id: "first" },
      { ...node, id: "second", dependsOn: ["first"] },
      { id: "end", type: "final", dependsOn: ["second"], output: 1 },
    ];
    const status = await processed({ extractionMode: "PIPELINE", pipeline: { nodes } });
    expect(status).toMatchObject({
      status: "FAILED",
      error: `Processing failed: LLM provider ${id} was deleted after the run had begun; process the document again`,
    });
    expect(service.requests).toEqual([]);
    expect((await call("GET", `/llm/providers/${id}`)).status).toBe(404);
    const { json: all } = await call("GET", "/llm/providers?deleted=true");
    expect(all).toContainEqual(expect.objectContaining({ id, status: "DELETED", hasApiKey: false }));
    expect(await processed({ llm: "HIGH" })).toMatchObject({ engine: "service-model" });
  });
});

describe("text recognition by an own provider", () => {
  it("reads a picture's words with their places, exempt from charges", async () => {
    const pixels = new Uint8Array(850 * 1100).fill(255);
    const picture = await pngOf({ width: 850, height: 1100, pixels }, 100);
    const id = await create("ocr", { name: "example", endpoint: ocr.url, apiKey: KEYS.ocr });
    expect((await call("POST", `/ocr/providers/${id}/test`)).json).toEqual({
      ok: true,
      message: `OCR provider ${id} answered`,
    });
    await bind("ocr", "DEFAULT", id);
    server.play(() => answerJson({ number: "SH-2026-0117" }));
    const status = await target.api.processed(
      picture,
      { schema: SCHEMA, sourceLocations: true },
      { name: "scan.png", type: "image/png" },
    );
    expect(status).toMatchObject({ status: "COMPLETED", error: null, usage: { ocrPages: 1 } });
    const { locations } = (await target.api.get(`/job/result/${status.guid}/source-locations`)).json;
    const [anchor] = locations["/number"].pageAnchors;
    expect(anchor.pageNumber).toBe(1);
    expect((await target.api.get(`/job/result/${status.guid}/ocr-quality`)).json.provider).toContain(`provider:${id}`);
    expect((await entriesOf(status.guid)).filter(({ kind }) => kind === "capture")).toEqual([]);
  });

  it("fails with one sentence where the provider's answer cannot be used", async () => {
    const pixels = new Uint8Array(100 * 100).fill(255);
    const picture = await pngOf({ width: 100, height: 100, pixels }, 100);
    server.play(() => ({
      kind: "whole",
      status: 200,
      body: { width: 10, height: 10, lines: [{ words: [{ text: KEYS.ocr, box: [0, 0, 99, 5], confidence: 1 }] }] },
    }));
    const id = await create("ocr", { name: "hostile", endpoint: `${server.url}/hostile`, apiKey: KEYS.ocr });
    await bind("ocr", "DEFAULT", id);
    const status = await target.api.processed(picture, { schema: SCHEMA }, { name: "scan.png", type: "image/png" });
    expect(status).toMatchObject({
      status: "FAILED",
      error: `Processing failed: OCR provider ${id} gave an answer that cannot be used: /lines/0/words/0/box is not [left, top, right, bottom] inside the picture`,
    });
    await bind("ocr", "DEFAULT", null);
  });
});

describe("after all of it", () => {
  it("no file, log line or answer holds a secret in clear", async () => {
    const forms = Object.values(KEYS).flatMap((key) => [
      key,
      encodeURIComponent(key),
      Buffer.from(key).toString("base64").slice(0, -4),
      Buffer.from(key).toString("hex"),
    ]);
    const files = readdirSync(dataDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString("latin1"));
    expect(files.length).toBeGreaterThan(5);
    const places = { files: files.join("\n"), log: target.log(), answers: answers.join("\n") };
    for (const [place, text] of Object.entries(places)) {
      expect(text.length, place).toBeGreaterThan(1_000);
      expect(
        forms.filter((form) => text.includes(form)),
        place,
      ).toEqual([]);
    }
  });
});
