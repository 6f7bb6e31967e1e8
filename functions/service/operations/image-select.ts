/**
 * The operation image-select: the figures that match a prompt, by their words, or by a model's choice where there is
 * one.
 */

import type { RankedFigure } from "../../engine/analysis/rank-figures.ts";
import { selectPrompt } from "../../engine/extraction/prompts/select-prompt.ts";
import { parameterReaderOf } from "../../engine/nodes/parameter-specs.ts";
import { findJson } from "../../engine/schema/json-text.ts";
import { chooseFiguresTask } from "../../engine/tasks/choose-figures.ts";
import { Conflict, JobFailure } from "../../ports/errors.ts";
import { isObject, type Json, own } from "../../ports/json.ts";
import type { ModelImage } from "../../ports/llm.ts";
import type { ModelCalls } from "../extraction/model-calls.ts";
import { modelOf } from "../organizations/engines.ts";
import { artifactKey } from "../runs/job-records.ts";
import type { Parameters } from "../runs/run-command.ts";
import { loadBlob } from "./load-material.ts";
import type { Operation, OperationContext } from "./operation.ts";

/** Figures listed to the model, and figures whose pictures it gets. */
const MAX_LISTED_FIGURES = 40;
const MAX_PICTURES = 12;
/** Most bytes of a picture sent to the model. */
const MAX_IMAGE_BYTES = 4_000_000;
const MAX_REASON_CHARACTERS = 300;

type Selected = Pick<RankedFigure, "id" | "score" | "reason">;

interface SelectionRequest {
  prompt: string;
  topK: number;
  matchMode: "all" | "any";
  useVision: boolean;
  pages?: number[];
}

const selectionRequestOf = ({ prompt, topK, matchMode, useVision, pageRange }: Parameters): SelectionRequest => ({
  prompt: String(prompt),
  topK: Number(topK),
  matchMode: matchMode === "all" ? "all" : "any",
  useVision: useVision === true,
  ...(Array.isArray(pageRange) ? { pages: pageRange.map(Number) } : {}),
});

async function picturesOf(
  { org, material }: OperationContext,
  figures: readonly RankedFigure[],
): Promise<{ id: string; image: ModelImage }[]> {
  const pictures: { id: string; image: ModelImage }[] = [];
  for (const { id } of figures.slice(0, MAX_PICTURES)) {
    const key = artifactKey(material.guid, material.figuresRun ?? material.run, `figures/${id}`);
    const head = await org.blobs.head(key);
    const mimeType = head?.contentType;
    if (head === undefined || head.size > MAX_IMAGE_BYTES) continue;
    if (mimeType !== "image/png" && mimeType !== "image/jpeg") continue;
    const bytes = await org.blobs.get(key);
    if (bytes !== undefined) pictures.push({ id, image: { mimeType, bytes } });
  }
  return pictures;
}

/** Reads a model's choice: existing figures, each once. @throws JobFailure for an answer that is not JSON */
function readSelection(answer: string, figures: readonly RankedFigure[], topK: number): Selected[] {
  const found = findJson(answer);
  const listed = isObject(found) ? own(found, "selected") : undefined;
  if (!Array.isArray(listed)) throw new JobFailure("Processing failed: The model's answer is not valid JSON");
  const left = new Set(figures.map(({ id }) => id));
  const selected = listed.flatMap((one): Selected[] => {
    const id = isObject(one) ? String(own(one, "id") ?? "") : "";
    if (!isObject(one) || !left.delete(id)) return [];
    const [score, reason] = [own(one, "score"), own(one, "reason")];
    const confidence = typeof score === "number" ? Math.max(0, Math.min(1, score)) : 0.5;
    const why = typeof reason === "string" ? reason.trim().slice(0, MAX_REASON_CHARACTERS) : "";
    return [{ id, score: confidence, reason: why || "The model chose it" }];
  });
  return selected.slice(0, topK);
}

/** Figures for the model: those ranked by words first, then the others, as a picture may match without words. */
function figuresToList(ranked: readonly RankedFigure[], all: readonly RankedFigure[]): RankedFigure[] {
  const known = new Set(ranked.map(({ id }) => id));
  return [...ranked, ...all.filter(({ id }) => !known.has(id))].slice(0, MAX_LISTED_FIGURES);
}

async function selectByModel(
  context: OperationContext,
  request: SelectionRequest,
  figures: readonly RankedFigure[],
  calls: ModelCalls,
): Promise<Selected[]> {
  if (figures.length === 0) return [];
  const sees = request.useVision && calls.facts.takesImages;
  const pictures = sees ? await picturesOf(context, figures) : [];
  const { prompt: words, matchMode, topK } = request;
  const prompt = selectPrompt({ fence: calls.fence(), wish: words, matchMode, topK, figures, pictures });
  if (calls.roomFor(prompt) <= 0) {
    throw new JobFailure("Processing failed: The figures are too many for the model; name some pages by pageRange");
  }
  const { text: answer } = await calls.ask(prompt, { kind: "json", name: "selection" });
  return readSelection(answer, figures, topK);
}

export const imageSelect: Operation = {
  type: "image-select",
  summary: "the figures that fit a prompt (prompt, topK, matchMode all or any, pageRange such as 1-3, useVision)",
  read: parameterReaderOf("image-select"),
  require({ guid, figuresKey, layoutKey }) {
    if (figuresKey === undefined || layoutKey === undefined) {
      throw new Conflict(`Job ${guid} has no figures; process it with extractFigures: true first`);
    }
  },
  async run(context, parameters) {
    const { org, material, deadline, tier, ask } = context;
    const request = selectionRequestOf(parameters);
    const layout = await loadBlob(org, material.layoutKey);
    const figures = await loadBlob(org, material.figuresKey);
    const { prompt, matchMode, pages: numbers } = request;
    const task = { layout, figures, prompt, matchMode, ...(numbers === undefined ? {} : { pages: numbers }) };
    const { ranked, all } = await org.engines.documents.run(chooseFiguresTask, task, { deadline });
    const byWords = (): Selected[] =>
      ranked.slice(0, request.topK).map(({ id, score, reason }) => ({ id, score, reason }));
    const selected =
      ask === null
        ? byWords()
        : await ask((calls) => selectByModel(context, request, figuresToList(ranked, all), calls));
    const result: Json = {
      selected: selected.map((one) => ({ ...one })),
      ...(request.useVision && ask === null
        ? {
            warnings: ["No model is configured: the figures were chosen by what is said of them, not by how they look"],
          }
        : {}),
    };
    return { result, engine: ask === null ? "offline" : (modelOf(org.engines, tier)?.facts(tier).model ?? "offline") };
  },
};
