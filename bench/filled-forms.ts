/**
 * Values of filled and of blank forms, against made-up values: `npm run bench -- filled-forms [--corpus DIR] [--only
 * PART-OF-NAME] [--rendition form|flat|scan] [--no-pictures] [--details]`. The corpus' forms are filled with answers to questions that a user would
 * ask, and read with their fields, flattened, and as scans; then blank. Nothing is extracted with a model. `--fit` fits the
 * weights by which the reader tells written words from print.
 */
import { fitWritten } from "./filled-forms/fit-written.ts";
import { askForm, type JudgedAnswer } from "./filled-forms/judge-answers.ts";
import { makeForm, RENDITIONS, type Rendition, readForm } from "./filled-forms/make-forms.ts";
import { QUESTIONED_FORMS } from "./filled-forms/questions.ts";
import { openBenchReader } from "./offline/reading.ts";
import { canMeasure, corpusFolder } from "./support/corpus.ts";
import { optionOf } from "./support/options.ts";

/** Requirements of recall and precision by rendition, and of blank forms: the share answered, and how surely. */
const REQUIRED: Record<Rendition, { recall: number; precision: number }> = {
  form: { recall: 0.9, precision: 0.95 },
  flat: { recall: 0.85, precision: 0.93 },
  scan: { recall: 0.7, precision: 0.9 },
};
const MOST_BLANK_SHARE = 0.02;
const SURE_CONFIDENCE = 0.9;

const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);

function printFilled(rendition: Rendition, judged: readonly JudgedAnswer[]): void {
  const [asked, given] = [judged.filter(({ expected }) => expected !== null), judged.filter(({ got }) => got !== null)];
  const right = given.filter((one) => one.right).length;
  const [recall, precision] = [share(right, asked.length), share(right, given.length)];
  const { recall: r, precision: p } = REQUIRED[rendition];
  const holds = recall >= r && precision >= p ? "holds" : "FAILED";
  const sure = given.filter(({ confidence }) => confidence >= SURE_CONFIDENCE);
  if (holds === "FAILED") process.exitCode = 1;
  console.log(
    `${rendition.padEnd(5)} filled  ${asked.length} values  recall ${recall.toFixed(3)}  precision ${precision.toFixed(3)}` +
      `  of ≥ ${SURE_CONFIDENCE}: ${sure.filter((one) => one.right).length}/${sure.length} right` +
      `  required ${r} / ${p}: ${holds}`,
  );
}

function printBlank(rendition: Rendition, judged: readonly JudgedAnswer[]): void {
  const given = judged.filter(({ got }) => got !== null);
  const sure = given.filter(({ confidence }) => confidence >= SURE_CONFIDENCE).length;
  const part = share(given.length, judged.length);
  const holds = part <= MOST_BLANK_SHARE && sure === 0 ? "holds" : "FAILED";
  if (holds === "FAILED") process.exitCode = 1;
  console.log(
    `${rendition.padEnd(5)} blank   ${judged.length} asked  answered ${part.toFixed(3)}, ${sure} of them ≥ ${SURE_CONFIDENCE}` +
      `  required ${MOST_BLANK_SHARE}, none: ${holds}`,
  );
}

function printFaults(judged: readonly JudgedAnswer[]): void {
  for (const { form, name, expected, got, confidence } of judged.filter(({ right }) => !right))
    console.log(`    ${form} ${name}: ${JSON.stringify(expected)}, got ${JSON.stringify(got)} at ${confidence}`);
}

/** Runs the benchmark and prints it. */
export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  if (!canMeasure(corpus)) return;
  if (args.includes("--fit")) return fitWritten(corpus);
  const only = optionOf(args, "--only") ?? "";
  const forms = QUESTIONED_FORMS.filter(({ form }) => form.includes(only));
  const reader = openBenchReader(!args.includes("--no-pictures"));
  try {
    const wanted = optionOf(args, "--rendition");
    const isWanted = (one: Rendition): boolean =>
      wanted === undefined ? one !== "scan" || !args.includes("--no-pictures") : one === wanted;
    for (const rendition of RENDITIONS.filter(isWanted)) {
      for (const filled of [true, false]) {
        const judged: JudgedAnswer[] = [];
        for (const form of forms) {
          const bytes = await makeForm(corpus, form, { filled, flatten: rendition !== "form" });
          judged.push(...askForm(form, await readForm(bytes, rendition, reader), !filled));
        }
        if (filled) printFilled(rendition, judged);
        else printBlank(rendition, judged);
        if (args.includes("--details")) printFaults(judged);
      }
    }
  } finally {
    await reader.close();
  }
}
