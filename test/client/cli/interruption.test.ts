/** Ctrl-C at any moment of a command: the GUID and the next command are printed, nothing unstarted is left. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { Interrupted } from "../../../client/cli/io.ts";
import { cut } from "../fake-service.ts";
import { commandLine, files } from "./command-line.support.ts";
import type { Outcome } from "./memory-io.ts";

const { service, run, onlyJob } = commandLine();

/** Runs a command and sends Ctrl-C while the service works on a request, which it then answers. */
async function interruptDuring(method: string, path: RegExp, argv: string[], more = {}): Promise<Outcome> {
  const stop = new AbortController();
  service.failNext(method, path, async () => {
    stop.abort(new Interrupted(2));
    await new Promise((resolve) => setTimeout(resolve, 50));
    return false;
  });
  return run(argv, { signal: stop.signal, files: { ...files, ...more } });
}

const large = { "/in/big.pdf": new Uint8Array(5_000_000).fill(65) };

describe("Ctrl-C while a run is started", () => {
  test.each([
    [/upload-files/, ["process", "/in/letter.txt"]],
    [/document\/process/, ["process", "/in/big.pdf"]],
    [/document\/upload$/, ["ocr-only", "/in/letter.txt"]],
    [/document\/ocr/, ["ocr-only", "/in/letter.txt"]],
  ])("during %s still prints the GUID and the next command: %j", async (path, argv) => {
    service.ending.workMs = 60_000;
    const { exitCode, stdout, stderr } = await interruptDuring("POST", path, argv, large);
    expect([exitCode, stdout, onlyJob()?.status]).toEqual([130, "", "PROCESSING"]);
    expect(stderr).toContain(`go on waiting with: sheaf wait ${onlyJob()?.guid}\n`);
  });

  test("with --no-wait prints the GUID to standard output and exits with 130", async () => {
    const { exitCode, stdout } = await interruptDuring("POST", /upload/, ["process", "/in/letter.txt", "--no-wait"]);
    expect([exitCode, JSON.parse(stdout).guid]).toEqual([130, onlyJob()?.guid]);
  });

  test.each([
    [["operation", "error-analysis"], /^\/operation$/],
    [["generate", "a letter"], /generative-task/],
  ])("of an operation prints its GUID: %j", async ([name = "", argument = ""], path) => {
    const { guid } = service.addJob();
    const stop = new AbortController();
    service.failNext("POST", path, (_request, response) => {
      stop.abort(new Interrupted(2));
      setTimeout(() => response.end(JSON.stringify({ jobGuid: guid })), 50);
      return true;
    });
    const { exitCode, stderr } = await run([name, randomUUID(), argument], { signal: stop.signal });
    expect([exitCode, stderr]).toEqual([130, expect.stringContaining(`sheaf wait ${guid}\n`)]);
  });
});

test("Ctrl-C while a result is fetched prints the next command with its options", async () => {
  const argv = ["process", "/in/letter.txt", "--source-locations"];
  const { exitCode, stdout, stderr } = await interruptDuring("GET", /result/, argv);
  expect([exitCode, stdout]).toEqual([130, ""]);
  expect(stderr).toContain(`has ended; print its result with: sheaf wait ${onlyJob()?.guid} --source-locations\n`);
});

test("A service that goes away between upload and start leaves the GUID with the reader", async () => {
  service.failNext("POST", /document\/ocr/, cut, cut, cut, cut);
  const { exitCode, stderr } = await run(["ocr-only", "/in/letter.txt", "--reconnect", "0"]);
  expect([exitCode, stderr]).toEqual([4, expect.stringContaining(`Job ${onlyJob()?.guid} was stored`)]);
});

test("Ctrl-C during eval names the jobs that go on", async () => {
  service.ending.workMs = 60_000;
  const set = { "/set/one.txt": "Total: 1", "/set/one.expected.json": "{}", "/set/schema.json": "{}" };
  const { exitCode, stdout, stderr } = await interruptDuring("POST", /upload-files/, ["eval", "/set"], set);
  expect([exitCode, stdout]).toEqual([130, ""]);
  expect(stderr).toContain("0 of 1 documents were evaluated; there is no report\n");
  expect(stderr).toContain(`  one goes on: sheaf wait ${onlyJob()?.guid}\n`);
});

test("eval sends nothing while a document of the set is too large", async () => {
  const set = { "/set/one.txt": new Uint8Array(10_000_001), "/set/one.expected.json": "{}", "/set/schema.json": "{}" };
  expect(await run(["eval", "/set"], { files: set })).toMatchObject({
    exitCode: 2,
    stderr: "error: /set/one.txt is over 10 MB; the service reads documents of up to 10 MB\n",
  });
  expect(service.requests).toEqual([]);
});
