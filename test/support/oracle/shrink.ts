/** Shrinks a failing scenario while it still fails. */
import { isObject, type Json, type JsonObject, type Scenario } from "./scenario.ts";

const nodesOf = ({ definition }: Scenario): JsonObject[] =>
  (Array.isArray(definition.nodes) ? definition.nodes : []).filter(isObject);

const withNodes = (scenario: Scenario, nodes: JsonObject[]): Scenario => ({
  ...scenario,
  definition: { ...scenario.definition, nodes },
});

const mentions = (value: Json | undefined, id: string): boolean =>
  JSON.stringify(value ?? null).includes(JSON.stringify(id).slice(1, -1));

/** Members that may refer to nodes. */
const REFERRING_MEMBERS = new Set(["source", "input", "when", "output"]);

/** Removes a node and all references to it. */
function without(scenario: Scenario, id: Json): Scenario {
  const name = String(id);
  const nodes = nodesOf(scenario)
    .filter((node) => node.id !== id)
    .map((node) => {
      const left = Object.entries(node).filter(
        ([member, value]) => !REFERRING_MEMBERS.has(member) || !mentions(value, name),
      );
      const dependsOn = Array.isArray(node.dependsOn) ? { dependsOn: node.dependsOn.filter((one) => one !== id) } : {};
      const needed = node.type === "final" ? { output: 1 } : { input: 1 };
      return { ...needed, ...Object.fromEntries(left), ...dependsOn };
    });
  const { finals } = scenario.definition;
  const listed = Array.isArray(finals)
    ? { finals: finals.filter((one) => (isObject(one) ? one.node : one) !== id) }
    : {};
  return { ...scenario, definition: { ...scenario.definition, nodes, ...listed } };
}

function* smaller(scenario: Scenario): Generator<Scenario> {
  const nodes = nodesOf(scenario);
  for (const { id = null } of nodes.toReversed()) yield without(scenario, id);
  for (const [at, node] of nodes.entries()) {
    for (const member of ["when", "onError", "timeoutSeconds", "dependsOn", "source"]) {
      if (!(member in node)) continue;
      const { [member]: _dropped, ...rest } = node;
      yield withNodes(scenario, nodes.with(at, rest));
    }
    for (const member of ["output", "input"]) {
      if (member in node && node[member] !== 1) yield withNodes(scenario, nodes.with(at, { ...node, [member]: 1 }));
    }
    for (const inner of partsOf(node.when)) yield withNodes(scenario, nodes.with(at, { ...node, when: inner }));
  }
  for (const member of ["finals", "finalOrder", "concurrency", "maxNodes", "execution", "executionMode", "version"]) {
    if (!(member in scenario.definition)) continue;
    const { [member]: _dropped, ...definition } = scenario.definition;
    yield { ...scenario, definition };
  }
}

const partsOf = (condition: Json | undefined): Json[] =>
  isObject(condition) ? [condition.not, condition.and, condition.or].flat().filter((part) => isObject(part)) : [];

/** The most attempts. */
const MAX_TRIES = 400;

/** @param fails true while it fails in the same way */
export async function shrink(scenario: Scenario, fails: (smaller: Scenario) => Promise<boolean>): Promise<Scenario> {
  let least = scenario;
  let tries = 0;
  for (let shrunk = true; shrunk; ) {
    shrunk = false;
    for (const one of smaller(least)) {
      tries += 1;
      if (tries > MAX_TRIES) return least;
      if (!(await fails(one))) continue;
      least = one;
      shrunk = true;
      break;
    }
  }
  return least;
}
