/** `sheaf operations`, `sheaf process-map-reduce` and `sheaf doctor` against a running service. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sheaf } from "../client/cli/memory-io.ts";
import { flatForm } from "../support/flat-form.ts";
import { sharedTestService, type TestService } from "../support/service.ts";

let target: TestService;
let letter: string;
beforeAll(async () => {
  target = await sharedTestService();
  const document = "Invoice number: A-1\nTotal: 5.00 EUR\n";
  letter = (await target.api.processed(document, { schema: { total: "number" } })).guid;
});
afterAll(() => target.close());

const run = (argv: string[], files: Record<string, string | Uint8Array> = {}) =>
  sheaf(argv, { files, env: { SHEAF_API_URL: target.url, SHEAF_TOKEN: target.keys.one } });
const operations = (...argv: string[]) => run(["operations", ...argv]);

describe("sheaf operations", () => {
  it("starts an operation of any type, lists it, and prints its result by job and by type", async () => {
    const { exitCode, stdout } = await operations("submit", letter, "error-analysis", "-p", "confidence_threshold=0.9");
    const { jobGuid } = JSON.parse(stdout);
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { operationType: "error-analysis", status: "PENDING" }]);
    expect((await run(["wait", jobGuid])).exitCode).toBe(0);
    const list = JSON.parse((await operations("status", letter)).stdout);
    expect(list).toMatchObject({ parentJobGuid: letter, operations: [{ jobGuid, status: "COMPLETED" }] });
    const byJob = await operations("result", jobGuid);
    expect(JSON.parse(byJob.stdout)).toHaveProperty("analysis.overall_confidence");
    expect((await operations("result", letter, "error-analysis")).stdout).toBe(byJob.stdout);
    expect((await operations("result", letter, "ocr-correct")).exitCode).toBe(6);
  });

  it("has a command for each kind, which waits for the result", async () => {
    const analysis = await operations("error-analysis", letter, "--focus-area", "total", "--detailed-suggestions");
    expect([analysis.exitCode, JSON.parse(analysis.stdout)]).toMatchObject([0, { analysis: {} }]);
    const started = await operations("ocr-correct", letter, "--source-map", "none", "--no-wait");
    const { jobGuid } = JSON.parse(started.stdout);
    expect((await target.api.get(`/job/params/${jobGuid}`)).json).toMatchObject({
      parameters: { customParameters: { sourceMap: "none" } },
    });
    const task = await operations("generative-task", letter, "Summarize it", "--no-wait");
    expect(JSON.parse(task.stdout)).toMatchObject({ operationType: "generative-task" });
    expect(await operations("generative-task", letter)).toMatchObject({ exitCode: 2 });
    const pictures = await operations("image-select", letter, "logo", "--top-k", "2", "--match-mode", "all");
    expect([pictures.exitCode, pictures.stderr]).toEqual([1, expect.stringContaining("igure")]);
  });

  it("makes a form, and writes reviewed definitions as one", async () => {
    const pdf = await flatForm();
    const { guid } = await target.api.processed(pdf, { extractionMode: "OCR" });
    const form = ["operations", "pdf-acroform", guid, "--output", "form.pdf"];
    const made = await run([...form, "--definitions", "fields.json"]);
    expect([made.exitCode, made.stderr]).toEqual([0, expect.stringContaining("form: form.pdf")]);
    const definitions = String(made.written["fields.json"]);
    const applied = await run([...form, "--apply", "fields.json"], { "fields.json": definitions });
    expect([
      applied.exitCode,
      Buffer.from(applied.written["form.pdf"] ?? "")
        .subarray(0, 5)
        .toString(),
    ]).toEqual([0, "%PDF-"]);
    const both = await run([...form, "--apply", "fields.json", "--pages", "1"], { "fields.json": definitions });
    expect([both.exitCode, both.stderr]).toEqual([2, expect.stringContaining("--pages cannot go with --apply")]);
  });
});

describe("sheaf process-map-reduce", () => {
  it("prints the rows of all chunks", async () => {
    const table = "SKU Name\nA-1 Bolt\nB-2 Nut\n";
    const schema = '{"sku":"string","name":"string"}';
    const { exitCode, stdout } = await run(["process-map-reduce", "/in/list.txt", "--schema", schema], {
      "/in/list.txt": table,
    });
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining("A-1")]);
  });

  it("prints the service's refusal of settings that contradict each other", async () => {
    const argv = ["process-map-reduce", "/in/list.txt", "--extraction-mode", "OCR"];
    const { exitCode, stderr } = await run(argv, { "/in/list.txt": "a" });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("/mapReduce/enabled")]);
  });
});

describe("sheaf doctor", () => {
  it("finds a service in order, with the key's scopes", async () => {
    const { exitCode, stdout } = await run(["doctor"]);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining("scopes read, write, billing, admin")]);
    const reader = { SHEAF_API_URL: target.url, SHEAF_TOKEN: target.keys.reader };
    const limited = await sheaf(["doctor"], { env: reader });
    expect([limited.exitCode, limited.stdout]).toEqual([0, expect.stringContaining("lacks the scope admin")]);
  });
});
