/** The driver of the model port for every server that speaks OpenAI's chat completions. */

import type { Clock } from "../../ports/clock.ts";
import { ServiceUnavailable } from "../../ports/errors.ts";
import type { LanguageModel, LlmTier, ModelFacts } from "../../ports/llm.ts";
import { callModel, type Server } from "./call.ts";
import { makeBreaker } from "./circuit-breaker.ts";
import { makeClient } from "./client.ts";
import type { ModelEvent } from "./events.ts";
import { knownFacts } from "./facts.ts";

export interface OpenAiOptions {
  clock: Pick<Clock, "now" | "sleep">;
  apiKey: string;
  /** With its version, as in https://api.openai.com/v1, which is meant when absent. */
  baseUrl?: string;
  /** Null: the tier is bound to no model. */
  models: Record<LlmTier, string | null>;
  /** Of models by their names, where more is known than the driver knows. */
  facts?: Record<string, Partial<Omit<ModelFacts, "model">>>;
  fetch?: typeof fetch;
  /** From 0 to below 1; Math.random unless a test gives another. */
  random?: () => number;
  onEvent?: (event: ModelEvent) => void;
}

/**
 * Opens a server; nothing is sent before the first request. What its models refuse is remembered, and one breaker
 * guards it, for as long as the driver lives.
 * @throws TypeError for a base URL or a key that cannot be used; the message never holds the key
 */
export function openOpenAi(options: OpenAiOptions): LanguageModel {
  const { clock, models, random = Math.random, onEvent = () => {} } = options;
  const server: Server = {
    client: makeClient(options),
    clock,
    breaker: makeBreaker({ clock, onChange: (state) => onEvent({ kind: "breaker", state }) }),
    random,
    onEvent,
    abilities: new Map(),
  };

  const facts = (tier: LlmTier): ModelFacts => {
    const model = models[tier];
    if (model === null) throw new ServiceUnavailable(`No AI model is set for the tier ${tier}`);
    const { reasons: _, ...known } = knownFacts(model);
    return { model, ...known, providerKey: `openai:${model}`, ...options.facts?.[model] };
  };

  return {
    facts,
    answer: async (request, limits) => callModel(server, request, facts(request.tier), limits),
  };
}
