/**
 * Time and memory to fill a workbook with a long list, in a fresh process each time, warm-up included:
 * `npm run bench -- excel-template-fill [--rows N]`.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const ROUNDS = 7;
const MOST_SECONDS = 3;
const MOST_MEGABYTES = 512;

interface Round {
  seconds: number;
  processor: number;
  megabytes: number;
}

function measure(rows: number): Round {
  const script = join(import.meta.dirname, "office-templates/fill-long-list.ts");
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, String(rows)], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Round;
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Runs the benchmark and prints it. */
export async function run(args: string[]): Promise<void> {
  const at = args.indexOf("--rows");
  const rows = at < 0 ? 10_000 : Number(args[at + 1]);
  const rounds = Array.from({ length: ROUNDS }, () => measure(rows));
  const seconds = median(rounds.map((round) => round.seconds));
  const processor = median(rounds.map((round) => round.processor));
  const megabytes = Math.max(...rounds.map((round) => round.megabytes));
  const holds = seconds <= MOST_SECONDS && megabytes <= MOST_MEGABYTES;
  console.log(
    `${rows} rows of ten cells, ${ROUNDS} rounds: median ${seconds.toFixed(2)} s (${processor.toFixed(2)} s of the processor), at most ${megabytes.toFixed(0)} MB; ` +
      `at most ${MOST_SECONDS} s and ${MOST_MEGABYTES} MB: ${holds ? "holds" : "FAILED"}`,
  );
  if (!holds) process.exitCode = 1;
}
