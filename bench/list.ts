/**
 * The job list among many jobs: the time of a request, and the longest time for which it holds the service's thread.
 * `npm run bench -- list [--jobs N] [--days N] [--rounds N] [--as-before]`: at most N rounds; with `--as-before` the jobs
 * are as the release before wrote them, and the time until they are carried over is printed too. Exits with code 1 when a request
 * holds the thread longer than allowed.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { Writable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { parseConfig } from "../bin/local/config.ts";
import { startService } from "../bin/local/service.ts";
import type { Answered, Ask } from "./list/client-thread.ts";
import { ORGANIZATION, writeJobs } from "./list/many-jobs.ts";
import { type RequirementLine, requireAll } from "./support/holds.ts";
import { numberOf } from "./support/options.ts";
import { isNarrow, repeatUntilNarrow, sayFigure, sayLoad } from "./support/repeat.ts";
import { quantile } from "./support/spread.ts";
import { type HoldWatch, watchHolds } from "./support/thread-holds.ts";

const API_KEY = "bench-key-of-lists";
/** Milliseconds for which no request may hold the thread. */
const MAX_HOLD_MS = 50;
const DEFAULT_ROUNDS = 40;
/** Requests of each kind in a round; its median is the round's time. */
const REQUESTS_A_ROUND = 3;
const MOST_SECONDS_EACH = 20;
/** Times of some milliseconds differ more from round to round than long ones. */
const WIDTH = 0.15;

/** The requests by name; `middle` is the number of the page in the middle. */
const requestsOf = (middle: number, day: string): Record<string, string> => ({
  "first page": "",
  "page in the middle": `?page=${middle}`,
  "last page": `?page=${2 * middle - 1}`,
  "oldest first": "?sort=createdAt,asc",
  "FAILED, first page": "?status=FAILED",
  "FAILED, in the middle": `?status=FAILED&page=${Math.floor(middle / 100)}`,
  "CANCELLED, first page": "?status=CANCELLED",
  "one day": `?createdAtFrom=${day}T07:30:00Z&createdAtTo=${day}T16:45:00Z`,
  "by status": `?sort=status,desc&page=${Math.floor(middle / 2)}`,
  "1,000 on a page": "?size=1000",
  "by update (reads all)": "?sort=updatedAt",
});

async function ask(client: Worker, question: Ask): Promise<Answered> {
  client.postMessage(question);
  const [answer] = (await once(client, "message")) as [Answered];
  if (answer.status !== 200) throw new Error(`${question.url}: ${answer.status} ${answer.body.slice(0, 200)}`);
  return answer;
}

/** Asks round after round. `hold` is processor time, `used` all that this process computed for a request. */
async function measure(client: Worker, watch: HoldWatch, url: string, rounds: number) {
  await ask(client, { url, key: API_KEY });
  let longest = 0;
  const repeated = await repeatUntilNarrow(
    async () => {
      watch.read();
      const before = process.threadCpuUsage();
      const times: number[] = [];
      for (let request = 0; request < REQUESTS_A_ROUND; request++) {
        times.push((await ask(client, { url, key: API_KEY })).milliseconds);
      }
      const { user, system } = process.threadCpuUsage(before);
      const { computed } = watch.read();
      longest = Math.max(longest, computed);
      return { time: quantile(times, 0.5), used: (user + system) / 1000 / REQUESTS_A_ROUND, hold: computed };
    },
    { narrow: ["time"], width: WIDTH, mostRounds: rounds, mostMs: MOST_SECONDS_EACH * 1000 },
  );
  return { repeated, longest };
}

/** Waits until the entries of the release before are carried over, which counters show. */
async function untilCarriedOver(watch: HoldWatch, dataDir: string): Promise<void> {
  const begun = performance.now();
  using database = new DatabaseSync(join(dataDir, "records.sqlite"), { readOnly: true });
  const left = database.prepare("SELECT count(*) AS months FROM records WHERE partition = ?");
  watch.read();
  while (Number(left.get(`org/${ORGANIZATION}/jobs`)?.months) > 0) await pause(500);
  const { computed } = watch.read();
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`carried over in ${seconds} s; the thread was held for ${computed.toFixed(0)} ms at most`);
}

export async function run(args: string[]): Promise<void> {
  const [jobs, days] = [numberOf(args, "--jobs", 100_000), numberOf(args, "--days", 14)];
  const rounds = numberOf(args, "--rounds", DEFAULT_ROUNDS);
  const asBefore = args.includes("--as-before");
  const dataDir = mkdtempSync(join(tmpdir(), "sheaf-bench-list-"));
  const config = parseConfig({
    PORT: "0",
    SHEAF_DATA_DIR: dataDir,
    SHEAF_API_KEYS: `${ORGANIZATION}:${API_KEY}:read+write`,
    SHEAF_LOG: "error",
    SHEAF_RETENTION_DAYS: "off",
    SHEAF_RATE_LIMIT: "off",
  });
  const start = () => startService({ config, log: new Writable({ write: (_chunk, _encoding, done) => done() }) });
  // The first start makes the folder, with its key.
  await (await start()).close(1000);
  writeJobs(dataDir, jobs, days, asBefore);
  const service = await start();
  const watch = watchHolds();
  const client = new Worker(join(import.meta.dirname, "list/client-thread.ts"));
  try {
    if (asBefore) await untilCarriedOver(watch, dataDir);
    await pause(2000);
    const day = new Date(Date.now() - (days / 2) * 86_400_000).toISOString().slice(0, 10);
    console.log(`${jobs.toLocaleString("en-US")} jobs of ${days} days`);
    const lines: RequirementLine[] = [];
    for (const [name, query] of Object.entries(requestsOf(Math.floor(jobs / 40), day))) {
      const { repeated, longest } = await measure(client, watch, `${service.url}/job/list${query}`, rounds);
      const { time, used, hold } = repeated.spreads;
      console.log(`${name}; ${sayLoad(repeated)}`);
      console.log(`  answered after ${sayFigure(time, repeated.isNarrow, 1)} ms`);
      console.log(`  thread's processor time ${sayFigure(used, isNarrow(used, WIDTH), 1)} ms a request`);
      console.log(`  thread held ${sayFigure(hold, isNarrow(hold, WIDTH), 1)} ms, ${longest.toFixed(1)} ms at most`);
      // Never is meant: the longest hold of all rounds counts.
      lines.push({
        name: `${name}: thread held at most ${MAX_HOLD_MS} ms`,
        ok: longest <= MAX_HOLD_MS,
        found: longest.toFixed(1),
      });
    }
    requireAll(lines);
  } finally {
    watch.stop();
    await client.terminate();
    await service.close(1000);
    rmSync(dataDir, { recursive: true, force: true });
  }
}
