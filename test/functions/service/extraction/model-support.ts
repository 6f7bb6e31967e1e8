/** Extraction with a scripted model: no server, no processes, the same tasks. */

import { parseLayout, writeLayout } from "../../../../functions/engine/layout/layout-file.ts";
import type { Engine } from "../../../../functions/ports/engine.ts";
import { JobFailure } from "../../../../functions/ports/errors.ts";
import type { Json } from "../../../../functions/ports/json.ts";
import type {
  LanguageModel,
  ModelAnswer,
  ModelFacts,
  ModelImage,
  ModelRequest,
} from "../../../../functions/ports/llm.ts";
import type { ReadOnlyTool } from "../../../../functions/ports/tools.ts";
import { extractWithModel } from "../../../../functions/service/extraction/extract-with-model.ts";
import type { ModelExtractionRequest } from "../../../../functions/service/extraction/extraction-run.ts";
import { type CallBudget, ModelCalls } from "../../../../functions/service/extraction/model-calls.ts";
import { type ManualClock, manualClock } from "../../../support/clock.ts";
import { directEngine } from "../../../support/engines.ts";
import { PageMaker } from "../../engine/extraction/page.ts";

/** A reply: JSON, text, or a whole answer. */
export type Reply = Json | Partial<ModelAnswer>;
export type Script = Reply[] | ((request: ModelRequest, index: number) => Reply | Promise<Reply>);

export const text = (answer: string): Partial<ModelAnswer> => ({ text: answer });
export const cut = (answer: string): Partial<ModelAnswer> => ({ text: answer, finish: "length" });
export const refusal = (why: string): Partial<ModelAnswer> => ({ text: why, finish: "refusal" });
export const callTools = (name: string, argumentsText: string): Partial<ModelAnswer> => ({
  text: "",
  finish: "tool-calls",
  toolCalls: [{ id: "c1", name, argumentsText }],
});

const FACTS: ModelFacts = {
  model: "test-model",
  contextTokens: 128_000,
  answerTokens: 16_000,
  takesImages: false,
  providerKey: "openai:test-model",
};

const isAnswer = (reply: Reply): reply is Partial<ModelAnswer> =>
  typeof reply === "object" && reply !== null && !Array.isArray(reply) && ("finish" in reply || "text" in reply);

export interface ScriptedModel extends LanguageModel {
  requests: ModelRequest[];
  /** The system text and the user text of a request, joined. */
  asked(index: number): string;
}

/** Plays replies in order; repeats the last one. */
export function scriptedModel(script: Script, facts: Partial<ModelFacts> = {}): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    requests,
    asked: (index) => requests[index]?.messages.map((message) => message.text).join("\n") ?? "",
    facts: () => ({ ...FACTS, ...facts }),
    async answer(request) {
      const index = requests.push(request) - 1;
      const reply =
        typeof script === "function"
          ? await script(request, index)
          : (script[Math.min(index, script.length - 1)] ?? null);
      const answer = isAnswer(reply) ? reply : { text: JSON.stringify(reply) };
      return {
        text: "",
        toolCalls: [],
        finish: "stop",
        model: "served-model",
        tokens: { prompt: 100, completion: 10, total: 110 },
        attempts: 1,
        ...answer,
      };
    },
  };
}

/** A layout with these lines on each page. */
export function layoutOf(...pages: string[][]): Uint8Array {
  const maker = new PageMaker();
  for (const [at, lines] of pages.entries()) {
    if (at > 0) maker.newPage();
    if (lines.length > 0) maker.lines(1, 1, lines);
  }
  return writeLayout(maker.layout());
}

/** A layout as `layoutOf` makes it, with every word marked as recognised. */
export function scanOf(...pages: string[][]): Uint8Array {
  const layout = parseLayout(layoutOf(...pages));
  for (const page of layout.pages) {
    for (const block of page.blocks) {
      if (block.kind !== "table") for (const line of block.lines) for (const word of line.words) word.source = "ocr";
    }
  }
  return writeLayout(layout);
}

export interface RunOptions extends Partial<ModelExtractionRequest> {
  facts?: Partial<ModelFacts>;
  tools?: ReadOnlyTool[];
  clock?: ManualClock;
  seconds?: number;
  pictureOf?: (pageNumber: number) => Promise<ModelImage>;
  engine?: Pick<Engine, "run">;
  reasoningEffort?: string;
  /** Calls that the run's tokens pay for; absent: all. */
  paidCalls?: number;
}

export const USED_UP = "Processing failed: The tokens are used up; buy more";

/** Pays for the first calls of a run. */
function budgetOf(paidCalls: number): CallBudget {
  let left = paidCalls;
  return {
    async reserve(_name, _prompt, maxTokens) {
      if (left === 0) throw new JobFailure(USED_UP, { tokensUsedUp: true });
      left -= 1;
      return maxTokens;
    },
    settle: async () => undefined,
  };
}

const SECONDS = 300;

export function callsOf(model: LanguageModel, options: RunOptions = {}) {
  const clock = options.clock ?? manualClock();
  const seconds = options.seconds ?? SECONDS;
  const limits = { deadline: clock.now() + seconds * 1000, timeoutSeconds: seconds };
  const calls = new ModelCalls({
    model,
    clock,
    tier: "DEFAULT",
    jobId: "job-1",
    limits,
    ...(options.tools === undefined ? {} : { tools: options.tools }),
    ...(options.reasoningEffort === undefined ? {} : { reasoningEffort: options.reasoningEffort }),
    ...(options.paidCalls === undefined ? {} : { budget: budgetOf(options.paidCalls) }),
  });
  return { calls, limits, engine: options.engine ?? directEngine };
}

/** Runs an extraction. @returns its outcome, and the requests to the model */
export async function run(script: Script, options: RunOptions = {}) {
  const model = scriptedModel(script, options.facts);
  const { calls, limits, engine } = callsOf(model, options);
  const {
    facts: _f,
    tools: _t,
    clock: _c,
    seconds: _s,
    pictureOf,
    engine: _e,
    reasoningEffort: _r,
    paidCalls: _p,
    ...request
  } = options;
  const layout = request.layout ?? layoutOf(["Invoice 4711", "Date: 5 March 2024", "Total: 1.234,50 €"]);
  const collaborators = { calls, engine, ...(pictureOf === undefined ? {} : { pictureOf }) };
  try {
    const done = await extractWithModel({ ...request, layout }, collaborators, limits);
    return { done, data: JSON.parse(new TextDecoder().decode(done.data)) as Json, error: undefined, model, calls };
  } catch (error) {
    return { done: undefined, data: undefined, error: error as Error, model, calls };
  }
}

export const decode = (bytes: Uint8Array | undefined): unknown => JSON.parse(new TextDecoder().decode(bytes));
