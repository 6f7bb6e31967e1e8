import type { PipelineNode } from "../../statemachines/pipeline/definition.ts";
import { evaluateTemplate } from "../../statemachines/pipeline/lookup.ts";
import type { NodeFrame } from "../../statemachines/pipeline/nodes/node.ts";
import { SOURCE_MAPS } from "../../statemachines/pipeline/nodes/ocr-correct.ts";
import type { OperationNode } from "../../statemachines/pipeline/nodes/operation.ts";
import { parsePath } from "../../statemachines/pipeline/paths.ts";
import { pathsIn } from "../../statemachines/pipeline/templates.ts";
import { type Loss, lossOfMap, worstOf } from "../engine/nodes/location-losses.ts";
import { checkedInput } from "../engine/nodes/result-size.ts";
import { JobFailure } from "../ports/errors.ts";
import { isObject, type Json, parseJsonBytes } from "../ports/json.ts";
import type { LlmTier } from "../ports/llm.ts";
import { type NodeResult, type NodeRun, recordStart, runNode } from "../service/pipelines/run-node.ts";
import { runId } from "../service/runs/job-records.ts";
import type { Material } from "../service/runs/run-command.ts";
import { INTERNAL_SENTENCE } from "../service/runs/step-errors.ts";
import { findReading } from "../service/runs/step-outcomes.ts";
import { defineStep } from "./define-step.ts";
import { lossAtPaths } from "./node-origins.ts";
import { runOperation } from "./operate.ts";

type Node = NodeFrame & OperationNode;

/** The last extraction node that a node depends on; without one, its last dependency. */
function dataNodeFor({ pipeline: { definition, graph } }: NodeRun, { index }: Node): PipelineNode | undefined {
  const firsts = (graph.dependencies[index] ?? []).flatMap((first) => definition.nodes[first] ?? []);
  return firsts.findLast(({ type }) => type === "extract") ?? firsts.at(-1);
}

/** The operation's material from the run so far: the document as it was read, and a node's data. */
async function collectMaterial(
  { job, run, command, evaluation, readOutcomes }: NodeRun,
  data?: PipelineNode,
): Promise<Material> {
  const { outputs } = await readOutcomes();
  const { layoutKey, qualityKey } = findReading(outputs) ?? {};
  const figuresKey = outputs.enrich?.figuresKey;
  const { resultKey, sourcesKey, validationErrors } = (data && (await evaluation.outcome(data.id)))?.output ?? {};
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

/** The worst loss of source locations, of a correction's map and of the operation's inputs. */
async function worstLoss(
  run: NodeRun,
  node: Node,
  data: PipelineNode | undefined,
  result: Json,
): Promise<Loss | undefined> {
  const whole = data && parsePath(`$nodes.${data.id}`);
  const paths = [...(node.input === null ? [] : pathsIn(node.input)), ...(typeof whole === "object" ? [whole] : [])];
  const { sourceMap } = isObject(result) ? result : {};
  const mode = SOURCE_MAPS.find((one) => isObject(sourceMap) && one === sourceMap.mode) ?? "none";
  return worstOf([node.operation === "ocr-correct" ? lossOfMap(mode) : undefined, await lossAtPaths(run, paths)]);
}

/** The GUID of the node's operation: the same in every call of the step, so that it is started once. */
async function childGuid(run: NodeRun, id: string): Promise<string> {
  const proposed = run.org.engines.clock.guid();
  const { childOperationGuid = proposed } = await recordStart(run, id, { childOperationGuid: proposed });
  return childOperationGuid;
}

async function runOperationNode(run: NodeRun, node: Node): Promise<NodeResult> {
  const { org, job, deadline } = run;
  const within = runId(job.guid, run.run.run);
  const input = node.input === null ? null : checkedInput(node.id, await evaluateTemplate(node.input, run.evaluation));
  const guid = await childGuid(run, node.id);
  const data = dataNodeFor(run, node);
  const request = {
    parent: job.guid,
    type: node.operation,
    tier: node.tier.toUpperCase() as LlmTier,
    parameters: { ...(isObject(input) ? input : {}), ...node.config },
    parametersPointer: "/config",
    material: await collectMaterial(run, data),
    guid,
    within,
    payer: run.run.billing,
  };
  const end = await runOperation(org, request, deadline);
  if (end.resultKey === undefined) throw new JobFailure(end.error ?? INTERNAL_SENTENCE);
  const bytes = await org.blobs.get(end.resultKey);
  const result = parseJsonBytes(bytes ?? new Uint8Array());
  return { result, engine: end.engine, loss: await worstLoss(run, node, data, result) };
}

/** Runs an operation on the material of the run so far; it is a job of its own, with its own trace and usage. */
export const operateNode = defineStep(async (org, input) =>
  runNode<Node>(org, { ...input, node: input.node ?? "" }, ["operation"], runOperationNode),
);
