/**
 * Fills every field of the corpus' forms, reads the values back with qpdf, and draws the forms before and after with
 * poppler, pdfium and pdf.js: `npm run bench -- template-fidelity [--corpus DIR] [--only PART-OF-NAME]`.
 */
import { canMeasure, corpusFolder } from "./support/corpus.ts";
import { corpusForms } from "./templates/corpus-forms.ts";
import { type Fidelity, measureFidelity } from "./templates/fidelity.ts";
import { FORM_READERS } from "./templates/form-readers.ts";
import { hasQpdf } from "./templates/qpdf.ts";

/** Share of the values that are to be read back. */
const LEAST_STORED = 0.995;
/** Share of the dark pixels that may differ once a form is flattened: readers leave out buttons of their own accord. */
const MOST_FLATTENED_DIFFERENCE = 0.005;
/** Names and faults printed of a form. */
const MOST_NAMED = 6;

function row({ name, filled, stored, wrong, drawn }: Fidelity): string {
  const readers = [...drawn].map(
    ([reader, { shown, unchanged, strayPixels }]) =>
      `${reader} ${shown - unchanged.length}/${shown}${strayPixels === 0 ? "" : ` +${strayPixels} px outside`}`,
  );
  const faults = [
    ...wrong,
    ...[...drawn].flatMap(([reader, { unchanged }]) => unchanged.map((one) => `${reader}: ${one}`)),
  ];
  const named = faults.slice(0, MOST_NAMED).map((one) => `\n      ${one}`);
  return `  ${name.padEnd(42)} ${`${stored ?? "?"}/${filled}`.padStart(9)}  ${readers.join("  ")}${named.join("")}`;
}

/** Runs the benchmark and prints it. */
export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  if (!canMeasure(corpus)) return;
  const at = args.indexOf("--only");
  const { forms, keptBack } = await corpusForms(corpus, at < 0 ? "" : args[at + 1]);
  const withQpdf = hasQpdf();
  if (!withQpdf) console.warn("NOT MEASURED: qpdf is not installed; values are not read back");
  const readers = FORM_READERS.filter((reader) => {
    const isThere = reader.isThere();
    if (!isThere) console.warn(`NOT MEASURED: ${reader.name} is not installed; it draws no form`);
    return isThere;
  });
  for (const name of keptBack) console.warn(`NOT MEASURED: ${name} is kept for an examination`);
  console.log("values read by qpdf, and fields whose box differs after filling, by reader");
  const all: Fidelity[] = [];
  for (const form of forms) {
    const measured = await measureFidelity(form, readers, withQpdf);
    all.push(measured);
    console.log(row(measured));
  }
  const filled = all.reduce((sum, one) => sum + one.filled, 0);
  if (withQpdf) {
    const share = all.reduce((sum, one) => sum + (one.stored ?? 0), 0) / filled;
    console.log(
      `values right: ${share.toFixed(4)} of ${filled}; required ${LEAST_STORED}: ${share >= LEAST_STORED ? "holds" : "FAILED"}`,
    );
    if (share < LEAST_STORED) process.exitCode = 1;
  }
  for (const { name } of readers) {
    const drawn = all.flatMap((one) => one.drawn.get(name) ?? []);
    const shown = drawn.reduce((sum, one) => sum + one.shown, 0);
    const unchanged = drawn.reduce((sum, one) => sum + one.unchanged.length, 0);
    const flattened = Math.max(...all.map((one) => one.flattened.get(name) ?? 0));
    const stray = drawn.reduce((sum, one) => sum + one.strayPixels, 0);
    console.log(
      `${name}: ${shown - unchanged} of ${shown} fields visible, ${stray} pixels differ outside of the fields' boxes; ` +
        `flattened, at most ${(100 * flattened).toFixed(2)} % of a form's dark pixels differ`,
    );
    if (unchanged + stray > 0 || flattened > MOST_FLATTENED_DIFFERENCE) process.exitCode = 1;
  }
}
