/** What a bench says must hold: told line by line, and by the exit code. */

/** One of them: what must hold, whether it does, and what was found. */
export interface Line {
  name: string;
  ok: boolean;
  found: string;
}

export const atLeast = (name: string, found: number, least: number): Line => ({
  name: `${name}: ${least} at least`,
  ok: found >= least,
  found: found.toFixed(3),
});

export const none = (name: string, found: number): Line => ({ name, ok: found === 0, found: String(found) });

/** Prints all, those that do not hold at the end and loudly; the process then ends with the exit code 1. */
export function mustHold(lines: readonly Line[]): void {
  console.log("\nWhat must hold");
  for (const { name, found } of lines.filter(({ ok }) => ok)) console.log(`  holds   ${name} (${found})`);
  const broken = lines.filter(({ ok }) => !ok);
  for (const { name, found } of broken) console.log(`  FAILED  ${name} (${found})`);
  if (broken.length > 0) process.exitCode = 1;
}
