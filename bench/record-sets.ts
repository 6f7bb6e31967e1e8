/**
 * Cells of tables on pages that no code was written for: text, row, column and span against grids written by hand,
 * beside camelot, pdfplumber and PyMuPDF, which see nothing on scans. The first run of a set goes into
 * `first-sight/register.json`. `npm run bench -- record-sets --set NAME [--fetch] [--cache DIR] [--engine DIR]
 * [--no-libraries] [--json FILE]`: DIR is another checkout whose engine reads, too; FILE gets every difference.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { cacheFolder, takeFile } from "./first-sight/cache.ts";
import { registerEntry } from "./first-sight/register.ts";
import { readerFigures } from "./record-sets/figures.ts";
import { truthGrid } from "./record-sets/grid.ts";
import { pageBytes } from "./record-sets/page-file.ts";
import { openReaders, type TableReader } from "./record-sets/readers.ts";
import { figureLines, figureText, type NamedFigures, pageLine, sayFigure } from "./record-sets/report.ts";
import { type PageScore, scorePage } from "./record-sets/score-page.ts";
import {
  loadTableSet,
  type TablePage,
  type TableSet,
  tableSetFaults,
  tableSetNames,
} from "./record-sets/table-sets.ts";
import { atLeast, requireAll } from "./support/holds.ts";
import { optionOf } from "./support/options.ts";

const MIN_TEXT_LAYER_F1 = 0.96;
/** F1 by which the engine is ahead of each library on pages with a text layer. */
const MIN_LEAD = 0.1;

interface MeasuredPage {
  page: TablePage;
  /** By the name of the reader. */
  scores: Map<string, PageScore>;
}

/** An error of a reader is a result, too: it finds no table. */
async function readTables(reader: TableReader, page: TablePage, bytes: Uint8Array, file: string) {
  if (!reader.recognises && page.kind !== "text layer") return [];
  try {
    return await reader.read(bytes, file);
  } catch (error) {
    console.warn(`FAILED: ${reader.name}, ${page.name}: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
}

async function measurePage(
  set: TableSet,
  page: TablePage,
  original: Uint8Array,
  readers: readonly TableReader[],
  folder: string,
): Promise<MeasuredPage> {
  const bytes = await pageBytes(page, original);
  const file = path.join(folder, page.name + path.extname(page.path).toLowerCase());
  await writeFile(file, bytes);
  const readings = (set.truths[page.name]?.readings ?? []).map((tables) => tables.map(truthGrid));
  const scores = new Map<string, PageScore>();
  for (const reader of readers)
    scores.set(reader.name, scorePage(readings, await readTables(reader, page, bytes, file)));
  console.log(pageLine(page.name, [...scores.values()]));
  return { page, scores };
}

async function measureSet(set: TableSet, args: readonly string[], readers: readonly TableReader[]) {
  const folder = await mkdtemp(path.join(tmpdir(), "sheaf-record-sets-"));
  const measured: MeasuredPage[] = [];
  console.log(`F1 of each page by ${readers.map(({ name }) => name).join(", ")}`);
  try {
    for (const page of set.files) {
      const found = await takeFile(cacheFolder(args), page, args.includes("--fetch"));
      if ("missing" in found) console.warn(`NOT MEASURED: ${page.name}: ${found.missing}`);
      else measured.push(await measurePage(set, page, found.bytes, readers, folder));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return measured;
}

const hasTextLayer = ({ page }: MeasuredPage): boolean => page.kind === "text layer";

function namedFigures(pages: readonly MeasuredPage[], readers: readonly TableReader[]): NamedFigures {
  return readers.map(({ name }) => [
    name,
    readerFigures(
      pages.flatMap(({ scores }) => [...scores].flatMap(([reader, score]) => (reader === name ? [score] : []))),
    ),
  ]);
}

/** Figures of pages with a text layer by all readers, of scans and of all pages by engines only. */
function figuresOf(measured: readonly MeasuredPage[], readers: readonly TableReader[]) {
  const engines = readers.filter(({ recognises }) => recognises);
  return {
    textLayer: namedFigures(measured.filter(hasTextLayer), readers),
    scans: namedFigures(
      measured.filter((one) => !hasTextLayer(one)),
      engines,
    ),
    all: namedFigures(measured, engines),
  };
}

type SetFigures = ReturnType<typeof figuresOf>;

function printFigures(name: string, figures: SetFigures, readers: readonly TableReader[]): void {
  for (const line of [
    ...figureLines(`${name}, pages with a text layer`, figures.textLayer),
    ...figureLines(`${name}, scans`, figures.scans),
    ...figureLines(`${name}, all pages`, figures.all),
  ])
    console.log(line);
  const blind = readers.filter(({ recognises }) => !recognises);
  if (blind.length > 0) console.log(`\nOn scans ${blind.map(({ name: one }) => one).join(", ")} have nothing to read.`);
}

function requireGoals({ textLayer }: SetFigures): void {
  const [ours, ...others] = textLayer.map(([name, { cells }]) => ({ name, f1: cells.f1.share ?? 0 }));
  if (ours === undefined) return;
  requireAll([
    atLeast("F1 of cells on pages with a text layer", ours.f1, MIN_TEXT_LAYER_F1),
    ...others
      .filter(({ name }) => !name.startsWith("engine of"))
      .map(({ name, f1 }) => atLeast(`F1 ahead of ${name}`, ours.f1 - f1, MIN_LEAD)),
  ]);
}

async function registerFigures(set: string, { textLayer, scans, all }: SetFigures): Promise<void> {
  const [ours, scanned] = [textLayer[0]?.[1], scans[0]?.[1]];
  if (ours === undefined || scanned === undefined) return;
  const sayAll = (named: NamedFigures) => Object.fromEntries(named.map(([reader, one]) => [reader, figureText(one)]));
  const isFirst = await registerEntry(
    {
      set,
      subject: "cells of tables",
      manifest: `bench/record-sets/sets/${set}.json`,
      firstSight: `F1 ${sayFigure(ours.cells.f1)} with a text layer, ${sayFigure(scanned.cells.f1)} on scans`,
      figures: { textLayer: sayAll(textLayer), scans: sayAll(scans), all: sayAll(all) },
    },
    new Date(),
  );
  console.log(
    isFirst ? "This is the first run: the register has it now." : "This set was run before: a regression figure.",
  );
}

/** Runs the benchmark over the set of `--set NAME` and prints it; a set is never run by default, for it may be kept. */
export async function run(args: string[]): Promise<void> {
  const name = optionOf(args, "--set");
  const names = await tableSetNames();
  if (name === undefined || !names.includes(name)) throw new Error(`--set names one of: ${names.join(", ")}`);
  const set = await loadTableSet(name);
  const faults = tableSetFaults(set);
  if (faults.length > 0) throw new Error(`The set ${name} is not valid:\n${faults.join("\n")}`);
  const readers = await openReaders(optionOf(args, "--engine"), !args.includes("--no-libraries"));
  try {
    const measured = await measureSet(set, args, readers);
    const figures = figuresOf(measured, readers);
    printFigures(name, figures, readers);
    const json = optionOf(args, "--json");
    if (json !== undefined) {
      const pages = measured.map(({ page, scores }) => ({ page: page.name, ...Object.fromEntries(scores) }));
      await writeFile(json, JSON.stringify({ set: name, figures, pages }, null, 2));
    }
    if (measured.length === set.files.length) await registerFigures(name, figures);
    else console.warn(`NOT WHOLE: ${set.files.length - measured.length} of ${set.files.length} pages were left out.`);
    requireGoals(figures);
  } finally {
    for (const reader of readers) await reader.close();
  }
}
