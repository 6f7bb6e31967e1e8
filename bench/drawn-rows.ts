/**
 * Lists in shapes that no code was written for (`completeness/drawn-shapes.ts`), read without a model and by a model
 * that drops rows. A run is false where the status says COMPLETED and a counted list lacks rows, or an empty list is
 * COMPLETED; short where nothing is missing and the status says PARTIAL.
 *
 *     npm run bench -- drawn-rows [--shape NAME]
 */
import { writeLayout } from "../functions/engine/layout/layout-file.ts";
import { extractTask } from "../functions/engine/tasks/extract.ts";
import { receiptTask } from "../functions/engine/tasks/receipt.ts";
import type { Json } from "../functions/ports/json.ts";
import { rowsFound } from "./completeness/compare-rows.ts";
import type { GeneratedDocument } from "./completeness/documents.ts";
import { DRAWN_SHAPES, drawShape } from "./completeness/drawn-shapes.ts";
import type { Faults } from "./completeness/losing-model.ts";
import { engine, measureExtraction } from "./completeness/measure-extraction.ts";
import { startModelServer } from "./completeness/model-server.ts";
import { openBenchReader } from "./offline/reading.ts";
import { noneFound, requireAll } from "./support/holds.ts";
import { optionOf } from "./support/options.ts";

const SIZES = [4, 13, 40];
const FAULTS: readonly Faults[] = [
  { name: "all given", drop: 0 },
  { name: "half dropped", drop: 0.5 },
  { name: "the last third", drop: 0, tail: 0.34 },
];
const MAX_FALSE_SHORTFALL_SHARE = 0.02;

interface DrawnRun {
  shape: string;
  size: number;
  by: string;
  status: string;
  counted: boolean;
  lost: number;
  extra: number;
  given: number;
}

const NO_LIMITS = { deadline: Number.POSITIVE_INFINITY };

/** Reads a document by the rules, and fills and counts its rows, as the service does without a model. */
async function readOffline(document: GeneratedDocument, layout: Uint8Array): Promise<Omit<DrawnRun, "shape" | "size">> {
  const { schema, truth } = document;
  const extracted = await engine.run(extractTask, { layout, request: { schema, granularity: "word" } }, NO_LIMITS);
  const { receipt, short, filled } = await engine.run(
    receiptTask,
    {
      layout,
      result: extracted.result,
      sources: extracted.sources,
      request: { schema, granularity: "word", fill: true },
    },
    NO_LIMITS,
  );
  const { lines = [] } = JSON.parse(Buffer.from(filled?.result ?? extracted.result).toString("utf8")) as {
    lines?: Json[];
  };
  const rows = (truth.lines ?? []).map(({ row }) => row as Json);
  const found = rowsFound(rows, lines);
  return {
    by: "rules",
    status: short ? "PARTIAL" : "COMPLETED",
    counted: receipt?.lists[0]?.counted ?? false,
    lost: rows.length - lines.length > 0 ? rows.length - lines.length : 0,
    extra: lines.length - found.size,
    given: lines.length,
  };
}

async function runShape(
  shape: (typeof DRAWN_SHAPES)[number],
  size: number,
  reader: ReturnType<typeof openBenchReader>,
  server: Awaited<ReturnType<typeof startModelServer>>,
): Promise<DrawnRun[]> {
  const document = await drawShape(shape, size, size * 7);
  const layout = writeLayout((await reader.readBytes(document.bytes, document.mimeType)).layout);
  const runs: DrawnRun[] = [{ shape, size, ...(await readOffline(document, layout)) }];
  for (const faults of FAULTS) {
    const { status, lost, extra, receipt } = await measureExtraction(document, layout, faults, size, server);
    const counted = receipt?.lists[0]?.counted ?? false;
    runs.push({ shape, size, by: faults.name, status, counted, lost, extra, given: size - lost + extra });
  }
  return runs;
}

const isFalse = ({ status, lost, counted, given }: DrawnRun): boolean =>
  status !== "PARTIAL" && lost > 0 && (counted || given === 0);
const isShort = ({ status, lost }: DrawnRun): boolean => status === "PARTIAL" && lost === 0;

/** Runs the benchmark and prints its results. */
export async function run(args: string[]): Promise<void> {
  const only = optionOf(args, "--shape");
  const reader = openBenchReader(false);
  await using server = await startModelServer();
  const runs: DrawnRun[] = [];
  try {
    for (const shape of DRAWN_SHAPES.filter((name) => only === undefined || name === only))
      for (const size of SIZES) runs.push(...(await runShape(shape, size, reader, server)));
  } finally {
    await reader.close();
  }
  const rules = runs.filter(({ by }) => by === "rules");
  console.log("by rules: rows right of printed, rows that are none, status");
  for (const { shape, size, status, counted, extra, given } of rules)
    console.log(
      `  ${shape.padEnd(12)} ${String(given - extra).padStart(3)}/${String(size).padEnd(3)} ${String(extra).padStart(3)} wrong  ${status}${counted ? "" : " (not counted)"}`,
    );
  const wrong = runs.filter(isFalse);
  const complete = runs.filter(({ lost }) => lost === 0);
  const short = complete.filter(isShort);
  const uncounted = runs.filter((one) => one.lost > 0 && one.status === "COMPLETED" && !one.counted);
  for (const { shape, size, by, status, lost } of [...wrong, ...short])
    console.log(`  ${size} ${shape}, ${by}: ${status}, ${lost} lost`);
  const right = rules.reduce((sum, { given, extra }) => sum + given - extra, 0);
  const printed = rules.reduce((sum, { size }) => sum + size, 0);
  const given = rules.reduce((sum, one) => sum + one.given, 0);
  console.log(
    `\nby rules: rows recall ${(right / printed).toFixed(3)} precision ${(right / Math.max(1, given)).toFixed(3)}; not counted and rows missing: ${uncounted.length} of ${runs.length} runs`,
  );
  requireAll([
    noneFound("COMPLETED with rows missing", wrong.length),
    {
      name: "complete results called short: 2 % at most",
      ok: short.length <= MAX_FALSE_SHORTFALL_SHARE * complete.length,
      found: `${short.length} of ${complete.length}`,
    },
  ]);
}
