/** Computes validate, transform and final nodes: bytes in, bytes out, so that large JSON is parsed and written in the pool. */
import type { PipelineDefinition } from "../../../statemachines/pipeline/definition.ts";
import {
  type EvaluationContext,
  evaluateTemplate,
  lookUpOwnFacts,
  type NodeStatus,
  resolvePath,
} from "../../../statemachines/pipeline/lookup.ts";
import type { FinalNode } from "../../../statemachines/pipeline/nodes/final.ts";
import type { NodeFrame } from "../../../statemachines/pipeline/nodes/node.ts";
import type { TransformNode } from "../../../statemachines/pipeline/nodes/transform.ts";
import type { ValidateNode } from "../../../statemachines/pipeline/nodes/validate.ts";
import type { Path } from "../../../statemachines/pipeline/paths.ts";
import { pathsReadBy } from "../../../statemachines/pipeline/reads.ts";
import type { Template } from "../../../statemachines/pipeline/templates.ts";
import { encodeJson, type Json, parseJsonBytes } from "../../ports/json.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import { lossOf } from "./location-losses.ts";
import { type Computed, computeBucket, computeFinal, computeTransform } from "./node-values.ts";
import { composeSources, trailOf } from "./provenance.ts";
import { hasMoreValues, writeResult } from "./result-size.ts";

export type ComputeNode = NodeFrame & (ValidateNode | TransformNode | FinalNode);

/** Another node's record; its result as UTF-8 JSON. */
export interface StoredNode {
  status: NodeStatus;
  result?: Uint8Array;
}

/** A node with the values that its paths lead to. */
export interface ComputeTask {
  node: ComputeNode;
  inputs: PipelineDefinition["inputs"];
  /** By node id. */
  nodes: ReadonlyMap<string, StoredNode>;
  ocr: Partial<Record<"content" | "pages" | "quality", Json>>;
  document: EvaluationContext["document"];
  metadata: EvaluationContext["metadata"];
  /** Paths into the node's own result that conditions read. */
  facts: readonly Path[];
  /** Set when places are asked for: the nodes' places as UTF-8 JSON. */
  places?: { granularity: SourceLocations["granularity"]; sources: ReadonlyMap<string, Uint8Array> };
}

/** Result and places as UTF-8 JSON. */
export interface ComputeAnswer {
  result: Uint8Array;
  sources?: Uint8Array;
  facts: Record<string, string | null>;
}

export const templateOf = (node: ComputeNode): Template => (node.type === "final" ? node.output : node.input);

function worldOf({ inputs, nodes, ocr, document, metadata }: ComputeTask): EvaluationContext {
  const results = new Map<string, Json>();
  return {
    definition: { inputs },
    document,
    metadata,
    ocr: async (part) => ocr[part],
    async node(id) {
      const { status, result: bytes } = nodes.get(id) ?? { status: "PENDING" };
      const result = bytes && (results.get(id) ?? parseJsonBytes(bytes));
      if (result !== undefined) results.set(id, result);
      return { status, result };
    },
  };
}

/** Thrown instead of computing a value with more values than allowed. */
export class TooManyValues extends Error {
  override readonly name = "TooManyValues";
}

function checkValues(value: Json, maxValues: number): void {
  if (maxValues < Number.POSITIVE_INFINITY && hasMoreValues(value, maxValues)) throw new TooManyValues();
}

async function valueFrom(node: ComputeNode, world: EvaluationContext, maxValues: number): Promise<Computed> {
  const value = await evaluateTemplate(templateOf(node), world);
  checkValues(value, maxValues);
  if (node.type === "final") return computeFinal(value);
  if (node.type === "validate") return computeBucket(node, value);
  return computeTransform(node, value, (path) => resolvePath(path, world));
}

function placesOf({ node, places, inputs }: ComputeTask, { result, moves }: Computed): Uint8Array | undefined {
  if (places === undefined) return undefined;
  const { granularity } = places;
  const sources = new Map(
    [...places.sources].map(([id, bytes]) => [id, parseJsonBytes<SourceLocations>(bytes)] as const),
  );
  const lost = lossOf(pathsReadBy(node), { inputs }, sources);
  const trail = trailOf(templateOf(node), { inputs });
  return encodeJson(composeSources({ result, moves, trail, granularity, sources, lost }));
}

/**
 * @param maxValues values that the input and the result may hold
 * @throws JobFailure for an input of the wrong form, and for a result that is too large; TooManyValues
 */
export async function computeValue(task: ComputeTask, maxValues = Number.POSITIVE_INFINITY): Promise<ComputeAnswer> {
  const { node } = task;
  const world = worldOf(task);
  const computed = await valueFrom(node, world, maxValues);
  checkValues(computed.result, maxValues);
  const result = writeResult(node.id, computed.result);
  const sources = placesOf(task, computed);
  const facts = await lookUpOwnFacts(task.facts, world, { id: node.id, result: computed.result });
  return { result, ...(sources === undefined ? {} : { sources }), facts };
}
