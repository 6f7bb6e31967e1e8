/**
 * First sight: what the engine makes of documents that no code was written for, without a model. A set's truth is
 * committed before its first run; that run goes into `first-sight/register.json`, and all later ones are regression.
 * `npm run bench -- first-sight [--fetch] [--set NAME] [--cache DIR] [--no-pictures] [--engine DIR]
 * [--kept-layouts DIR]`; `--fetch` takes the files from their addresses into a cache outside of the repository. A file
 * that is not there or has another hash is left out. `--engine` also measures the engine of another checkout.
 * `--kept-layouts` reads each file once, and then takes what was read from the folder; such a run registers nothing. A
 * set that is held back runs by its name only.
 */
import { cacheFolder, takeFile } from "./first-sight/cache.ts";
import { type MeasuredEngine, openEngine } from "./first-sight/engine.ts";
import { type Figure, figuresOf, type SetFigures } from "./first-sight/figures.ts";
import { keepLayouts } from "./first-sight/kept-layouts.ts";
import { type FileMeasurement, measureFile } from "./first-sight/measure.ts";
import { readRegister, registerFirstRun } from "./first-sight/register.ts";
import { type FirstSightSet, faultsOf, loadSet, needsRecognition, setNames } from "./first-sight/sets.ts";
import { optionOf } from "./support/options.ts";
import { scoreLines, worstLines } from "./support/scores.ts";

const MAX_PRINTED_FAULTS = 40;

const say = ({ share, low, high }: Figure): string =>
  share === null ? "–" : `${share.toFixed(3)} (95 % ${low?.toFixed(3)}–${high?.toFixed(3)})`;

async function measureSet(
  set: FirstSightSet,
  args: readonly string[],
  engine: MeasuredEngine,
): Promise<FileMeasurement[]> {
  const measured: FileMeasurement[] = [];
  for (const file of set.files) {
    if (args.includes("--no-pictures") && needsRecognition(file.kind)) continue;
    const found = await takeFile(cacheFolder(args), file, args.includes("--fetch"), set.fills);
    if ("missing" in found) console.warn(`NOT MEASURED: ${file.name}: ${found.missing}`);
    else measured.push(await measureFile(set, file, found.bytes, engine));
  }
  return measured;
}

function printDetails({ files }: FirstSightSet, measured: readonly FileMeasurement[]): void {
  const kinds = new Map(files.map(({ name, kind }) => [name, kind]));
  const by = {
    language: ({ language }: { language: string }) => language,
    kind: ({ document }: { document: string }) => kinds.get(document) ?? "",
  };
  const [values, cells] = [measured.flatMap((one) => one.values), measured.flatMap((one) => one.cells)];
  for (const line of scoreLines("\nValues", values, by)) console.log(line);
  if (cells.length > 0) for (const line of scoreLines("\nCells of line items", cells, by)) console.log(line);
  console.log("\nWhat is wrong, then what is missing (file, field, expected, got)");
  for (const line of worstLines([...values, ...cells], MAX_PRINTED_FAULTS)) console.log(line);
}

function printFigures(name: string, figures: SetFigures): void {
  console.log(`\n${name}: ${figures.files} files, ${figures.fields} values, ${figures.cells} cells of line items`);
  console.log(`  values   recall ${say(figures.recall)}  precision ${say(figures.precision)}`);
  if (figures.cells > 0)
    console.log(`  cells    recall ${say(figures.cellRecall)}  precision ${say(figures.cellPrecision)}`);
  console.log(`  AUROC of confidence, of all that was read: ${say(figures.auroc)}`);
  console.log(`  right of the ${figures.sureValues} values from 0.9 on: ${say(figures.sure)}`);
  const surely = `${figures.inventedSurely} of them from 0.9 on`;
  console.log(`  given a value of the ${figures.unanswered} that nothing answers: ${say(figures.invented)}, ${surely}`);
}

/** Figures of the whole set, then of each kind of file. */
function printAllFigures(name: string, measured: readonly FileMeasurement[]): void {
  console.log("\nIntervals by bootstrap over documents");
  printFigures(name, figuresOf(measured));
  const kinds = Map.groupBy(measured, ({ file }) => file.kind);
  if (kinds.size > 1) for (const [kind, files] of kinds) printFigures(`${name}, ${kind}`, figuresOf(files));
}

async function loadValid(name: string): Promise<FirstSightSet> {
  const set = await loadSet(name);
  const faults = faultsOf(set);
  if (faults.length > 0) throw new Error(`The set ${name} is not valid:\n${faults.join("\n")}`);
  return set;
}

async function runSet(set: FirstSightSet, args: readonly string[], engine: MeasuredEngine): Promise<void> {
  const measured = await measureSet(set, args, engine);
  if (measured.length === 0) return;
  printDetails(set, measured);
  for (const { file, failed } of measured) if (failed !== undefined) console.warn(`FAILED: ${file.name}: ${failed}`);
  printAllFigures(set.name, measured);
  if (measured.length < set.files.length) {
    console.warn(`NOT WHOLE: ${set.files.length - measured.length} of ${set.files.length} files were left out.`);
    return;
  }
  if (args.includes("--kept-layouts")) return;
  const isFirst = await registerFirstRun(set.name, set.subject, figuresOf(measured), new Date());
  console.log(
    isFirst ? "This is the first run: the register has it now." : "This set was run before: a regression figure.",
  );
}

/** The same set with the engine of another checkout; the register does not take it. */
async function runOther(set: FirstSightSet, args: readonly string[], engine: MeasuredEngine): Promise<void> {
  console.log(`\nWith the ${engine.name}:`);
  printAllFigures(set.name, await measureSet(set, args, engine));
}

/** Runs the benchmark over all sets, or over that of `--set NAME`, and prints it. */
export async function run(args: string[]): Promise<void> {
  const only = optionOf(args, "--set");
  const all = await Promise.all((await setNames()).map(loadValid));
  const sets = all.filter(({ name, heldBack }) => (only === undefined ? !heldBack : name === only));
  if (sets.length === 0) throw new Error(`--set names one of: ${all.map(({ name }) => name).join(", ")}`);
  const recognise = !args.includes("--no-pictures");
  const checkout = optionOf(args, "--engine");
  const engines = await Promise.all([
    openEngine(recognise),
    ...(checkout === undefined ? [] : [openEngine(recognise, checkout)]),
  ]);
  const [own, other] = engines;
  const kept = optionOf(args, "--kept-layouts");
  if (own !== undefined && kept !== undefined) own.reader = keepLayouts(own.reader, kept);
  try {
    for (const set of sets) {
      if (own !== undefined) await runSet(set, args, own);
      if (other !== undefined) await runOther(set, args, other);
    }
  } finally {
    await Promise.all(engines.map(({ reader }) => reader.close()));
  }
  console.log("\nAll sets that were ever run, at first sight:");
  for (const { set, subject, run: day, commit, firstSight } of await readRegister())
    console.log(`  ${set.padEnd(16)}${day}  ${(commit ?? "unknown").slice(0, 8)}  ${subject}: ${firstSight}`);
}
