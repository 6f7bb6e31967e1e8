/** The figures of a document that fit a wish: by words, and by a model's choice where there is one. */

import type { RankedFigure } from "../../engine/analysis/rank-figures.ts";
import { selectPrompt } from "../../engine/extraction/prompts/select-prompt.ts";
import { findJson } from "../../engine/schema/json-text.ts";
import { chooseFiguresTask } from "../../engine/tasks/choose-figures.ts";
import { Conflict, JobFailure } from "../../ports/errors.ts";
import { isObject, type Json, own } from "../../ports/json.ts";
import type { ModelImage } from "../../ports/llm.ts";
import type { ModelCalls } from "../extraction/model-calls.ts";
import { artifactKey } from "../runs/job-records.ts";
import type { Parameters } from "../runs/run-command.ts";
import { loadBlob } from "./load-material.ts";
import type { Operation, OperationContext } from "./operation.ts";
import { readerOf } from "./parameter-specs.ts";

/** Figures that a model is told of, and whose pictures it is shown. */
const MOST_TOLD = 40;
const MOST_SHOWN = 12;
/** Bytes of a picture that is sent along. */
const IMAGE_BYTES = 4_000_000;
const LONGEST_REASON = 300;

type Selected = Pick<RankedFigure, "id" | "score" | "reason">;

interface Wish {
  prompt: string;
  topK: number;
  matchMode: "all" | "any";
  useVision: boolean;
  pages?: number[];
}

const wishOf = ({ prompt, topK, matchMode, useVision, pageRange }: Parameters): Wish => ({
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
  for (const { id } of figures.slice(0, MOST_SHOWN)) {
    const key = artifactKey(material.guid, material.figuresRun ?? material.run, `figures/${id}`);
    const head = await org.blobs.head(key);
    const mimeType = head?.contentType;
    if (head === undefined || head.size > IMAGE_BYTES) continue;
    if (mimeType !== "image/png" && mimeType !== "image/jpeg") continue;
    const bytes = await org.blobs.get(key);
    if (bytes !== undefined) pictures.push({ id, image: { mimeType, bytes } });
  }
  return pictures;
}

/** A model's choice, of figures that there are, each once. @throws JobFailure for an answer that is no JSON */
function chosen(answer: string, figures: readonly RankedFigure[], topK: number): Selected[] {
  const found = findJson(answer);
  const listed = isObject(found) ? own(found, "selected") : undefined;
  if (!Array.isArray(listed)) throw new JobFailure("Processing failed: The model's answer is not valid JSON");
  const left = new Set(figures.map(({ id }) => id));
  const selected = listed.flatMap((one): Selected[] => {
    const id = isObject(one) ? String(own(one, "id") ?? "") : "";
    if (!isObject(one) || !left.delete(id)) return [];
    const [score, reason] = [own(one, "score"), own(one, "reason")];
    const sure = typeof score === "number" ? Math.max(0, Math.min(1, score)) : 0.5;
    const why = typeof reason === "string" ? reason.trim().slice(0, LONGEST_REASON) : "";
    return [{ id, score: sure, reason: why || "The model chose it" }];
  });
  return selected.slice(0, topK);
}

/** Those that words find come first, then the others: a picture may show what no word says. */
function toldOf(ranked: readonly RankedFigure[], all: readonly RankedFigure[]): RankedFigure[] {
  const known = new Set(ranked.map(({ id }) => id));
  return [...ranked, ...all.filter(({ id }) => !known.has(id))].slice(0, MOST_TOLD);
}

async function select(
  context: OperationContext,
  wish: Wish,
  told: readonly RankedFigure[],
  calls: ModelCalls,
): Promise<Selected[]> {
  if (told.length === 0) return [];
  const sees = wish.useVision && calls.facts.takesImages;
  const pictures = sees ? await picturesOf(context, told) : [];
  const { prompt: words, matchMode, topK } = wish;
  const prompt = selectPrompt({ fence: calls.fence(), wish: words, matchMode, topK, figures: told, pictures });
  if (calls.roomFor(prompt) <= 0) {
    throw new JobFailure("Processing failed: The figures are too many for the model; name some pages by pageRange");
  }
  const { text: answer } = await calls.ask(prompt, { kind: "json", name: "selection" });
  return chosen(answer, told, topK);
}

export const imageSelect: Operation = {
  type: "image-select",
  summary: "the figures that fit a prompt (prompt, topK, matchMode all or any, pageRange such as 1-3, useVision)",
  read: readerOf("image-select"),
  require({ guid, figuresKey, layoutKey }) {
    if (figuresKey === undefined || layoutKey === undefined) {
      throw new Conflict(`Job ${guid} has no figures; process it with extractFigures: true first`);
    }
  },
  async run(context, parameters) {
    const { org, material, deadline, tier, ask } = context;
    const wish = wishOf(parameters);
    const layout = await loadBlob(org, material.layoutKey);
    const figures = await loadBlob(org, material.figuresKey);
    const { prompt, matchMode, pages: numbers } = wish;
    const task = { layout, figures, prompt, matchMode, ...(numbers === undefined ? {} : { pages: numbers }) };
    const { ranked, all } = await org.engines.documents.run(chooseFiguresTask, task, { deadline });
    const byWords = (): Selected[] =>
      ranked.slice(0, wish.topK).map(({ id, score, reason }) => ({ id, score, reason }));
    const selected = ask === null ? byWords() : await ask((calls) => select(context, wish, toldOf(ranked, all), calls));
    const result: Json = {
      selected: selected.map((one) => ({ ...one })),
      ...(wish.useVision && ask === null
        ? {
            warnings: ["No model is configured: the figures were chosen by what is said of them, not by how they look"],
          }
        : {}),
    };
    return { result, engine: ask === null ? "offline" : (org.engines.model?.facts(tier).model ?? "offline") };
  },
};
