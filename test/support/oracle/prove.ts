/**
 * Random pipelines through the compiler and the interpreter, each run judged by the oracle; one in twenty also through
 * the service's own steps: `npm run prove -- [--n 10000] [--seed 1]`.
 */
import { pathToFileURL } from "node:url";
import { generateScenario } from "./generate.ts";
import { objectionTo } from "./oracle.ts";
import { openRealSteps, type RealSteps } from "./real.ts";
import { runScenario } from "./run.ts";
import type { Scenario } from "./scenario.ts";
import { shrink } from "./shrink.ts";

/** @returns the oracle's objection to the run of a scenario */
export async function refusalOf(scenario: Scenario): Promise<string | undefined> {
  try {
    return objectionTo(await runScenario(scenario), scenario);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** One in this number of scenarios also runs through the service's own steps. */
export const SCENARIOS_PER_REAL_RUN = 20;

/** @returns the oracle's objection to the run of a scenario through the service's own steps */
export async function refusalOfReal(steps: RealSteps, scenario: Scenario): Promise<string | undefined> {
  try {
    const run = await steps.run(scenario);
    const objection = objectionTo(run.trace, run.scenario);
    return objection === undefined ? undefined : `in the service's steps: ${objection}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A refused scenario, shrunk, as text. */
export async function explain(seed: number, reason: string): Promise<string> {
  // An invalid definition would fail for another reason.
  const small = await shrink(generateScenario(seed), async (one) => {
    const refusal = await refusalOf(one);
    return refusal !== undefined && refusal.startsWith("refused:") === reason.startsWith("refused:");
  });
  const script = Object.fromEntries(small.script);
  const shown = { definition: small.definition, script };
  return `seed ${seed}: ${reason}\nsmallest: ${await refusalOf(small)}\n${JSON.stringify(shown, null, 2)}`;
}

const MAX_SHOWN_REFUSALS = 5;

async function main(args: string[]): Promise<void> {
  const option = (name: string, otherwise: number): number => {
    const at = args.indexOf(name);
    return at >= 0 ? Number(args[at + 1]) : otherwise;
  };
  const [count, first] = [option("--n", 10_000), option("--seed", 1)];
  let refused = 0;
  let real = 0;
  await using steps = openRealSteps();
  for (let seed = first; seed < first + count; seed += 1) {
    const scenario = generateScenario(seed);
    const own = await refusalOf(scenario);
    if (own === undefined && seed % SCENARIOS_PER_REAL_RUN === 0) {
      real += 1;
      const reason = await refusalOfReal(steps, scenario);
      if (reason === undefined) continue;
      refused += 1;
      console.log(`seed ${seed}: ${reason}`);
      continue;
    }
    const reason = own;
    if (reason === undefined) continue;
    refused += 1;
    if (refused <= MAX_SHOWN_REFUSALS) console.log(await explain(seed, reason));
    else console.log(`seed ${seed}: ${reason}`);
  }
  console.log(
    `${count} pipelines, seeds ${first} to ${first + count - 1}: ${refused} refused traces (${real} also through the service's steps)`,
  );
  process.exitCode = refused === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main(process.argv.slice(2));
