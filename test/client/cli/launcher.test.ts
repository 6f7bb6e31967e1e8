/** The command line as a process: streams, exit codes, signals, and the start by an old Node. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FakeService } from "../fake-service.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const launcher = join(root, "bin/sheaf.mjs");
const folder = mkdtempSync(join(tmpdir(), "sheaf-cli-"));
const file = join(folder, "letter.txt");
const service = new FakeService();

beforeAll(async () => {
  writeFileSync(file, "Dear Ada");
  await service.start();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.stop();
});
beforeEach(() => {
  service.ending.workMs = 20;
  service.jobs.clear();
});

const environment = { PATH: process.env.PATH ?? "", SHEAF_API_URL: service.url };

interface Ended {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}

/** Starts a process and returns its end; `meanwhile` gets the running process. */
function start(command: string[], meanwhile?: (child: ChildProcess) => void, env = {}): Promise<Ended> {
  const [program = process.execPath, ...args] = command;
  const child = spawn(program, args, { cwd: folder, env: { ...environment, SHEAF_API_URL: service.url, ...env } });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  meanwhile?.(child);
  return new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr })));
}

const sheaf = (...args: string[]): string[] => [process.execPath, launcher, ...args];

/** Sends a signal as soon as the job is running. */
const signalAtWork =
  (signal: NodeJS.Signals) =>
  (child: ChildProcess): void => {
    let said = "";
    const listen = (chunk: Buffer): void => {
      said += chunk;
      if (!said.includes("processing")) return;
      child.stderr?.off("data", listen);
      child.kill(signal);
    };
    child.stderr?.on("data", listen);
  };

test("the launcher prints only data to standard output, and plain progress lines to standard error", async () => {
  service.ending.workMs = 300;
  const { code, stdout, stderr } = await start(sheaf("process", "letter.txt"));
  expect(code).toBe(0);
  expect(JSON.parse(stdout).total).toBe(12.5);
  expect(stderr).toMatch(/^job [0-9a-f-]{36}: letter\.txt, 8 bytes, text\/plain\nprocessing 0\/3 pages, \d+\.\d s\n/);
  expect(stderr).not.toMatch(/\r|Warning/);
});

test("the launcher reads the document from standard input for -", async () => {
  const feed = (child: ChildProcess): void => void child.stdin?.end("from a pipe");
  expect((await start(sheaf("process", "-", "--no-wait"), feed)).code).toBe(0);
  expect([...service.jobs.values()][0]?.document.bytes.toString()).toBe("from a pipe");
});

test("the launcher exits with code 2 for a directory and for a missing file", async () => {
  const [missing, directory] = await Promise.all([
    start(sheaf("process", "none.pdf")),
    start(sheaf("process", folder)),
  ]);
  expect(missing).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("there is no such file") });
  expect(directory).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("it is a directory") });
});

test("the launcher exits with code 4 when nobody listens", async () => {
  // A port that no test's server ever gets.
  const url = "http://127.0.0.1:2";
  const { code, stderr } = await start(sheaf("--api-url", url, "process", "letter.txt"));
  expect(code).toBe(4);
  expect(stderr).toMatch(
    new RegExp(`^(?:No answer .*\n)*Sheaf is not reachable at ${url}: connection refused\n.*\`npx sheaf serve\``),
  );
});

test("Ctrl-C ends the wait but not the job, and prints the next command", async () => {
  service.ending.workMs = 60_000;
  const { code, stdout, stderr } = await start(sheaf("process", "letter.txt"), signalAtWork("SIGINT"));
  expect([code, stdout]).toEqual([130, ""]);
  expect(stderr).toMatch(/sheaf wait [0-9a-f-]{36}\n$/);
});

test("Ctrl-C ends the reading of standard input", async () => {
  const { code } = await start(sheaf("process", "-"), (child) => {
    // Long enough for the process to start reading, also on a busy machine.
    setTimeout(() => child.kill("SIGINT"), 3_000);
  });
  expect(code).toBe(130);
});

test("the launcher tolerates a reader that closes its end of the pipe", async () => {
  service.ending.result = { type: "text/plain", body: "a line\n".repeat(200_000) };
  const { guid } = service.addJob("COMPLETED");
  const { code, stderr } = await start(sheaf("result", guid), (child) => {
    child.stdout?.once("data", () => child.stdout?.destroy());
  });
  service.ending.result = { type: "application/json", body: '{"total":12.50}' };
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

/** A Node older than 24 on this machine, if any. */
const old = ["/usr/bin/node", "/usr/local/bin/node"].find(
  (path) =>
    existsSync(path) && Number(spawnSync(path, ["-p", "process.versions.node"]).stdout.toString().split(".")[0]) < 24,
);
if (old === undefined) console.warn("SKIPPED: this machine has no Node older than 24 to start the command line with");

describe.skipIf(old === undefined)("the launcher, started by an old Node", () => {
  const oldSheaf = (...args: string[]): string[] => [old ?? "", launcher, ...args];

  test("runs the project's Node, and passes on streams and the exit code", async () => {
    const { code, stdout, stderr } = await start(oldSheaf("process", "letter.txt", "--timeout", "20"));
    expect([code, JSON.parse(stdout).total]).toEqual([0, 12.5]);
    expect(stderr).not.toContain("Warning");
    expect((await start(oldSheaf("process", "none.pdf"))).code).toBe(2);
  });

  test("prints one sentence when the project's Node is missing", async () => {
    const bin = join(folder, "bin");
    mkdirSync(bin);
    for (const name of ["sheaf.mjs", "node-version.cjs"]) copyFileSync(join(root, "bin", name), join(bin, name));
    const { code, stdout, stderr } = await start([old ?? "", join(bin, "sheaf.mjs"), "--help"]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^Sheaf needs Node 24, and this is Node .*\n$/);
  });

  test("passes signals on", async () => {
    service.ending.workMs = 60_000;
    const { code, stderr } = await start(oldSheaf("process", "letter.txt"), signalAtWork("SIGTERM"));
    expect(code).toBe(143);
    expect(stderr).toMatch(/sheaf wait [0-9a-f-]{36}\n$/);
  });

  test("node-version.cjs reports a wrong Node, and is silent on the right one", async () => {
    const check = join(root, "bin/node-version.cjs");
    const refused = await start([old ?? "", "--require", check, "-e", "console.log('never')"]);
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(
      /^Sheaf needs Node 24, and this is Node \d+\.\d+\.\d+: `npm ci` brings .*--ignore-scripts.*\n$/,
    );
    const fine = await start([process.execPath, "--require", check, "-e", "console.log('on')"]);
    expect(fine).toMatchObject({ code: 0, stdout: "on\n", stderr: "" });
  });
});
