/** The fitted weights as source text. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { SIGNAL_NAMES } from "../../functions/engine/confidence/signals.ts";
import type { ReadBy } from "../../functions/engine/confidence/weights.ts";
import type { Fit } from "./fit-weights.ts";
import { type JudgedValue, readByOf } from "./judged-values.ts";

const FILE = path.join(import.meta.dirname, "../../functions/engine/confidence/weights.ts");

function weightLines({ bias, weights }: Fit, says: string, readBy: ReadBy): string {
  const entries = SIGNAL_NAMES.map((name) => [name, Number((weights[name] ?? 0).toFixed(2))] as const);
  const lines = entries.filter(([, weight]) => weight !== 0).map(([name, weight]) => `      ${name}: ${weight},\n`);
  return `  /** ${says} */\n  ${readBy}: {\n    bias: ${Number(bias.toFixed(2))},\n    weights: {\n${lines.join("")}    },\n  },\n`;
}

/**
 * Writes the weights that the service uses; those of a reader without values stay.
 * @param rows the values that they were fitted from
 * @param updates the weights before were fitted to other values, and these changed them
 */
export async function writeWeights(
  fits: Record<ReadBy, Fit>,
  rows: readonly JudgedValue[],
  updates: boolean,
): Promise<void> {
  const before = await readFile(FILE, "utf8");
  const written = (readBy: ReadBy): string => {
    const own = rows.filter((row) => readByOf(row) === readBy);
    const kept = new RegExp(`  /\\*\\*[^\\n]*\\n  ${readBy}: \\{[\\s\\S]*?\\n  \\},\\n`).exec(before)?.[0];
    if (own.length === 0 && kept !== undefined) return kept;
    const documents = new Set(own.map(({ group }) => group)).size;
    const wrong = own.filter(({ right }) => !right).length;
    const says = `${own.length} values of ${documents} documents, ${wrong} of them wrong`;
    const earlier = /\/\*\* (.*?) \*\//.exec(kept ?? "")?.[1] ?? "";
    return weightLines(fits[readBy], updates ? `${earlier} Then changed by ${says}.` : `${says}.`, readBy);
  };
  await writeFile(
    FILE,
    `/**
 * Weights of the signals, as logits, written by \`npm run bench -- confidence --fit\`: logistic regressions over real and
 * generated documents, some of them recognised. Errors of models are planted into simulated answers, or given for what is
 * not stated; errors of our own rules are today's, and those of the first sights. Each weight keeps its signal's sign; a
 * signal without a weight tells nothing about that reader's values.
 */
import type { Signals } from "./signals.ts";

/** Who read a value: their errors differ, so their evidence weighs differently. */
export type ReadBy = "model" | "rules";

export const WEIGHTS: Record<ReadBy, { bias: number; weights: Partial<Signals> }> = {
${written("model")}${written("rules")}};
`,
  );
}
