/** Confidence of the offline extractor's answers to the sets' questions, by kind of document and by the rule that read. */
import { MIN_OFFLINE_CONFIDENCE } from "../../functions/engine/confidence/withhold-unsure.ts";
import type { JudgedValue } from "./judged-values.ts";
import { auroc, reliability, type Scored } from "./statistics.ts";

/** The rule of values that were given wrongly at first sight, and are no more. */
export const FIRST_ERRORS = "of first sight";

type Rated = Scored & Pick<JudgedValue, "kind" | "rule">;

/** From this confidence on a value is called sure. */
const SURE_CONFIDENCE = 0.9;
const MIN_VALUES_OF_RULE = 10;

const share = (values: readonly Rated[]): string =>
  values.length === 0 ? "–" : (values.filter(({ right }) => right).length / values.length).toFixed(3);

function line(name: string, values: readonly Rated[]): string {
  const from = (least: number): Rated[] => values.filter(({ score }) => score >= least);
  const [given, sure] = [from(MIN_OFFLINE_CONFIDENCE), from(SURE_CONFIDENCE)];
  const area = auroc(values);
  const wrong = values.filter(({ right }) => !right).length;
  return `  ${name.padEnd(44)}${String(values.length).padStart(6)}${String(wrong).padStart(6)}   ${Number.isNaN(area) ? "–    " : area.toFixed(3)}   ${given.length} ${share(given)}   ${sure.length} ${share(sure)}`;
}

const bins = (values: readonly Rated[]): string =>
  reliability(values)
    .map(({ from, count, promised, kept }) => `${from.toFixed(1)}: ${kept}/${count} (${promised.toFixed(2)})`)
    .join("  ");

/** Prints AUROC, what is given and what is sure with the shares that are right, and reliability. */
export function printOwnValues(all: readonly Rated[]): void {
  console.log(
    "\nThe offline extractor's answers to the sets' questions: read, wrong, AUROC, given and sure with shares right",
  );
  const errors = all.filter(({ rule }) => rule === FIRST_ERRORS);
  const values = all.filter(({ rule }) => rule !== FIRST_ERRORS);
  console.log(line("all", values));
  console.log(line("all, and the errors of first sights", all));
  for (const [kind = "", own] of Map.groupBy(values, (one) => one.kind)) {
    console.log(line(kind, own));
    const of = errors.filter((one) => one.kind === kind);
    if (of.length > 0) console.log(line(`${kind}, and the errors of first sights`, [...own, ...of]));
    console.log(`    right of read (promised): ${bins(own)}`);
  }
  for (const [rule = "", own] of Map.groupBy(values, (one) => one.rule))
    if (own.length >= MIN_VALUES_OF_RULE) console.log(line(`by rule: ${rule}`, own));
}
