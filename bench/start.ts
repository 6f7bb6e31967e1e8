/**
 * The start of the service: process to banner, to the first healthy answer, and the first document after it, with the
 * bundle of the code in its cache and without. `npm run bench -- start [--rounds N] [--project DIR]`; DIR is another
 * checkout to compare with. Exits with code 1 when a start with the cache takes longer than promised.
 */
import { rmSync } from "node:fs";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { drawInvoice } from "../bin/demo/invoice.ts";
import { requireAll } from "./support/holds.ts";
import { startMeasured } from "./support/measured-service.ts";
import { numberOf, optionOf } from "./support/options.ts";
import { quantile, spreadOf } from "./support/spread.ts";

const DEFAULT_ROUNDS = 5;
/** The promised times, in milliseconds. */
const MAX_HEALTHY_MS = 1_500;
const MAX_FIRST_DOCUMENT_MS = 600;
const MEGABYTE = 2 ** 20;

interface Start {
  banner: number;
  healthy: number;
  cpu: number;
  first: number;
  second: number;
  megabytes: number;
}

async function measureStart(project: string, invoice: Uint8Array): Promise<Start> {
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

function show(name: string, starts: readonly Start[]): void {
  const line = (label: string, member: keyof Start, unit = "ms"): void => {
    const values = starts.map((start) => start[member]);
    process.stdout.write(`  ${label.padEnd(44)}${spreadOf(values, unit)}\n`);
  };
  process.stdout.write(`${name}\n`);
  line("process to banner", "banner");
  line("process to healthy", "healthy");
  line("processor time until then, all processes", "cpu");
  line("first document after the banner", "first");
  line("second document", "second");
  line("memory of all processes after them", "megabytes", "MB");
}

export async function run(args: string[]): Promise<void> {
  if (process.platform !== "linux") {
    process.stdout.write("SKIPPED: the use of other processes is read from /proc, which is Linux's\n");
    return;
  }
  const rounds = numberOf(args, "--rounds", DEFAULT_ROUNDS);
  const project = resolve(optionOf(args, "--project") ?? join(import.meta.dirname, ".."));
  const cache = join(project, "node_modules/.cache/sheaf-code");
  const invoice = await drawInvoice();
  const [without, cached]: [Start[], Start[]] = [[], []];
  process.stdout.write(`${rounds} starts each, median (least–most); load ${loadavg()[0]?.toFixed(2)}\n`);
  for (let round = 0; round < rounds; round += 1) {
    rmSync(cache, { recursive: true, force: true });
    without.push(await measureStart(project, invoice));
    cached.push(await measureStart(project, invoice));
  }
  show("without the cache, as after an install or a change", without);
  show("with the cache", cached);
  const median = (member: keyof Start): number =>
    quantile(
      cached.map((start) => start[member]),
      0.5,
    );
  const atMost = (name: string, found: number, most: number) => ({
    name: `${name}: ${most} ms at most`,
    ok: found <= most,
    found: `${found.toFixed(0)} ms`,
  });
  requireAll([
    atMost("process to healthy", median("healthy"), MAX_HEALTHY_MS),
    atMost("first document", median("first"), MAX_FIRST_DOCUMENT_MS),
  ]);
}
