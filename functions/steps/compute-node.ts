import { producerId } from "../../statemachines/pipeline/facts.ts";
import { pathsReadBy } from "../../statemachines/pipeline/reads.ts";
import { joinReceipts } from "../engine/completeness/completeness-report.ts";
import {
  COMPUTE_NODE_TYPES,
  type ComputeAnswer,
  type ComputeNode,
  type ComputeTask,
  computeValue,
  type StoredNode,
  TooManyValues,
} from "../engine/nodes/compute-node.ts";
import { computeNodeValueTask } from "../engine/tasks/compute-node-value.ts";
import { type NodeResult, type NodeRun, runNode } from "../service/pipelines/run-node.ts";
import { defineStep } from "./define-step.ts";
import { loadOriginOutputs, loadSourceBytes, type NodeOutputs } from "./node-origins.ts";

/**
 * A node within these limits is computed in the step itself, in some dozens of milliseconds; a larger one by the
 * engine.
 */
const INLINE_LIMITS = { bytes: 500_000, values: 5_000 };

const OCR_PARTS = ["content", "pages", "quality"] as const;

/** Gathers the unparsed values of a node's paths. */
async function computeTaskOf(run: NodeRun, node: ComputeNode, origins: NodeOutputs): Promise<ComputeTask> {
  const { evaluation, command, pipeline } = run;
  const paths = pathsReadBy(node);
  const nodes = new Map<string, StoredNode>();
  const ocr: ComputeTask["ocr"] = {};
  for (const path of paths) {
    const id = producerId(path, evaluation.definition);
    if (id !== undefined && !nodes.has(id)) nodes.set(id, await evaluation.storedNode(id));
    if (path.root !== "ocr") continue;
    const [first] = path.steps;
    for (const part of OCR_PARTS.filter((one) => first === undefined || one === first)) {
      const value = await evaluation.ocr(part);
      if (value !== undefined) ocr[part] = value;
    }
  }
  const { inputs } = evaluation.definition;
  const sources = command.sourceLocations ? await loadSourceBytes(run, origins) : undefined;
  return {
    node,
    inputs,
    nodes,
    ocr,
    document: evaluation.document,
    metadata: evaluation.metadata,
    facts: pipeline.facts.pathsByProducer.get(node.index) ?? [],
    ...(sources === undefined ? {} : { places: { granularity: command.granularity, sources } }),
  };
}

/** Bytes to parse. */
function storedBytes({ nodes, places }: ComputeTask): number {
  const stored = [...[...nodes.values()].map(({ result }) => result), ...(places?.sources.values() ?? [])];
  return stored.reduce((sum, one) => sum + (one?.length ?? 0), 0);
}

/** Computes small tasks here, large ones by the engine. */
async function compute({ org, deadline }: NodeRun, task: ComputeTask): Promise<ComputeAnswer> {
  if (storedBytes(task) <= INLINE_LIMITS.bytes) {
    try {
      return await computeValue(task, INLINE_LIMITS.values);
    } catch (error) {
      // A small value that is used many times exceeds the limit only when put together.
      if (!(error instanceof TooManyValues)) throw error;
    }
  }
  return org.engines.documents.run(computeNodeValueTask, task, { deadline });
}

/** Facts that a value inherits from its inputs: their faults, their receipts joined, their mean confidence. */
function inheritedFacts(origins: NodeOutputs): Partial<NodeResult> {
  const outputs = [...origins.values()];
  const faults = outputs.flatMap(({ partial, validationErrors = [] }) => (partial === true ? validationErrors : []));
  const receipts = outputs.flatMap(({ receipt }) => receipt ?? []);
  const confidences = outputs.flatMap(({ confidence }) => confidence ?? []);
  const confidence =
    confidences.length === 0 ? null : confidences.reduce((sum, one) => sum + one, 0) / confidences.length;
  return {
    ...(receipts.length === 0 ? {} : { receipt: joinReceipts(receipts) }),
    ...(outputs.some(({ partial }) => partial === true) ? { partial: true, validationErrors: faults } : {}),
    ...(confidence === null ? {} : { confidence: Number(confidence.toFixed(3)) }),
  };
}

/** Runs a node that only computes: a validation, a transformation, a candidate for the public result. */
export const computeNode = defineStep(async (org, input) =>
  runNode<ComputeNode>(org, { ...input, node: input.node ?? "" }, COMPUTE_NODE_TYPES, async (run, node) => {
    const origins = await loadOriginOutputs(run, pathsReadBy(node));
    const { result: written, ...more } = await compute(run, await computeTaskOf(run, node, origins));
    return { written, ...more, ...inheritedFacts(origins) };
  }),
);
