/**
 * Results as files for spreadsheets: milliseconds that writing takes in one thread by the size of the result, and the
 * longest time that the thread of the API stands still while a pooled process writes the largest one.
 * `npm run bench -- table-files`.
 */
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "../functions/adapters/local/clock.ts";
import { openEngine } from "../functions/adapters/local/engine.ts";
import { MAX_CELLS } from "../functions/engine/exports/result-tables.ts";
import { type TableFormat, writeTables } from "../functions/engine/exports/write-tables.ts";
import { writeTablesTask } from "../functions/engine/tasks/write-tables.ts";
import { encodeJson } from "../functions/ports/json.ts";
import { DEFAULT_CONFIG } from "../functions/service/organizations/organization.ts";

const COLUMNS = 25;
const ROUNDS = 5;
const FORMATS: TableFormat[] = ["csv", "xlsx"];

/** A list of rows of text and numbers as the JSON of one document. */
function documentOf(cells: number): Uint8Array {
  const row = (at: number) =>
    Object.fromEntries(Array.from({ length: COLUMNS }, (_, index) => [`c${index}`, index % 2 ? at * index : `t${at}`]));
  const value = { rows: Array.from({ length: Math.floor(cells / COLUMNS) }, (_, at) => row(at)) };
  return encodeJson([{ lead: [], value }]);
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const since = performance.now();
    await work();
    taken.push(performance.now() - since);
  }
  return median(taken);
}

/** The longest time that this thread stands still during some work, in milliseconds. */
async function stillFor(work: () => Promise<unknown>): Promise<number> {
  let [last, longest] = [performance.now(), 0];
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  await pause(20);
  longest = 0;
  await work();
  await pause(20);
  clearInterval(timer);
  return longest;
}

export async function run(): Promise<void> {
  const largest = documentOf(MAX_CELLS);
  const perCell = largest.length / MAX_CELLS;
  const inline = documentOf(Math.floor(DEFAULT_CONFIG.inlineTableBytes / perCell));
  const say = (text: string): void => void process.stdout.write(`${text}\n`);
  for (const document of [inline, largest]) {
    for (const format of FORMATS) {
      const taken = await millisecondsOf(() => writeTables(document, format));
      say(`${document.length.toLocaleString("en-US")} bytes as ${format}: ${taken.toFixed(0)} ms in one thread`);
    }
  }
  const engine = openEngine({ clock: systemClock(), jobTimeoutSeconds: 300, size: 1 });
  const limits = () => ({ deadline: Date.now() + 60_000 });
  try {
    for (const format of FORMATS) {
      const work = () => engine.run(writeTablesTask, { documents: largest, format }, limits());
      await work();
      const [here, there] = [await stillFor(() => writeTables(largest, format)), await stillFor(work)];
      say(
        `largest as ${format}: the API's thread stands still ${here.toFixed(0)} ms written here, ${there.toFixed(0)} ms by the engine`,
      );
    }
  } finally {
    await engine.close();
  }
}
