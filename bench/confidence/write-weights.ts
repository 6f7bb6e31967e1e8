/** The fitted weights as source text. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { SIGNAL_NAMES } from "../../functions/engine/confidence/signals.ts";
import type { ReadBy } from "../../functions/engine/confidence/weights.ts";
import type { Fit } from "./fit-weights.ts";
import { type JudgedValue, readByOf } from "./judged-values.ts";

function weightLines({ bias, weights }: Fit, readBy: ReadBy): string {
  const number = (value: number): string => String(Number(value.toFixed(2)));
  const lines = SIGNAL_NAMES.map((name) => `      ${name}: ${number(weights[name])},\n`);
  return `  ${readBy}: {\n    bias: ${number(bias)},\n    weights: {\n${lines.join("")}    },\n  },\n`;
}

/** Writes the weights that the service uses. @param rows the values that they were fitted from */
export async function writeWeights(fits: Record<ReadBy, Fit>, rows: readonly JudgedValue[]): Promise<void> {
  const says = (readBy: ReadBy): string => {
    const own = rows.filter((row) => readByOf(row) === readBy);
    const documents = new Set(own.map(({ group }) => group)).size;
    return `${own.length} values of ${documents} documents, ${own.filter(({ right }) => !right).length} of them wrong`;
  };
  await writeFile(
    path.join(import.meta.dirname, "../../functions/engine/confidence/weights.ts"),
    `/**
 * Weights of the signals, as logits, written by \`npm run bench -- confidence --fit\`: logistic regressions over real and
 * generated documents, some of them recognised. Values of models: ${says("model")}, planted
 * into a simulated answer or given for what is not stated. Values of our own rules: ${says("rules")}.
 * Each weight keeps its signal's sign.
 */
import type { Signals } from "./signals.ts";

/** Who read a value: their errors differ, so their evidence weighs differently. */
export type ReadBy = "model" | "rules";

export const WEIGHTS: Record<ReadBy, { bias: number; weights: Signals }> = {
${(["model", "rules"] as const).map((readBy) => weightLines(fits[readBy], readBy)).join("")}};
`,
  );
}
