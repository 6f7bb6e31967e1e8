/**
 * What a batch adds to its documents: 50, 200 and 1,000 invoices of one page at maxConcurrency 8, beside the CPU time of
 * the same document processed alone, spread over all cores. `npm run bench -- batch [--sizes 50,200]`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { DEMO_SCHEMA, DEMO_TRUTH, drawInvoice } from "../bin/demo/invoice.ts";
import { SheafClient } from "../client/index.ts";
import { machineCpuSeconds, type TreeUse, useOfTree } from "./support/process-tree.ts";

const CONCURRENCY = 8;
const ALONE = 40;
const UPLOADS_AT_ONCE = 4;
/** Small batches are repeated up to so many documents, so that all pay for processes that are replaced in between. */
const LEAST_DOCUMENTS = 400;
const MEGABYTE = 2 ** 20;
/** What the project promises: the batch's wall time, and how its time per document grows from the smallest to the largest. */
const MOST_WALL = 1.15;
const MOST_GROWTH = 1.1;

interface Service {
  client: SheafClient;
  use(): TreeUse;
  close(): Promise<void>;
}

/** The service as `npm start` starts it, in a process of its own over a folder of its own. */
async function startService(): Promise<Service> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "sheaf-bench-"));
  const script = path.join(import.meta.dirname, "../bin/local.ts");
  const env = { ...process.env, PORT: "0", SHEAF_DATA_DIR: dataDir, SHEAF_LOG: "error", SHEAF_API_KEYS: "" };
  const child = spawn(process.execPath, [script], { env, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const apiUrl = /http:\/\/\S+/.exec(line)?.[0];
  if (apiUrl === undefined || child.pid === undefined) throw new Error(`The service did not start: ${line}`);
  const { pid } = child;
  return {
    client: new SheafClient({ apiUrl, token: "sheaf-local" }),
    use: () => useOfTree(pid),
    async close() {
      child.kill("SIGTERM");
      await once(child, "exit");
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** CPU seconds of one document that is processed while nothing else is. */
async function alone({ client, use }: Service, invoice: Uint8Array): Promise<number> {
  const guids: string[] = [];
  for (let count = 0; count < ALONE; count += 1) guids.push((await client.upload(invoice)).guid);
  const before = use().cpuSeconds;
  for (const guid of guids) {
    await client.process(guid, { schema: DEMO_SCHEMA });
    await client.wait(guid);
  }
  return (use().cpuSeconds - before) / ALONE;
}

interface Measured {
  size: number;
  wallSeconds: number;
  /** The wall time less what other processes took of the cores meanwhile: what it would be on a machine of its own. */
  ownSeconds: number;
  cpuSeconds: number;
  /** The whole tree's, sampled while the batch ran. */
  peakBytes: number;
  load: number;
}

async function uploadAll(client: SheafClient, batch: string, invoice: Uint8Array, size: number): Promise<void> {
  let next = 0;
  const sender = async (): Promise<void> => {
    while (next < size) {
      next += 1;
      await client.uploadToBatch(batch, invoice, { fileName: "invoice.pdf", mimeType: "application/pdf" });
    }
  };
  await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, sender));
}

async function measure({ client, use }: Service, invoice: Uint8Array, size: number): Promise<Measured> {
  const { guid } = await client.createBatch({ maxConcurrency: CONCURRENCY });
  await uploadAll(client, guid, invoice, size);
  const [before, machineBefore] = [use().cpuSeconds, machineCpuSeconds()];
  let peakBytes = 0;
  const sampler = setInterval(() => {
    peakBytes = Math.max(peakBytes, use().residentBytes);
  }, 500);
  const started = Date.now();
  await client.processBatch(guid, { schema: DEMO_SCHEMA });
  const job = await client.wait(guid, { timeoutSeconds: 3600 });
  clearInterval(sampler);
  const cpuSeconds = use().cpuSeconds - before;
  const others = machineCpuSeconds() - machineBefore - cpuSeconds;
  const wallSeconds = (Date.parse(job.runs?.at(-1)?.completedAt ?? "") - started) / 1000;
  const ownSeconds = Math.max(wallSeconds - others / availableParallelism(), cpuSeconds / availableParallelism());
  const list = (await client.resultJson(guid)).json;
  const right = Array.isArray(list) && list.every((one) => JSON.stringify(one) === JSON.stringify(DEMO_TRUTH));
  if (job.status !== "COMPLETED" || !right)
    throw new Error(`The batch of ${size} is not what it should be: ${job.error}`);
  return { size, wallSeconds, ownSeconds, cpuSeconds, peakBytes, load: loadavg()[0] ?? 0 };
}

const option = (args: readonly string[], name: string, otherwise: string): string => {
  const at = args.indexOf(name);
  return at < 0 ? otherwise : (args[at + 1] ?? otherwise);
};

/** The mean of batches of one size; the most memory of all. */
function meanOf(measured: readonly Measured[]): Measured {
  const mean = (member: keyof Measured): number =>
    measured.reduce((sum, one) => sum + one[member], 0) / measured.length;
  return {
    size: mean("size"),
    wallSeconds: mean("wallSeconds"),
    ownSeconds: mean("ownSeconds"),
    cpuSeconds: mean("cpuSeconds"),
    peakBytes: Math.max(...measured.map(({ peakBytes }) => peakBytes)),
    load: mean("load"),
  };
}

export async function run(args: string[]): Promise<void> {
  const sizes = option(args, "--sizes", "50,200,1000").split(",").map(Number);
  const cores = availableParallelism();
  const invoice = await drawInvoice();
  const service = await startService();
  try {
    // Once for the processes to warm up.
    await alone(service, invoice);
    const cpu = await alone(service, invoice);
    console.log(
      `One document alone: ${(cpu * 1000).toFixed(1)} ms of CPU; ${cores} cores, load ${loadavg()[0]?.toFixed(1)}`,
    );
    console.log("own s: wall less what other processes took of the cores meanwhile");
    console.log(
      "documents  wall s   own s  own ms/document  CPU ms/document  own ÷ (CPU alone × N ÷ cores)  peak MB  load",
    );
    const results: Measured[] = [];
    for (const size of sizes) {
      const tries: Measured[] = [];
      const rounds = Math.ceil(LEAST_DOCUMENTS / size);
      for (let round = 0; round < rounds; round += 1) tries.push(await measure(service, invoice, size));
      const one = meanOf(tries);
      results.push(one);
      const ratio = one.ownSeconds / ((cpu * size) / cores);
      console.log(
        [
          String(size).padStart(9),
          one.wallSeconds.toFixed(2).padStart(6),
          one.ownSeconds.toFixed(2).padStart(6),
          ((one.ownSeconds / size) * 1000).toFixed(1).padStart(15),
          ((one.cpuSeconds / size) * 1000).toFixed(1).padStart(15),
          `${ratio.toFixed(2)} ${ratio <= MOST_WALL ? "ok" : `over ${MOST_WALL}`}`.padStart(30),
          (one.peakBytes / MEGABYTE).toFixed(0).padStart(7),
          one.load.toFixed(1).padStart(4),
        ].join("  "),
      );
    }
    const [first, last] = [results[0], results.at(-1)];
    if (first === undefined || last === undefined) return;
    const growth = last.ownSeconds / last.size / (first.ownSeconds / first.size);
    const verdict = growth <= MOST_GROWTH ? "ok" : `over ${MOST_GROWTH}`;
    console.log(`Time per document, ${last.size} beside ${first.size}: ${growth.toFixed(2)} (${verdict})`);
    console.log(`Resident memory, ${last.size} beside ${first.size}: ${(last.peakBytes / first.peakBytes).toFixed(2)}`);
  } finally {
    await service.close();
  }
}
