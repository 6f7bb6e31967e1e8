/** Statuses and outcome of a run's nodes, computed from its records. */
import type { NodeStatus } from "../../../statemachines/pipeline/lookup.ts";
import { queryAll, type RecordValue } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import { type JobStatus, TERMINAL_STATUSES } from "../runs/job-records.ts";
import type { Progress } from "../runs/progress-notes.ts";
import type { PipelineOutcome } from "../runs/step-outcomes.ts";
import {
  type BegunNode,
  type ListedNode,
  type NodeOutcome,
  nodesPrefix,
  type PipelineReading,
  type PipelineRecord,
} from "./node-records.ts";

const PAGE_SIZE = 1000;

/** All records of a run's nodes. */
export interface RunNodes {
  pipeline: PipelineRecord;
  reading: PipelineReading | undefined;
  begun: ReadonlyMap<string, BegunNode>;
  done: ReadonlyMap<string, NodeOutcome>;
}

/** Loads the records of a run's nodes. @returns undefined for a run other than a pipeline's */
export async function loadNodes(org: Organization, guid: string, run: number): Promise<RunNodes | undefined> {
  const { partition, sort: prefix } = nodesPrefix(guid, run);
  const records = new Map<string, RecordValue>();
  for await (const { key, value } of queryAll(org.records, { partition, prefix, limit: PAGE_SIZE })) {
    records.set(key.sort.slice(prefix.length), value);
  }
  const pipeline = records.get("of") as PipelineRecord | undefined;
  if (pipeline === undefined) return undefined;
  const recordsBelow = <T>(name: string): Map<string, T> =>
    new Map(
      [...records].flatMap(([key, value]) => (key.startsWith(name) ? [[key.slice(name.length), value as T]] : [])),
    );
  return {
    pipeline,
    reading: records.get("read") as PipelineReading | undefined,
    begun: recordsBelow<BegunNode>("begun/"),
    done: recordsBelow<NodeOutcome>("done/"),
  };
}

/** Status of a node; a begun node without an outcome is CANCELLED once the run has ended. */
export function statusOf({ begun, done }: RunNodes, id: string, run: JobStatus): NodeStatus {
  const outcome = done.get(id);
  if (outcome !== undefined) return outcome.outcome === "failed" ? "FAILED" : (outcome.output?.status ?? "COMPLETED");
  if (!begun.has(id)) return "PENDING";
  return TERMINAL_STATUSES.has(run) ? "CANCELLED" : "RUNNING";
}

/** True when every node has an outcome, so that the run's outcome is certain. */
export const allNodesEnded = ({ pipeline, done }: RunNodes): boolean => pipeline.nodes.every(({ id }) => done.has(id));

const withoutPrefix = (sentence = ""): string => sentence.replace(/^Processing failed: /, "");

function viewNode(nodes: RunNodes, { id, type }: ListedNode, run: JobStatus): Record<string, unknown> {
  const { startedAt, queuedTaskId, childOperationGuid } = nodes.begun.get(id) ?? {};
  const { outcome, output, sentence } = nodes.done.get(id) ?? {};
  return {
    id,
    type,
    status: statusOf(nodes, id, run),
    warnings: [...(output?.warnings ?? []), ...(outcome === "failed" ? [withoutPrefix(sentence)] : [])],
    startedAt: output?.startedAt ?? startedAt ?? null,
    completedAt: output?.completedAt ?? null,
    ...(childOperationGuid === undefined ? {} : { childOperationGuid }),
    ...(queuedTaskId === undefined ? {} : { queuedTaskId }),
  };
}

/** Warnings for failed nodes whose dependents ran all the same. */
const continuedFailures = ({ pipeline, done }: RunNodes): string[] =>
  pipeline.nodes.flatMap(({ id, onError }) => {
    const outcome = done.get(id);
    return onError === "continue" && outcome?.outcome === "failed"
      ? [`The node "${id}" failed: ${withoutPrefix(outcome.sentence)}`]
      : [];
  });

const viewReading = ({ effectiveOcrMode, partial }: PipelineReading): Record<string, unknown> => ({
  status: partial === true ? "PARTIAL" : "COMPLETED",
  effectiveOcrMode,
});

/** The `pipeline` member of a job's record. */
export function viewPipeline(nodes: RunNodes, run: JobStatus): Record<string, unknown> {
  const { pipeline, reading } = nodes;
  const { chosenFinal } = pipelineOutcomeOf(nodes);
  const isDone = TERMINAL_STATUSES.has(run) && run !== "FAILED" && run !== "CANCELLED";
  return {
    version: pipeline.version,
    warnings: [...pipeline.warnings, ...continuedFailures(nodes)],
    ...(isDone && chosenFinal !== undefined ? { chosenFinal } : {}),
    ...(reading === undefined ? {} : { ocr: viewReading(reading) }),
    nodes: pipeline.nodes.map((node) => viewNode(nodes, node, run)),
  };
}

/** The nodes with the paths of their result files below the run's; null while there is none. */
export const viewResults = (nodes: RunNodes, run: JobStatus): Record<string, unknown>[] =>
  nodes.pipeline.nodes.map((node) => {
    const { resultKey, sourcesKey, receipt } = nodes.done.get(node.id)?.output ?? {};
    const reference = (key: string | undefined): string | null => key?.replace(/^.*?(?=pipeline\/nodes\/)/, "") ?? null;
    return {
      ...viewNode(nodes, node, run),
      result: reference(resultKey),
      sources: reference(sourcesKey),
      ...(receipt === undefined ? {} : { receipt }),
    };
  });

export function progressOfNodes({ pipeline, done }: RunNodes): Progress {
  const failed = [...done.values()].filter(({ outcome }) => outcome === "failed").length;
  return { phase: "nodes", unit: "node", done: done.size, total: pipeline.nodes.length, failed };
}

const NO_FINAL_SENTENCE = "Processing failed: no final node completed";

/** The sentence of the node whose failure ends the run: of several, the first that failed. */
function fatalErrorOf({ pipeline, done }: RunNodes): string | undefined {
  const failed = pipeline.nodes.flatMap(({ id, onError }) => {
    const outcome = done.get(id);
    return onError === "fail" && outcome?.outcome === "failed" ? [outcome] : [];
  });
  const at = ({ output }: NodeOutcome): string => output?.completedAt ?? "";
  return failed.sort((one, other) => (at(one) < at(other) ? -1 : 1))[0]?.sentence;
}

/** Chooses the first final node that completed; a failed one before it fails the run. */
function chooseFinal({ pipeline, done }: RunNodes): Pick<PipelineOutcome, "chosenFinal" | "error"> {
  for (const id of pipeline.finals) {
    const outcome = done.get(id);
    if (outcome?.outcome === "failed") return { error: outcome.sentence ?? NO_FINAL_SENTENCE };
    if (outcome?.output?.status === "COMPLETED") return { chosenFinal: id };
  }
  return { error: NO_FINAL_SENTENCE };
}

export function pipelineOutcomeOf(nodes: RunNodes): PipelineOutcome {
  const fatalError = fatalErrorOf(nodes);
  const { chosenFinal, error } =
    fatalError === undefined ? chooseFinal(nodes) : { chosenFinal: undefined, error: fatalError };
  const outputs = nodes.pipeline.nodes.flatMap(({ id }) => nodes.done.get(id)?.output ?? []);
  const engines = outputs.flatMap(({ engine }) => engine ?? []);
  const output = chosenFinal === undefined ? undefined : nodes.done.get(chosenFinal)?.output;
  const { partial = false, receipt, validationErrors, confidence = null, sourcesKey } = output ?? {};
  return {
    ...(chosenFinal === undefined ? {} : { chosenFinal }),
    ...(fatalError === undefined ? {} : { fatalError }),
    ...(error === undefined ? {} : { error }),
    hasSources: sourcesKey !== undefined,
    partial,
    ...(receipt === undefined ? {} : { receipt }),
    ...(validationErrors === undefined ? {} : { validationErrors }),
    engine: engines.find((engine) => engine !== "offline") ?? engines[0] ?? null,
    confidence,
    uses: outputs.flatMap(({ uses = [] }) => uses),
  };
}
