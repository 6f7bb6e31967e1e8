/** Machines of pipelines, read by all judges: the golden ones, and some random ones. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PIPELINE_STEPS } from "../../../statemachines/pipeline/emit.ts";
import { emitted, validatorFaults } from "../../support/asl-linters.ts";
import { faultsOf, randomMachinesSuite } from "./lint.suite.ts";

const GOLDEN = join(import.meta.dirname, "../../golden/pipelines");
const GOLDENS = readdirSync(GOLDEN).filter((name) => name.endsWith(".asl.json"));

describe("a golden machine", () => {
  it.each(GOLDENS)("passes every judge: %s", async (name) => {
    const machine: unknown = JSON.parse(readFileSync(join(GOLDEN, name), "utf8"));
    expect(validatorFaults(emitted(machine, PIPELINE_STEPS))).toEqual([]);
    expect(await faultsOf(machine)).toEqual([]);
  });
});

// More of them are in test/full.
randomMachinesSuite({ quick: 100, validated: 6 });
