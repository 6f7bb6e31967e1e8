/** `npm run chaos -- --rounds N [--seed S]`: rounds of faults, with a summary of each. Fails on a violation. */
import { parseArgs } from "node:util";
import { type Round, runRound } from "./round.ts";

const { values } = parseArgs({ options: { rounds: { type: "string" }, seed: { type: "string" } } });
const rounds = Number(values.rounds ?? 3);
const seed = Number(values.seed ?? 20261123);
if (!Number.isInteger(rounds) || rounds < 1 || !Number.isInteger(seed)) {
  process.stderr.write("npm run chaos -- --rounds N --seed S, both whole numbers\n");
  process.exit(2);
}

function summarize({ number, jobs, answers, starts, repeatedEvents, seconds, injections, violations }: Round): string {
  const told = Object.entries(answers)
    .map(([status, count]) => `${status === "0" ? "broken" : status} ×${count}`)
    .join(", ");
  const facts = `${jobs} jobs, ${starts} starts, ${repeatedEvents} events repeated, ${seconds} s; answers: ${told}`;
  const lines = [`round ${number}: ${violations.length} violations; ${facts}`, `  ${injections.join("; ")}`];
  return [...lines, ...violations.map((violation) => `  VIOLATION ${violation}`)].join("\n");
}

process.stdout.write(`${rounds} rounds, seed ${seed}\n`);
let [jobs, violations] = [0, 0];
for (let number = 1; number <= rounds; number += 1) {
  const round = await runRound(number, seed);
  jobs += round.jobs;
  violations += round.violations.length;
  process.stdout.write(`${summarize(round)}\n`);
}
process.stdout.write(`${rounds} rounds, ${jobs} jobs, ${violations} violations\n`);
process.exit(violations === 0 ? 0 : 1);
