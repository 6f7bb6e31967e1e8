/** `npm start` as a process: what it prints, what it refuses, how it stops. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const OLD_NODE = "/usr/bin/node";
const hasOldNode = (): boolean =>
  existsSync(OLD_NODE) && Number(/^v(\d+)/.exec(String(execFileSync(OLD_NODE, ["--version"])))?.[1]) < 24;
const dataDir = mkdtempSync(join(tmpdir(), "sheaf-start-"));
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

interface Started {
  child: ChildProcess;
  out(): string;
  err(): string;
}

/** The command of package.json's `start`, with another Node perhaps. */
function start(env: Record<string, string>, node = process.execPath): Started {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const args = scripts.start.split(" ").slice(1);
  const child = spawn(node, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? "", SHEAF_DATA_DIR: dataDir, PORT: "0", ...env },
  });
  children.push(child);
  const streams = { out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    streams.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    streams.err += chunk;
  });
  return { child, out: () => streams.out, err: () => streams.err };
}

async function ready(started: Started): Promise<string> {
  while (!started.out().includes("Ctrl-C"))
    await Promise.race([once(started.child.stdout ?? started.child, "data"), died(started)]);
  return /http:\/\/127\.0\.0\.1:\d+/.exec(started.out())?.[0] ?? "";
}

const died = async (started: Started): Promise<never> => {
  await once(started.child, "close");
  throw new Error(`It ended before it was ready: ${started.err()}`);
};

const ended = async ({ child }: Started): Promise<number | null> => (await once(child, "close"))[0];

describe("npm start", () => {
  it("prints its address, key, data folder and engines; Ctrl-C stops it; the next start continues", async () => {
    const first = start({});
    const url = await ready(first);
    for (const line of [
      /key +sheaf-local/,
      /data +/,
      /OCR +on +tesseract\.js and PP-OCRv4, eng/,
      /model +off/,
      /payments +off/,
      /curl -H "Authorization: Bearer sheaf-local"/,
    ]) {
      expect(first.out()).toMatch(line);
    }
    expect((await fetch(`${url}/health`)).status).toBe(200);
    const body = new FormData();
    body.append("document", new Blob(["Some text."]), "a.txt");
    const headers = { authorization: "Bearer sheaf-local" };
    const { guid } = (await (await fetch(`${url}/document/upload`, { method: "POST", body, headers })).json()) as {
      guid: string;
    };
    first.child.kill("SIGINT");
    expect(await ended(first)).toBe(0);
    expect(first.err()).toContain("Stopping");
    expect(statSync(join(dataDir, "server.key")).mode & 0o777).toBe(0o600);

    const second = start({});
    const again = await ready(second);
    // A warm start; the goal of 2 s is for a machine that does nothing else meanwhile.
    expect(Number(/\((\d+\.\d) s\)/.exec(second.out())?.[1])).toBeLessThan(12);
    expect((await fetch(`${again}/job/status/${guid}`, { headers })).status).toBe(200);
    const third = start({});
    expect(await ended(third)).toBe(1);
    expect(third.err()).toMatch(/^Another Sheaf service is using .*\n$/);
    second.child.kill("SIGTERM");
    expect(await ended(second)).toBe(0);
  });

  it.each([
    [{ HOST: "0.0.0.0" }, /^HOST=0\.0\.0\.0 can be reached by others/],
    [{ PORT: "x" }, /^PORT must be/],
    [{ SHEAF_DATA_DIR: "/dev/null/x" }, /^The data folder/],
  ])("refuses %j with one sentence", async (env, sentence) => {
    const refused = start(env);
    expect(await ended(refused)).toBe(1);
    expect(refused.err()).toMatch(sentence);
    expect(refused.err().trim().split("\n")).toHaveLength(1);
  });

  it.skipIf(!hasOldNode())("refuses an old Node with one sentence", async () => {
    const refused = start({}, OLD_NODE);
    const code = await ended(refused);
    expect(code).toBe(1);
    expect(refused.err()).toMatch(/^Sheaf needs Node 24, and this is Node [\d.]+: .*\n$/);
  });
});
