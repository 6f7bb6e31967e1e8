/** Definitions with random junk are accepted or refused quickly, without an exception. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DEFINITION_CHECKS } from "../../../functions/engine/nodes/definition-checks.ts";
import { compilePipeline } from "../../../statemachines/pipeline/compile.ts";
import { Chance } from "../../support/oracle/random.ts";
import { isObject, type Json } from "../../support/oracle/scenario.ts";

const GOLDEN = join(import.meta.dirname, "../../golden/pipelines");
const DEFINITIONS = readdirSync(GOLDEN)
  .filter((name) => name.endsWith(".json") && !name.endsWith(".asl.json"))
  .map((name) => readFileSync(join(GOLDEN, name), "utf8"));

/** As texts: some of it cannot be written otherwise. */
const JUNK = [
  "null",
  "1",
  "-1",
  "0.5",
  "true",
  '""',
  '"$"',
  '"$$"',
  '"x"',
  '"$nodes.a"',
  '"__proto__"',
  '"constructor"',
  '"\\ud800"',
  "[]",
  "[[[]]]",
  "{}",
  '{"length":5}',
  '{"toString":1,"valueOf":1}',
  '{"__proto__":1}',
] as const;
const NAMES = [
  "buckets",
  "config",
  "tools",
  "when",
  "source",
  "finals",
  "inputs",
  "resources",
  "llm",
  "schema",
] as const;

/** Replaces a random part with junk. */
function withJunk(value: Json, chance: Chance): Json {
  const junk = (): Json => JSON.parse(chance.of(JUNK));
  const entries = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  if (entries.length === 0 || chance.is(0.15)) return junk();
  const at = chance.below(entries.length);
  if (Array.isArray(value)) return value.with(at, withJunk(value[at] ?? null, chance));
  const own = Object.fromEntries(
    Object.entries(value ?? {}).map(([name, one], index): [string, Json] => [
      name,
      index === at ? withJunk(one, chance) : one,
    ]),
  );
  return chance.is(0.1) ? { ...own, [chance.of(NAMES)]: junk() } : own;
}

it("accepts or refuses any input without an exception", () => {
  const chance = new Chance(7);
  const told = { taken: 0, refused: 0 };
  for (let at = 0; at < 1000; at += 1) {
    let definition: Json = JSON.parse(DEFINITIONS[at % DEFINITIONS.length] ?? "{}");
    for (let times = 1 + chance.below(3); times > 0; times -= 1) definition = withJunk(definition, chance);
    const compilation = compilePipeline(definition, DEFINITION_CHECKS);
    if (compilation.ok) told.taken += 1;
    else told.refused += compilation.faults.length > 0 ? 1 : 0;
  }
  expect(told.taken + told.refused).toBe(1000);
  expect(told.taken).toBeGreaterThan(10);
});
