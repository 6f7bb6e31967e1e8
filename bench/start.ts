/**
 * The start of the service: process to banner, to the first healthy answer, and the first document after it, with the
 * bundle of the code in its cache and without. `npm run bench -- start [--rounds N] [--project DIR]`: at most N rounds of
 * a start each; DIR is another checkout to compare with. Exits with code 1 when a start with the cache takes longer than promised.
 */
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { drawInvoice } from "../bin/demo/invoice.ts";
import { judged, requireAll } from "./support/holds.ts";
import { startMeasured } from "./support/measured-service.ts";
import { numberOf, optionOf } from "./support/options.ts";
import { repeatUntilNarrow } from "./support/repeat.ts";
import { type FigureFormat, reportLines } from "./support/report.ts";

/** The most rounds, and the most minutes. */
const DEFAULT_ROUNDS = 20;
const MOST_MINUTES = 6;
/** The promised times, in milliseconds. */
const MAX_HEALTHY_MS = 1_500;
const MAX_FIRST_DOCUMENT_MS = 600;
const MEGABYTE = 2 ** 20;

const MEASURES = {
  banner: "process to banner",
  healthy: "process to healthy",
  cpu: "processor time until then, all processes",
  first: "first document after the banner",
  second: "second document",
  megabytes: "memory of all processes after them",
} as const;
type Measure = keyof typeof MEASURES;
const CACHES = { without: "without the cache, as after an install or a change", cached: "with the cache" } as const;
type Cache = keyof typeof CACHES;

async function measureStart(project: string, invoice: Uint8Array): Promise<Record<Measure, number>> {
  const service = await startMeasured(project);
  try {
    const first = await service.readInvoice(invoice);
    const second = await service.readInvoice(invoice);
    const megabytes = service.use().residentBytes / MEGABYTE;
    return {
      banner: service.bannerMs,
      healthy: service.healthyMs,
      cpu: service.startCpuMs,
      first,
      second,
      megabytes,
    };
  } finally {
    await service.close();
  }
}

const MEASURE_NAMES = Object.keys(MEASURES) as Measure[];

/** The values of both starts under names of their own. */
const named = (cache: Cache, start: Record<Measure, number>) =>
  Object.fromEntries(MEASURE_NAMES.map((measure) => [`${cache} ${measure}`, start[measure]]));

const formatsOf = (cache: Cache): FigureFormat<`${Cache} ${Measure}`>[] =>
  MEASURE_NAMES.map((measure) => ({
    measure: `${cache} ${measure}`,
    label: MEASURES[measure],
    unit: measure === "megabytes" ? "MB" : "ms",
  }));

export async function run(args: string[]): Promise<void> {
  if (process.platform !== "linux") {
    process.stdout.write("SKIPPED: the use of other processes is read from /proc, which is Linux's\n");
    return;
  }
  const rounds = numberOf(args, "--rounds", DEFAULT_ROUNDS);
  const project = resolve(optionOf(args, "--project") ?? join(import.meta.dirname, ".."));
  const cache = join(project, "node_modules/.cache/sheaf-code");
  const invoice = await drawInvoice();
  const repeated = await repeatUntilNarrow<`${Cache} ${Measure}`>(
    async () => {
      rmSync(cache, { recursive: true, force: true });
      const [without, cached] = [await measureStart(project, invoice), await measureStart(project, invoice)];
      return { ...named("without", without), ...named("cached", cached) } as Record<`${Cache} ${Measure}`, number>;
    },
    { narrow: ["cached healthy", "cached first"], mostRounds: rounds, mostMs: MOST_MINUTES * 60_000 },
  );
  for (const kind of ["without", "cached"] as const) {
    const [load, ...lines] = reportLines(repeated, formatsOf(kind));
    if (kind === "without") console.log(load);
    console.log([CACHES[kind], ...lines].join("\n"));
  }
  const { "cached healthy": healthy, "cached first": first } = repeated.spreads;
  requireAll([
    judged("process to healthy", healthy, { most: MAX_HEALTHY_MS }, { unit: " ms", digits: 0 }),
    judged("first document", first, { most: MAX_FIRST_DOCUMENT_MS }, { unit: " ms", digits: 0 }),
  ]);
}
