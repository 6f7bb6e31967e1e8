/**
 * What nodes that compute make of what they read: bytes in and bytes out, so that what is large is parsed and written
 * where it holds nobody up.
 */
import type { PipelineDefinition } from "../../../statemachines/pipeline/definition.ts";
import {
  evaluateTemplate,
  lookUpOwnFacts,
  type NodeStatus,
  resolvePath,
  type World,
} from "../../../statemachines/pipeline/lookup.ts";
import type { FinalNode } from "../../../statemachines/pipeline/nodes/final.ts";
import type { NodeFrame } from "../../../statemachines/pipeline/nodes/node.ts";
import type { TransformNode } from "../../../statemachines/pipeline/nodes/transform.ts";
import type { ValidateNode } from "../../../statemachines/pipeline/nodes/validate.ts";
import type { Path } from "../../../statemachines/pipeline/paths.ts";
import { pathsReadBy } from "../../../statemachines/pipeline/reads.ts";
import type { Template } from "../../../statemachines/pipeline/templates.ts";
import type { Json } from "../../ports/json.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import { lossOf } from "./location-losses.ts";
import { type Computed, computeBucket, computeFinal, computeTransform } from "./node-values.ts";
import { composeSources, trailOf } from "./provenance.ts";
import { hasMoreValues, writeResult } from "./result-size.ts";

export type ComputeNode = NodeFrame & (ValidateNode | TransformNode | FinalNode);

/** What is on record of another node; its result as UTF-8 JSON. */
export interface StoredNode {
  status: NodeStatus;
  result?: Uint8Array;
}

/** A node with all that its paths lead to. */
export interface ComputeTask {
  node: ComputeNode;
  inputs: PipelineDefinition["inputs"];
  /** By their ids. */
  nodes: ReadonlyMap<string, StoredNode>;
  ocr: Partial<Record<"content" | "pages" | "quality", Json>>;
  document: World["document"];
  metadata: World["metadata"];
  /** Paths into its own result that conditions read. */
  facts: readonly Path[];
  /** Where places are asked for: those of the nodes, as UTF-8 JSON. */
  places?: { granularity: SourceLocations["granularity"]; sources: ReadonlyMap<string, Uint8Array> };
}

/** Result and places as UTF-8 JSON. */
export interface ComputeAnswer {
  result: Uint8Array;
  sources?: Uint8Array;
  facts: Record<string, string | null>;
}

const parse = <T>(bytes: Uint8Array): T => JSON.parse(Buffer.from(bytes).toString("utf8")) as T;

export const templateOf = (node: ComputeNode): Template => (node.type === "final" ? node.output : node.input);

function worldOf({ inputs, nodes, ocr, document, metadata }: ComputeTask): World {
  const results = new Map<string, Json>();
  return {
    definition: { inputs },
    document,
    metadata,
    ocr: async (part) => ocr[part],
    async node(id) {
      const { status, result: bytes } = nodes.get(id) ?? { status: "PENDING" };
      const result = bytes && (results.get(id) ?? parse<Json>(bytes));
      if (result !== undefined) results.set(id, result);
      return { status, result };
    },
  };
}

/** Told instead of computing what has more values than were allowed. */
export class TooManyValues extends Error {
  override readonly name = "TooManyValues";
}

function checkValues(value: Json, most: number): void {
  if (most < Number.POSITIVE_INFINITY && hasMoreValues(value, most)) throw new TooManyValues();
}

async function valueFrom(node: ComputeNode, world: World, most: number): Promise<Computed> {
  const value = await evaluateTemplate(templateOf(node), world);
  checkValues(value, most);
  if (node.type === "final") return computeFinal(value);
  if (node.type === "validate") return computeBucket(node, value);
  return computeTransform(node, value, (path) => resolvePath(path, world));
}

function placesOf({ node, places, inputs }: ComputeTask, { result, moves }: Computed): Uint8Array | undefined {
  if (places === undefined) return undefined;
  const { granularity } = places;
  const sources = new Map([...places.sources].map(([id, bytes]) => [id, parse<SourceLocations>(bytes)] as const));
  const lost = lossOf(pathsReadBy(node), { inputs }, sources);
  const trail = trailOf(templateOf(node), { inputs });
  return Buffer.from(JSON.stringify(composeSources({ result, moves, trail, granularity, sources, lost })));
}

/**
 * @param most values that it may take, and give
 * @throws JobFailure for an input of another form than the node needs, and for a result that is too large;
 * TooManyValues
 */
export async function computeValue(task: ComputeTask, most = Number.POSITIVE_INFINITY): Promise<ComputeAnswer> {
  const { node } = task;
  const world = worldOf(task);
  const computed = await valueFrom(node, world, most);
  checkValues(computed.result, most);
  const result = writeResult(node.id, computed.result);
  const sources = placesOf(task, computed);
  const facts = await lookUpOwnFacts(task.facts, world, { id: node.id, result: computed.result });
  return { result, ...(sources === undefined ? {} : { sources }), facts };
}
