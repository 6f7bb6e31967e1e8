/** Requirements of a bench, reported line by line and by the exit code. */

/** A requirement, its outcome and the measured value. */
export interface RequirementLine {
  name: string;
  ok: boolean;
  found: string;
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

/** Prints all requirements, the failed ones last and loudly; then the process exits with code 1. */
export function requireAll(lines: readonly RequirementLine[]): void {
  console.log("\nWhat must hold");
  for (const { name, found } of lines.filter(({ ok }) => ok)) console.log(`  holds   ${name} (${found})`);
  const broken = lines.filter(({ ok }) => !ok);
  for (const { name, found } of broken) console.log(`  FAILED  ${name} (${found})`);
  if (broken.length > 0) process.exitCode = 1;
}
