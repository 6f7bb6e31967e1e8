/** Machines of pipelines, read by both linters, by the rules that both miss, and by the interpreter's own check. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkDefinition, statesOf } from "../../../functions/adapters/local/workflows-check.ts";
import type { StateMachine } from "../../../statemachines/asl.ts";
import { compilePipeline } from "../../../statemachines/pipeline/compile.ts";
import { PIPELINE_STEPS } from "../../../statemachines/pipeline/emit.ts";
import { emitted, languageServiceFaults, validatorFaults } from "../../support/asl-linters.ts";
import { aslFaults } from "../../support/asl-rules.ts";
import { CHECKS } from "../../support/oracle/checks.ts";
import { generateScenario } from "../../support/oracle/generate.ts";

const GOLDEN = join(import.meta.dirname, "../../golden/pipelines");
const GOLDENS = readdirSync(GOLDEN).filter((name) => name.endsWith(".asl.json"));
const RANDOM = 300;
/** Of the random ones, those that asl-validator reads: it takes its time. */
const VALIDATED = 20;

const STEPS: ReadonlySet<string> = new Set(PIPELINE_STEPS);

function machineOf(seed: number): StateMachine {
  const compilation = compilePipeline(generateScenario(seed).definition, CHECKS);
  if (!compilation.ok) throw new Error(JSON.stringify(compilation.faults));
  return compilation.pipeline.machine;
}

/** What our own rules, the language service and the local driver have to say. */
async function faultsOf(machine: unknown): Promise<string[]> {
  const definition = JSON.parse(JSON.stringify(machine));
  checkDefinition(definition, JSON.stringify(machine), STEPS);
  const names = [...statesOf(definition)].map(({ name }) => name);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  const final = emitted(machine, PIPELINE_STEPS);
  return [...twice, ...aslFaults(final), ...(await languageServiceFaults(final))];
}

describe("a golden machine", () => {
  it.each(GOLDENS)("passes every judge: %s", async (name) => {
    const machine: unknown = JSON.parse(readFileSync(join(GOLDEN, name), "utf8"));
    expect(validatorFaults(emitted(machine, PIPELINE_STEPS))).toEqual([]);
    expect(await faultsOf(machine)).toEqual([]);
  });
});

describe("a random pipeline's machine", () => {
  it(`passes the quick judges, ${RANDOM} times`, async () => {
    for (let seed = 1; seed <= RANDOM; seed += 1) expect([seed, ...(await faultsOf(machineOf(seed)))]).toEqual([seed]);
  });

  it(`passes asl-validator, ${VALIDATED} times`, () => {
    for (let seed = 1; seed <= VALIDATED; seed += 1) {
      expect([seed, ...validatorFaults(emitted(machineOf(seed), PIPELINE_STEPS))]).toEqual([seed]);
    }
  });
});
