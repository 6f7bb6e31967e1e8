import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Interrupted } from "../../../client/cli/io.ts";
import type { Report } from "../../../client/eval/report.ts";
import { cut, FakeService, PICTURE, refuse } from "../fake-service.ts";
import { type Outcome, sheaf, type World } from "./memory-io.ts";

const service = new FakeService();
const result = { total: 12.5, due: "2026-03-09", lines: [{ net: 10 }, { net: 2.5 }] };
const bbox = { left: 1, top: 2, right: 3, bottom: 2.2 };
const location = {
  resolution: "word",
  sourceRefs: [],
  pageAnchors: [{ pageNumber: 2, unit: "inch", bbox, polygons: [] }],
};

/** A set of three documents: one is right, one has a wrong value, one lacks a row. */
const set: Record<string, string> = {
  "/set/one.pdf": "%PDF one",
  "/set/one.expected.json": JSON.stringify(result),
  "/set/two.png": "png two",
  "/set/two.expected.json": JSON.stringify({ total: 13, due: "9.3.2026" }),
  "/set/two.schema.json": '{"type":"object"}',
  "/set/three.v2.pdf": "%PDF three",
  "/set/three.v2.expected.json": JSON.stringify({ lines: [{ net: 2.5 }, { net: 7 }, { net: 10 }] }),
  "/set/schema.json": '{"total":"number"}',
  "/set/set.json": JSON.stringify({
    name: "three",
    prompt: "the values",
    command: { ocr: "AUTO" },
    groups: { one: "de", two: "fr" },
    rules: { "/due": "date" },
  }),
  "/set/README.md": "about it",
};

beforeAll(() => service.start());
afterAll(() => service.stop());
beforeEach(() => {
  service.forget();
  Object.assign(service.ending, {
    workMs: 10,
    status: "COMPLETED",
    error: null,
    result: { type: "application/json", body: JSON.stringify(result) },
    sourceLocations: {
      version: 1,
      granularity: "auto",
      pages: [],
      locations: { "/total": { ...location, confidence: 0.97 } },
      unresolved: [],
    },
  });
});

const run = (args: string[] = [], files = set, world: World = {}): Promise<Outcome> =>
  sheaf(["eval", "/set", ...args], { files, ...world, env: { SHEAF_API_URL: service.url } });
const reportIn = ({ written }: Outcome, file = "/out/r.json"): Report => JSON.parse(String(written[file]));

describe("sheaf eval", () => {
  test("sends every document with its command and schema, and scores the results", async () => {
    const outcome = await run(["--json", "/out/r.json", "--concurrency", "2"]);
    expect(outcome.exitCode).toBe(0);
    const commands = Object.fromEntries(
      [...service.jobs.values()].map(({ document, command }) => [document.name, command]),
    );
    const shared = { ocr: "AUTO", prompt: "the values", sourceLocations: true };
    expect(commands).toEqual({
      "one.pdf": { ...shared, schema: { total: "number" } },
      "two.png": { ...shared, schema: { type: "object" } },
      "three.v2.pdf": { ...shared, schema: { total: "number" } },
    });
    const report = reportIn(outcome);
    expect(report).toMatchObject({ version: 1, set: "three", service: service.url, statuses: { COMPLETED: 3 } });
    const counts = report.documents.map(({ name, group, score }) => [
      name,
      group,
      score.right,
      score.returned,
      score.stated,
    ]);
    expect(counts).toEqual([
      ["one", "de", 4, 4, 4],
      ["three.v2", null, 2, 2, 3],
      ["two", "fr", 1, 2, 2],
    ]);
    expect(report.worst).toMatchObject([
      { document: "two", pointer: "/total", expected: 13, got: 12.5, confidence: 0.97, place: { pageNumber: 2, bbox } },
      { document: "three.v2", pointer: "/lines/1/net", verdict: "missing", place: null },
    ]);
    expect(outcome.stdout).toContain("# Evaluation of three");
    expect(outcome.stdout).toContain("| two");
    expect(outcome.stderr).toMatch(/3\/3 [\w.]+: COMPLETED, \d+\.\d s, \d of \d values right\n/);
    expect(service.jobs.size).toBe(3);
  });

  test("writes to the named files, and saves the pages of the worst values", async () => {
    const outcome = await run(["--json", "-", "--markdown", "/out/r.md", "--pictures", "/out/pictures", "--delete"]);
    expect(JSON.parse(outcome.stdout)).toMatchObject({
      worst: [{ picture: "/out/pictures/two-page-2.png" }, { picture: null }],
    });
    expect(Buffer.from(outcome.written["/out/pictures/two-page-2.png"] ?? "")).toEqual(PICTURE);
    expect(outcome.written["/out/r.md"]).toContain("(</out/pictures/two-page-2.png>)");
    const [seen] = service.seen("GET", /image/);
    expect([seen?.path.endsWith("/1"), seen?.query.get("locations"), seen?.query.get("pointers")]).toEqual([
      true,
      "true",
      "/total",
    ]);
    expect(service.jobs.size).toBe(0);
  });

  test("exits with code 1 and a message when a threshold is missed", async () => {
    const { exitCode, stderr, stdout } = await run([
      "--threshold",
      "precision=0.8",
      "--threshold",
      "/total:recall=0.6",
    ]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("recall of /total is 0.500; 0.6 is asked for\n");
    expect(stderr).not.toContain("precision of");
    expect(stdout).toContain("## Below the threshold");
    expect((await run(["--threshold", "recall=0.7"])).exitCode).toBe(0);
  });

  test("compares with an older report, and fails on request when a score is worse", async () => {
    const older = await run(["--json", "/out/r.json"]);
    const files = { ...set, "/old.json": String(older.written["/out/r.json"]) };
    const same = await run(["--compare", "/old.json", "--fail-if-worse"], files);
    expect([same.exitCode, same.stdout.includes("No field's recall or precision changed.")]).toEqual([0, true]);
    service.ending.result.body = "{}";
    const worse = await run(["--compare", "/old.json", "--fail-if-worse"], files);
    expect(worse.exitCode).toBe(1);
    expect(worse.stderr).toContain("recall of all fields went from 0.778 to 0.000\n");
    expect(worse.stdout).toContain("- one\n  - broken: `/total`, expected `12.5`, got `null`");
    expect((await run(["--compare", "/old.json"], files)).exitCode).toBe(0);
  });

  test("names failed, refused, partial and slow documents, and counts their values as missing", async () => {
    service.failNext("POST", /upload-files/, refuse(415, "UnsupportedMediaType", "Not a kind that is read"));
    service.ending.status = "FAILED";
    service.ending.error = "Processing failed: Text extraction failed";
    const outcome = await run(["--json", "/out/r.json", "--concurrency", "1"]);
    expect(outcome.exitCode).toBe(0);
    expect(reportIn(outcome)).toMatchObject({
      statuses: { REFUSED: 1, FAILED: 2 },
      total: { stated: 9, returned: 0, missing: 9 },
    });
    expect(outcome.stdout).toContain("- one: REFUSED, Not a kind that is read");
    expect(outcome.stdout).toContain("- two: FAILED, Processing failed: Text extraction failed");

    Object.assign(service.ending, { status: "PARTIAL", error: "2 of 3 rows were returned" });
    const partial = await run(["--json", "/out/r.json"]);
    expect(reportIn(partial)).toMatchObject({ statuses: { PARTIAL: 3 }, total: { right: 7 } });
    expect(partial.stdout).toContain("- one: PARTIAL, 2 of 3 rows were returned");
    service.ending.workMs = 60_000;
    const late = await run(["--json", "/out/r.json", "--timeout", "0.2"]);
    expect(reportIn(late)).toMatchObject({ statuses: { TIMEOUT: 3 }, total: { right: 0 } });
  });

  test("stops when no document can be evaluated: no key, no service, Ctrl-C", async () => {
    service.failNext("POST", /upload-files/, refuse(401, "Unauthorized", "The API key is unknown"));
    const refused = await run(["--concurrency", "1"]);
    expect([refused.exitCode, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toContain("The API key is unknown");
    service.failNext("POST", /upload-files/, cut, cut, cut, cut);
    expect((await run(["--concurrency", "1"])).exitCode).toBe(4);
    service.ending.workMs = 60_000;
    const ctrlC = new AbortController();
    setTimeout(() => ctrlC.abort(new Interrupted(2)), 100);
    expect((await run([], set, { signal: ctrlC.signal })).exitCode).toBe(130);
  });

  test.each<[string, Record<string, string | undefined>]>([
    ["but no document of that name", { "/set/one.pdf": undefined }],
    ["two documents of one name: ", { "/set/one.png": "x" }],
    ["/set/one.expected.json is not JSON", { "/set/one.expected.json": "{" }],
    ["must begin with /", { "/set/set.json": '{"rules":{"total":"exact"}}' }],
    ["has tolerance; a set has", { "/set/set.json": '{"tolerance":1}' }],
    ["names four, which is no document", { "/set/set.json": '{"groups":{"four":"x"}}' }],
    ["must name a group for each document", { "/set/set.json": '{"groups":{"one":1}}' }],
    ["command in /set/set.json must be an object", { "/set/set.json": '{"command":"ocr"}' }],
    ["prompt in /set/set.json must be a text", { "/set/set.json": '{"prompt":1}' }],
    ["/set/schema.json must hold a JSON object", { "/set/schema.json": "[]" }],
  ])("refuses a malformed set as wrong usage before it sends anything: %s", async (sentence, changes) => {
    const files = Object.fromEntries(
      Object.entries({ ...set, ...changes }).flatMap(([file, text]) => (text === undefined ? [] : [[file, text]])),
    );
    const { exitCode, stderr } = await run([], files);
    expect([exitCode, service.requests.length]).toEqual([2, 0]);
    expect(stderr).toMatch(/^error: /);
    expect(stderr).toContain(sentence);
  });

  test.each([
    [["--threshold", "recall"]],
    [["--fail-if-worse"]],
    [["--compare", "/set/schema.json"]],
    [["--concurrency", "0"]],
  ])("refuses wrong usage: %o", async (args) => {
    expect((await run(args)).exitCode).toBe(2);
    expect(service.requests).toEqual([]);
  });

  test("explains the layout of a set in its help", async () => {
    const { stdout } = await run(["--help"]);
    expect(stdout).toContain("NAME.expected.json");
    expect(stdout).toContain("--threshold");
    expect((await sheaf(["eval", "/nowhere"], { files: set })).exitCode).toBe(2);
    expect((await sheaf(["eval", "/set/one.pdf"], { files: set })).stderr).toContain("is no folder");
  });
});
