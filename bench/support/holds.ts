/** Requirements of a bench, reported line by line and by the exit code. */

import { judge, LEAST_ROUNDS, type Spread, sayFigure } from "./repeat.ts";

/** A requirement, its outcome and the measured value. */
export interface RequirementLine {
  name: string;
  ok: boolean;
  /** True where the measurement cannot tell: neither held nor failed. */
  isOpen?: boolean;
  found: string;
}

interface JudgedOptions {
  /** Said after the bound. */
  unit?: string;
  digits?: number;
  /** False for too few values, which have no interval. */
  isKnown?: boolean;
}

/** A requirement judged by the whole interval of a measurement; too few rounds have none. */
export function judged(
  name: string,
  spread: Spread,
  bound: { least: number } | { most: number },
  { unit = "", digits = 2, isKnown = spread.rounds >= LEAST_ROUNDS }: JudgedOptions = {},
): RequirementLine {
  const verdict = isKnown ? judge(spread, bound) : "INCONCLUSIVE";
  const limit = "least" in bound ? `${bound.least}${unit} at least` : `${bound.most}${unit} at most`;
  return {
    name: `${name}: ${limit}`,
    ok: verdict === "holds",
    isOpen: verdict === "INCONCLUSIVE",
    found: sayFigure(spread, verdict !== "INCONCLUSIVE", digits),
  };
}

export const atLeast = (name: string, found: number, least: number): RequirementLine => ({
  name: `${name}: ${least} at least`,
  ok: found >= least,
  found: found.toFixed(3),
});

export const noneFound = (name: string, found: number): RequirementLine => ({
  name,
  ok: found === 0,
  found: String(found),
});

/**
 * Prints all requirements, the failed ones last and loudly; then the process exits with code 1. What cannot be told is
 * said, and fails nothing.
 */
export function requireAll(lines: readonly RequirementLine[]): void {
  console.log("\nWhat must hold");
  for (const { name, found } of lines.filter(({ ok }) => ok)) console.log(`  holds   ${name} (${found})`);
  for (const { name, found } of lines.filter(({ isOpen }) => isOpen)) console.log(`  open    ${name} (${found})`);
  const broken = lines.filter(({ ok, isOpen }) => !ok && !isOpen);
  for (const { name, found } of broken) console.log(`  FAILED  ${name} (${found})`);
  if (broken.length > 0) process.exitCode = 1;
}
