/** The last of a pipeline's run: what ended a node from outside is recorded, the chosen result made public. */
import { TraceMerger } from "../extraction/model/trace.ts";
import { loadJob } from "../jobs/jobs.ts";
import { artifactKey, runId } from "../jobs/model.ts";
import { findRun, loadCommand } from "../jobs/runs.ts";
import { loadOutcomes, sentenceOfCause } from "../jobs/settle.ts";
import { INTERNAL_SENTENCE } from "../jobs/steps.ts";
import type { Organization } from "../organizations/organization.ts";
import { loadRunPipeline, markNode, overtime } from "./frame.ts";
import { loadNodes, type RunNodes, statusOf, verdictOf } from "./nodes.ts";

const JSON_TYPE = { contentType: "application/json" };

interface Ending {
  guid: string;
  run: number;
  failure?: { Error?: string; Cause?: string };
}

/** Why a node ended from outside of its work: its time was over, or whatever did the work died. */
export function sentenceOfEnd(
  nodes: RunNodes,
  id: string,
  { Error: error, Cause }: NonNullable<Ending["failure"]>,
): string {
  const seconds = nodes.pipeline.nodes.find((node) => node.id === id)?.timeoutSeconds ?? null;
  if (error === "States.Timeout" && seconds !== null) return overtime(id, seconds);
  return sentenceOfCause(Cause) ?? INTERNAL_SENTENCE;
}

/** When nodes began that are under way: noted by their steps, or, in a queue still, when all was there that they need. */
async function underWay(org: Organization, { guid, run }: Ending, nodes: RunNodes): Promise<Map<string, number>> {
  const { pipeline, begun, done } = nodes;
  const running = pipeline.nodes.filter(({ id }) => statusOf(nodes, id, "PROCESSING") === "RUNNING");
  const began = new Map(running.map(({ id }) => [id, Date.parse(begun.get(id)?.startedAt ?? "")]));
  const summary = findRun((await loadJob(org, guid)).value, run);
  if (summary === undefined) return began;
  const { definition, graph } = (await loadRunPipeline(org, { run: summary })).pipeline;
  // Before the document was read, nothing was sent.
  if (definition.execution !== "queue" || nodes.reading === undefined) return began;
  for (const { id, index, type } of definition.nodes) {
    const firsts = (graph.after[index] ?? []).map((at) => done.get(definition.nodes[at]?.id ?? ""));
    if (type !== "extract" || begun.has(id) || done.has(id) || firsts.includes(undefined)) continue;
    const ready = firsts.map((first) => Date.parse(first?.output?.completedAt ?? ""));
    began.set(id, Math.max(Date.parse(summary.startedAt ?? summary.createdAt), ...ready.filter(Number.isFinite)));
  }
  return began;
}

/** A failure that no node's step recorded is that of the node that ran past its time, or of the only one that ran. */
async function recordEnd(org: Organization, ending: Ending, nodes: RunNodes): Promise<RunNodes> {
  const { guid, run, failure } = ending;
  if (failure === undefined || verdictOf(nodes).fatal !== undefined) return nodes;
  const began = await underWay(org, ending, nodes);
  // A state's time begins a moment before its node is noted: of those with a limit, the one that is nearest to its own.
  const ends = nodes.pipeline.nodes.flatMap(({ id, timeoutSeconds }) => {
    const from = began.get(id);
    return from === undefined || timeoutSeconds === null ? [] : [{ id, at: from + timeoutSeconds * 1000 }];
  });
  const [late] = ends.sort((one, other) => one.at - other.at);
  const [only] = began.keys();
  const id = failure.Error === "States.Timeout" ? late?.id : began.size === 1 ? only : undefined;
  if (id === undefined) return nodes;
  await markNode(org, { guid, run, node: id }, { status: "FAILED", sentence: sentenceOfEnd(nodes, id, failure) });
  return (await loadNodes(org, guid, run)) ?? nodes;
}

async function copy(org: Organization, from: string | undefined, to: string): Promise<void> {
  const bytes = from === undefined ? undefined : await org.blobs.get(from);
  if (bytes !== undefined) await org.blobs.put(to, bytes, JSON_TYPE);
}

/** The traces of the nodes as one, in the order of the definition. */
async function keepTrace(org: Organization, { guid, run }: Ending, nodes: RunNodes): Promise<string | undefined> {
  const keys = nodes.pipeline.nodes.flatMap(({ id }) => nodes.done.get(id)?.output?.traceKey ?? []);
  const { outputs } = await loadOutcomes(org, guid, run);
  const summary = findRun((await loadJob(org, guid)).value, run);
  if (summary === undefined || keys.length === 0) return undefined;
  const { llm: tier = "DEFAULT" } = await loadCommand(org, summary);
  const merger = new TraceMerger();
  for (const key of [...(outputs.used?.traceKey === undefined ? [] : [outputs.used.traceKey]), ...keys]) {
    const part = await org.blobs.get(key);
    if (part !== undefined) merger.add(part);
  }
  const verdict = verdictOf(nodes);
  const status = verdict.error !== undefined ? "FAILED" : verdict.partial ? "PARTIAL" : "COMPLETED";
  const trace = merger.toJson({ clock: org.engines.clock, jobId: guid, tier, mode: "PIPELINE" }, status);
  if (trace === undefined) return undefined;
  const key = artifactKey(guid, run, "pipeline/trace.json");
  await org.blobs.put(key, trace, JSON_TYPE);
  return key;
}

/**
 * Puts result, places and trace where a job's are. A run that is no pipeline, or has ended, is left as it is.
 * @returns where the trace is, if there is one
 */
export async function publishPipeline(org: Organization, ending: Ending): Promise<string | undefined> {
  const { guid, run } = ending;
  const found = await loadNodes(org, guid, run);
  if (found === undefined || (await org.records.due(runId(guid, run))) === undefined) return undefined;
  const nodes = await recordEnd(org, ending, found);
  const { chosen, error } = verdictOf(nodes);
  if (ending.failure === undefined && error === undefined && chosen !== undefined) {
    const { resultKey, sourcesKey } = nodes.done.get(chosen)?.output ?? {};
    await copy(org, resultKey, artifactKey(guid, run, "result.json"));
    await copy(org, sourcesKey, artifactKey(guid, run, "result.sources.json"));
  }
  return keepTrace(org, ending, nodes);
}
