/** Calls of one run to its model: within its deadline, counted, traced, with read-only tools. */
import { createHash } from "node:crypto";
import { Fence, type Prompt } from "../../engine/extraction/prompts/fence.ts";
import { findJson } from "../../engine/schema/json-text.ts";
import type { Clock } from "../../ports/clock.ts";
import { AppError, JobFailure, timeoutSentence } from "../../ports/errors.ts";
import type { WorkLimits } from "../../ports/limits.ts";
import {
  type AnswerFormat,
  type LanguageModel,
  type LlmTier,
  MIN_ANSWER_TOKENS,
  type ModelAnswer,
  type ModelFacts,
  type ModelMessage,
  type ToolCall,
} from "../../ports/llm.ts";
import { estimateTokens, MAX_IMAGE_TOKENS } from "../../ports/llm-tokens.ts";
import type { ReadOnlyTool } from "../../ports/tools.ts";
import { TraceRecorder } from "./model-trace.ts";
import type { RecordedAnswers } from "./recorded-answers.ts";

/** A run's tokens of one model, for its usage events. */
export interface LlmUse {
  tier: LlmTier;
  providerKey: string;
  model: string;
  promptTokens: number;
  completionTokens: number;
}

/** Deadline and duration of a run. */
export interface RunLimits extends WorkLimits {
  /** The run's time limit, for the sentence of a timeout. */
  timeoutSeconds: number;
}

/** The tokens of a run's calls, where it has a limit. */
export interface CallBudget {
  /**
   * Reserves a call, before it is made.
   * @param name of the call, the same when it is repeated @param prompt its estimated tokens
   * @returns most tokens of its answer @throws JobFailure when the budget is used up
   */
  reserve(name: string, prompt: number, maxTokens: number): Promise<number>;
  /** Ends the reservation, once the answer is on record; without tokens, of a call that failed for good. */
  settle(name: string, tokens?: { prompt: number; completion: number }): Promise<void>;
}

export interface ModelCallsOptions {
  model: LanguageModel;
  clock: Pick<Clock, "now" | "guid">;
  tier: LlmTier;
  jobId: string;
  limits: RunLimits;
  reasoningEffort?: string;
  tools?: readonly ReadOnlyTool[];
  /** Recorded answers of the step; absent: every call is made. */
  answers?: RecordedAnswers;
  /** Absent: the run's tokens have no limit. */
  budget?: CallBudget;
}

/** Rounds in which a model may call tools before it must answer, and most tool calls of one round. */
const MAX_TOOL_ROUNDS = 8;
const MAX_ROUND_TOOL_CALLS = 16;
const MAX_FINDING_CHARACTERS = 20_000;
/** Margin of the estimate of a request, in tokens. */
const ESTIMATE_MARGIN_TOKENS = 64;

/** A message with hashes in place of its pictures. */
const hashPictures = (message: ModelMessage): unknown =>
  message.role !== "user" || message.images === undefined
    ? message
    : { ...message, images: message.images.map(({ bytes }) => createHash("sha256").update(bytes).digest("hex")) };

const REFUSED_SENTENCE = "Processing failed: The model refused to answer";

export class ModelCalls {
  readonly trace: TraceRecorder;
  /** The tier's model. The constructor throws ServiceUnavailable for a tier without a model. */
  readonly facts: ModelFacts;
  readonly #options: ModelCallsOptions;
  readonly #uses = new Map<string, LlmUse>();
  /** Boundary words of all fences so far; they differ in every prompt. */
  readonly #nonces: string[] = [];
  #unpaid: JobFailure | undefined;
  /** The findings of tools so far, as the model was given them. */
  readonly findings: string[] = [];

  constructor(options: ModelCallsOptions) {
    this.#options = options;
    this.facts = options.model.facts(options.tier);
    this.trace = new TraceRecorder(options);
  }

  /** A boundary for one request. */
  fence(): Fence {
    const nonce = this.#options.clock.guid().replaceAll("-", "");
    this.#nonces.push(nonce);
    return new Fence(nonce);
  }

  /** Model use so far, also of a failed run. */
  uses(): LlmUse[] {
    return [...this.#uses.values()];
  }

  /** Set once a call was left out because the run's tokens are used up. */
  get unpaid(): JobFailure | undefined {
    return this.#unpaid;
  }

  /** Does work that the result can do without: not begun where the run's tokens are used up. */
  async ifPaid<T>(work: () => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof JobFailure && error.tokensUsedUp) return otherwise;
      throw error;
    }
  }

  /** Milliseconds until the run's deadline; negative past it. */
  timeLeft(): number {
    return this.#options.limits.deadline - this.#options.clock.now();
  }

  /** @throws JobFailure past the run's deadline */
  checkTime(): void {
    const { clock, limits } = this.#options;
    if (clock.now() >= limits.deadline) throw new JobFailure(timeoutSentence(limits.timeoutSeconds));
  }

  /**
   * Asks for an answer to a prompt; runs the tools that the model calls first.
   * @param options `fence`: offers the run's tools, and encloses their findings; `deadline`: earlier than the run's,
   * for optional requests
   * @throws JobFailure when the model refuses or the time is over; the errors of the port
   */
  async ask(
    prompt: Prompt,
    format: AnswerFormat,
    options: { fence?: Fence; maxTokens?: number; temperature?: number; deadline?: number } = {},
  ): Promise<ModelAnswer> {
    const { fence } = options;
    const offered = fence === undefined ? [] : (this.#options.tools ?? []);
    const messages = [...prompt.messages];
    for (let round = 0; ; round += 1) {
      const tools = round < MAX_TOOL_ROUNDS ? offered : [];
      const answer = await this.#callModel(prompt.id, messages, format, tools, options);
      if (answer.finish === "refusal") throw new JobFailure(REFUSED_SENTENCE);
      if (answer.toolCalls.length === 0 || tools.length === 0 || fence === undefined) return answer;
      const calls = answer.toolCalls.slice(0, MAX_ROUND_TOOL_CALLS);
      messages.push({ role: "assistant", text: answer.text, toolCalls: calls });
      for (const call of calls) messages.push(await this.#runTool(call, fence));
    }
  }

  async #callModel(
    name: string,
    messages: readonly ModelMessage[],
    format: AnswerFormat,
    tools: readonly ReadOnlyTool[],
    {
      maxTokens: requestedTokens,
      temperature = 0,
      deadline,
    }: { maxTokens?: number; temperature?: number; deadline?: number },
  ): Promise<ModelAnswer> {
    this.checkTime();
    const { model, tier, reasoningEffort } = this.#options;
    const limits = deadline === undefined ? this.#options.limits : { deadline };
    const since = this.trace.event("llm_start", name, { model: this.facts.model, messages });
    const request = {
      tier,
      messages: [...messages],
      format,
      temperature,
      ...(tools.length > 0 ? { tools: tools.map(({ tool }) => tool) } : {}),
      ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    };
    const maxTokens = Math.max(
      MIN_ANSWER_TOKENS,
      Math.min(requestedTokens ?? this.facts.answerTokens, this.#tokensLeft(messages)),
    );
    try {
      const question = { ...request, messages: messages.map(hashPictures), wished: requestedTokens };
      const call = (most: number) => model.answer({ ...request, maxTokens: most }, limits);
      const answer = await this.#payOnce([name, this.facts, question], messages, maxTokens, call);
      this.#countUse(answer);
      this.trace.event("llm_end", name, { model: answer.model, response: answer.text, tokens: answer.tokens, since });
      return answer;
    } catch (error) {
      const response = error instanceof AppError ? error.message : "The call failed";
      this.trace.event("error", name, { model: this.facts.model, response, since });
      throw error;
    }
  }

  /** A question with its boundary words normalised. */
  #textOf(question: readonly unknown[]): string {
    return this.#nonces.reduce((all, nonce) => all.replaceAll(nonce, "boundary"), JSON.stringify(question));
  }

  /** Asks once per question. @param question all that the answer depends on */
  #askOnce<T>(question: readonly unknown[], ask: () => Promise<T>): Promise<T> {
    const { answers } = this.#options;
    return answers === undefined ? ask() : answers.once(this.#textOf(question), ask);
  }

  /**
   * The same for the model, within the run's tokens: reserved before the call, and settled when its answer is on record.
   * A call that is to be repeated keeps its reservation.
   * @throws JobFailure when the tokens are used up
   */
  async #payOnce(
    question: readonly unknown[],
    messages: readonly ModelMessage[],
    maxTokens: number,
    call: (maxTokens: number) => Promise<ModelAnswer>,
  ): Promise<ModelAnswer> {
    const { answers, budget, jobId } = this.#options;
    if (budget === undefined) return this.#askOnce(question, () => call(maxTokens));
    const text = this.#textOf(question);
    const place = answers?.place(text) ?? `${jobId}/${text}`;
    const ask = async () => call(await budget.reserve(place, this.#promptTokens(messages), maxTokens));
    try {
      const answer = await (answers === undefined ? ask() : answers.at(place, ask));
      await budget.settle(place, answer.tokens);
      return answer;
    } catch (error) {
      if (error instanceof JobFailure && error.tokensUsedUp) this.#unpaid = error;
      if (error instanceof JobFailure && !error.retryable) await budget.settle(place);
      throw error;
    }
  }

  /** Tokens that a prompt leaves for its answer; negative for a prompt that is too long. */
  roomFor({ messages }: Prompt): number {
    return this.#tokensLeft(messages);
  }

  #tokensLeft(messages: readonly ModelMessage[]): number {
    return Math.min(this.facts.answerTokens, this.facts.contextTokens - this.#promptTokens(messages));
  }

  /** Estimated tokens of a request. */
  #promptTokens(messages: readonly ModelMessage[]): number {
    return messages.reduce((sum, message) => {
      const images = message.role === "user" ? (message.images?.length ?? 0) : 0;
      return sum + estimateTokens(message.text) + images * MAX_IMAGE_TOKENS;
    }, ESTIMATE_MARGIN_TOKENS);
  }

  #countUse({ model, tokens }: ModelAnswer): void {
    const { tier } = this.#options;
    const { providerKey } = this.facts;
    const use = this.#uses.get(model) ?? { tier, providerKey, model, promptTokens: 0, completionTokens: 0 };
    use.promptTokens += tokens.prompt;
    use.completionTokens += tokens.completion;
    this.#uses.set(model, use);
  }

  async #runTool(call: ToolCall, fence: Fence): Promise<ModelMessage> {
    this.checkTime();
    const since = this.trace.event("tool_start", call.name, { response: call.argumentsText });
    const found = (await this.#findByTool(call)).slice(0, MAX_FINDING_CHARACTERS);
    this.trace.event("tool_end", call.name, { response: found, since });
    this.findings.push(found);
    return { role: "tool", toolCallId: call.id, text: fence.block(`found by ${call.name.slice(0, 64)}`, found) };
  }

  async #findByTool(call: ToolCall): Promise<string> {
    const tool = this.#options.tools?.find(({ tool: { name } }) => name === call.name);
    if (tool === undefined) return "There is no such tool";
    const args = findJson(call.argumentsText);
    if (args === undefined) return "The arguments are not valid JSON";
    try {
      return await this.#askOnce(["tool", call.name, args], () => tool.run(args));
    } catch (error) {
      if (error instanceof AppError) return `The tool failed: ${error.message}`;
      throw error;
    }
  }
}
