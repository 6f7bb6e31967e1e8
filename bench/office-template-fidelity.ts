/**
 * Share of values that filled Office templates show: `npm run bench -- office-template-fidelity [--corpus DIR]`. Word
 * templates of the corpus are filled with distinct values and read back in three ways.
 */

import { corpusWordTemplates } from "./office-templates/corpus-word-templates.ts";
import { hasLibreOffice, readBack } from "./office-templates/word-read-back.ts";
import { canMeasure, corpusFolder } from "./support/corpus.ts";

/** Share of all values that are to be read back. */
export const LEAST_READ_BACK = 0.995;

/** Runs the benchmark and prints it. */
export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  if (!canMeasure(corpus)) return;
  if (!hasLibreOffice())
    console.warn("NOT MEASURED: LibreOffice and poppler are not installed; no document is laid out");
  const { filled, refused } = await corpusWordTemplates(corpus);
  for (const [name, message] of refused) console.log(`  refused: ${name}: ${message.slice(0, 100)}`);
  const results = await readBack(filled);
  const values = results.reduce((sum, one) => sum + one.values, 0);
  for (const way of ["xml", "libreoffice", "reader"] as const) {
    const lost = results.flatMap((one) => one.lost[way]);
    const share = (values - lost.length) / values;
    if (share < LEAST_READ_BACK) process.exitCode = 1;
    console.log(
      `  ${way}: ${values - lost.length} of ${values} values (${share.toFixed(4)}); at least ${LEAST_READ_BACK}${lost.length === 0 ? "" : `; lost: ${lost.join(", ")}`}`,
    );
  }
  const changed = results.flatMap((one) => one.changedParts.map((part) => `${one.name} ${part}`));
  console.log(`  parts without fields that differ: ${changed.length === 0 ? "none" : changed.join(", ")}`);
}
