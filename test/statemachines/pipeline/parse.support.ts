/** Reads definitions for the tests of the parser. */
import { checkPipeline } from "../../../statemachines/pipeline/compile.ts";
import type { PipelineDefinition, PipelineNode } from "../../../statemachines/pipeline/definition.ts";
import { CHECKS } from "../../support/oracle/checks.ts";
import type { Json, JsonObject } from "../../support/oracle/scenario.ts";

/** The smallest valid set of nodes. */
export const FINAL: JsonObject = { id: "f", type: "final", output: 1 };

/** @throws Error for a faulty definition */
export function read(given: Json): { definition: PipelineDefinition; warnings: readonly string[] } {
  const checked = checkPipeline(given, CHECKS);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return checked.pipeline;
}

/** The first node of a definition, with the warnings. @param around members of the definition */
export function node(
  own: JsonObject,
  around: JsonObject = {},
): { node: PipelineNode | undefined; warnings: readonly string[] } {
  const { definition, warnings } = read({ nodes: [{ id: "a", ...own }, FINAL], ...around });
  return { node: definition.nodes[0], warnings };
}
