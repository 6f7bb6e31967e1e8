import { describe, expect, test } from "vitest";
import { Interrupted } from "../../../client/cli/io.ts";
import { refuse } from "../fake-service.ts";
import { commandLine, files } from "./command-line.support.ts";

const { service, run, onlyJob } = commandLine();

describe("sheaf process", () => {
  test("uploads, starts, waits and prints the data with all digits", async () => {
    const { exitCode, stdout, stderr } = await run(["process", "/in/Invoice.PDF", "--prompt", "the total"]);
    expect(exitCode).toBe(0);
    expect(stdout).toBe('{\n  "total": 12.50,\n  "ids": [\n    12345678901234567890\n  ]\n}\n');
    expect(onlyJob()?.document).toMatchObject({ name: "Invoice.PDF", type: "application/pdf" });
    expect(onlyJob()?.command).toEqual({ prompt: "the total" });
    expect(stderr).toContain(`job ${onlyJob()?.guid}: Invoice.PDF, 16 bytes, application/pdf\n`);
    expect(stderr).not.toContain("\r");
  });

  test("sends the values of all options", async () => {
    const schema = '{"type":"object","properties":{"2":{},"1":{}}}';
    const options = ["--schema", schema, "--mime-type", "text/csv", "--ocr", "auto", "--source-locations"];
    const { stdout } = await run(["process", "-", ...options, "--prompt-file", "/in/letter.txt"]);
    expect(onlyJob()?.command).toEqual({
      prompt: "Dear Ada",
      schema,
      mimeType: "text/csv",
      ocr: "AUTO",
      sourceLocations: true,
    });
    expect(onlyJob()?.document).toMatchObject({ name: "omitted", type: "text/csv", bytes: Buffer.from("from a pipe") });
    expect(Object.keys(JSON.parse(stdout))).toEqual(["result", "sourceLocations"]);
    expect(stdout).toContain("12345678901234567890");
  });

  test.each([
    ["process", ["--password-file", "/in/password.txt"], {}],
    ["process", [], { SHEAF_DOCUMENT_PASSWORD: " two words" }],
    ["ocr-only", ["--password-file", "/in/password.txt"], { SHEAF_DOCUMENT_PASSWORD: "another" }],
  ])("sends the password of a document: sheaf %s %j", async (command, options, env) => {
    const more = { ...files, "/in/password.txt": " two words\n" };
    await run([command, "/in/Invoice.PDF", ...options], { files: more, env });
    expect(onlyJob()?.command).toMatchObject({ password: " two words" });
  });

  test("uploads a document separately when it is too large for one request", async () => {
    const large = { "/in/big.pdf": new Uint8Array(5_000_000).fill(65) };
    const { exitCode, stdout } = await run(["process", "/in/big.pdf", "--prompt", "x"], { files: large });
    expect([exitCode, JSON.parse(stdout).total]).toEqual([0, 12.5]);
    expect(onlyJob()?.document).toMatchObject({ name: "big.pdf", type: "application/pdf" });
    expect(onlyJob()?.command).toEqual({ prompt: "x" });
    expect(service.seen("POST", /upload-files/)).toEqual([]);
    service.jobs.clear();
    expect((await run(["ocr-only", "/in/big.pdf"], { files: large })).exitCode).toBe(0);
    expect(onlyJob()?.document.bytes).toHaveLength(5_000_000);
  });

  test("deletes a large document when its run is refused", async () => {
    const large = { "/in/big.pdf": new Uint8Array(5_000_000).fill(65) };
    service.failNext("POST", /process/, refuse(422, "UnprocessableEntity", "The schema is none"));
    const { exitCode, stderr } = await run(["process", "/in/big.pdf"], { files: large });
    expect([exitCode, service.jobs.size]).toEqual([1, 0]);
    expect(stderr).toContain("The schema is none");
  });

  test("prints the job and the next command with --no-wait", async () => {
    service.ending.workMs = 60_000;
    const { exitCode, stdout, stderr } = await run(["process", "/in/letter.txt", "--no-wait"]);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ guid: onlyJob()?.guid, status: "PENDING" });
    expect(stderr).toContain(`sheaf wait ${onlyJob()?.guid}`);
    expect(service.seen("GET", /status/)).toHaveLength(0);
  });

  test("exits with code 1 for a failed job, with its sentence and no data", async () => {
    Object.assign(service.ending, { status: "FAILED", error: "Processing failed: Document is password protected" });
    const { exitCode, stdout, stderr } = await run(["process", "/in/Invoice.PDF"]);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("is FAILED: Processing failed: Document is password protected\n");
  });

  test("exits with code 5 for a partial job, with its data and a warning", async () => {
    Object.assign(service.ending, { status: "PARTIAL", error: "2 of 14 documents failed" });
    const { exitCode, stdout, stderr } = await run(["process", "/in/Invoice.PDF"]);
    expect(exitCode).toBe(5);
    expect(JSON.parse(stdout).total).toBe(12.5);
    expect(stderr).toMatch(/^warning: job .* is PARTIAL, its result is incomplete: 2 of 14 documents failed$/m);
  });

  test("exits with code 3 when the wait times out, and prints the next command", async () => {
    service.ending.workMs = 60_000;
    const argv = ["--api-url", service.url, "process", "/in/letter.txt", "--timeout", "0.3"];
    const { exitCode, stdout, stderr } = await run(argv);
    expect([exitCode, stdout]).toEqual([3, ""]);
    expect(stderr).toContain(`was still PROCESSING after 0.3 s\n`);
    expect(stderr).toContain(`sheaf --api-url ${service.url} wait ${onlyJob()?.guid}\n`);
  });

  test("exits with code 130 after Ctrl-C, and prints the next command", async () => {
    service.ending.workMs = 60_000;
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Interrupted(2)), 200);
    const { exitCode, stdout, stderr } = await run(["process", "/in/letter.txt"], { signal: stop.signal });
    expect([exitCode, stdout]).toEqual([130, ""]);
    expect(stderr).toContain(`sheaf wait ${onlyJob()?.guid}\n`);
    expect((await run(["process", "-"], { signal: AbortSignal.abort(new Interrupted(15)) })).exitCode).toBe(143);
  });

  test("exits with code 1 for a refusal, with the service's message", async () => {
    const errors = [{ path: "/schema", message: "must be a JSON Schema" }];
    service.failNext("POST", /upload-files/, refuse(422, "UnprocessableEntity", "Not a schema", { body: { errors } }));
    const { exitCode, stdout, stderr } = await run(["process", "/in/letter.txt"]);
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("error: Not a schema\n  /schema: must be a JSON Schema\nrequest id: req-7\n");
  });

  test("explains a pause that the service asked for", async () => {
    const headers = { "retry-after": "1" };
    service.failNext("POST", /upload/, refuse(503, "ServiceUnavailable", "Too many open runs", { headers }));
    const { exitCode, stderr } = await run(["process", "/in/letter.txt"]);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^Too many open runs; trying again in 1 s\n/);
  });

  test("says where to buy tokens for an empty balance, and when to try again for a busy service", async () => {
    const body = { code: "billing.insufficient_tokens", checkout_url: "https://pay.test/1" };
    service.failNext("POST", /upload-files/, refuse(402, "PaymentRequired", "No tokens left", { body }));
    expect((await run(["process", "/in/letter.txt"])).stderr).toContain("Buy tokens at https://pay.test/1\n");
    const headers = { "retry-after": "90" };
    service.failNext("POST", /upload/, refuse(503, "ServiceUnavailable", "Maintenance", { headers }));
    expect((await run(["process", "/in/letter.txt"])).stderr).toContain("error: Maintenance\nTry again in 90 s.\n");
  });
});

test("shows a spinner on a terminal and removes it, apart from the data", async () => {
  service.ending.workMs = 400;
  const { stdout, stderr } = await run(["process", "/in/letter.txt"], { isTTY: true });
  expect(stderr).toMatch(/\r[|/\\-] processing 0\/3 pages, 0 s/);
  expect(stderr).toMatch(/\r {20,}\r$/);
  expect(JSON.parse(stdout).total).toBe(12.5);
});
