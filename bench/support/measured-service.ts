/** A service of a project folder as a process of its own, started like `npm start`, with its times and its use. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { DEMO_SCHEMA, DEMO_TRUTH } from "../../bin/demo/invoice.ts";
import { type TreeUse, treeUseOf } from "./process-tree.ts";

const KEY = "bench-of-a-service-key";
const POLL_MS = 5;
const MEMORY_SAMPLE_MS = 100;

export interface MeasuredService {
  /** Milliseconds from the start of the process to its banner, and to the first 200 of GET /health. */
  bannerMs: number;
  healthyMs: number;
  /** Processor time of the process and its children until then, in milliseconds. */
  startCpuMs: number;
  use(): TreeUse;
  /** Sends the demo's invoice and waits for its data. @returns milliseconds @throws Error for other data */
  readInvoice(invoice: Uint8Array): Promise<number>;
  close(): Promise<void>;
}

async function untilHealthy(url: string): Promise<void> {
  while (!(await fetch(`${url}/health`).catch(() => undefined))?.ok) await sleep(POLL_MS);
}

async function readInvoice(url: string, invoice: Uint8Array): Promise<number> {
  const body = new FormData();
  body.append("document", new Blob([Buffer.from(invoice)]), "invoice.pdf");
  body.append("schema", JSON.stringify(DEMO_SCHEMA));
  const begun = performance.now();
  const answer = await fetch(`${url}/document/upload-files/sync`, {
    method: "POST",
    headers: { authorization: `Bearer ${KEY}` },
    body,
  });
  const data = (await answer.json()) as Partial<typeof DEMO_TRUTH>;
  const took = performance.now() - begun;
  if (!answer.ok || data.gross_total !== DEMO_TRUTH.gross_total) {
    throw new Error(`The invoice was answered with ${answer.status}: ${JSON.stringify(data)}`);
  }
  return took;
}

async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await exit;
}

/** @param project folder of the service's sources @throws Error when the service ends before it is ready */
export async function startMeasured(project: string): Promise<MeasuredService> {
  const dataDir = mkdtempSync(join(tmpdir(), "sheaf-bench-"));
  const env = {
    ...process.env,
    PORT: "0",
    SHEAF_DATA_DIR: dataDir,
    SHEAF_API_KEYS: `1:${KEY}:read+write`,
    SHEAF_LOG: "error",
  };
  const begun = performance.now();
  const args = ["--require", "./bin/node-version.cjs", "bin/local.ts"];
  const child = spawn(process.execPath, args, { cwd: project, env, stdio: ["ignore", "pipe", "ignore"] });
  const pid = child.pid ?? 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (url === undefined) continue;
    const bannerMs = performance.now() - begun;
    child.stdout.resume();
    await untilHealthy(url);
    return {
      bannerMs,
      healthyMs: performance.now() - begun,
      startCpuMs: treeUseOf(pid).cpuSeconds * 1000,
      use: () => treeUseOf(pid),
      readInvoice: (invoice) => readInvoice(url, invoice),
      async close() {
        await end(child);
        rmSync(dataDir, { recursive: true, force: true });
      },
    };
  }
  throw new Error("The service ended before it was ready");
}

/** Does work, and samples the memory of a service's processes meanwhile. @returns the most, in bytes */
export async function mostMemory(service: MeasuredService, work: () => Promise<void>): Promise<number> {
  let most = 0;
  const sample = (): void => {
    most = Math.max(most, service.use().residentBytes);
  };
  const timer = setInterval(sample, MEMORY_SAMPLE_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  sample();
  return most;
}
