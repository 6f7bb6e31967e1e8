/**
 * First sight: what the engine makes of documents that no code was written for, without a model. A set's truth is
 * committed before its first run; that run goes into `first-sight/register.json`, and all later ones are regression.
 * `npm run bench -- first-sight [--fetch] [--set NAME] [--cache DIR] [--no-pictures]`; `--fetch` takes the files from
 * their addresses into a cache outside of the repository. A file that is not there or has another hash is left out.
 */
import { cacheFolder, takeFile } from "./first-sight/cache.ts";
import { type Figure, figuresOf, type SetFigures } from "./first-sight/figures.ts";
import { type FileMeasurement, measureFile } from "./first-sight/measure.ts";
import { readRegister, registerFirstRun } from "./first-sight/register.ts";
import { type FirstSightSet, faultsOf, loadSet, setNames } from "./first-sight/sets.ts";
import { type BenchReader, openBenchReader } from "./offline/reading.ts";
import { optionOf } from "./support/options.ts";
import { scoreLines, worstLines } from "./support/scores.ts";

const MAX_PRINTED_FAULTS = 40;

const say = ({ share, low, high }: Figure): string =>
  share === null ? "–" : `${share.toFixed(3)} (95 % ${low?.toFixed(3)}–${high?.toFixed(3)})`;

async function measureSet(
  set: FirstSightSet,
  args: readonly string[],
  reader: BenchReader,
): Promise<FileMeasurement[]> {
  const measured: FileMeasurement[] = [];
  for (const file of set.files) {
    if (args.includes("--no-pictures") && file.kind !== "text layer") continue;
    const found = await takeFile(cacheFolder(args), file, args.includes("--fetch"));
    if ("missing" in found) console.warn(`NOT MEASURED: ${file.name}: ${found.missing}`);
    else measured.push(await measureFile(set, file, found.bytes, reader));
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
  for (const line of scoreLines("\nCells of line items", cells, by)) console.log(line);
  console.log("\nWhat is wrong, then what is missing (file, field, expected, got)");
  for (const line of worstLines([...values, ...cells], MAX_PRINTED_FAULTS)) console.log(line);
}

function printFigures(name: string, figures: SetFigures): void {
  console.log(`\n${name}: ${figures.files} files, ${figures.fields} values, ${figures.cells} cells of line items`);
  console.log("intervals by bootstrap over documents");
  console.log(`  values   recall ${say(figures.recall)}  precision ${say(figures.precision)}`);
  console.log(`  cells    recall ${say(figures.cellRecall)}  precision ${say(figures.cellPrecision)}`);
  console.log(`  AUROC of confidence, of all that was read: ${say(figures.auroc)}`);
}

async function runSet(name: string, args: readonly string[], reader: BenchReader): Promise<void> {
  const set = await loadSet(name);
  const faults = faultsOf(set);
  if (faults.length > 0) throw new Error(`The set ${name} is not valid:\n${faults.join("\n")}`);
  const measured = await measureSet(set, args, reader);
  if (measured.length === 0) return;
  printDetails(set, measured);
  for (const { file, failed } of measured) if (failed !== undefined) console.warn(`FAILED: ${file.name}: ${failed}`);
  const figures = figuresOf(measured);
  printFigures(name, figures);
  if (measured.length < set.files.length) {
    console.warn(`NOT WHOLE: ${set.files.length - measured.length} of ${set.files.length} files were left out.`);
    return;
  }
  const isFirst = await registerFirstRun(name, "invoices and receipts", figures, new Date());
  console.log(
    isFirst ? "This is the first run: the register has it now." : "This set was run before: a regression figure.",
  );
}

/** Runs the benchmark over all sets, or over that of `--set NAME`, and prints it. */
export async function run(args: string[]): Promise<void> {
  const only = optionOf(args, "--set");
  const names = (await setNames()).filter((name) => only === undefined || name === only);
  if (names.length === 0) throw new Error(`--set names one of: ${(await setNames()).join(", ")}`);
  const reader = openBenchReader(!args.includes("--no-pictures"));
  try {
    for (const name of names) await runSet(name, args, reader);
  } finally {
    await reader.close();
  }
  console.log("\nAll sets that were ever run, at first sight:");
  for (const { set, subject, run: day, commit, firstSight } of await readRegister())
    console.log(`  ${set.padEnd(16)}${day}  ${(commit ?? "unknown").slice(0, 8)}  ${subject}: ${firstSight}`);
}
