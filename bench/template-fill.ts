/**
 * Time to fill every field of each of the corpus' forms, beside the PDF library alone on the same values in the same run:
 * `npm run bench -- template-fill [--corpus DIR] [--only PART-OF-NAME]`.
 */
import { describeForm } from "../functions/engine/templates/pdf/describe-form.ts";
import { fillForm } from "../functions/engine/templates/pdf/fill-form.ts";
import type { Json } from "../functions/ports/json.ts";
import { canMeasure, corpusFolder } from "./support/corpus.ts";
import { judge, type Repeated, repeatUntilNarrow, sayFigure, sayLoad } from "./support/repeat.ts";
import { fillBare } from "./templates/bare-library.ts";
import { compareTimes, type Measures, timed } from "./templates/compare-times.ts";
import { corpusForms } from "./templates/corpus-forms.ts";
import { longTextForm } from "./templates/long-text-form.ts";
import { type Probe, probesOf, requestOf } from "./templates/probe-values.ts";

/** Forms above this number of fields are held to the library's time; those below, to milliseconds. */
const MANY_FIELDS = 100;
const MOST_RATIO = 1.1;
const MOST_SMALL_MS = 15;
const LONG_TEXT_CHARACTERS = 5_000;
const MOST_LONG_TEXT_MS = 500;
/** Milliseconds that one form is measured for at most. */
const MOST_MS_A_FORM = 15_000;

const options = { images: new Map(), flatten: false, missingIsError: false, ignoreUnknown: false };

const measure = (
  bytes: Uint8Array,
  probes: readonly Probe[],
  fields: Record<string, Json>,
): Promise<Repeated<Measures>> =>
  compareTimes(
    { ours: () => fillForm(bytes, { ...options, fields }), bare: () => fillBare(bytes, probes) },
    MOST_MS_A_FORM,
  );

function verdictOf(fields: number, { spreads }: Repeated<Measures>): string {
  if (fields > MANY_FIELDS)
    return `at most ${MOST_RATIO} times the library's: ${judge(spreads.ratio, { most: MOST_RATIO })}`;
  return `at most ${MOST_SMALL_MS} ms: ${judge(spreads.ours, { most: MOST_SMALL_MS })}`;
}

async function measureLongText(): Promise<void> {
  const { bytes, fields } = await longTextForm(LONG_TEXT_CHARACTERS);
  const { spreads, isNarrow } = await repeatUntilNarrow(
    async () => ({ ours: await timed(() => fillForm(bytes, { ...options, fields })) }),
    { mostMs: MOST_MS_A_FORM },
  );
  console.log(
    `${LONG_TEXT_CHARACTERS} characters over several lines, of automatic size: ${sayFigure(spreads.ours, isNarrow, 1)} ms; ` +
      `at most ${MOST_LONG_TEXT_MS} ms: ${judge(spreads.ours, { most: MOST_LONG_TEXT_MS })}`,
  );
}

/** Runs the benchmark and prints it. */
export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  if (!canMeasure(corpus)) return;
  const at = args.indexOf("--only");
  const { forms, keptBack } = await corpusForms(corpus, at < 0 ? "" : args[at + 1]);
  for (const name of keptBack) console.warn(`NOT MEASURED: ${name} is kept for an examination`);
  console.log("medians in ms of the processor; fields filled");
  for (const { name, bytes } of forms) {
    const probes = probesOf((await describeForm(bytes)).fields);
    const measured = await measure(bytes, probes, requestOf(probes));
    const { ours, bare, ratio } = measured.spreads;
    const verdict = verdictOf(probes.length, measured);
    if (verdict.endsWith("FAILED")) process.exitCode = 1;
    console.log(
      `  ${name.padEnd(42)} ${String(probes.length).padStart(4)}  ${ours.median.toFixed(1).padStart(7)}  library ${bare.median.toFixed(1).padStart(7)}` +
        `  ratio ${sayFigure(ratio, true)}  ${verdict}; ${sayLoad(measured)}`,
    );
  }
  await measureLongText();
}
