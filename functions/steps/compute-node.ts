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
import { type Made, madeOf, sourceBytesOf } from "./node-origins.ts";
import { defineStep } from "./step.ts";

/** So much is parsed, computed, placed and written in some dozens of milliseconds; more goes where it may take its time. */
const MOST_AT_ONCE = { bytes: 500_000, values: 5_000 };

const OCR_PARTS = ["content", "pages", "quality"] as const;

/** What the paths of a node lead to, unparsed. */
async function taskOf(run: NodeRun, node: ComputeNode, made: Made): Promise<ComputeTask> {
  const { world, command, pipeline } = run;
  const paths = pathsReadBy(node);
  const nodes = new Map<string, StoredNode>();
  const ocr: ComputeTask["ocr"] = {};
  for (const path of paths) {
    const id = producerId(path, world.definition);
    if (id !== undefined && !nodes.has(id)) nodes.set(id, await world.stored(id));
    if (path.root !== "ocr") continue;
    const [first] = path.steps;
    for (const part of OCR_PARTS.filter((one) => first === undefined || one === first)) {
      const value = await world.ocr(part);
      if (value !== undefined) ocr[part] = value;
    }
  }
  const { inputs } = world.definition;
  const sources = command.sourceLocations ? await sourceBytesOf(run, made) : undefined;
  return {
    node,
    inputs,
    nodes,
    ocr,
    document: world.document,
    metadata: world.metadata,
    facts: pipeline.facts.pathsByProducer.get(node.index) ?? [],
    ...(sources === undefined ? {} : { places: { granularity: command.granularity, sources } }),
  };
}

/** Bytes that are to be parsed. */
function storedFor({ nodes, places }: ComputeTask): number {
  const stored = [...[...nodes.values()].map(({ result }) => result), ...(places?.sources.values() ?? [])];
  return stored.reduce((sum, one) => sum + (one?.length ?? 0), 0);
}

/** Much is computed where documents are read: in a process of its own on one machine. */
async function compute({ org, deadline }: NodeRun, task: ComputeTask): Promise<ComputeAnswer> {
  if (storedFor(task) <= MOST_AT_ONCE.bytes) {
    try {
      return await computeValue(task, MOST_AT_ONCE.values);
    } catch (error) {
      // What is named often is seen once it is put together.
      if (!(error instanceof TooManyValues)) throw error;
    }
  }
  return org.engines.documents.run(computeNodeValueTask, task, { deadline });
}

/** What a value has from those that it is made of: what they lack it lacks too, and it is as sure as they are together. */
function inherited(made: Made): Partial<NodeResult> {
  const outputs = [...made.values()];
  const faults = outputs.flatMap(({ partial, validationErrors = [] }) => (partial === true ? validationErrors : []));
  const receipts = outputs.flatMap(({ receipt }) => receipt ?? []);
  const sure = outputs.flatMap(({ confidence }) => confidence ?? []);
  const confidence = sure.length === 0 ? null : sure.reduce((sum, one) => sum + one, 0) / sure.length;
  return {
    ...(receipts.length === 0 ? {} : { receipt: joinReceipts(receipts) }),
    ...(outputs.some(({ partial }) => partial === true) ? { partial: true, validationErrors: faults } : {}),
    ...(confidence === null ? {} : { confidence: Number(confidence.toFixed(3)) }),
  };
}

/** A node that only computes: a bucket, a value made of others, a candidate for the public result. */
export const computeNode = defineStep(async (org, input) =>
  runNode<ComputeNode>(org, { ...input, node: input.node ?? "" }, COMPUTE_NODE_TYPES, async (run, node) => {
    const made = await madeOf(run, pathsReadBy(node));
    const { result: written, ...more } = await compute(run, await taskOf(run, node, made));
    return { written, ...more, ...inherited(made) };
  }),
);
