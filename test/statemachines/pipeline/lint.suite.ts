/** The judges of pipelines' machines: both linters, the rules that both miss, and the interpreter's own check. */
import { describe, expect, it } from "vitest";
import { checkDefinition, statesOf } from "../../../functions/adapters/local/workflows-check.ts";
import type { StateMachine } from "../../../statemachines/asl.ts";
import { compilePipeline } from "../../../statemachines/pipeline/compile.ts";
import { PIPELINE_STEPS } from "../../../statemachines/pipeline/pipeline-steps.ts";
import { emitted, languageServiceFaults, validatorFaults } from "../../support/asl-linters.ts";
import { aslFaults } from "../../support/asl-rules.ts";
import { CHECKS } from "../../support/oracle/checks.ts";
import { generateScenario } from "../../support/oracle/generate.ts";

const STEPS: ReadonlySet<string> = new Set(PIPELINE_STEPS);

function machineOf(seed: number): StateMachine {
  const compilation = compilePipeline(generateScenario(seed).definition, CHECKS);
  if (!compilation.ok) throw new Error(JSON.stringify(compilation.faults));
  return compilation.pipeline.machine;
}

/** The faults that our own rules, the language service and the local driver find. */
export async function faultsOf(machine: unknown): Promise<string[]> {
  const definition = JSON.parse(JSON.stringify(machine));
  checkDefinition(definition, JSON.stringify(machine), STEPS);
  const names = [...statesOf(definition)].map(({ name }) => name);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  const final = emitted(machine, PIPELINE_STEPS);
  const elsewhere = aslFaults(emitted(machine, PIPELINE_STEPS, "aws-cn"), "aws-cn");
  return [...twice, ...aslFaults(final), ...elsewhere, ...(await languageServiceFaults(final))];
}

/** @param most numbers of random machines: for the quick judges, and for asl-validator, which is slow */
export function randomMachinesSuite(most: { quick: number; validated: number }): void {
  describe("the machine of a random pipeline", () => {
    it(`passes the quick judges, ${most.quick} times`, async () => {
      for (let seed = 1; seed <= most.quick; seed += 1)
        expect([seed, ...(await faultsOf(machineOf(seed)))]).toEqual([seed]);
    });

    it(`passes asl-validator, ${most.validated} times`, () => {
      for (let seed = 1; seed <= most.validated; seed += 1) {
        expect([seed, ...validatorFaults(emitted(machineOf(seed), PIPELINE_STEPS))]).toEqual([seed]);
      }
    });
  });
}
