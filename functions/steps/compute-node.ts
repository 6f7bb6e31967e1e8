import { evaluateTemplate, resolvePath } from "../../statemachines/pipeline/lookup.ts";
import type { FinalNode } from "../../statemachines/pipeline/nodes/final.ts";
import type { NodeFrame } from "../../statemachines/pipeline/nodes/node.ts";
import type { TransformNode } from "../../statemachines/pipeline/nodes/transform.ts";
import type { ValidateNode } from "../../statemachines/pipeline/nodes/validate.ts";
import type { Template } from "../../statemachines/pipeline/templates.ts";
import { joinReceipts } from "../core/extraction/receipt/report.ts";
import { type Computed, computeBucket, computeFinal, computeTransform } from "../core/pipelines/compute.ts";
import { type NodeResult, type NodeRun, runNode } from "../core/pipelines/frame.ts";
import { composeSources, trailOf } from "../core/pipelines/provenance.ts";
import { type Made, madeOf, sourcesOf } from "./node-origins.ts";
import { defineStep } from "./step.ts";

type ComputeNode = NodeFrame & (ValidateNode | TransformNode | FinalNode);

const templateOf = (node: ComputeNode): Template => (node.type === "final" ? node.output : node.input);

async function compute({ world }: NodeRun, node: ComputeNode): Promise<Computed> {
  const value = await evaluateTemplate(templateOf(node), world);
  if (node.type === "final") return computeFinal(value);
  if (node.type === "validate") return computeBucket(node, value);
  return computeTransform(node, value, (path) => resolvePath(path, world));
}

async function placesOf(
  run: NodeRun,
  template: Template,
  { result, moves }: Computed,
  made: Made,
): Promise<Uint8Array | undefined> {
  const { command, world } = run;
  if (!command.sourceLocations) return undefined;
  const trail = trailOf(template, world.definition);
  const sources = await sourcesOf(run, made);
  const composed = composeSources({ result, moves, trail, granularity: command.granularity, sources });
  return Buffer.from(JSON.stringify(composed));
}

/** What a value has from those that it is made of: what they lack it lacks too, and it is as sure as they are together. */
function inherited(made: Made): Omit<NodeResult, "result"> {
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
  runNode<ComputeNode>(
    org,
    { ...input, node: input.node ?? "" },
    ["validate", "transform", "final"],
    async (run, node) => {
      const computed = await compute(run, node);
      const template = templateOf(node);
      const made = await madeOf(run, template);
      const sources = await placesOf(run, template, computed, made);
      return { result: computed.result, ...(sources === undefined ? {} : { sources }), ...inherited(made) };
    },
  ),
);
