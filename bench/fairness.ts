/**
 * Fairness between organizations: the time of a single document of one organization, alone and while another has many
 * open documents, as one batch and as jobs. `npm run bench -- fairness [--open N] [--rounds N]`; defaults 1,000 and 15.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { drawInvoice } from "../bin/demo/invoice.ts";
import { parseConfig } from "../bin/local/config.ts";
import { startService } from "../bin/local/service.ts";
import { SheafClient } from "../client/index.ts";

const DEFAULT_OPEN_DOCUMENTS = 1000;
const DEFAULT_ROUNDS = 15;
/** The most times its time alone that a document may take. */
const MAX_TIME_RATIO = 2;
/** Concurrent uploads. */
const CONCURRENT_UPLOADS = 8;
const COMMAND = { schema: { invoice_number: "string", total: "number" } };

function numberOf(args: readonly string[], name: string, fallback: number): number {
  const place = args.indexOf(name);
  const value = Number(place < 0 ? fallback : args[place + 1]);
  if (!(value > 0)) throw new RangeError(`${name} must be a number over 0`);
  return value;
}

/** Milliseconds from the process call to the job's end, for each round, ascending. */
async function timeSingleDocuments(client: SheafClient, document: Uint8Array, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const { guid } = await client.upload(document);
    const begun = performance.now();
    await client.process(guid, COMMAND);
    let job = await client.status(guid, { waitSeconds: 25 });
    while (job.status === "PENDING" || job.status === "PROCESSING")
      job = await client.status(guid, { waitSeconds: 25 });
    times.push(performance.now() - begun);
    if (job.status !== "COMPLETED") throw new Error(`A document ended ${job.status}: ${job.error}`);
  }
  return times.sort((a, b) => a - b);
}

/** Starts a batch of this many documents. @returns its guid, once its work has begun */
async function openBatch(client: SheafClient, document: Uint8Array, count: number): Promise<string> {
  const { guid } = await client.createBatch({ maxConcurrency: 100 });
  let left = count;
  const some = async (): Promise<void> => {
    while (left-- > 0) await client.uploadToBatch(guid, Buffer.concat([document, Buffer.from(`\n%${left}`)]));
  };
  await Promise.all(Array.from({ length: CONCURRENT_UPLOADS }, some));
  await client.processBatch(guid, COMMAND);
  while ((await client.status(guid)).status === "PENDING") await sleep(50);
  return guid;
}

/** Opens this many runs that wait for one job, which then releases all of them at once. */
async function openWaitingJobs(client: SheafClient, document: Uint8Array, count: number): Promise<void> {
  const gate = await client.upload(document);
  let left = count;
  const guids: string[] = [];
  const some = async (): Promise<void> => {
    while (left-- > 0) {
      const { guid } = await client.upload(Buffer.concat([document, Buffer.from(`\n%${left}`)]));
      await client.process(guid, COMMAND, { dependsOn: gate.guid });
      guids.push(guid);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_UPLOADS }, some));
  await client.process(gate.guid, COMMAND);
  await client.wait(gate.guid);
  // They are released in the order of their GUIDs; the release is not measured.
  const last = guids.sort().at(-1) ?? gate.guid;
  while ((await client.dependencies(last)).dependencyStatus === "WAITING") await sleep(200);
}

const median = (times: readonly number[]): number => times[Math.floor(times.length / 2)] ?? Number.NaN;

export async function run(args: string[]): Promise<void> {
  const [open, rounds] = [numberOf(args, "--open", DEFAULT_OPEN_DOCUMENTS), numberOf(args, "--rounds", DEFAULT_ROUNDS)];
  const dataDir = mkdtempSync(join(tmpdir(), "sheaf-bench-fairness-"));
  const keys = "1:bench-heavy-key:read+write,2:bench-light-key:read+write";
  const config = parseConfig({ PORT: "0", SHEAF_DATA_DIR: dataDir, SHEAF_API_KEYS: keys, SHEAF_LOG: "error" });
  const service = await startService({ config, log: new Writable({ write: (_chunk, _encoding, done) => done() }) });
  try {
    const invoice = await drawInvoice();
    const heavy = new SheafClient({ apiUrl: service.url, token: "bench-heavy-key" });
    const light = new SheafClient({ apiUrl: service.url, token: "bench-light-key" });
    await timeSingleDocuments(light, invoice, 5);
    const alone = await timeSingleDocuments(light, invoice, rounds);
    process.stdout.write(`one document alone: ${median(alone).toFixed(0)} ms (medians of ${rounds})\n`);
    const tell = (beside: readonly number[], what: string, left: number): void => {
      const ratio = median(beside) / median(alone);
      process.stdout.write(
        `beside ${what} of another organization: ${median(beside).toFixed(0)} ms, ratio ${ratio.toFixed(2)}, at most ${MAX_TIME_RATIO}: ` +
          `${ratio <= MAX_TIME_RATIO ? "kept" : "EXCEEDED"}; ${left} of its documents were still open at the end\n`,
      );
    };
    const batch = await openBatch(heavy, invoice, open);
    const besideBatch = await timeSingleDocuments(light, invoice, rounds);
    const { completedDocs, failedDocs, totalDocs } = await heavy.status(batch);
    tell(besideBatch, `a batch of ${open}`, totalDocs - completedDocs - failedDocs);
    await heavy.cancel(batch).catch(() => undefined);
    await openWaitingJobs(heavy, invoice, open);
    const besideJobs = await timeSingleDocuments(light, invoice, rounds);
    tell(besideJobs, `${open} jobs`, (await heavy.list({ status: "PENDING", size: 1 })).totalSize);
  } finally {
    await service.close(0);
    rmSync(dataDir, { recursive: true, force: true });
  }
}
