/** Values of the paths in a running pipeline: the document as it was read, and the outputs of its nodes. */

import type { PipelineDefinition } from "../../../statemachines/pipeline/definition.ts";
import type { EvaluationContext } from "../../../statemachines/pipeline/lookup.ts";
import { blobRangeReader, readLayoutHead, streamPages } from "../../engine/layout/layout-file.ts";
import { pageText } from "../../engine/layout/layout-lists.ts";
import type { StoredNode } from "../../engine/nodes/compute-node.ts";
import { parseJsonBytes } from "../../ports/json.ts";
import type { OcrMode } from "../../ports/ocr.ts";
import { memoize } from "../runs/once.ts";
import type { RunCommand } from "../runs/run-command.ts";
import type { StepRun } from "../runs/run-step.ts";
import { findReading, type ReadingOutput } from "../runs/step-outcomes.ts";
import { doneKey, type NodeOutcome } from "./node-records.ts";

/** The quality report of the document's text. */
interface Quality {
  category: string;
  score: number;
  escalate: boolean;
  effectiveOcrMode: OcrMode;
}

export interface RunEvaluationContext extends EvaluationContext {
  definition: PipelineDefinition;
  /** A node as `node` gives it, its result as stored: UTF-8 JSON. */
  storedNode(id: string): Promise<StoredNode>;
  outcome(id: string): Promise<NodeOutcome | undefined>;
  reading(): Promise<ReadingOutput | undefined>;
  quality(): Promise<Quality | undefined>;
}

function memoizeById<T>(load: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const loading = new Map<string, Promise<T>>();
  return (id) => {
    const answer = loading.get(id) ?? load(id);
    loading.set(id, answer);
    return answer;
  };
}

/** Opens the evaluation context of a run, within one of its steps. */
export async function openEvaluationContext(
  { org, job, run, readOutcomes }: StepRun,
  definition: PipelineDefinition,
  command: RunCommand,
): Promise<RunEvaluationContext> {
  const { guid, source } = job;
  const reading = memoize(async () => findReading((await readOutcomes()).outputs));
  const quality = memoize(async () => {
    const bytes = await org.blobs.get((await reading())?.qualityKey ?? "none");
    return bytes && parseJsonBytes<Quality>(bytes);
  });
  const outcome = memoizeById(async (id) => (await org.records.get<NodeOutcome>(doneKey(guid, run.run, id)))?.value);
  const stored = async (id: string): Promise<StoredNode> => {
    const recorded = await outcome(id);
    if (recorded === undefined) return { status: "PENDING" };
    const { status = "COMPLETED", resultKey } = recorded.output ?? {};
    if (recorded.outcome === "failed") return { status: "FAILED" };
    const result = status === "COMPLETED" && resultKey !== undefined ? await org.blobs.get(resultKey) : undefined;
    return result === undefined ? { status } : { status, result };
  };
  const node = memoizeById(async (id) => {
    const { status, result } = await stored(id);
    return { status, result: result && parseJsonBytes(result) };
  });
  const pages = memoize(async () => {
    const key = (await reading())?.layoutKey;
    if (key === undefined) return undefined;
    const read = blobRangeReader(org.blobs, key);
    const texts: { pageNumber: number; content: string }[] = [];
    for await (const page of streamPages(read, await readLayoutHead(read))) {
      texts.push({ pageNumber: page.number, content: pageText(page) });
    }
    return texts;
  });
  return {
    definition,
    document: {
      guid,
      fileName: source.fileName,
      mimeType: command.mimeType,
      pageCount: (await reading())?.facts.pageCount ?? null,
    },
    metadata: command.metadata ?? {},
    outcome,
    reading,
    quality,
    async ocr(part) {
      if (part === "pages") return pages();
      if (part === "content") return (await pages())?.map(({ content }) => content).join("\n");
      const report = await quality();
      return report && { category: report.category, score: report.score, escalate: report.escalate };
    },
    storedNode: stored,
    node,
  };
}
