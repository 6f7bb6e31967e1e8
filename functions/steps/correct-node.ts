import type { NodeFrame } from "../../statemachines/pipeline/nodes/node.ts";
import type { OcrCorrectNode } from "../../statemachines/pipeline/nodes/ocr-correct.ts";
import { lossOfMap, worstOf } from "../engine/nodes/location-losses.ts";
import { correctLayoutTask } from "../engine/tasks/correct-layout.ts";
import { pagesToCorrectTask } from "../engine/tasks/pages-to-correct.ts";
import { transcribeTask } from "../engine/tasks/transcribe.ts";
import type { Json } from "../ports/json.ts";
import type { LlmTier } from "../ports/llm.ts";
import { proposeCorrections } from "../service/operations/ocr-correct.ts";
import { modelOf } from "../service/organizations/engines.ts";
import { nodeFileName } from "../service/pipelines/node-records.ts";
import { type NodeResult, type NodeRun, runNode } from "../service/pipelines/run-node.ts";
import { askModel } from "./ask-model.ts";
import { defineStep } from "./define-step.ts";
import { CORRECTED_LAYOUT, positionLoss, readSource } from "./node-source.ts";

type Node = NodeFrame & OcrCorrectNode;

/** Asks the model, where there is one, for corrections of the pages. */
async function proposeByModel(run: NodeRun, node: Node, pages: readonly { number: number; text: string }[]) {
  const tier = node.tier.toUpperCase() as LlmTier;
  const model = modelOf(run.org.engines, tier);
  if (model === null || pages.length === 0) return { proposals: {}, engine: "offline" };
  const proposals = await askModel(
    run,
    model,
    { ...run.command, llm: tier },
    (calls) => proposeCorrections(pages, calls, node.prompt ?? undefined),
    { traceName: nodeFileName(node.id, "trace.json") },
  );
  return { proposals, engine: model.facts(tier).model };
}

async function correct(run: NodeRun, node: Node): Promise<NodeResult> {
  const { documents } = run.org.engines;
  const limits = { deadline: run.deadline };
  const { layout, positions } = await readSource(run, node.source, node.id);
  // Another node's result is corrected as a whole.
  const text = { layout, uncertain: positions !== "own" };
  const pages = await documents.run(pagesToCorrectTask, text, limits);
  const { proposals, engine } = await proposeByModel(run, node, pages);
  const corrected = await documents.run(correctLayoutTask, { ...text, proposals }, limits);
  if (node.sourceMap === "preserve") await run.storeFile(CORRECTED_LAYOUT, corrected.layout);
  const content =
    node.outputFormat === "plain"
      ? corrected.content
      : Buffer.from(
          await documents.run(transcribeTask, { layout: corrected.layout, format: "markdown" }, limits),
        ).toString("utf8");
  const loss = worstOf([lossOfMap(node.sourceMap), positionLoss(positions)]);
  return { result: { content, pages: corrected.pages } as unknown as Json, engine, loss };
}

/** Corrects recognised text page by page: by a model within a budget of edits, without one by a dictionary. */
export const correctNode = defineStep(async (org, input) =>
  runNode<Node>(org, { ...input, node: input.node ?? "" }, ["OCR_CORRECT"], correct),
);
