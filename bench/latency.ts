/**
 * One-page documents, from request to data, in a warm service: the times of one client alone, and documents a second
 * with several at once. `npm run bench -- latency [--rounds N] [--documents N] [--clients N] [--project DIR]`: at most N
 * rounds; DIR is another checkout to compare with. Exits with code 1 when the service is slower than promised.
 */
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { drawInvoice } from "../bin/demo/invoice.ts";
import { judged, requireAll } from "./support/holds.ts";
import { type MeasuredService, mostMemory, startMeasured } from "./support/measured-service.ts";
import { numberOf, optionOf } from "./support/options.ts";
import { type Repeated, repeatUntilNarrow } from "./support/repeat.ts";
import { reportLines } from "./support/report.ts";
import { quantile } from "./support/spread.ts";

/** The most rounds, and the most minutes. */
const DEFAULT_ROUNDS = 20;
const MOST_MINUTES = 5;
const DEFAULT_DOCUMENTS = 100;
const DEFAULT_CLIENTS = 8;
/** Documents before the measurement: V8 has compiled what they use by then. */
const WARM_UP_DOCUMENTS = 60;
/** The promises: milliseconds, the 95th percentile as a multiple of the median, and documents a second. */
const MAX_MEDIAN_MS = 45;
const MAX_P95_RATIO = 2;
const MIN_DOCUMENTS_PER_SECOND = 25;
const MEGABYTE = 2 ** 20;

/** `tail` is the 95th percentile as a multiple of the median; the processor's times are of a document. */
type Measure = "median" | "p95" | "tail" | "cpuAlone" | "perSecond" | "cpuTogether";

async function measureRound(
  service: MeasuredService,
  invoice: Uint8Array,
  documents: number,
  clients: number,
): Promise<Record<Measure, number>> {
  const cpu = (): number => service.use().cpuSeconds * 1000;
  const times: number[] = [];
  const before = cpu();
  for (let count = 0; count < documents; count += 1) times.push(await service.readInvoice(invoice));
  const between = cpu();
  const begun = performance.now();
  let left = documents;
  const client = async (): Promise<void> => {
    for (; left > 0; ) {
      left -= 1;
      await service.readInvoice(invoice);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const [median, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
  return {
    median,
    p95,
    tail: p95 / median,
    cpuAlone: (between - before) / documents,
    perSecond: (documents / (performance.now() - begun)) * 1000,
    cpuTogether: (cpu() - between) / documents,
  };
}

export async function run(args: string[]): Promise<void> {
  if (process.platform !== "linux") {
    process.stdout.write("SKIPPED: the use of other processes is read from /proc, which is Linux's\n");
    return;
  }
  const rounds = numberOf(args, "--rounds", DEFAULT_ROUNDS);
  const documents = numberOf(args, "--documents", DEFAULT_DOCUMENTS);
  const clients = numberOf(args, "--clients", DEFAULT_CLIENTS);
  const project = resolve(optionOf(args, "--project") ?? join(import.meta.dirname, ".."));
  const invoice = await drawInvoice();
  const service = await startMeasured(project);
  let memory = 0;
  let repeated: Repeated<Measure> | undefined;
  try {
    for (let count = 0; count < WARM_UP_DOCUMENTS; count += 1) await service.readInvoice(invoice);
    memory = await mostMemory(service, async () => {
      repeated = await repeatUntilNarrow(() => measureRound(service, invoice, documents, clients), {
        narrow: ["median", "perSecond"],
        mostRounds: rounds,
        mostMs: MOST_MINUTES * 60_000,
      });
    });
  } finally {
    await service.close();
  }
  if (repeated !== undefined) print(repeated, documents, clients, memory);
}

function print(repeated: Repeated<Measure>, documents: number, clients: number, memory: number): void {
  const lines = reportLines(repeated, [
    { measure: "median", label: `one page, median of ${documents}`, unit: "ms", digits: 1 },
    { measure: "p95", label: "one page, 95th percentile", unit: "ms", digits: 1 },
    { measure: "cpuAlone", label: "processor time of a document", unit: "ms", digits: 1 },
    { measure: "perSecond", label: `documents a second, ${clients} clients`, digits: 1 },
    { measure: "cpuTogether", label: "processor time of a document among them", unit: "ms", digits: 1 },
  ]);
  for (const line of lines) console.log(line);
  console.log(`  memory of all processes, at most: ${(memory / MEGABYTE).toFixed(0)} MB`);
  const { median, tail, perSecond } = repeated.spreads;
  requireAll([
    judged("median", median, { most: MAX_MEDIAN_MS }, { unit: " ms", digits: 1 }),
    judged("95th percentile, as a multiple of the median", tail, { most: MAX_P95_RATIO }),
    judged(`documents a second with ${clients} clients`, perSecond, { least: MIN_DOCUMENTS_PER_SECOND }),
  ]);
}
