import type { NodeFrame } from "../../statemachines/pipeline/nodes/node.ts";
import type { OcrCorrectNode } from "../../statemachines/pipeline/nodes/ocr-correct.ts";
import { blockLines, type Layout } from "../core/documents/layout.ts";
import { parseLayout, writeLayout } from "../core/documents/layout-file.ts";
import type { LlmTier } from "../core/llm/ports.ts";
import { projectLayout } from "../core/ocr/correct/project.ts";
import { proposeCorrections } from "../core/operations/ocr-correct.ts";
import { type NodeResult, type NodeRun, runNode } from "../core/pipelines/frame.ts";
import { nodeFileName } from "../core/pipelines/model.ts";
import { askWithin } from "./model-calls.ts";
import { CORRECTED_LAYOUT, readSource } from "./node-source.ts";
import { defineStep } from "./step.ts";

type Node = NodeFrame & OcrCorrectNode;

/** What another node left is to be corrected as a whole: none of it is known to be certain. */
function asRecognised(layout: Layout): Layout {
  for (const page of layout.pages) {
    for (const block of page.blocks) {
      for (const { words } of blockLines(block)) for (const word of words) word.source = "ocr";
    }
  }
  return layout;
}

async function sourceOf(run: NodeRun, { source, id }: Node): Promise<Uint8Array> {
  const { layout, places } = await readSource(run, source, id);
  return places === "own" ? layout : writeLayout(asRecognised(parseLayout(layout)));
}

/** What a model makes of the pages, where there is one. */
async function proposalsOf(run: NodeRun, node: Node, pages: readonly { number: number; text: string }[]) {
  const { model } = run.org.engines;
  if (model === null || pages.length === 0) return { proposals: {}, engine: "offline" };
  const tier = node.tier.toUpperCase() as LlmTier;
  const proposals = await askWithin(
    run,
    model,
    { ...run.command, llm: tier },
    (calls) => {
      calls.trace.event("chain_start", node.id);
      return proposeCorrections(pages, calls, node.prompt ?? undefined);
    },
    { traceName: nodeFileName(node.id, "trace.json") },
  );
  return { proposals, engine: model.facts(tier).model };
}

async function correct(run: NodeRun, node: Node): Promise<NodeResult> {
  const { documents } = run.org.engines;
  const limits = { deadline: run.deadline };
  const layout = await sourceOf(run, node);
  const pages = await documents.operations.pagesToCorrect({ layout }, limits);
  const { proposals, engine } = await proposalsOf(run, node, pages);
  // The map is what the corrected layout is made with, whoever may follow it.
  const corrected = await documents.operations.correctPages({ layout, proposals, sourceMap: "preserve" }, limits);
  const projected = writeLayout(projectLayout(parseLayout(layout), corrected));
  if (node.sourceMap === "preserve") await run.keep(CORRECTED_LAYOUT, projected);
  const content =
    node.outputFormat === "plain"
      ? corrected.content
      : Buffer.from(await documents.transcribe(projected, "markdown", limits)).toString("utf8");
  return { result: JSON.parse(JSON.stringify({ content, pages: corrected.pages })), engine };
}

/** Recognised text corrected page by page: by a model within a budget of edits, without one by a dictionary. */
export const correctNode = defineStep(async (org, input) =>
  runNode<Node>(org, { ...input, node: input.node ?? "" }, ["OCR_CORRECT"], correct),
);
