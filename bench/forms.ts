/**
 * Places to write on flat forms, against the widgets that their authors put there:
 * `npm run bench -- forms [--corpus DIR] [--only PART-OF-NAME] [--pictures DIR] [--causes] [--fit]`. Weights and
 * thresholds are fitted to the other forms each time; `--fit` writes those of all forms into the detector. `--files DIR`
 * measures the fillable PDFs of another folder with the detector's own weights instead. `--causes` counts what is missed
 * and what is found in vain by class, shape and cause.
 */
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { causeLines } from "./forms/causes.ts";
import { flatForms, judgeForms } from "./forms/flat-forms.ts";
import { atFirstSight, fitForms, type LeftOut, leaveOneOut, type Weights } from "./forms/leave-one-out.ts";
import { drawBoxes } from "./forms/pictures.ts";
import { reportLines } from "./forms/report.ts";
import { pair, RIGHT_IOU } from "./forms/score.ts";
import { canMeasure, corpusFolder } from "./support/corpus.ts";
import { optionOf } from "./support/options.ts";

const WEIGHTS_FILE = path.join(import.meta.dirname, "../functions/engine/forms/detect/confidence-weights.ts");
/** Widgets that were missed, right detections, and wrong ones. */
const [MISSED, RIGHT, WRONG] = ["#d00000", "#0060d0", "#f08000"];

/** Writes the weights that detection uses: those of all forms together. */
async function writeWeights({ text, choice }: Weights): Promise<void> {
  const table = (name: string, weights: Record<string, number>): string => {
    const rows = Object.entries(weights).map(
      ([sign, weight]) => `  ${/^\w+$/u.test(sign) ? sign : JSON.stringify(sign)}: ${weight},\n`,
    );
    return `export const ${name}: Readonly<Record<string, number>> = {\n${rows.join("")}};\n`;
  };
  const title = "/** Weights of the signs of a place to write, fitted by `npm run bench -- forms --fit`. */\n";
  await writeFile(WEIGHTS_FILE, title + table("TEXT_WEIGHTS", text) + table("CHOICE_WEIGHTS", choice));
}

async function drawPages({ form, kept }: LeftOut, folder: string, suffix: string): Promise<void> {
  const pairs = pair(kept, form.truth.fields, RIGHT_IOU);
  const met = new Set(pairs.values());
  for (let page = 1; page <= form.pages.length; page += 1) {
    const missed = form.truth.fields.filter((one) => one.pageNumber === page && !met.has(one));
    const boxes = [
      ...missed.map(({ box }) => ({ box, colour: MISSED, dashed: true })),
      ...kept
        .filter((one) => one.pageNumber === page)
        .map((one) => ({
          box: one.box,
          colour: pairs.has(one) ? RIGHT : WRONG,
          text: `${one.shape.slice(0, 2)} ${one.confidence.toFixed(2)}`,
        })),
    ];
    if (boxes.length > 0) await drawBoxes(form.flat, page, boxes, { folder, name: `${form.name}-${page}${suffix}` });
  }
}

/** Reports on the fillable PDFs of a folder, with the detector's own weights. */
async function reportFirstSight(folder: string, pictures: string | undefined, withCauses: boolean): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".pdf")).sort();
  const forms = await judgeForms(
    names.map((name) => path.join(folder, name)),
    "pdf",
  );
  const results = atFirstSight(forms);
  for (const line of reportLines(`forms of ${folder}, nothing fitted to them`, results)) console.log(line);
  if (withCauses) for (const line of causeLines(results)) console.log(line);
  if (pictures !== undefined) for (const result of results) await drawPages(result, pictures, "");
}

/** Runs the benchmark and prints it. */
export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  const folderOfForms = optionOf(args, "--files");
  const folder = optionOf(args, "--pictures");
  const withCauses = args.includes("--causes");
  if (folderOfForms !== undefined) return reportFirstSight(folderOfForms, folder, withCauses);
  if (!canMeasure(corpus)) return;
  const [pdfs, scans] = [await flatForms(corpus, "pdf"), await flatForms(corpus, "scan")];
  const fitted = [...pdfs, ...scans];
  if (args.includes("--fit")) await writeWeights(fitForms(fitted));
  const results = { pdf: leaveOneOut(pdfs, fitted), scan: leaveOneOut(scans, fitted) };
  for (const line of reportLines("PDF without its form", results.pdf)) console.log(line);
  for (const line of reportLines("the same pages as scans", results.scan)) console.log(line);
  if (withCauses) for (const line of causeLines(results.pdf)) console.log(line);
  if (folder === undefined) return;
  const only = optionOf(args, "--only") ?? "";
  for (const result of results.pdf.filter(({ form }) => form.name.includes(only))) await drawPages(result, folder, "");
  for (const result of results.scan.filter(({ form }) => form.name.includes(only)))
    await drawPages(result, folder, "-scan");
}
