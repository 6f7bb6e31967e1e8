/**
 * Time to fill Office templates, beside bare libraries on the same values in the same run:
 * `npm run bench -- office-template-fill [--corpus DIR] [--only PART-OF-NAME]`.
 */

import type { OfficeCase } from "./office-templates/office-case.ts";
import { powerPointCases } from "./office-templates/powerpoint-cases.ts";
import { wordCases } from "./office-templates/word-cases.ts";
import { canMeasure, corpusFolder } from "./support/corpus.ts";
import { judge, type Repeated, sayFigure, sayLoad } from "./support/repeat.ts";
import { compareTimes, type Measures } from "./templates/compare-times.ts";

/** Milliseconds that one template is measured for at most. */
const MOST_MS_A_CASE = 15_000;

const measure = ({ ours, bare = ours }: OfficeCase): Promise<Repeated<Measures>> =>
  compareTimes({ ours, bare }, MOST_MS_A_CASE);

/** The requirements of a case, and whether they hold. */
function verdictOf({ bare, mostRatio, mostMs }: OfficeCase, { spreads }: Repeated<Measures>): string {
  const ratio =
    bare === undefined || mostRatio === undefined
      ? []
      : [`at most ${mostRatio} times the library's: ${judge(spreads.ratio, { most: mostRatio })}`];
  const time = mostMs === undefined ? [] : [`at most ${mostMs} ms: ${judge(spreads.ours, { most: mostMs })}`];
  return [...ratio, ...time].join("; ");
}

/** Runs the benchmark and prints it. */
export async function run(args: string[]): Promise<void> {
  const corpus = corpusFolder(args);
  if (!canMeasure(corpus)) return;
  const at = args.indexOf("--only");
  const only = at < 0 ? "" : (args[at + 1] ?? "");
  const cases = [...(await wordCases(corpus)), ...(await powerPointCases(corpus))].filter(({ name }) =>
    name.includes(only),
  );
  console.log("medians in ms of the processor");
  for (const one of cases) {
    const measured = await measure(one);
    const { ours, bare, ratio } = measured.spreads;
    const verdict = verdictOf(one, measured);
    if (verdict.includes("FAILED")) process.exitCode = 1;
    const library =
      one.bare === undefined ? "" : `  library ${bare.median.toFixed(1).padStart(7)}  ratio ${sayFigure(ratio, true)}`;
    console.log(
      `  ${one.name.padEnd(40)} ${one.size.padEnd(16)} ${ours.median.toFixed(1).padStart(7)}${library}  ${verdict}; ${sayLoad(measured)}`,
    );
  }
}
