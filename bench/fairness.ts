/**
 * Fairness between organizations: the time of one organization's one-page job, and of a job that depends on another,
 * alone and while another organization floods the service with uploads, jobs, batches, webhooks, long polls, or all at
 * once. `npm run bench -- fairness [--rounds N] [--flood NAME]`: N jobs of each kind, quiet and beside each flood; fewer
 * than 72 have no interval of a 95th percentile. Exits with code 1 when a 95th percentile takes more than three times its
 * quiet time.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { drawInvoice } from "../bin/demo/invoice.ts";
import { SheafClient } from "../client/index.ts";
import type { FloodOrder } from "./fairness/flood-thread.ts";
import { FLOODS, type FloodName } from "./fairness/floods.ts";
import { judged, type RequirementLine, requireAll } from "./support/holds.ts";
import { startLocalService } from "./support/local-service.ts";
import { numberOf, optionOf } from "./support/options.ts";
import { treeUseOf } from "./support/process-tree.ts";
import { type QuantileSpread, quantileSpread, sayFigure, sayLoad } from "./support/repeat.ts";
import { quantile } from "./support/spread.ts";

/** The percentile that is compared. */
const SHARE = 0.95;
/** The fewest values that enclose a 95th percentile in 95 of 100 cases. */
const DEFAULT_ROUNDS = 72;
/** Jobs before the measurement: V8 has compiled what they use by then. */
const WARM_UP_JOBS = 4;
/** The most times its quiet time that a job may take. */
const MAX_TIME_RATIO = 3;
/** Time for a flood to fill the service before the measurement. */
const FLOOD_LEAD_MS = 8_000;
/** Time limit for one job; a job past it counts with this time. */
const MAX_JOB_MS = 120_000;
const HEAVY_KEY = "bench-fairness-heavy-key";
const LIGHT_KEY = "bench-fairness-light-key";
const COMMAND = { schema: { invoice_number: "string", total: "number" } };

/** Milliseconds of the jobs of each kind. */
interface Times {
  single: number[];
  dependent: number[];
}

async function ended(client: SheafClient, guid: string): Promise<void> {
  const job = await client.wait(guid, { timeoutSeconds: MAX_JOB_MS / 1000 });
  if (job.status !== "COMPLETED") throw new Error(`A document ended ${job.status}: ${job.error}`);
}

/** Upload, processing and end of one document. */
async function timeSingle(client: SheafClient, document: Uint8Array): Promise<number> {
  const begun = performance.now();
  const { guid } = await client.upload(document);
  await client.process(guid, COMMAND);
  await ended(client, guid);
  return performance.now() - begun;
}

/** Processing of two uploaded documents, the second after the first. */
async function timeDependent(client: SheafClient, document: Uint8Array): Promise<number> {
  const [first, second] = [await client.upload(document), await client.upload(document)];
  const begun = performance.now();
  await client.process(second.guid, COMMAND, { dependsOn: first.guid });
  await client.process(first.guid, COMMAND);
  await ended(client, second.guid);
  return performance.now() - begun;
}

async function measure(client: SheafClient, document: Uint8Array, rounds: number): Promise<Times> {
  const times: Times = { single: [], dependent: [] };
  const timed = async (work: Promise<number>): Promise<number> =>
    work.catch((error: unknown) => {
      process.stdout.write(`  a job did not end: ${error instanceof Error ? error.message : String(error)}\n`);
      return MAX_JOB_MS;
    });
  for (let round = 0; round < rounds; round++) {
    times.single.push(await timed(timeSingle(client, document)));
    times.dependent.push(await timed(timeDependent(client, document)));
  }
  return times;
}

/** Floods in a thread of its own while something is measured. */
async function beside<T>(order: FloodOrder, work: () => Promise<T>): Promise<T> {
  const thread = new Worker(new URL("./fairness/flood-thread.ts", import.meta.url), { workerData: order });
  const end = once(thread, "exit");
  try {
    await sleep(FLOOD_LEAD_MS);
    return await work();
  } finally {
    thread.postMessage("stop");
    await Promise.race([end, sleep(15_000)]);
    await thread.terminate();
  }
}

/** The ratio of two percentiles: its interval has the farthest ends of theirs. */
const ratioOf = (flooded: QuantileSpread, quiet: QuantileSpread): QuantileSpread => ({
  median: flooded.median / quiet.median,
  low: flooded.low / quiet.high,
  high: flooded.high / quiet.low,
  rounds: Math.min(flooded.rounds, quiet.rounds),
  isEnclosed: flooded.isEnclosed && quiet.isEnclosed,
});

function compare(names: readonly FloodName[], quiet: Times, flooded: Times): RequirementLine[] {
  return (["single", "dependent"] as const).map((kind) => {
    const [alone, there] = [quantileSpread(quiet[kind], SHARE), quantileSpread(flooded[kind], SHARE)];
    const figure = (spread: QuantileSpread): string => sayFigure(spread, spread.isEnclosed, 0);
    const ratio = ratioOf(there, alone);
    const medians = [quiet[kind], flooded[kind]].map((times) => quantile(times, 0.5).toFixed(0)).join(" → ");
    const line = judged(`${kind} job beside ${names.join(" + ")}, times its quiet p95`, ratio, {
      most: MAX_TIME_RATIO,
    });
    return { ...line, found: `${line.found}; p95 ${figure(alone)} → ${figure(there)} ms, median ${medians} ms` };
  });
}

export async function run(args: string[]): Promise<void> {
  const rounds = numberOf(args, "--rounds", DEFAULT_ROUNDS);
  const chosen = optionOf(args, "--flood");
  const one = FLOODS.find((name) => name === chosen);
  if (chosen !== undefined && chosen !== "all" && one === undefined) {
    throw new RangeError(`--flood must be one of ${FLOODS.join(", ")}, all`);
  }
  const each: readonly FloodName[][] = FLOODS.map((name) => [name]);
  const floods = chosen === undefined ? [...each, [...FLOODS]] : one === undefined ? [[...FLOODS]] : [[one]];
  const lines: RequirementLine[] = [];
  const invoice = await drawInvoice();
  for (const names of floods) {
    // A service of its own: the rest of one flood would be part of the next one's quiet time.
    const dataDir = mkdtempSync(join(tmpdir(), "sheaf-bench-fairness-"));
    const { child, url } = await startLocalService(
      dataDir,
      `1:${HEAVY_KEY}:read+write+admin,2:${LIGHT_KEY}:read+write+admin`,
    );
    try {
      const light = new SheafClient({ apiUrl: url, token: LIGHT_KEY, timeoutMs: MAX_JOB_MS });
      await measure(light, invoice, WARM_UP_JOBS);
      const before = treeUseOf(child.pid ?? 0).cpuSeconds;
      const quiet = await measure(light, invoice, rounds);
      // A dependent job has two documents.
      const cpu = (1000 * (treeUseOf(child.pid ?? 0).cpuSeconds - before)) / (3 * rounds);
      const load = { load: loadavg()[0] ?? Number.NaN, processors: availableParallelism() };
      console.log(`quiet: ${cpu.toFixed(1)} ms of processor a document; ${sayLoad(load)}`);
      const flooded = await beside({ url, token: HEAVY_KEY, names }, () => measure(light, invoice, rounds));
      const compared = compare(names, quiet, flooded);
      lines.push(...compared);
      for (const { name, found } of compared) process.stdout.write(`${name}: ${found}\n`);
    } finally {
      const end = once(child, "exit");
      child.kill("SIGKILL");
      await end;
      rmSync(dataDir, { recursive: true, force: true });
    }
  }
  requireAll(lines);
}
