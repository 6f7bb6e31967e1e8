/**
 * The overhead of a batch: 50, 200 and 1,000 invoices of one page at maxConcurrency 8, compared with the CPU time of
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
import { machineCpuSeconds, type TreeUse, treeUseOf } from "./support/process-tree.ts";

const CONCURRENCY = 8;
const DOCUMENTS_ALONE = 40;
const CONCURRENT_UPLOADS = 4;
/** Small batches are repeated up to this number of documents, so that all sizes pay for replaced processes. */
const MIN_DOCUMENTS_PER_SIZE = 400;
const MEGABYTE = 2 ** 20;
/**
 * The promised limits: wall time of the batch, and growth of the time per document from the smallest to the largest.
 */
const MAX_WALL_TIME_RATIO = 1.15;
const MAX_TIME_GROWTH = 1.1;

interface Service {
  client: SheafClient;
  use(): TreeUse;
  close(): Promise<void>;
}

/** Starts the service like `npm start`, in its own process and folder. */
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
    use: () => treeUseOf(pid),
    async close() {
      child.kill("SIGTERM");
      await once(child, "exit");
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** CPU seconds of one document while nothing else runs. */
async function cpuSecondsAlone({ client, use }: Service, invoice: Uint8Array): Promise<number> {
  const guids: string[] = [];
  for (let count = 0; count < DOCUMENTS_ALONE; count += 1) guids.push((await client.upload(invoice)).guid);
  const before = use().cpuSeconds;
  for (const guid of guids) {
    await client.process(guid, { schema: DEMO_SCHEMA });
    await client.wait(guid);
  }
  return (use().cpuSeconds - before) / DOCUMENTS_ALONE;
}

interface Measured {
  size: number;
  wallSeconds: number;
  /** Wall time minus the cores' time for other processes: the time on an otherwise idle machine. */
  ownSeconds: number;
  cpuSeconds: number;
  /** Memory of the whole process tree, sampled during the batch. */
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
  await Promise.all(Array.from({ length: CONCURRENT_UPLOADS }, sender));
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

/** The mean of batches of one size; the highest memory of all. */
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
    // Warms the processes up.
    await cpuSecondsAlone(service, invoice);
    const cpu = await cpuSecondsAlone(service, invoice);
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
      const rounds = Math.ceil(MIN_DOCUMENTS_PER_SIZE / size);
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
          `${ratio.toFixed(2)} ${ratio <= MAX_WALL_TIME_RATIO ? "ok" : `over ${MAX_WALL_TIME_RATIO}`}`.padStart(30),
          (one.peakBytes / MEGABYTE).toFixed(0).padStart(7),
          one.load.toFixed(1).padStart(4),
        ].join("  "),
      );
    }
    const [first, last] = [results[0], results.at(-1)];
    if (first === undefined || last === undefined) return;
    const growth = last.ownSeconds / last.size / (first.ownSeconds / first.size);
    const verdict = growth <= MAX_TIME_GROWTH ? "ok" : `over ${MAX_TIME_GROWTH}`;
    console.log(`Time per document, ${last.size} beside ${first.size}: ${growth.toFixed(2)} (${verdict})`);
    console.log(`Resident memory, ${last.size} beside ${first.size}: ${(last.peakBytes / first.peakBytes).toFixed(2)}`);
  } finally {
    await service.close();
  }
}
