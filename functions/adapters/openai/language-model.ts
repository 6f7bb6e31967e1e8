/** Driver of the model port for servers with OpenAI's chat-completions protocol. */

import type { Clock } from "../../ports/clock.ts";
import { ServiceUnavailable } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";
import type { LanguageModel, LlmTier, ModelFacts } from "../../ports/llm.ts";
import { callModel, type Server } from "./call.ts";
import { makeBreaker } from "./circuit-breaker.ts";
import { makeClient } from "./client.ts";
import type { ModelEvent } from "./events.ts";
import { knownFacts } from "./facts.ts";
import { withoutOwnMembers } from "./own-members.ts";

export interface OpenAiOptions {
  clock: Pick<Clock, "now" | "sleep">;
  apiKey: string;
  /** Base URL with the version, such as https://api.openai.com/v1, the default. */
  baseUrl?: string;
  /** Null: the tier has no model. */
  models: Record<LlmTier, string | null>;
  /** Facts by model name that override the driver's. */
  facts?: Record<string, Partial<Omit<ModelFacts, "model">>>;
  fetch?: typeof fetch;
  /** From 0 to below 1; default Math.random. */
  random?: () => number;
  onEvent?: (event: ModelEvent) => void;
  /** Name of the server in the sentences of failed jobs; absent: the deployment's own. */
  name?: string;
  /** Names the server in usage events; absent: `openai:` and the model. */
  providerKey?: string;
  /** Further members of every request; those that the driver sets itself are left out. */
  extra?: Readonly<Record<string, Json>>;
}

/**
 * Opens a server without sending a request. While the driver lives it remembers refused parameters and has one breaker.
 * @throws TypeError for an unusable base URL or key; the message never contains the key
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
    ...(options.name === undefined ? {} : { name: options.name }),
    extra: withoutOwnMembers(options.extra ?? {}),
  };

  const facts = (tier: LlmTier): ModelFacts => {
    const model = models[tier];
    if (model === null) throw new ServiceUnavailable(`No AI model is set for the tier ${tier}`);
    const { reasons: _, ...known } = knownFacts(model);
    return { model, ...known, providerKey: options.providerKey ?? `openai:${model}`, ...options.facts?.[model] };
  };

  return {
    facts,
    answer: async (request, limits) => callModel(server, request, facts(request.tier), limits),
  };
}
