/** The operation generative-task: a model's text about a document and its result; long documents are read in parts. */

import type { Prompt } from "../../engine/extraction/prompts/fence.ts";
import { fromNotesPrompt, generatePrompt, notesPrompt } from "../../engine/extraction/prompts/generate-prompt.ts";
import type { PageContent } from "../../engine/extraction/prompts/model-content.ts";
import { parameterReaderOf } from "../../engine/nodes/parameter-specs.ts";
import { readPartsTask } from "../../engine/tasks/read-parts.ts";
import { Conflict, JOB_SENTENCES, JobFailure } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";
import { estimateTokens } from "../../ports/llm-tokens.ts";
import type { LlmUse, ModelCalls, RunLimits } from "../extraction/model-calls.ts";
import type { Parameters } from "../runs/run-command.ts";
import { findBlob, loadBlob } from "./load-material.ts";
import type { Operation, OperationContext } from "./operation.ts";

/** Shares of a model's context for the answer and for the data, and the tokens of the prompt around them. */
const ANSWER_CONTEXT_SHARE = 0.25;
const DATA_CONTEXT_SHARE = 0.2;
const PROMPT_OVERHEAD_TOKENS = 800;
/** Most parts of a document: more would exceed the run's time, and the context for their notes. */
const MAX_PARTS = 40;
const MAX_NOTE_TOKENS = 1_200;
const MIN_NOTE_TOKENS = 200;
/** Fewest tokens of a part of the document. */
const MIN_DOCUMENT_TOKENS = 500;
/** Fewest UTF-16 code units of a token, for cutting by length. */
const MIN_UNITS_PER_TOKEN = 3;

const tooLong = (): JobFailure =>
  new JobFailure(
    "Processing failed: The document is too long for the model; choose a tier whose model takes longer texts",
  );

interface GenerationRequest {
  prompt: string;
  temperature?: number;
  maxTokens?: number;
}

/** The result as text for the prompt; of a long one the beginning. */
function dataText(bytes: Uint8Array | undefined, contextTokens: number): string {
  const json = bytes === undefined ? "" : Buffer.from(bytes).toString("utf8");
  const maxTokens = Math.floor(contextTokens * DATA_CONTEXT_SHARE);
  if (
    estimateTokens(json.slice(0, maxTokens * MIN_UNITS_PER_TOKEN * 2)) <= maxTokens &&
    json.length <= maxTokens * MIN_UNITS_PER_TOKEN * 2
  ) {
    return json;
  }
  return `${json.slice(0, maxTokens * MIN_UNITS_PER_TOKEN)} … (the data goes on)`;
}

/** Removes citations of pages that the document does not have. */
export const withoutFalseCitations = (written: string, pageCount: number): string =>
  written.replace(/ ?\[pp?\. ?(\d{1,6}(?:\s*[,–-]\s*\d{1,6})*)\]/g, (citation, numbers: string) => {
    const cited = numbers.split(/\D+/).map(Number);
    return cited.every((page) => page >= 1 && page <= pageCount) ? citation : "";
  });

interface DocumentText {
  parts: PageContent[][];
  pageCount: number;
}

class Generation {
  readonly #calls: ModelCalls;
  readonly #wish: GenerationRequest;
  readonly #data: string;

  constructor(calls: ModelCalls, request: GenerationRequest, result: Uint8Array | undefined) {
    this.#calls = calls;
    this.#wish = request;
    this.#data = dataText(result, calls.facts.contextTokens);
  }

  /** Tokens of the document that fit one call. @throws JobFailure where none fit */
  room(): number {
    const { contextTokens, answerTokens } = this.#calls.facts;
    const answer = Math.min(this.#wish.maxTokens ?? answerTokens, answerTokens, contextTokens * ANSWER_CONTEXT_SHARE);
    const room =
      contextTokens - answer - PROMPT_OVERHEAD_TOKENS - estimateTokens(this.#data) - estimateTokens(this.#wish.prompt);
    if (room < MIN_DOCUMENT_TOKENS) throw tooLong();
    return Math.floor(room);
  }

  async write({ parts, pageCount }: DocumentText): Promise<{ text: string; cut: boolean }> {
    const [first = [], ...others] = parts;
    const fence = this.#calls.fence();
    const about = { fence, wish: this.#wish.prompt, data: this.#data };
    if (others.length === 0) return this.#ask(generatePrompt({ ...about, pages: first }));
    const notes = await this.#notes(parts, pageCount);
    return this.#ask(fromNotesPrompt({ ...about, notes, pageCount }));
  }

  /** Asks for notes on each part. @throws JobFailure for too many parts */
  async #notes(parts: readonly PageContent[][], pageCount: number): Promise<string> {
    if (parts.length > MAX_PARTS) throw tooLong();
    const maxTokens = Math.min(MAX_NOTE_TOKENS, Math.floor(this.room() / parts.length));
    if (maxTokens < MIN_NOTE_TOKENS) throw tooLong();
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
  request: GenerationRequest,
  calls: ModelCalls,
  limits: RunLimits,
): Promise<{ result: Json; engine: string }> {
  const since = org.engines.clock.now();
  const layout = await loadBlob(org, material.layoutKey);
  const isData = material.resultType === undefined || material.resultType === "application/json";
  const task = new Generation(calls, request, isData ? await findBlob(org, material.resultKey) : undefined);
  const read = await org.engines.documents.run(readPartsTask, { layout, maxTokens: task.room() }, limits);
  const { text: written, cut } = await task.write(read);
  const { model } = calls.facts;
  const result = {
    generated_text: withoutFalseCitations(written, read.pageCount),
    model_used: model,
    prompt: request.prompt,
    processing_time_ms: Math.max(0, Math.round(org.engines.clock.now() - since)),
    token_usage: usageOf(calls.uses()),
    ...(cut ? { truncated: true } : {}),
  };
  return { result, engine: model };
}

const generationRequestOf = ({ prompt, temperature, maxTokens }: Parameters): GenerationRequest => ({
  prompt: String(prompt),
  ...(typeof temperature === "number" ? { temperature } : {}),
  ...(typeof maxTokens === "number" ? { maxTokens } : {}),
});

export const generativeTask: Operation = {
  type: "generative-task",
  summary: "a text about the document (prompt, temperature 0 to 2, maxTokens)",
  read: parameterReaderOf("generative-task"),
  require({ guid, layoutKey }) {
    if (layoutKey === undefined) throw new Conflict(`Job ${guid} has no text of its document; process it first`);
  },
  run(context, parameters) {
    if (context.ask === null) throw new JobFailure(JOB_SENTENCES.noModel);
    return context.ask((calls, limits) => generate(context, generationRequestOf(parameters), calls, limits));
  },
};
