/** Definitions of pipelines and their machines; `vitest run test/golden -u` writes the machines. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compilePipeline } from "../../statemachines/pipeline/compile.ts";
import { CHECKS } from "../support/oracle/checks.ts";

const FOLDER = join(import.meta.dirname, "pipelines");
const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".json") && !name.endsWith(".asl.json"))
  .map((name) => name.slice(0, -".json".length));

describe("the machine of a golden pipeline", () => {
  it.each(NAMES)("equals its golden file: %s", async (name) => {
    const definition = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8"));
    const compilation = compilePipeline(definition, CHECKS);
    if (!compilation.ok) throw new Error(JSON.stringify(compilation.faults));
    const { machine } = compilation.pipeline;
    await expect(`${JSON.stringify(machine, null, 2)}\n`).toMatchFileSnapshot(`./pipelines/${name}.asl.json`);
  });

  it("has a definition for each golden machine", () => {
    const machines = readdirSync(FOLDER).filter((name) => name.endsWith(".asl.json"));
    expect(machines.map((name) => name.slice(0, -".asl.json".length)).sort()).toEqual([...NAMES].sort());
  });
});
