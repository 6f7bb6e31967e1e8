/**
 * The trace of a pipeline's run: inputs, task, duration and size of every node, or why it has no result, with its model
 * calls. It names paths and sizes; texts of documents are in the model calls only.
 */
import { pathsOf } from "../../../statemachines/pipeline/conditions.ts";
import type { PipelineDefinition, PipelineNode } from "../../../statemachines/pipeline/definition.ts";
import { producerId } from "../../../statemachines/pipeline/facts.ts";
import type { PipelineGraph } from "../../../statemachines/pipeline/graph.ts";
import type { NodeStatus } from "../../../statemachines/pipeline/lookup.ts";
import { pathsReadBy } from "../../../statemachines/pipeline/reads.ts";
import { TRACE_FILES } from "../../../statemachines/pipeline/trace-files.ts";
import { describeError } from "../../ports/observer.ts";
import { TraceMerger, type TraceStatus } from "../extraction/model-trace.ts";
import type { Organization } from "../organizations/organization.ts";
import { artifactKey, type RunSummary } from "../runs/job-records.ts";
import { loadJob } from "../runs/job-store.ts";
import { findRun, loadCommand } from "../runs/open-run.ts";
import type { RunCommand } from "../runs/run-command.ts";
import { parseAcceptedPipeline } from "./definitions.ts";
import { type RunNodes, statusOf } from "./node-statuses.ts";

interface EndedPipeline {
  guid: string;
  run: number;
  nodes: RunNodes;
  status: TraceStatus;
  /** The error of a failed run. */
  error?: string | undefined;
  /** Blob of the trace of the steps before the nodes. */
  priorTraceKey?: string | undefined;
}

interface TracedRun extends Omit<EndedPipeline, "run"> {
  run: RunSummary;
  command: RunCommand;
}

/** Most paths, or warnings, listed. */
const MAX_LISTED = 20;

/** A list's first entries, with the number of further ones. */
const listSome = <T>(name: string, list: readonly T[]): Record<string, unknown> => ({
  [name]: list.slice(0, MAX_LISTED),
  ...(list.length > MAX_LISTED ? { [`${name}Besides`]: list.length - MAX_LISTED } : {}),
});

/** The task of a node. */
function nodeTask(node: PipelineNode): Record<string, unknown> {
  switch (node.type) {
    case "transform":
      return { transform: node.transform };
    case "validate":
      return { validator: node.validator };
    case "operation":
      return { operation: node.operation, tier: node.tier };
    case "OCR_CORRECT":
      return { mode: node.mode, sourceMap: node.sourceMap, tier: node.tier };
    case "extract":
      return { tier: node.tier };
    default:
      return {};
  }
}

/** The inputs of a node; for another node's result, with its size. */
function nodeInputs(node: PipelineNode, definition: PipelineDefinition, { done }: RunNodes): Record<string, unknown> {
  const inputs = pathsReadBy(node).map((path) => {
    const id = producerId(path, definition);
    const bytes = id === undefined ? undefined : done.get(id)?.output?.resultBytes;
    return { path: path.text, ...(id === undefined ? {} : { node: id }), ...(bytes === undefined ? {} : { bytes }) };
  });
  const read = node.type === "OCR_CORRECT" && node.source === null ? [{ path: "$ocr.content" }] : inputs;
  const when = node.when === null ? [] : [...pathsOf(node.when)].map(({ text }) => text);
  return { ...listSome("inputs", read), ...(when.length === 0 ? {} : listSome("when", when)) };
}

/** Why a node has no result; undefined for a completed one. */
function missingReason(
  node: PipelineNode,
  status: NodeStatus,
  graph: PipelineGraph,
  traced: TracedRun,
): string | undefined {
  const { nodes, error } = traced;
  const namesOf = (numbers: readonly number[] = [], wanted: NodeStatus): string[] =>
    numbers.flatMap((index) => {
      const id = graph.definition.nodes[index]?.id ?? "";
      return statusOf(nodes, id, "COMPLETED") === wanted ? [id] : [];
    });
  const ended = traced.status === "CANCELLED" ? "The run was cancelled" : `The run ended: ${error ?? traced.status}`;
  if (status === "FAILED") return nodes.done.get(node.id)?.sentence;
  if (status === "PENDING") return `It never began. ${ended}`;
  if (status === "CANCELLED") return `It was under way. ${ended}`;
  if (status !== "SKIPPED") return undefined;
  const dependencies = graph.dependencies[node.index] ?? [];
  if (dependencies.length > 0 && namesOf(dependencies, "SKIPPED").length === dependencies.length) {
    return "Everything that it depends on was skipped";
  }
  const [rival] = namesOf(graph.earlierCandidates[node.index], "COMPLETED");
  return rival === undefined ? "Its condition did not hold" : `The candidate "${rival}" before it completed`;
}

const millisecondsOf = (startedAt: string | null | undefined, completedAt: string | null | undefined): number | null =>
  startedAt && completedAt ? Date.parse(completedAt) - Date.parse(startedAt) : null;

async function addNode(
  org: Organization,
  merger: TraceMerger,
  node: PipelineNode,
  graph: PipelineGraph,
  traced: TracedRun,
): Promise<void> {
  const { clock } = org.engines;
  const { nodes, run } = traced;
  const status = statusOf(nodes, node.id, traced.status);
  const { output = {} } = nodes.done.get(node.id) ?? {};
  const startedAt = output.startedAt ?? nodes.begun.get(node.id)?.startedAt;
  const completedAt = output.completedAt ?? run.completedAt ?? new Date(clock.now()).toISOString();
  const common = { name: node.id, duration_ms: null };
  const start = { node: node.type, ...nodeTask(node), ...nodeInputs(node, graph.definition, nodes) };
  const begin = { timestamp: startedAt ?? completedAt, response: JSON.stringify(start) };
  merger.note({ ...common, id: clock.guid(), type: "chain_start", ...begin });
  const part = output.traceKey === undefined ? undefined : await org.blobs.get(output.traceKey);
  if (part !== undefined) merger.add(part);
  const why = missingReason(node, status, graph, traced);
  if (status === "FAILED") {
    merger.note({ ...common, id: clock.guid(), type: "error", timestamp: completedAt, response: why ?? null });
  }
  const { resultBytes, sourcesKey, engine, confidence, partial, warnings = [] } = output;
  const { childOperationGuid, queuedTaskId } = nodes.begun.get(node.id) ?? {};
  const end = {
    status,
    why,
    resultBytes,
    engine: engine ?? undefined,
    confidence: confidence ?? undefined,
    partial,
    sources: sourcesKey !== undefined,
    childOperationGuid,
    queuedTaskId,
    ...(warnings.length === 0 ? {} : listSome("warnings", warnings)),
  };
  merger.note({
    ...common,
    id: clock.guid(),
    type: "chain_end",
    timestamp: completedAt,
    duration_ms: millisecondsOf(startedAt, completedAt),
    response: JSON.stringify(end),
  });
}

/** Stores the trace, its nodes in the order of the definition. @returns its key */
async function writeTrace(org: Organization, traced: TracedRun): Promise<string | undefined> {
  const { guid, run, command, status, priorTraceKey: first } = traced;
  const merger = new TraceMerger();
  const before = first === undefined ? undefined : await org.blobs.get(first);
  if (before !== undefined) merger.add(before);
  const { graph } = parseAcceptedPipeline(`${org.id}/${run.commandKey}`, command.pipeline);
  for (const node of graph.definition.nodes) await addNode(org, merger, node, graph, traced);
  const { llm: tier = "DEFAULT" } = command;
  const trace = merger.toJson({ clock: org.engines.clock, jobId: guid, tier, mode: "PIPELINE" }, status);
  if (trace === undefined) return undefined;
  // Only one of two concurrent ends of a run counts; the status in the key keeps their traces apart.
  const key = artifactKey(guid, run.run, `${TRACE_FILES}${status}.json`);
  await org.blobs.put(key, trace, { contentType: "application/json" });
  return key;
}

/**
 * Stores the trace of an open run that requested one. A run whose trace cannot be stored ends without it.
 * @returns its key
 */
export async function storePipelineTrace(org: Organization, ending: EndedPipeline): Promise<string | undefined> {
  const { guid, run: number } = ending;
  try {
    const job = (await loadJob(org, guid)).value;
    const run = findRun(job, number);
    if (run === undefined || job.openRun !== number) return undefined;
    const command = await loadCommand(org, run);
    return command.trace === true ? await writeTrace(org, { ...ending, run, command }) : undefined;
  } catch (error) {
    org.observer.log("error", "trace not kept", {
      organization: org.id,
      job: guid,
      run: number,
      ...describeError(error),
    });
    return undefined;
  }
}
