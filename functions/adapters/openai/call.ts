/** One model call: its attempts, the waits between them, and the parameters left out. */
import type OpenAI from "openai";
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions";
import type { Clock } from "../../ports/clock.ts";
import type { Json } from "../../ports/json.ts";
import type { WorkLimits } from "../../ports/limits.ts";
import type { ModelAnswer, ModelFacts, ModelRequest, TokenCount } from "../../ports/llm.ts";
import { type Abilities, type Concession, chooseConcession, initialAbilities } from "./abilities.ts";
import { type ReadAnswer, readAnswer, WITHHELD_TEXT } from "./answer.ts";
import type { Breaker, Passage } from "./circuit-breaker.ts";
import type { ModelEvent } from "./events.ts";
import { knownFacts } from "./facts.ts";
import { type Failure, isOutage, isRetryable, toJobFailure } from "./failure-reasons.ts";
import { failureFrom } from "./failures.ts";
import { toMessages, toParams } from "./request.ts";
import { addTokens, estimateUsage, NO_TOKENS } from "./usage.ts";

export interface Server {
  client: OpenAI;
  clock: Pick<Clock, "now" | "sleep">;
  breaker: Breaker;
  /** From 0 to below 1. */
  random: () => number;
  onEvent: (event: ModelEvent) => void;
  /** Learned abilities by model name. */
  abilities: Map<string, Abilities>;
  /** Its name in sentences; absent: the deployment's own. */
  name?: string;
  /** Further members of every request, none of which the driver sets itself. */
  extra?: Readonly<Record<string, Json>>;
}

/** Most waits for an unreachable server, and for a busy one, whose answer justifies more waits. */
const MAX_WAITS = 5;
const MAX_BUSY_WAITS = 20;
/** Longest wait before the second attempt, in milliseconds; each further wait may double. */
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 20_000;

/**
 * Share of the remaining time for one attempt, to leave time for another; and its minimum, the time of a long answer.
 */
const ATTEMPT_TIME_SHARE = 0.6;
const MIN_ATTEMPT_MS = 20_000;
/** Milliseconds: a shorter attempt without an answer does not prove an outage. */
const MIN_CONCLUSIVE_ATTEMPT_MS = 10_000;
/** Milliseconds, the longest timer of the runtime. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const attemptLimit = (left: number): number =>
  Math.ceil(Math.min(left, Math.max(MIN_ATTEMPT_MS, left * ATTEMPT_TIME_SHARE), MAX_TIMER_MS));

/**
 * The wait after this many attempts: random, between half of its bound and all of it, so that callers do not return
 * together.
 */
const backoff = (tried: number, random: () => number): number =>
  Math.round(Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (tried - 1)) * (0.5 + random() / 2));

type Outcome = { answer: ReadAnswer } | { failure: Failure };

/** Turns a content-filter failure into an answer. */
const filtered = (model: string, { tokens }: Failure): ReadAnswer => ({
  text: WITHHELD_TEXT,
  toolCalls: [],
  finish: "refusal",
  model,
  tokens: tokens ?? NO_TOKENS,
});

/** A running call. */
class Call {
  readonly #server: Server;
  readonly #request: ModelRequest;
  readonly #facts: ModelFacts;
  readonly #deadline: number;
  readonly #passage: Passage;
  readonly #started: number;
  readonly #messages: ReturnType<typeof toMessages>;
  /** Changes for this call only. */
  #own: Partial<Abilities> = {};
  #attempts = 0;
  #waits = 0;
  #spent: TokenCount = NO_TOKENS;

  constructor(server: Server, request: ModelRequest, facts: ModelFacts, limits: WorkLimits, passage: Passage) {
    this.#server = server;
    this.#request = request;
    this.#facts = facts;
    this.#deadline = limits.deadline;
    this.#passage = passage;
    this.#started = server.clock.now();
    this.#messages = toMessages(request.messages);
  }

  /** @throws JobFailure */
  async run(): Promise<ModelAnswer> {
    for (;;) {
      const left = this.#deadline - this.#server.clock.now();
      if (left <= 0) throw this.#give({ reason: "time-out" }, 0);
      const sent = this.#params();
      const limit = attemptLimit(left);
      this.#attempts += 1;
      const outcome = await this.#try(sent, limit);
      if ("answer" in outcome) return this.#done(outcome.answer);
      const { failure } = outcome;
      if (failure.reason === "filtered") return this.#done(filtered(this.#facts.model, failure));
      // The server is reachable, so other callers need not wait for the end of this call.
      if (this.#passage.trial && !isOutage(failure)) this.#passage.succeeded();
      if (failure.tokens !== undefined) this.#spent = addTokens(this.#spent, failure.tokens);
      const concession = chooseConcession(sent, failure);
      if (concession !== undefined) this.#leaveOut(concession);
      else await this.#pause(failure, limit);
    }
  }

  #abilities(): Abilities {
    const { model } = this.#facts;
    return this.#server.abilities.get(model) ?? initialAbilities(knownFacts(model).reasons);
  }

  #params(): ChatCompletionCreateParamsNonStreaming {
    const { model, answerTokens } = this.#facts;
    const abilities = { ...this.#abilities(), ...this.#own };
    const params = toParams(this.#request, this.#messages, { model, answerTokens, abilities });
    return { ...this.#server.extra, ...params };
  }

  async #try(params: ChatCompletionCreateParamsNonStreaming, timeout: number): Promise<Outcome> {
    try {
      const response = await this.#server.client.chat.completions.create(params, { timeout }).asResponse();
      return readAnswer(await response.text(), { model: this.#facts.model, format: this.#request.format });
    } catch (error) {
      return { failure: failureFrom(error, this.#server.clock.now()) };
    }
  }

  #of(): { tier: ModelRequest["tier"]; model: string } {
    return { tier: this.#request.tier, model: this.#facts.model };
  }

  #done({ tokens, ...answer }: ReadAnswer): ModelAnswer {
    this.#passage.succeeded();
    const own = tokens ?? estimateUsage(this.#request, answer);
    const all = addTokens(this.#spent, own);
    this.#server.onEvent({
      kind: "answered",
      ...this.#of(),
      attempts: this.#attempts,
      milliseconds: this.#server.clock.now() - this.#started,
      promptTokens: all.prompt,
      completionTokens: all.completion,
      estimated: tokens === undefined,
    });
    return { ...answer, tokens: all, attempts: this.#attempts };
  }

  /** Each concession removes a parameter, so there are few. */
  #leaveOut({ change, parameter, remembered }: Concession): void {
    if (remembered) this.#server.abilities.set(this.#facts.model, { ...this.#abilities(), ...change });
    else this.#own = { ...this.#own, ...change };
    this.#server.onEvent({ kind: "without", ...this.#of(), parameter, remembered });
  }

  #event(failure: Failure) {
    const { reason, status, code } = failure;
    const details = { ...(status === undefined ? {} : { status }), ...(code === undefined ? {} : { code }) };
    return { ...this.#of(), attempt: this.#attempts, reason, ...details };
  }

  /** The error of the call. @param limit milliseconds of the last attempt */
  #give(failure: Failure, limit: number): Error {
    if (failure.reason === "time-out" && limit < MIN_CONCLUSIVE_ATTEMPT_MS) this.#passage.abandoned();
    else if (isOutage(failure)) this.#passage.failed();
    else this.#passage.succeeded();
    this.#server.onEvent({ kind: "failed", ...this.#event(failure) });
    return toJobFailure(failure, this.#server.name);
  }

  /** Waits before the next attempt. @throws JobFailure when there is none */
  async #pause(failure: Failure, limit: number): Promise<void> {
    const { clock, breaker, random, onEvent } = this.#server;
    this.#waits += 1;
    const most = failure.reason === "busy" ? MAX_BUSY_WAITS : this.#passage.trial ? 0 : MAX_WAITS;
    if (!isRetryable(failure) || this.#waits > most) throw this.#give(failure, limit);
    const wait = Math.max(backoff(this.#waits, random), failure.waitMilliseconds ?? 0);
    if (clock.now() + wait >= this.#deadline) throw this.#give(failure, limit);
    onEvent({ kind: "retry", ...this.#event(failure), waitMilliseconds: wait });
    await clock.sleep(wait);
    // Meanwhile other calls found the server unreachable.
    if (!this.#passage.trial && breaker.state() !== "closed") throw this.#give({ reason: "resting" }, 0);
  }
}

/**
 * Calls a model until it has one answer.
 * @throws JobFailure as the port documents
 */
export async function callModel(
  server: Server,
  request: ModelRequest,
  facts: ModelFacts,
  limits: WorkLimits,
): Promise<ModelAnswer> {
  const passage = server.breaker.enter();
  if (passage === undefined) {
    const { tier } = request;
    server.onEvent({ kind: "failed", tier, model: facts.model, attempt: 0, reason: "resting" });
    throw toJobFailure({ reason: "resting" }, server.name);
  }
  try {
    return await new Call(server, request, facts, limits, passage).run();
  } finally {
    // However the call ended: an unreported trial would keep the breaker half open for ever.
    passage.abandoned();
  }
}
