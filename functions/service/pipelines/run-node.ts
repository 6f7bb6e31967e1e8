/** The frame of every node's step: loads its pipeline, runs its work, records its outcome. */
import type { CheckedPipeline } from "../../../statemachines/pipeline/compile.ts";
import type { PipelineNode } from "../../../statemachines/pipeline/definition.ts";
import { lookUpFacts, lookUpOwnFacts, type NodeStatus } from "../../../statemachines/pipeline/lookup.ts";
import type { NodeType } from "../../../statemachines/pipeline/nodes/kinds.ts";
import type { Loss } from "../../engine/nodes/location-losses.ts";
import { nowhere } from "../../engine/nodes/provenance.ts";
import { checkSize, writeResult } from "../../engine/nodes/result-size.ts";
import { ConditionFailed } from "../../ports/errors.ts";
import { encodeJson, type Json, parseJsonBytes } from "../../ports/json.ts";
import type { Organization } from "../organizations/organization.ts";
import { artifactKey, type RunSummary, runId } from "../runs/job-records.ts";
import { loadJob, nowIso } from "../runs/job-store.ts";
import { findRun, loadCommand } from "../runs/open-run.ts";
import type { RunCommand } from "../runs/run-command.ts";
import { runStep, type StepFacts, type StepRun } from "../runs/run-step.ts";
import { RunClosed } from "../runs/step-errors.ts";
import { parseAcceptedPipeline } from "./definitions.ts";
import { openEvaluationContext, type RunEvaluationContext } from "./evaluation-context.ts";
import { type BegunNode, begunKey, doneKey, type NodeOutcome, type NodeOutput, nodeFile } from "./node-records.ts";
import { checkRunTotal } from "./result-totals.ts";

/** A node in the state of the state machine. */
export interface NodeState {
  status: NodeStatus;
  facts: Record<string, string | null>;
}

export interface NodeInput {
  guid: string;
  run: number;
  node: string;
  /** Id of the queued task, for a queued node. */
  queuedTaskId?: string;
}

/** Context of a node's work. */
export interface NodeRun extends StepRun {
  pipeline: CheckedPipeline;
  command: RunCommand;
  evaluation: RunEvaluationContext;
  /** Stores a file of the node. @returns its key */
  storeFile(file: string, body: Uint8Array): Promise<string>;
}

/** Result of a node's work: a value, or its UTF-8 JSON, perhaps with the facts looked up in it. */
export type NodeResult = NodeResultExtras & ({ result: Json } | { written: Uint8Array; facts?: NodeOutput["facts"] });

interface NodeResultExtras extends Partial<Omit<NodeOutput, "status" | "facts" | "startedAt" | "completedAt">> {
  /** Source locations, UTF-8 JSON, where requested. */
  sources?: Uint8Array;
  /** Why the result has no source locations, where its text has no positions. */
  loss?: Loss | undefined;
}

interface RunPipeline {
  pipeline: CheckedPipeline;
  command: RunCommand;
}

/** Loaded pipelines that a process keeps: the steps of a run share one, and a command's key identifies its content. */
const MAX_CACHED_PIPELINES = 50;
const cachedPipelines = new Map<string, RunPipeline>();

/** Loads the pipeline of a run, with its command. @param readCommand the step's, within a step */
export async function loadRunPipeline(
  org: Organization,
  run: RunSummary,
  readCommand: () => Promise<RunCommand> = () => loadCommand(org, run),
): Promise<RunPipeline> {
  const key = `${org.id}/${run.commandKey}`;
  const cached = cachedPipelines.get(key);
  if (cached !== undefined) return cached;
  const command = await readCommand();
  const loaded = { pipeline: parseAcceptedPipeline(key, command.pipeline), command };
  cachedPipelines.set(key, loaded);
  const [oldest] = cachedPipelines.keys();
  if (cachedPipelines.size > MAX_CACHED_PIPELINES && oldest !== undefined) cachedPipelines.delete(oldest);
  return loaded;
}

/**
 * Records the start of a node. The record of an earlier or concurrent call stays: a node starts once, and has one
 * operation.
 * @returns the record @throws RunClosed
 */
export async function recordStart(context: StepRun, id: string, more: Partial<BegunNode> = {}): Promise<BegunNode> {
  const { org, job, run } = context;
  const key = begunKey(job.guid, run.run, id);
  const found = await org.records.get<BegunNode>(key);
  const { childOperationGuid = more.childOperationGuid } = found?.value ?? {};
  const own = { ...more, ...(childOperationGuid === undefined ? {} : { childOperationGuid }) };
  const value: BegunNode = { startedAt: nowIso(org), ...found?.value, ...own, v: 1 };
  if (found !== undefined && Object.entries(own).every(([name, one]) => found.value[name] === one)) return value;
  const condition = found === undefined ? { ifAbsent: true as const } : { ifVersion: found.version };
  try {
    await org.records.transact([
      { kind: "due-check", id: runId(job.guid, run.run) },
      { kind: "put", key, value, condition },
    ]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    if (error.failed.includes(0)) throw new RunClosed();
    return recordStart(context, id, more);
  }
  return value;
}

type NodeWork<Node> = (context: NodeRun, node: Node) => Promise<NodeResult>;

type WrittenResult = Omit<NodeResultExtras, "loss"> & { written: Uint8Array; facts: NodeOutput["facts"] };

/** Encodes a result, with the facts that conditions read, and with the reason for missing source locations. */
async function encodeResult(run: NodeRun, node: PipelineNode, { loss, ...given }: NodeResult): Promise<WrittenResult> {
  const { command, pipeline, evaluation } = run;
  const paths = pipeline.facts.pathsByProducer.get(node.index) ?? [];
  const placed = given.sources !== undefined || !command.sourceLocations;
  if ("written" in given) {
    const { facts = paths.length === 0 ? {} : undefined } = given;
    checkSize(node.id, given.written);
    // Results without facts to look up are not parsed.
    if (facts !== undefined && placed) return { ...given, facts };
  }
  const { result, ...more } = "written" in given ? { ...given, result: parseJsonBytes(given.written) } : given;
  const reason = loss ?? (node.type === "extract" ? "not-requested" : "derived");
  const sources = placed ? more.sources : encodeJson(nowhere(result, reason, command.granularity));
  const facts = await lookUpOwnFacts(paths, evaluation, { id: node.id, result });
  const written = "written" in given ? given.written : writeResult(node.id, result);
  return { ...more, ...(sources === undefined ? {} : { sources }), written, facts };
}

async function runWork<Node extends PipelineNode>(
  context: StepRun,
  { node: id, queuedTaskId }: NodeInput,
  types: readonly NodeType[],
  work: NodeWork<Node>,
): Promise<NodeOutput> {
  const { org, job, run, recordedFacts } = context;
  const { pipeline, command } = await loadRunPipeline(org, run, context.readCommand);
  const node = pipeline.definition.nodes.find((one) => one.id === id);
  if (node === undefined || !types.includes(node.type)) throw new TypeError(`The step has no node ${id}`);
  // Computing nodes end too soon to show their start.
  const isSlow = node.type === "extract" || node.type === "OCR_CORRECT" || node.type === "operation";
  recordedFacts.startedAt = isSlow
    ? (await recordStart(context, id, queuedTaskId === undefined ? {} : { queuedTaskId })).startedAt
    : nowIso(org);
  const evaluation = await openEvaluationContext(context, pipeline.definition, command);
  const storeFile = async (file: string, body: Uint8Array): Promise<string> => {
    const key = nodeFile(job.guid, run.run, id, file);
    await org.blobs.put(key, body, { contentType: "application/json" });
    return key;
  };
  try {
    const nodeRun: NodeRun = { ...context, pipeline, command, evaluation, storeFile };
    const { written, facts, sources, ...more } = await encodeResult(nodeRun, node, await work(nodeRun, node as Node));
    await checkRunTotal(org, { guid: job.guid, run: run.run, node: id }, written.length);
    const resultKey = await storeFile("result.json", written);
    const sourcesKey = sources && (await storeFile("result.sources.json", sources));
    return {
      status: "COMPLETED",
      startedAt: String(recordedFacts.startedAt),
      completedAt: nowIso(org),
      facts,
      resultKey,
      resultBytes: written.length,
      ...(sourcesKey === undefined ? {} : { sourcesKey }),
      ...more,
    };
  } catch (error) {
    recordedFacts.completedAt = nowIso(org);
    throw error;
  }
}

const nodeStateOf = ({ status = "COMPLETED", facts = {} }: Partial<NodeOutput>): NodeState => ({ status, facts });

/**
 * Runs a node's work once, and records its outcome; a recorded outcome stays.
 * @throws JobFailure for a final failure; RunClosed; RetryableStepError
 */
export async function runNode<Node extends PipelineNode>(
  org: Organization,
  input: NodeInput,
  types: readonly Node["type"][],
  work: NodeWork<Node>,
): Promise<NodeState> {
  const { guid, run, node } = input;
  const place = { key: doneKey(guid, run, node), onFailure: [], keepFirst: true };
  const step = async (context: StepRun): Promise<{ facts: StepFacts }> => ({
    facts: { ...(await runWork(context, input, types, work)) },
  });
  return nodeStateOf((await runStep(org, input, `node/${node}`, step, place)) as Partial<NodeOutput>);
}

/**
 * Records that a node was skipped, or failed outside of its work; a recorded outcome stays.
 * @throws RunClosed
 */
export async function recordMark(
  org: Organization,
  input: NodeInput,
  mark: { status: "SKIPPED" } | { status: "FAILED"; sentence: string },
): Promise<NodeState> {
  const { guid, node: id } = input;
  const key = doneKey(guid, input.run, id);
  const run = findRun((await loadJob(org, guid)).value, input.run);
  if (run === undefined) throw new RunClosed();
  const recorded = (await org.records.get<NodeOutcome>(key))?.value;
  const begun = (await org.records.get<BegunNode>(begunKey(guid, input.run, id)))?.value;
  const status = recorded === undefined ? mark.status : recorded.outcome === "failed" ? "FAILED" : mark.status;
  const { pipeline } = await loadRunPipeline(org, run);
  const index = pipeline.definition.nodes.findIndex((node) => node.id === id);
  const paths = pipeline.facts.pathsByProducer.get(index) ?? [];
  const noValues = { definition: pipeline.definition, document: {}, metadata: {}, ocr: async () => undefined };
  const facts = await lookUpFacts(paths, { ...noValues, node: async () => ({ status, result: undefined }) });
  if (recorded !== undefined)
    return recorded.outcome === "failed" ? { status, facts } : nodeStateOf(recorded.output ?? {});
  const at = nowIso(org);
  const times =
    status === "SKIPPED"
      ? { startedAt: null, completedAt: at }
      : { startedAt: begun?.startedAt ?? at, completedAt: at };
  const common = { v: 1, step: `node/${id}` } as const;
  const value: NodeOutcome =
    mark.status === "SKIPPED"
      ? { ...common, outcome: "done", output: { status: "SKIPPED", facts, ...times } }
      : { ...common, outcome: "failed", sentence: mark.sentence, output: times };
  try {
    await org.records.transact([
      { kind: "due-check", id: runId(guid, input.run) },
      { kind: "put", key, value, condition: { ifAbsent: true } },
    ]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    if (error.failed.includes(0)) throw new RunClosed();
    return recordMark(org, input, mark);
  }
  return { status, facts };
}

/** Stores a run's definition and machine among its files. */
export async function storeDefinition(
  { org, job, run }: StepRun,
  files: Readonly<Record<"definition.json" | "machine.asl.json", Json>>,
): Promise<void> {
  for (const [name, value] of Object.entries(files)) {
    const key = artifactKey(job.guid, run.run, `pipeline/${name}`);
    await org.blobs.put(key, encodeJson(value), { contentType: "application/json" });
  }
}

/** The sentence of a node that exceeded its time. */
export const timeoutSentenceOf = (id: string, seconds: number): string =>
  `Processing failed: The node "${id}" took longer than its ${seconds} seconds`;
