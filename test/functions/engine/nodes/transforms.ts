/** Transforms under test: what they make, where it came from, and how soon. */
import { expect } from "vitest";
import { type Computed, computeTransform } from "../../../../functions/engine/nodes/node-values.ts";
import type { Json, JsonObject } from "../../../../statemachines/pipeline/diagnostics.ts";
import type { Transform } from "../../../../statemachines/pipeline/nodes/transform.ts";
import { literal } from "../../../../statemachines/pipeline/templates.ts";

export const compute = (transform: Transform, value: Json, config: JsonObject = {}): Promise<Computed> => {
  const node = { id: "node", type: "transform", transform, config, input: literal(null) } as const;
  return computeTransform(node, value, async ({ text }) => `<${text}>`);
};
export const made = async (...given: Parameters<typeof compute>): Promise<Json> => (await compute(...given)).result;
export const movesOf = async (...given: Parameters<typeof compute>) =>
  Object.fromEntries((await compute(...given)).moves);

/** Milliseconds that even a busy machine does not need, and work that grows with the square does. */
const AT_ONCE = 10_000;
export async function soon<T>(work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const done = await work();
  expect(performance.now() - begin).toBeLessThan(AT_ONCE);
  return done;
}

export const many = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
