/** Organizations' own language models: the driver of the service's model, over the guarded outbound port. */
import type { Clock } from "../../ports/clock.ts";
import { JobFailure } from "../../ports/errors.ts";
import type { LanguageModel, LlmTier } from "../../ports/llm.ts";
import { LLM_TIERS } from "../../ports/llm.ts";
import type { Outbound } from "../../ports/outbound.ts";
import { type ModelDrivers, type ModelEndpoint, providerKeyOf } from "../../ports/own-providers.ts";
import type { ModelEvent } from "../openai/events.ts";
import { openOpenAi } from "../openai/language-model.ts";
import { KeptDrivers } from "./kept-drivers.ts";
import { providerFetch } from "./provider-fetch.ts";

export interface OwnModelOptions {
  clock: Pick<Clock, "now" | "sleep">;
  outbound: Pick<Outbound, "request">;
  onEvent?: (event: ModelEvent, place: { organization: number; provider: number }) => void;
}

/** The client demands a key and an address; the requests have the provider's. */
const NO_KEY = "none";

function openModel(options: OwnModelOptions, organization: number, endpoint: ModelEndpoint): LanguageModel {
  const { clock, outbound, onEvent = () => undefined } = options;
  const { id, model, facts, extra } = endpoint;
  return openOpenAi({
    clock,
    apiKey: NO_KEY,
    models: Object.fromEntries(LLM_TIERS.map((tier) => [tier, model])) as Record<LlmTier, string>,
    facts: { [model]: facts },
    fetch: providerFetch(endpoint, outbound),
    onEvent: (event) => onEvent(event, { organization, provider: id }),
    name: `LLM provider ${id}`,
    providerKey: providerKeyOf(id),
    extra,
  });
}

export function openOwnModels(options: OwnModelOptions): ModelDrivers {
  const kept = new KeptDrivers<LanguageModel>();
  return {
    model: (organizationId, endpoint) =>
      kept.get({ organizationId, ...endpoint }, () => {
        try {
          return openModel(options, organizationId, endpoint);
        } catch (error) {
          const sentence = `Processing failed: The settings of LLM provider ${endpoint.id} cannot be used; save it again`;
          throw new JobFailure(sentence, { cause: error });
        }
      }),
  };
}
