/** The frame of every node's step: what it is given, and what is recorded of it. */
import type { CheckedPipeline } from "../../../statemachines/pipeline/compile.ts";
import type { NodeType, PipelineNode } from "../../../statemachines/pipeline/definition.ts";
import { lookUpFacts, lookUpOwnFacts, type NodeStatus } from "../../../statemachines/pipeline/lookup.ts";
import type { Loss } from "../../engine/nodes/location-losses.ts";
import { nowhere } from "../../engine/nodes/provenance.ts";
import { checkSize, checkTogether, writeResult } from "../../engine/nodes/result-size.ts";
import { ConditionFailed } from "../../ports/errors.ts";
import { encodeJson, type Json, parseJsonBytes } from "../../ports/json.ts";
import type { Organization } from "../organizations/organization.ts";
import { artifactKey, type RunSummary, runId } from "../runs/job-records.ts";
import { loadJob, nowIso } from "../runs/job-store.ts";
import { findRun, loadCommand } from "../runs/open-run.ts";
import type { RunCommand } from "../runs/run-command.ts";
import { runStep, type StepFacts, type StepRun } from "../runs/run-step.ts";
import { RunClosed } from "../runs/step-errors.ts";
import { readPipeline } from "./definitions.ts";
import { openEvaluationContext, type RunEvaluationContext } from "./evaluation-context.ts";
import { type BegunNode, begunKey, doneKey, type NodeOutcome, type NodeOutput, nodeFile } from "./node-records.ts";

/** What a machine's state keeps of a node. */
export interface NodeState {
  status: NodeStatus;
  facts: Record<string, string | null>;
}

export interface NodeInput {
  guid: string;
  run: number;
  node: string;
  /** Of a node that came through a queue. */
  queuedTaskId?: string;
}

/** What a node's work can use. */
export interface NodeRun extends StepRun {
  pipeline: CheckedPipeline;
  command: RunCommand;
  world: RunEvaluationContext;
  /** Puts a file of the node's where the contract has it. @returns its key */
  keep(file: string, body: Uint8Array): Promise<string>;
}

/** What a node's work gives: a value, or what it has written already, as UTF-8 JSON, perhaps with the facts of it. */
export type NodeResult = NodeExtras & ({ result: Json } | { written: Uint8Array; facts?: NodeOutput["facts"] });

interface NodeExtras extends Partial<Omit<NodeOutput, "status" | "facts" | "startedAt" | "completedAt">> {
  /** UTF-8 JSON, where places are asked for. */
  sources?: Uint8Array;
  /** Why none of it has a place, where it was made of text that has lost them. */
  lost?: Loss | undefined;
}

interface RunPipeline {
  pipeline: CheckedPipeline;
  command: RunCommand;
}

/** Steps of one run follow each other, and a command's key names its content: it is read once. */
const KEPT = 50;
const known = new Map<string, RunPipeline>();

/** Loads the pipeline of a run, with its command. @param readCommand the step's, within a step */
export async function loadRunPipeline(
  org: Organization,
  run: RunSummary,
  readCommand: () => Promise<RunCommand> = () => loadCommand(org, run),
): Promise<RunPipeline> {
  const key = `${org.id}/${run.commandKey}`;
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const command = await readCommand();
  const loaded = { pipeline: readPipeline(key, command.pipeline), command };
  known.set(key, loaded);
  const [oldest] = known.keys();
  if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
  return loaded;
}

/**
 * Notes that a node runs. What an earlier call of its step has noted, or another that works beside this one, stays: it
 * began once, and its operation is one.
 * @returns what is on record @throws RunClosed
 */
export async function noteBegun(context: StepRun, id: string, more: Partial<BegunNode> = {}): Promise<BegunNode> {
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
    return noteBegun(context, id, more);
  }
  return value;
}

type Work<Node> = (context: NodeRun, node: Node) => Promise<NodeResult>;

type Written = Omit<NodeExtras, "lost"> & { written: Uint8Array; facts: NodeOutput["facts"] };

/** A result with what conditions read of it, and with why it has no places where nobody gave it any. */
async function writtenOf(run: NodeRun, node: PipelineNode, { lost, ...given }: NodeResult): Promise<Written> {
  const { command, pipeline, world } = run;
  const paths = pipeline.facts.of.get(node.index) ?? [];
  const placed = given.sources !== undefined || !command.sourceLocations;
  if ("written" in given) {
    const { facts = paths.length === 0 ? {} : undefined } = given;
    checkSize(node.id, given.written);
    // What nobody asks about is not parsed.
    if (facts !== undefined && placed) return { ...given, facts };
  }
  const { result, ...more } = "written" in given ? { ...given, result: parseJsonBytes(given.written) } : given;
  const reason = lost ?? (node.type === "extract" ? "not-requested" : "derived");
  const sources = placed ? more.sources : encodeJson(nowhere(result, reason, command.granularity));
  const facts = await lookUpOwnFacts(paths, world, { id: node.id, result });
  const written = "written" in given ? given.written : writeResult(node.id, result);
  return { ...more, ...(sources === undefined ? {} : { sources }), written, facts };
}

async function workOn<Node extends PipelineNode>(
  context: StepRun,
  { node: id, queuedTaskId }: NodeInput,
  types: readonly NodeType[],
  work: Work<Node>,
): Promise<NodeOutput> {
  const { org, job, run, recordedFacts } = context;
  const { pipeline, command } = await loadRunPipeline(org, run, context.readCommand);
  const node = pipeline.definition.nodes.find((one) => one.id === id);
  if (node === undefined || !types.includes(node.type)) throw new TypeError(`The step has no node ${id}`);
  // What only computes is over before anybody looks.
  const isSlow = node.type === "extract" || node.type === "OCR_CORRECT" || node.type === "operation";
  recordedFacts.startedAt = isSlow
    ? (await noteBegun(context, id, queuedTaskId === undefined ? {} : { queuedTaskId })).startedAt
    : nowIso(org);
  const world = await openEvaluationContext(context, pipeline.definition, command);
  const keep = async (file: string, body: Uint8Array): Promise<string> => {
    const key = nodeFile(job.guid, run.run, id, file);
    await org.blobs.put(key, body, { contentType: "application/json" });
    return key;
  };
  try {
    const own: NodeRun = { ...context, pipeline, command, world, keep };
    const { written, facts, sources, ...more } = await writtenOf(own, node, await work(own, node as Node));
    await checkTogether(org, { guid: job.guid, run: run.run, node: id }, written.length);
    const resultKey = await keep("result.json", written);
    const sourcesKey = sources && (await keep("result.sources.json", sources));
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

const stateOf = ({ status = "COMPLETED", facts = {} }: Partial<NodeOutput>): NodeState => ({ status, facts });

/**
 * Does a node's work once, and records what became of it; a node that is on record as failed or skipped stays so.
 * @throws JobFailure for a final failure; RunClosed; RetryableStepError
 */
export async function runNode<Node extends PipelineNode>(
  org: Organization,
  input: NodeInput,
  types: readonly Node["type"][],
  work: Work<Node>,
): Promise<NodeState> {
  const { guid, run, node } = input;
  const place = { key: doneKey(guid, run, node), onFailure: [], keepFirst: true };
  const step = async (context: StepRun): Promise<{ facts: StepFacts }> => ({
    facts: { ...(await workOn(context, input, types, work)) },
  });
  return stateOf((await runStep(org, input, `node/${node}`, step, place)) as Partial<NodeOutput>);
}

/**
 * Records that a node was skipped, or that something outside of its work ended it; what is on record already stays.
 * @throws RunClosed
 */
export async function markNode(
  org: Organization,
  input: NodeInput,
  mark: { status: "SKIPPED" } | { status: "FAILED"; sentence: string },
): Promise<NodeState> {
  const { guid, node: id } = input;
  const key = doneKey(guid, input.run, id);
  const run = findRun((await loadJob(org, guid)).value, input.run);
  if (run === undefined) throw new RunClosed();
  const known = (await org.records.get<NodeOutcome>(key))?.value;
  const begun = (await org.records.get<BegunNode>(begunKey(guid, input.run, id)))?.value;
  const status = known === undefined ? mark.status : known.outcome === "failed" ? "FAILED" : mark.status;
  const { pipeline } = await loadRunPipeline(org, run);
  const index = pipeline.definition.nodes.findIndex((node) => node.id === id);
  const paths = pipeline.facts.of.get(index) ?? [];
  const gone = { definition: pipeline.definition, document: {}, metadata: {}, ocr: async () => undefined };
  const facts = await lookUpFacts(paths, { ...gone, node: async () => ({ status, result: undefined }) });
  if (known !== undefined) return known.outcome === "failed" ? { status, facts } : stateOf(known.output ?? {});
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
    return markNode(org, input, mark);
  }
  return { status, facts };
}

/** Keeps what a run was asked to do among its files. */
export async function keepDefinition(
  { org, job, run }: StepRun,
  files: Readonly<Record<"definition.json" | "machine.asl.json", Json>>,
): Promise<void> {
  for (const [name, value] of Object.entries(files)) {
    const key = artifactKey(job.guid, run.run, `pipeline/${name}`);
    await org.blobs.put(key, encodeJson(value), { contentType: "application/json" });
  }
}

/** The sentence of a node that took longer than it may. */
export const overtime = (id: string, seconds: number): string =>
  `Processing failed: The node "${id}" took longer than its ${seconds} seconds`;
