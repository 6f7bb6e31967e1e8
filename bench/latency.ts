/**
 * One-page documents, from request to data, in a warm service: the times of one client alone, and documents a second
 * with several at once. `npm run bench -- latency [--rounds N] [--documents N] [--clients N] [--project DIR]`; DIR is
 * another checkout to compare with. Exits with code 1 when the service is slower than promised.
 */
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { drawInvoice } from "../bin/demo/invoice.ts";
import { atLeast, requireAll } from "./support/holds.ts";
import { type MeasuredService, mostMemory, startMeasured } from "./support/measured-service.ts";
import { numberOf, optionOf } from "./support/options.ts";
import { quantile, spreadOf } from "./support/spread.ts";

const DEFAULT_ROUNDS = 5;
const DEFAULT_DOCUMENTS = 100;
const DEFAULT_CLIENTS = 8;
/** Documents before the measurement: V8 has compiled what they use by then. */
const WARM_UP_DOCUMENTS = 60;
/** The promises: milliseconds, the 95th percentile as a multiple of the median, and documents a second. */
const MAX_MEDIAN_MS = 45;
const MAX_P95_RATIO = 2;
const MIN_DOCUMENTS_PER_SECOND = 25;
const MEGABYTE = 2 ** 20;

interface Round {
  median: number;
  p95: number;
  /** Processor milliseconds of a document, by one client and by several. */
  cpuAlone: number;
  cpuTogether: number;
  perSecond: number;
}

async function measureRound(
  service: MeasuredService,
  invoice: Uint8Array,
  documents: number,
  clients: number,
): Promise<Round> {
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
  return {
    median: quantile(times, 0.5),
    p95: quantile(times, 0.95),
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
  process.stdout.write(`${rounds} rounds, median (least–most); load ${loadavg()[0]?.toFixed(2)}\n`);
  const service = await startMeasured(project);
  const found: Round[] = [];
  let memory = 0;
  try {
    for (let count = 0; count < WARM_UP_DOCUMENTS; count += 1) await service.readInvoice(invoice);
    memory = await mostMemory(service, async () => {
      for (let round = 0; round < rounds; round += 1) {
        found.push(await measureRound(service, invoice, documents, clients));
      }
    });
  } finally {
    await service.close();
  }
  const of = (member: keyof Round): number[] => found.map((round) => round[member]);
  const line = (label: string, text: string): void => void process.stdout.write(`  ${label.padEnd(48)}${text}\n`);
  line(`one page, median of ${documents}`, spreadOf(of("median"), "ms"));
  line("one page, 95th percentile", spreadOf(of("p95"), "ms"));
  line("processor time of a document", spreadOf(of("cpuAlone"), "ms"));
  line(`documents a second, ${clients} clients`, spreadOf(of("perSecond"), "", 1));
  line("processor time of a document among them", spreadOf(of("cpuTogether"), "ms"));
  line("memory of all processes, at most", `${(memory / MEGABYTE).toFixed(0)} MB`);
  const [median, p95] = [quantile(of("median"), 0.5), quantile(of("p95"), 0.5)];
  requireAll([
    { name: `median: ${MAX_MEDIAN_MS} ms at most`, ok: median <= MAX_MEDIAN_MS, found: `${median.toFixed(0)} ms` },
    {
      name: `95th percentile: ${MAX_P95_RATIO} times the median at most`,
      ok: p95 <= MAX_P95_RATIO * median,
      found: (p95 / median).toFixed(2),
    },
    atLeast(`documents a second with ${clients} clients`, quantile(of("perSecond"), 0.5), MIN_DOCUMENTS_PER_SECOND),
  ]);
}
