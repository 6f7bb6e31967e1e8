/** A text that a model writes about a document and its result; long documents are read in parts. */

import type { Prompt } from "../../engine/extraction/prompts/fence.ts";
import { fromNotesPrompt, generatePrompt, notesPrompt } from "../../engine/extraction/prompts/generate-prompt.ts";
import type { PageContent } from "../../engine/extraction/prompts/model-content.ts";
import { readPartsTask } from "../../engine/tasks/read-parts.ts";
import { Conflict, JOB_SENTENCES, JobFailure } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";
import { estimateTokens } from "../../ports/llm-tokens.ts";
import type { LlmUse, ModelCalls, RunLimits } from "../extraction/model-calls.ts";
import type { Parameters } from "../runs/run-command.ts";
import { findBlob, loadBlob } from "./load-material.ts";
import type { Operation, OperationContext } from "./operation.ts";
import { readerOf } from "./parameter-specs.ts";

/** Of a model's context: what the answer may take, what the data may take, and what words around them take. */
const ANSWER_SHARE = 0.25;
const DATA_SHARE = 0.2;
const AROUND = 800;
/** More parts would take more of a run's time than there is, and their notes would crowd each other out. */
const MOST_PARTS = 40;
const NOTE_TOKENS = 1_200;
const LEAST_NOTE_TOKENS = 200;
/** Tokens below which nothing of a document fits. */
const LEAST_ROOM = 500;
/** UTF-16 code units of a token at the least, for cutting by length. */
const UNITS_OF_TOKEN = 3;

const tooLong = (): JobFailure =>
  new JobFailure(
    "Processing failed: The document is too long for the model; choose a tier whose model takes longer texts",
  );

interface Wish {
  prompt: string;
  temperature?: number;
  maxTokens?: number;
}

/** The result as text that leaves room for the document; of a long one the beginning. */
function dataOf(bytes: Uint8Array | undefined, contextTokens: number): string {
  const json = bytes === undefined ? "" : Buffer.from(bytes).toString("utf8");
  const most = Math.floor(contextTokens * DATA_SHARE);
  if (estimateTokens(json.slice(0, most * UNITS_OF_TOKEN * 2)) <= most && json.length <= most * UNITS_OF_TOKEN * 2) {
    return json;
  }
  return `${json.slice(0, most * UNITS_OF_TOKEN)} … (the data goes on)`;
}

/** Citations of pages that the document does not have are taken out: nobody can look there. */
export const withoutFalseCitations = (written: string, pageCount: number): string =>
  written.replace(/ ?\[pp?\. ?(\d{1,6}(?:\s*[,–-]\s*\d{1,6})*)\]/g, (citation, numbers: string) => {
    const cited = numbers.split(/\D+/).map(Number);
    return cited.every((page) => page >= 1 && page <= pageCount) ? citation : "";
  });

interface Reading {
  parts: PageContent[][];
  pageCount: number;
}

class Task {
  readonly #calls: ModelCalls;
  readonly #wish: Wish;
  readonly #data: string;

  constructor(calls: ModelCalls, wish: Wish, result: Uint8Array | undefined) {
    this.#calls = calls;
    this.#wish = wish;
    this.#data = dataOf(result, calls.facts.contextTokens);
  }

  /** Tokens of the document that one call takes. @throws JobFailure where none do */
  room(): number {
    const { contextTokens, answerTokens } = this.#calls.facts;
    const answer = Math.min(this.#wish.maxTokens ?? answerTokens, answerTokens, contextTokens * ANSWER_SHARE);
    const room = contextTokens - answer - AROUND - estimateTokens(this.#data) - estimateTokens(this.#wish.prompt);
    if (room < LEAST_ROOM) throw tooLong();
    return Math.floor(room);
  }

  async write({ parts, pageCount }: Reading): Promise<{ text: string; cut: boolean }> {
    const [first = [], ...others] = parts;
    const fence = this.#calls.fence();
    const about = { fence, wish: this.#wish.prompt, data: this.#data };
    if (others.length === 0) return this.#ask(generatePrompt({ ...about, pages: first }));
    const notes = await this.#notes(parts, pageCount);
    return this.#ask(fromNotesPrompt({ ...about, notes, pageCount }));
  }

  /** What each part has for the task. @throws JobFailure for more parts than a run has time for */
  async #notes(parts: readonly PageContent[][], pageCount: number): Promise<string> {
    if (parts.length > MOST_PARTS) throw tooLong();
    const maxTokens = Math.min(NOTE_TOKENS, Math.floor(this.room() / parts.length));
    if (maxTokens < LEAST_NOTE_TOKENS) throw tooLong();
    const notes: string[] = [];
    for (const pages of parts) {
      const fence = this.#calls.fence();
      const prompt = notesPrompt({ fence, wish: this.#wish.prompt, data: "", pages, pageCount });
      const { text: noted } = await this.#calls.ask(prompt, { kind: "text" }, { maxTokens });
      if (!/^\W*nothing\W*$/i.test(noted)) notes.push(noted.trim());
    }
    return notes.join("\n\n") || "Nothing on the pages is about the task.";
  }

  async #ask(prompt: Prompt): Promise<{ text: string; cut: boolean }> {
    const { temperature, maxTokens } = this.#wish;
    const answer = await this.#calls.ask(
      prompt,
      { kind: "text" },
      {
        ...(maxTokens === undefined ? {} : { maxTokens }),
        ...(temperature === undefined ? {} : { temperature }),
      },
    );
    const written = answer.text.trim();
    if (written === "") throw new JobFailure("Processing failed: The model wrote nothing; try again");
    return { text: written, cut: answer.finish === "length" };
  }
}

const usageOf = (uses: readonly LlmUse[]): Json => {
  const sum = (of: (use: LlmUse) => number): number => uses.reduce((all, use) => all + of(use), 0);
  const [prompt, completion] = [sum((use) => use.promptTokens), sum((use) => use.completionTokens)];
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
};

async function generate(
  { org, material }: OperationContext,
  wish: Wish,
  calls: ModelCalls,
  limits: RunLimits,
): Promise<{ result: Json; engine: string }> {
  const since = org.engines.clock.now();
  const layout = await loadBlob(org, material.layoutKey);
  const isData = material.resultType === undefined || material.resultType === "application/json";
  const task = new Task(calls, wish, isData ? await findBlob(org, material.resultKey) : undefined);
  const read = await org.engines.documents.run(readPartsTask, { layout, maxTokens: task.room() }, limits);
  const { text: written, cut } = await task.write(read);
  const { model } = calls.facts;
  const result = {
    generated_text: withoutFalseCitations(written, read.pageCount),
    model_used: model,
    prompt: wish.prompt,
    processing_time_ms: Math.max(0, Math.round(org.engines.clock.now() - since)),
    token_usage: usageOf(calls.uses()),
    ...(cut ? { truncated: true } : {}),
  };
  return { result, engine: model };
}

const wishOf = ({ prompt, temperature, maxTokens }: Parameters): Wish => ({
  prompt: String(prompt),
  ...(typeof temperature === "number" ? { temperature } : {}),
  ...(typeof maxTokens === "number" ? { maxTokens } : {}),
});

export const generativeTask: Operation = {
  type: "generative-task",
  summary: "a text about the document (prompt, temperature 0 to 2, maxTokens)",
  read: readerOf("generative-task"),
  require({ guid, layoutKey }) {
    if (layoutKey === undefined) throw new Conflict(`Job ${guid} has no text of its document; process it first`);
  },
  run(context, parameters) {
    if (context.ask === null) throw new JobFailure(JOB_SENTENCES.noModel);
    return context.ask((calls, limits) => generate(context, wishOf(parameters), calls, limits));
  },
};
