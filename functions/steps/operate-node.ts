import { isObject, type Json } from "../../statemachines/pipeline/diagnostics.ts";
import { evaluateTemplate } from "../../statemachines/pipeline/lookup.ts";
import type { NodeFrame } from "../../statemachines/pipeline/nodes/node.ts";
import type { OperationNode } from "../../statemachines/pipeline/nodes/operation.ts";
import { JobFailure } from "../core/errors.ts";
import { loadOutcomes, readingOf } from "../core/jobs/settle.ts";
import { INTERNAL_SENTENCE } from "../core/jobs/steps.ts";
import type { LlmTier } from "../core/llm/ports.ts";
import type { Material } from "../core/operations/model.ts";
import { loadBegun, type NodeResult, type NodeRun, noteBegun, runNode } from "../core/pipelines/frame.ts";
import { checkedInput } from "../core/pipelines/size.ts";
import { runOperation } from "./operate.ts";
import { defineStep } from "./step.ts";

type Node = NodeFrame & OperationNode;

/** What the run has so far: the document as it was read, and the data of the last extraction that the node waits for. */
async function materialOf({ org, job, run, command, pipeline, world }: NodeRun, node: Node): Promise<Material> {
  const { outputs } = await loadOutcomes(org, job.guid, run.run);
  const { layoutKey, qualityKey } = readingOf(outputs) ?? {};
  const figuresKey = outputs.enrich?.figuresKey;
  const { definition, graph } = pipeline;
  const firsts = (graph.after[node.index] ?? []).flatMap((index) => definition.nodes[index] ?? []);
  const data = firsts.findLast(({ type }) => type === "extract") ?? firsts.at(-1);
  const { resultKey, sourcesKey, validationErrors } = (data && (await world.outcome(data.id)))?.output ?? {};
  return {
    guid: job.guid,
    run: run.run,
    mimeType: command.mimeType,
    commandKey: run.commandKey,
    ...(layoutKey === undefined ? {} : { layoutKey }),
    ...(qualityKey === undefined ? {} : { qualityKey }),
    ...(figuresKey === undefined ? {} : { figuresKey, figuresRun: run.run }),
    ...(resultKey === undefined ? {} : { resultKey, resultType: "application/json" }),
    ...(sourcesKey === undefined ? {} : { sourcesKey }),
    ...(validationErrors === undefined ? {} : { validationErrors }),
  };
}

/** One GUID over all calls of the step, so that they are one operation. */
async function childOf(run: NodeRun, id: string): Promise<string> {
  const known = (await loadBegun(run, id))?.childOperationGuid;
  if (known !== undefined) return known;
  const childOperationGuid = run.org.engines.clock.guid();
  await noteBegun(run, id, { childOperationGuid });
  return childOperationGuid;
}

async function operate(run: NodeRun, node: Node): Promise<NodeResult> {
  const { org, job, deadline } = run;
  const input = node.input === null ? null : checkedInput(node.id, await evaluateTemplate(node.input, run.world));
  const guid = await childOf(run, node.id);
  const request = {
    parent: job.guid,
    type: node.operation,
    tier: node.tier.toUpperCase() as LlmTier,
    parameters: { ...(isObject(input) ? input : {}), ...node.config },
    parametersAt: "/config",
    material: await materialOf(run, node),
    guid,
  };
  const end = await runOperation(org, request, deadline);
  if (end.resultKey === undefined) throw new JobFailure(end.error ?? INTERNAL_SENTENCE);
  const bytes = await org.blobs.get(end.resultKey);
  const result = JSON.parse(Buffer.from(bytes ?? new Uint8Array()).toString("utf8")) as Json;
  return { result, engine: end.engine };
}

/** An operation on what the run has so far; it is a job of its own, with its own trace and usage. */
export const operateNode = defineStep(async (org, input) =>
  runNode<Node>(org, { ...input, node: input.node ?? "" }, ["operation"], operate),
);
