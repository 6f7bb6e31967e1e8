import type { NodeFrame } from "../../statemachines/pipeline/nodes/node.ts";
import type { OcrCorrectNode } from "../../statemachines/pipeline/nodes/ocr-correct.ts";
import { lossOfMap, worstOf } from "../engine/nodes/location-losses.ts";
import { correctLayoutTask } from "../engine/tasks/correct-layout.ts";
import { pagesToCorrectTask } from "../engine/tasks/pages-to-correct.ts";
import { transcribeTask } from "../engine/tasks/transcribe.ts";
import type { Json } from "../ports/json.ts";
import type { LlmTier } from "../ports/llm.ts";
import { proposeCorrections } from "../service/operations/ocr-correct.ts";
import { nodeFileName } from "../service/pipelines/node-records.ts";
import { type NodeResult, type NodeRun, runNode } from "../service/pipelines/run-node.ts";
import { askWithin } from "./model-calls.ts";
import { CORRECTED_LAYOUT, lossIn, readSource } from "./node-source.ts";
import { defineStep } from "./step.ts";

type Node = NodeFrame & OcrCorrectNode;

/** What a model makes of the pages, where there is one. */
async function proposalsOf(run: NodeRun, node: Node, pages: readonly { number: number; text: string }[]) {
  const { model } = run.org.engines;
  if (model === null || pages.length === 0) return { proposals: {}, engine: "offline" };
  const tier = node.tier.toUpperCase() as LlmTier;
  const proposals = await askWithin(
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
  const { layout, places } = await readSource(run, node.source, node.id);
  // What another node left is to be corrected as a whole.
  const text = { layout, uncertain: places !== "own" };
  const pages = await documents.run(pagesToCorrectTask, text, limits);
  const { proposals, engine } = await proposalsOf(run, node, pages);
  const corrected = await documents.run(correctLayoutTask, { ...text, proposals }, limits);
  if (node.sourceMap === "preserve") await run.keep(CORRECTED_LAYOUT, corrected.layout);
  const content =
    node.outputFormat === "plain"
      ? corrected.content
      : Buffer.from(
          await documents.run(transcribeTask, { layout: corrected.layout, format: "markdown" }, limits),
        ).toString("utf8");
  const lost = worstOf([lossOfMap(node.sourceMap), lossIn(places)]);
  return { result: { content, pages: corrected.pages } as unknown as Json, engine, lost };
}

/** Recognised text corrected page by page: by a model within a budget of edits, without one by a dictionary. */
export const correctNode = defineStep(async (org, input) =>
  runNode<Node>(org, { ...input, node: input.node ?? "" }, ["OCR_CORRECT"], correct),
);
