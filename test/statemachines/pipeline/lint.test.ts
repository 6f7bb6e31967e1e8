/** Machines of pipelines, golden and random, against all judges. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PIPELINE_STEPS } from "../../../statemachines/pipeline/emit.ts";
import { emitted, validatorFaults } from "../../support/asl-linters.ts";
import { faultsOf, randomMachinesSuite } from "./lint.suite.ts";

const GOLDEN = join(import.meta.dirname, "../../golden/pipelines");
const GOLDENS = readdirSync(GOLDEN).filter((name) => name.endsWith(".asl.json"));

describe("the machine of a golden pipeline", () => {
  it.each(GOLDENS)("passes every judge: %s", async (name) => {
    const machine: unknown = JSON.parse(readFileSync(join(GOLDEN, name), "utf8"));
    expect(validatorFaults(emitted(machine, PIPELINE_STEPS))).toEqual([]);
    expect(await faultsOf(machine)).toEqual([]);
  });
});

// test/full judges more of them.
randomMachinesSuite({ quick: 100, validated: 6 });
