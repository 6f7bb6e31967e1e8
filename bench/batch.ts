/**
 * The overhead of a batch: 50, 200 and 1,000 invoices of one page at maxConcurrency 8, compared with the CPU time of
 * the same document processed alone, spread over all cores. A round has documents alone and a batch of each size.
 * `npm run bench -- batch [--sizes 50,200] [--rounds N]`: at most N rounds.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { DEMO_SCHEMA, DEMO_TRUTH, drawInvoice } from "../bin/demo/invoice.ts";
import { SheafClient } from "../client/index.ts";
import { judged, requireAll } from "./support/holds.ts";
import { numberOf, optionOf } from "./support/options.ts";
import { machineCpuSeconds, type TreeUse, treeUseOf } from "./support/process-tree.ts";
import { type Repeated, repeatUntilNarrow } from "./support/repeat.ts";
import { reportLines } from "./support/report.ts";

const CONCURRENCY = 8;
const DOCUMENTS_ALONE = 40;
const CONCURRENT_UPLOADS = 4;
/** The most rounds, and the most minutes. */
const DEFAULT_ROUNDS = 20;
const MOST_MINUTES = 15;
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

/**
 * Milliseconds of a document. `own` is the wall time less the cores' time for other processes: the time on an otherwise
 * idle machine. `peak` is the memory of the whole process tree in megabytes, sampled during the batch.
 */
type OfDocument = Record<"wall" | "own" | "cpu" | "peak", number>;

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

async function measure({ client, use }: Service, invoice: Uint8Array, size: number): Promise<OfDocument> {
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
  peakBytes = Math.max(peakBytes, use().residentBytes);
  const cpuSeconds = use().cpuSeconds - before;
  const others = machineCpuSeconds() - machineBefore - cpuSeconds;
  const wallSeconds = (Date.parse(job.runs?.at(-1)?.completedAt ?? "") - started) / 1000;
  const ownSeconds = Math.max(wallSeconds - others / availableParallelism(), cpuSeconds / availableParallelism());
  const list = (await client.resultJson(guid)).json;
  const right = Array.isArray(list) && list.every((one) => JSON.stringify(one) === JSON.stringify(DEMO_TRUTH));
  if (job.status !== "COMPLETED" || !right)
    throw new Error(`The batch of ${size} is not what it should be: ${job.error}`);
  const each = (seconds: number): number => (seconds / size) * 1000;
  return { wall: each(wallSeconds), own: each(ownSeconds), cpu: each(cpuSeconds), peak: peakBytes / MEGABYTE };
}

/** @returns the values of all sizes under names of their own, and what is compared */
async function measureRound(
  service: Service,
  invoice: Uint8Array,
  sizes: readonly number[],
): Promise<Record<string, number>> {
  const alone = (await cpuSecondsAlone(service, invoice)) * 1000;
  const values: Record<string, number> = { alone };
  const owns: number[] = [];
  for (const size of sizes) {
    const one = await measure(service, invoice, size);
    for (const [name, value] of Object.entries(one)) values[`${size} ${name}`] = value;
    values[`${size} ratio`] = one.own / (alone / availableParallelism());
    owns.push(one.own);
  }
  values.growth = (owns.at(-1) ?? Number.NaN) / (owns[0] ?? Number.NaN);
  return values;
}

function print(repeated: Repeated<string>, sizes: readonly number[]): void {
  const ofSize = (size: number) => [
    { measure: `${size} wall`, label: `${size} documents, wall time of each`, unit: "ms", digits: 1 },
    { measure: `${size} own`, label: "  less what other programs took", unit: "ms", digits: 1 },
    { measure: `${size} cpu`, label: "  processor time of each", unit: "ms", digits: 1 },
    { measure: `${size} peak`, label: "  memory of all processes, at most", unit: "MB" },
  ];
  const figures = [
    { measure: "alone", label: "processor time of a document alone", unit: "ms", digits: 1 },
    ...sizes.flatMap(ofSize),
  ];
  console.log(reportLines(repeated, figures).join("\n"));
  const spreadOf = (name: string) => {
    const spread = repeated.spreads[name];
    if (spread === undefined) throw new RangeError(`Nothing was measured as ${name}`);
    return spread;
  };
  requireAll([
    ...sizes.map((size) =>
      judged(
        `${size} documents, as a multiple of their processor time alone over all cores`,
        spreadOf(`${size} ratio`),
        { most: MAX_WALL_TIME_RATIO },
      ),
    ),
    judged(`time of a document, ${sizes.at(-1)} beside ${sizes[0]}`, spreadOf("growth"), { most: MAX_TIME_GROWTH }),
  ]);
}

export async function run(args: string[]): Promise<void> {
  const sizes = (optionOf(args, "--sizes") ?? "50,200,1000").split(",").map(Number);
  const rounds = numberOf(args, "--rounds", DEFAULT_ROUNDS);
  const invoice = await drawInvoice();
  const service = await startService();
  try {
    // Warms the processes up.
    await cpuSecondsAlone(service, invoice);
    const repeated = await repeatUntilNarrow<string>(() => measureRound(service, invoice, sizes), {
      narrow: [`${sizes.at(-1)} ratio`, "growth"],
      mostRounds: rounds,
      mostMs: MOST_MINUTES * 60_000,
    });
    print(repeated, sizes);
  } finally {
    await service.close();
  }
}
