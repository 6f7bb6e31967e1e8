/** Places to write on flat forms, against the widgets that their authors put there: `npm run bench -- forms`. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { isChoice } from "../functions/engine/forms/detect/candidate.ts";
import { choosePlaces } from "../functions/engine/forms/detect/choose-places.ts";
import type { JudgedCandidate } from "../functions/engine/forms/detect/confidence.ts";
import { judgePage } from "../functions/engine/forms/detect/judge-page.ts";
import { formPageContent } from "../functions/engine/forms/detect/pdf-page-content.ts";
import { withPdf } from "../functions/engine/readers/pdf/pdf-document.ts";
import { type Example, fitWeights, scoreSigns } from "./forms/fit.ts";
import { drawBoxes } from "./forms/pictures.ts";
import {
  addCounts,
  type Counts,
  countClass,
  type Detection,
  f1,
  meanAveragePrecision,
  NO_COUNTS,
  pair,
  precision,
  RIGHT_IOU,
  recall,
  type ScoredForm,
} from "./forms/score.ts";
import { stripForm } from "./forms/strip-form.ts";
import { FIELD_CLASSES, type FieldClass, type FormTruth, iou, readTruth } from "./forms/truth.ts";
import { canMeasure, corpusFolder } from "./support/corpus.ts";
import { optionOf } from "./support/options.ts";

interface FlatForm {
  name: string;
  flat: Uint8Array;
  truth: FormTruth;
  pages: JudgedCandidate[][];
  seconds: number;
}

interface Entry {
  path: string;
  facts: { multi_page_government_30plus?: boolean };
}

/**
 * Forms of which the author left most of the printed places without a widget, judged by eye: a detection there is called
 * wrong for want of a widget. They are measured, but nothing is fitted to them, and a second figure leaves them out.
 */
const INCOMPLETE: ReadonlySet<string> = new Set(["mi-dhs1426-health-coverage", "mn-ccap-child-care"]);

const classOfCandidate = ({ candidate }: JudgedCandidate): FieldClass => (isChoice(candidate) ? "choice" : "text");

async function readForm(file: string): Promise<FlatForm> {
  const bytes = new Uint8Array(await readFile(file));
  const [truth, flat] = [await readTruth(bytes), await stripForm(bytes)];
  const start = performance.now();
  const pages = await withPdf(flat, (document) =>
    Array.from({ length: document.pageCount }, (_, index) =>
      document.withPage(index, (page) => judgePage(formPageContent(page, index + 1))),
    ),
  );
  const seconds = (performance.now() - start) / 1000;
  return { name: path.basename(file, ".pdf"), flat, truth, pages, seconds };
}

interface Weights {
  text: Record<string, number>;
  choice: Record<string, number>;
}

function examplesOf(forms: readonly FlatForm[], wanted: "text" | "choice"): Example[] {
  return forms.flatMap(({ pages, truth }) =>
    pages.flatMap((judged, index) => {
      const fields = truth.fields.filter((one) => one.pageNumber === index + 1);
      return judged
        .filter((one) => classOfCandidate(one) === wanted && one.candidate.shape !== "brackets")
        .map(({ candidate, signs }) => ({
          signs,
          weight: 1 / Math.sqrt(truth.fields.length),
          right: fields.some(
            (one) =>
              (one.fieldClass === "choice") === (wanted === "choice") && iou(one.box, candidate.box) >= RIGHT_IOU,
          ),
        }));
    }),
  );
}

/** Empty brackets are places to tick, but the one form that has them was made without widgets there. */
const BRACKETS_WEIGHT = -2;

const fitForms = (forms: readonly FlatForm[]): Weights => ({
  text: fitWeights(examplesOf(forms, "text")),
  choice: { ...fitWeights(examplesOf(forms, "choice")), brackets: BRACKETS_WEIGHT },
});

function detect({ pages }: FlatForm, weights: Weights): (Detection & { judged: JudgedCandidate })[] {
  return pages.flatMap((judged, index) => {
    const scored = judged.map((one) => ({
      ...one,
      confidence: scoreSigns(one.signs, weights[isChoice(one.candidate) ? "choice" : "text"]),
    }));
    return choosePlaces(scored, 0.01).map((one) => ({
      pageNumber: index + 1,
      box: one.candidate.box,
      fieldClass: classOfCandidate(one),
      confidence: one.confidence,
      judged: one,
    }));
  });
}

const atLeast = (detections: readonly Detection[], least: number): Detection[] =>
  detections.filter(({ confidence }) => confidence >= least);

function count(form: FlatForm, detections: readonly Detection[]): Counts {
  return FIELD_CLASSES.map((one) => countClass(detections, form.truth.fields, one)).reduce(addCounts);
}

const THRESHOLDS = Array.from({ length: 19 }, (_, index) => (index + 1) / 20);

function bestThreshold(forms: readonly FlatForm[], weights: Weights): number {
  let [best, most] = [0.5, -1];
  const detected = forms.map((form) => ({ form, detections: detect(form, weights) }));
  for (const least of THRESHOLDS) {
    const own = f1(detected.map(({ form, detections }) => count(form, atLeast(detections, least))).reduce(addCounts));
    if (own > most) [best, most] = [least, own];
  }
  return best;
}

const num = (value: number): string => (Number.isNaN(value) ? "–" : value.toFixed(3)).padStart(6);
const cells = (counts: Counts): string => `P ${num(precision(counts))} R ${num(recall(counts))} F1 ${num(f1(counts))}`;

const WEIGHTS_FILE = path.join(import.meta.dirname, "../functions/engine/forms/detect/confidence-weights.ts");

/** Writes the weights that detection uses: those of all forms together. */
async function writeWeights({ text, choice }: Weights): Promise<void> {
  const table = (name: string, weights: Record<string, number>): string =>
    `export const ${name}: Readonly<Record<string, number>> = {\n${Object.entries(weights)
      .map(([sign, weight]) => `  ${/^\w+$/u.test(sign) ? sign : JSON.stringify(sign)}: ${weight},\n`)
      .join("")}};\n`;
  const text0 = "/** Weights of the signs of a place to write, fitted by `npm run bench -- forms --fit`. */\n";
  await writeFile(WEIGHTS_FILE, text0 + table("TEXT_WEIGHTS", text) + table("CHOICE_WEIGHTS", choice));
}

interface ScoredFlatForm extends ScoredForm {
  form: FlatForm;
  kept: (Detection & { judged: JudgedCandidate })[];
}

function report(title: string, scored: readonly ScoredFlatForm[]): void {
  console.log(`${title} (${scored.length})`);
  const counts = FIELD_CLASSES.map((one) =>
    scored.map(({ form, kept }) => countClass(kept, form.truth.fields, one)).reduce(addCounts),
  );
  for (const [index, one] of FIELD_CLASSES.entries()) {
    const own = counts[index] ?? NO_COUNTS;
    console.log(
      `  ${one.padEnd(10)} ${cells(own)} mAP50-95 ${num(meanAveragePrecision(scored, one))}  ${own.right}/${own.found}/${own.true}`,
    );
  }
  const mean = scored.reduce((sum, { form, kept }) => sum + f1(count(form, kept)), 0) / scored.length;
  console.log(`  all        ${cells(counts.reduce(addCounts))}; mean of the forms' F1 ${num(mean)}`);
  const at35 = scored.map(({ form, detections }) => count(form, atLeast(detections, 0.35))).reduce(addCounts);
  console.log(`  from 0.35  ${cells(at35)}`);
}

export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  if (!canMeasure(corpus)) return;
  const manifest = JSON.parse(await readFile(path.join(corpus, "MANIFEST.json"), "utf8")) as { files: Entry[] };
  const only = optionOf(args, "--only") ?? "";
  const files = manifest.files.filter(({ facts }) => facts.multi_page_government_30plus === true);
  const forms: FlatForm[] = [];
  for (const { path: file } of files) forms.push(await readForm(path.join(corpus, file)));
  if (args.includes("--fit")) await writeWeights(fitForms(forms.filter(({ name }) => !INCOMPLETE.has(name))));
  const scored: ScoredFlatForm[] = [];
  for (const form of forms) {
    const others = forms.filter((one) => one !== form && !INCOMPLETE.has(one.name));
    const weights = fitForms(others);
    const threshold = bestThreshold(others, weights);
    const detections = detect(form, weights);
    const kept = detections.filter(({ confidence }) => confidence >= threshold);
    scored.push({ detections, fields: form.truth.fields, form, kept });
    const by = FIELD_CLASSES.map((one) => countClass(kept, form.truth.fields, one));
    console.log(
      `${form.name.slice(0, 30).padEnd(31)} at ${threshold}  all ${cells(by.reduce(addCounts))}  text ${cells(by[0] ?? NO_COUNTS)}  choice ${cells(by[1] ?? NO_COUNTS)}  ${(form.seconds / form.pages.length).toFixed(3)} s/page`,
    );
  }
  report("all forms", scored);
  report(
    "forms with a widget for each printed place",
    scored.filter(({ form }) => !INCOMPLETE.has(form.name)),
  );
  const folder = optionOf(args, "--pictures");
  if (folder !== undefined)
    for (const { form, kept } of scored.filter(({ form }) => form.name.includes(only))) {
      const pairs = pair(kept, form.truth.fields, RIGHT_IOU);
      const met = new Set(pairs.values());
      for (let page = 1; page <= form.pages.length; page += 1) {
        const boxes = [
          ...form.truth.fields
            .filter((one) => one.pageNumber === page && !met.has(one))
            .map(({ box }) => ({ box, colour: "#d00000", dashed: true })),
          ...kept
            .filter((one) => one.pageNumber === page)
            .map((one) => ({
              box: one.box,
              colour: pairs.has(one) ? "#0060d0" : "#f08000",
              text: `${one.judged.candidate.shape.slice(0, 2)} ${one.confidence.toFixed(2)}`,
            })),
        ];
        if (boxes.length > 0) await drawBoxes(form.flat, page, boxes, { folder, name: `${form.name}-${page}` });
      }
    }
}
