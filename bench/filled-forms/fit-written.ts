/** Fits the weights of the signs that words were written into a form, to the corpus' forms filled with made-up words. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { acroFormMetadata } from "../../functions/engine/forms/acroform/acroform-metadata.ts";
import { probability } from "../../functions/engine/forms/detect/confidence.ts";
import type { FormPageContent } from "../../functions/engine/forms/detect/form-page.ts";
import { formPageContent } from "../../functions/engine/forms/detect/pdf-page-content.ts";
import type { Signs } from "../../functions/engine/forms/detect/sign-source.ts";
import { styleShares, writtenSigns } from "../../functions/engine/forms/entries/written-signs.ts";
import { withPiecedRuns } from "../../functions/engine/forms/entries/written-words.ts";
import { containsMiddle } from "../../functions/engine/layout/geometry.ts";
import { withPdf } from "../../functions/engine/readers/pdf/pdf-document.ts";
import { rotateBox } from "../../functions/engine/readers/pdf/text-directions.ts";
import { describeForm } from "../../functions/engine/templates/pdf/describe-form.ts";
import { fillForm } from "../../functions/engine/templates/pdf/fill-form.ts";
import type { Box } from "../../functions/ports/layout.ts";
import { scannedPages } from "../forms/scanned-pages.ts";
import { corpusForms } from "../templates/corpus-forms.ts";

interface Sample {
  form: string;
  signs: Signs;
  written: boolean;
  isPicture: boolean;
}

/** Made-up values of the kinds that people write. */
const VALUES = [
  "Marguerite Holloway",
  "Tobias",
  "Vance",
  "1482 Sycamore Terrace",
  "Bellingham",
  "OR",
  "97214",
  "03/14/1979",
  "541-555-0173",
  "m.holloway@example.net",
  "4,250.00",
  "1275",
  "38",
  "N/A",
  "Dental technician",
  "Harbor Light Clinic",
  "Moved in with relatives after the lease ended",
  "204-88-1173",
  "JK",
  "2024-06-30",
  "Lindenstraße 12",
  "B",
  "None",
  "17.50",
  "08:30",
  "04/21",
  "6 h",
  "QX7R214",
  "Northfield Rowing Club",
] as const;
/** Share of the fields that are filled: forms have empty ones too. */
const FILLED_SHARE = 0.7;

/** Repeatable numbers from 0 to 1. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

async function fillAll(bytes: Uint8Array, roll: () => number): Promise<{ flat: Uint8Array; names: Set<string> }> {
  const { fields } = await describeForm(bytes);
  const values = new Map<string, string>();
  for (const { name, type, maxLength, flags, dateFormat } of fields) {
    if ((type !== "text" && type !== "multiline") || flags.includes("readOnly") || dateFormat !== null) continue;
    const value = VALUES[Math.floor(roll() * VALUES.length)] ?? "";
    if (roll() < FILLED_SHARE) values.set(name, value.slice(0, maxLength ?? value.length).trim());
  }
  const request = { images: new Map<string, Uint8Array>(), missingIsError: false, ignoreUnknown: true, flatten: true };
  return {
    flat: (await fillForm(bytes, { ...request, fields: Object.fromEntries(values) })).bytes,
    names: new Set(values.keys()),
  };
}

function samplesOf(form: string, content: FormPageContent, filled: readonly Box[]): Sample[] {
  const space = withPiecedRuns(content);
  const shareOf = styleShares(space);
  const boxes = filled.map((box) => rotateBox(box, -content.angle));
  return space.runs.map((run) => ({
    form,
    signs: writtenSigns(run, space, shareOf(run)),
    written: boxes.some((box) => containsMiddle(box, run.box)),
    isPicture: content.isPicture,
  }));
}

async function gather(corpus: string): Promise<Sample[]> {
  const samples: Sample[] = [];
  const { forms } = await corpusForms(corpus);
  for (const [index, { name, bytes }] of forms.entries()) {
    const { flat, names } = await fillAll(bytes, dice(index + 1));
    const { fields } = await acroFormMetadata(bytes);
    const anchors = fields
      .filter((field) => names.has(field.name))
      .flatMap(({ widgets }) => widgets.flatMap((one) => one.pageAnchors));
    const filled = (page: number): Box[] =>
      anchors.filter(({ pageNumber }) => pageNumber === page).map(({ bbox }) => bbox);
    const contents = await withPdf(flat, (document) =>
      Array.from({ length: document.pageCount }, (_, at) =>
        document.withPage(at, (page) => formPageContent(page, at + 1)),
      ),
    );
    const pages = [...contents, ...(await scannedPages(flat, (content) => content))];
    for (const content of pages) {
      const own = filled(content.pageNumber);
      if (own.length > 0) samples.push(...samplesOf(name, content, own));
    }
  }
  return samples;
}

const STEPS = 600;
const RATE = 0.5;
const DECAY = 2e-4;

/** Logistic regression by gradient descent over all samples. Each form counts as much as any other, however long. */
function fitWeights(samples: readonly Sample[]): Record<string, number> {
  const names = ["bias", ...Object.keys(samples[0]?.signs ?? {})];
  const rows = samples.map(({ signs }) =>
    Float64Array.from(names, (name) => (name === "bias" ? 1 : (signs[name] ?? 0))),
  );
  const counts = Map.groupBy(samples, ({ form }) => form);
  const shares = samples.map(({ form }) => 1 / (counts.size * (counts.get(form)?.length ?? 1)));
  const weights = new Float64Array(names.length);
  const momentum = new Float64Array(names.length);
  for (let step = 0; step < STEPS; step += 1) {
    const gradient = new Float64Array(names.length);
    for (const [at, row] of rows.entries()) {
      let sum = 0;
      for (let i = 0; i < row.length; i += 1) sum += (row[i] ?? 0) * (weights[i] ?? 0);
      const error = ((samples[at]?.written ? 1 : 0) - 1 / (1 + Math.exp(-sum))) * (shares[at] ?? 0);
      for (let i = 0; i < row.length; i += 1) gradient[i] = (gradient[i] ?? 0) + error * (row[i] ?? 0);
    }
    for (let i = 0; i < weights.length; i += 1) {
      momentum[i] = 0.9 * (momentum[i] ?? 0) + (gradient[i] ?? 0) - DECAY * (weights[i] ?? 0);
      weights[i] = (weights[i] ?? 0) + RATE * (momentum[i] ?? 0);
    }
  }
  return Object.fromEntries(names.map((name, i) => [name, Math.round((weights[i] ?? 0) * 100) / 100]));
}

function sayRates(samples: readonly Sample[], weightsOf: (form: string) => Record<string, number>): string {
  let [right, found, written] = [0, 0, 0];
  for (const { form, signs, written: isWritten } of samples) {
    const isFound = probability(signs, weightsOf(form)) >= 0.5;
    if (isWritten) written += 1;
    if (isFound) found += 1;
    if (isFound && isWritten) right += 1;
  }
  return `recall ${(right / written).toFixed(3)}  precision ${(right / found).toFixed(3)} of ${written} written runs`;
}

const WEIGHTS_FILE = path.join(import.meta.dirname, "../../functions/engine/forms/entries/written-weights.ts");

const written = (name: string, about: string, weights: Record<string, number>): string => {
  const rows = Object.entries(weights).map(
    ([sign, weight]) => `  ${/^\w+$/u.test(sign) ? sign : JSON.stringify(sign)}: ${weight},\n`,
  );
  return `\n/** ${about} */\nexport const ${name}: Weights = {\n${rows.join("")}};\n`;
};

/** Fits weights to samples, and prints how they do on forms that they were not fitted to. */
function fitKind(kind: string, samples: readonly Sample[]): Record<string, number> {
  const leftOut = new Map<string, Record<string, number>>();
  const weightsOf = (form: string): Record<string, number> => {
    const known = leftOut.get(form) ?? fitWeights(samples.filter((one) => one.form !== form));
    leftOut.set(form, known);
    return known;
  };
  console.log(`${kind}, each form by the weights of the others: ${sayRates(samples, weightsOf)}`);
  const weights = fitWeights(samples);
  console.log(`${kind}, all forms by their own weights: ${sayRates(samples, () => weights)}`);
  return weights;
}

/** Fits the weights of pages with a text layer and of recognised ones, and writes them. */
export async function fitWritten(corpus: string): Promise<void> {
  const samples = await gather(corpus);
  const [texts, pictures] = [samples.filter((one) => !one.isPicture), samples.filter((one) => one.isPicture)];
  const title =
    "/** Weights of the signs that words were written into a form, fitted by `npm run bench -- filled-forms --fit`. */\n";
  await writeFile(
    WEIGHTS_FILE,
    `${title}type Weights = Readonly<Record<string, number>>;\n${written("TEXT_WEIGHTS", "On pages with a text layer.", fitKind("text layers", texts))}${written("PICTURE_WEIGHTS", "On recognised pages, whose type is measured in pixels.", fitKind("pictures", pictures))}`,
  );
}
