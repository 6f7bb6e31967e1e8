/** The judgement of a pipeline's definition, and the few facts of it that its submission needs. */
import { compilePipeline } from "../../../statemachines/pipeline/compile.ts";
import type { PipelineOcr } from "../../../statemachines/pipeline/definition.ts";
import type { Diagnostic } from "../../../statemachines/pipeline/diagnostics.ts";
import type { NodeType } from "../../../statemachines/pipeline/nodes/kinds.ts";
import type { JsonObject } from "../../ports/json.ts";
import { DEFINITION_CHECKS } from "./definition-checks.ts";

export interface PipelineOutline {
  nodes: { id: string; type: NodeType; dependsOn: string[] }[];
  /** Ids of the candidates for the public result, in order. */
  finals: string[];
  ocr: PipelineOcr;
  /** True when a node asks for source locations. */
  located: boolean;
  /** Tools of the nodes that have some, by the node's number. */
  tools: { node: number; tools: JsonObject[] }[];
}

export interface PipelineJudgement {
  /** With their path in the definition. */
  errors: Diagnostic[];
  warnings: string[];
  /** Set for a valid definition. */
  outline?: PipelineOutline;
}

/** Runs all passes of the compiler over a user's definition; executes nothing. */
export function judgePipeline(given: unknown): PipelineJudgement {
  const compiled = compilePipeline(given, DEFINITION_CHECKS);
  if (!compiled.ok) return { errors: [...compiled.faults], warnings: [] };
  const { definition, graph, warnings } = compiled.pipeline;
  const idOf = (index: number): string => definition.nodes[index]?.id ?? "";
  const outline = {
    nodes: definition.nodes.map(({ id, type, index }) => ({
      id,
      type,
      dependsOn: (graph.dependencies[index] ?? []).map(idOf),
    })),
    finals: graph.finals.map(idOf),
    ocr: definition.ocr,
    located: definition.nodes.some((node) => node.type === "extract" && node.sourceLocations),
    tools: definition.nodes.flatMap((node) =>
      node.type === "extract" && node.tools.length > 0 ? [{ node: node.index, tools: [...node.tools] }] : [],
    ),
  };
  return { errors: [], warnings: [...warnings], outline };
}
