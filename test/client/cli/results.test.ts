/** Results on a terminal and elsewhere, and the options that all commands have. */
import { describe, expect, it } from "vitest";
import { paintFor } from "../../../client/cli/colors.ts";
import { drawResult } from "../../../client/cli/result-table.ts";
import { drawTable } from "../../../client/cli/table.ts";
import { refuse } from "../fake-service.ts";
import { commandLine } from "./command-line.support.ts";

const { service, run, onlyJob } = commandLine();
const COLUMNS = { columns: 100 };
const plain = { paint: paintFor({ isTTY: false }, {}) };
const anchor = {
  pageNumber: 2,
  unit: "inch" as const,
  bbox: { left: 1, top: 2.5, right: 3, bottom: 2.75 },
  polygons: [],
};
const SOURCES = {
  version: 1 as const,
  granularity: "auto" as const,
  pages: [],
  locations: { "/total": { resolution: "word" as const, sourceRefs: [], pageAnchors: [anchor], confidence: 0.97 } },
  unresolved: [{ pointer: "/ids/0", reason: "not-on-page" }],
};

describe("a result on a terminal", () => {
  it("is a table with page, place and confidence, asked for without an option", async () => {
    service.ending.sourceLocations = SOURCES;
    const { exitCode, stdout } = await run(["process", "/in/letter.txt"], { ...COLUMNS, env: { NO_COLOR: "1" } });
    expect([exitCode, onlyJob()?.command]).toEqual([0, { sourceLocations: true }]);
    expect(stdout.split("\n")).toEqual([
      "FIELD   VALUE                 PAGE  PLACE                        CONFIDENCE",
      "/total  12.50                 2     1.00,2.50 to 3.00,2.75 inch  0.97",
      "/ids/0  12345678901234567890        not-on-page",
      "",
    ]);
  });

  it("is JSON with --json, in a file, and where no terminal is", async () => {
    const json = expect.stringContaining('{\n  "total": 12.50,');
    expect((await run(["process", "/in/letter.txt", "--json"], COLUMNS)).stdout).toEqual(json);
    const { stdout, written } = await run(["process", "/in/letter.txt", "-o", "out.json"], COLUMNS);
    expect([stdout, String(written["out.json"])]).toEqual(["", json]);
    expect((await run(["process", "/in/letter.txt"])).stdout).toEqual(json);
    expect(onlyJob()?.command).not.toMatchObject({ sourceLocations: false });
  });

  it("is shown without places where they were not asked for", async () => {
    const { guid } = service.addJob("COMPLETED");
    const { stdout } = await run(["result", guid], { ...COLUMNS, env: { NO_COLOR: "1" } });
    expect(stdout).toBe("FIELD   VALUE\n/total  12.50\n/ids/0  12345678901234567890\n");
  });

  it("has colours on a terminal only, and none with NO_COLOR", async () => {
    const { guid } = service.addJob("COMPLETED");
    expect((await run(["result", guid], COLUMNS)).stdout).toContain("\u001b[1mFIELD\u001b[22m");
    expect((await run(["result", guid], { ...COLUMNS, env: { NO_COLOR: "1" } })).stdout).not.toContain("\u001b");
    expect((await run(["result", guid], { ...COLUMNS, env: { TERM: "dumb" } })).stdout).not.toContain("\u001b");
  });

  it("comes with titles and errors in colour on a terminal only", async () => {
    const titles = async (world: object) => (await run(["process", "--help"], world)).stdout.split("\n")[0];
    expect(await titles(COLUMNS)).toContain("\u001b[1mUsage:\u001b[22m sheaf process");
    expect(await titles({})).toMatch(/^Usage: sheaf process/);
    const fault = async (world: object) => (await run(["process", "/in/none.pdf"], world)).stderr;
    expect(await fault({ isTTY: true })).toContain("\u001b[31merror:\u001b[39m /in/none");
    expect(await fault({ isTTY: true, env: { NO_COLOR: "1" } })).toMatch(/^error: \/in\/none/);
  });

  it("does not steer the terminal with a document's text", async () => {
    const { guid } = service.addJob("COMPLETED");
    service.ending.result = { type: "text/plain", body: "a\u001b]0;title\u0007b\r\nc\td" };
    expect((await run(["result", guid], COLUMNS)).stdout).toBe("a\ufffd]0;title\ufffdb\nc\td\n");
    expect((await run(["result", guid])).stdout).toBe("a\u001b]0;title\u0007b\r\nc\td\n");
    expect(drawResult('{"a":"\\u001b[2Jx"}', undefined, plain)).toBe("FIELD  VALUE\n/a     \ufffd[2Jx\n");
  });
});

describe("tables", () => {
  it("keep to the width of the terminal, and cut the widest columns", () => {
    const rows = [
      ["short", "x".repeat(200)],
      ["y".repeat(50), "two\nlines"],
    ].map((row) => row.map((text) => ({ text })));
    const drawn = drawTable(["A", "B"], rows, { ...plain, columns: 60 });
    expect(drawn.split("\n").every((line) => line.length <= 60)).toBe(true);
    expect(drawn).toContain("two lines");
    expect(drawn).toContain("…");
  });

  it("have as many rows as a result has values", () => {
    const many = JSON.stringify(Array.from({ length: 130_000 }, (_, at) => at));
    const lines = drawResult(many, undefined, plain).split("\n");
    expect([lines.length, lines.at(-2)]).toEqual([130_002, "/129999  129999"]);
  });

  it("count full-width characters as two columns", () => {
    const rows = [
      ["請求書", "1"],
      ["a", "2"],
    ].map((row) => row.map((text) => ({ text })));
    expect(drawTable(["A", "B"], rows, plain)).toBe("A       B\n請求書  1\na       2\n");
  });

  it("name members with slashes as JSON Pointers, and empty lists", () => {
    expect(drawResult('{"a/b":[],"c":{"d":null}}', undefined, plain)).toBe("FIELD  VALUE\n/a~1b  []\n/c/d   null\n");
  });
});

describe("--output", () => {
  it("takes what a command prints, and leaves an older file as it is when the command fails", async () => {
    const { guid } = service.addJob("COMPLETED");
    const told = await run(["status", guid, "--output", "status.json"]);
    expect([told.exitCode, told.stdout]).toEqual([0, ""]);
    expect(JSON.parse(String(told.written["status.json"]))).toMatchObject({ guid });
    service.failNext("GET", /status/, refuse(404, "NotFound", "There is no such job"));
    expect(await run(["status", guid, "--output", "status.json"])).toMatchObject({ exitCode: 6, written: {} });
  });
});

describe("the exit code", () => {
  it.each([
    [402, 7, "Buy tokens at https://pay.test"],
    [404, 6, "error: Refused"],
    [403, 1, "error: Refused"],
  ])("of a refusal with %d is %d", async (status, code, sentence) => {
    const { guid } = service.addJob("COMPLETED");
    const body = { checkout_url: "https://pay.test" };
    service.failNext("GET", /status/, refuse(status, "Any", "Refused", { body }));
    const { exitCode, stderr } = await run(["status", guid]);
    expect([exitCode, stderr]).toEqual([code, expect.stringContaining(sentence)]);
  });
});
