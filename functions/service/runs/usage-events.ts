/** Usage events of a run: its use of providers. */

import type { OcrUse } from "../../ports/ocr.ts";
import { isOwnProvider } from "../../ports/own-providers.ts";
import { type RateTable, tokensOf } from "../billing/rate.ts";
import type { LlmUse } from "../extraction/model-calls.ts";
import type { JobRecord, RunSummary, UsageEvent } from "./job-records.ts";

/** Provider of text layers: they are free, and not recognised. */
const TEXT_LAYER_PREFIX = "local:";

/** The name of a reader in usage events. An organization's own has its id alone. */
function pageProviderOf({ provider, operation }: OcrUse): string {
  if (isOwnProvider(provider)) return provider;
  return operation === "" ? `${TEXT_LAYER_PREFIX}${provider}` : `${provider}:${operation}`;
}

/**
 * Pages by provider. Reading on the service's own machines is free, but recorded, so that usage shows all pages read.
 */
export function pageUsage(job: JobRecord, run: RunSummary, uses: readonly OcrUse[], at: string): UsageEvent[] {
  const pages = new Map<string, number>();
  for (const use of uses) {
    const provider = pageProviderOf(use);
    pages.set(provider, (pages.get(provider) ?? 0) + use.pages);
  }
  return [...pages].map(([provider, quantity]) => ({
    v: 1,
    event_type: "ocr",
    unit: "page",
    quantity,
    llm_tier: null,
    provider_key: provider,
    billing_exempt: provider.startsWith(TEXT_LAYER_PREFIX) || isOwnProvider(provider),
    guid: job.guid,
    run: run.run,
    createdAt: at,
    ...(job.batch === undefined ? {} : { batchGuid: job.batch.guid }),
  }));
}

/** Tokens by tier and provider; an organization's own provider is billed elsewhere. */
export function tokenUsage(job: JobRecord, run: RunSummary, uses: readonly LlmUse[], at: string): UsageEvent[] {
  const events = new Map<string, UsageEvent>();
  for (const { tier, providerKey, promptTokens, completionTokens } of uses) {
    const key = `${tier}/${providerKey}`;
    const before = events.get(key)?.quantity ?? 0;
    events.set(key, {
      v: 1,
      event_type: "llm",
      unit: "token",
      quantity: before + promptTokens + completionTokens,
      llm_tier: tier,
      provider_key: providerKey,
      billing_exempt: isOwnProvider(providerKey),
      guid: job.guid,
      run: run.run,
      createdAt: at,
      ...(job.batch === undefined ? {} : { batchGuid: job.batch.guid }),
    });
  }
  return [...events.values()].filter(({ quantity }) => quantity > 0);
}

/**
 * The events with their prices, by the rates of their time, where the run is billed or its tokens are recorded.
 * @returns also the sum of the prices
 */
export function pricedUsage(
  events: readonly UsageEvent[],
  { billing }: Pick<RunSummary, "billing">,
  rates: RateTable,
): { usage: UsageEvent[]; tokens: number } {
  if (billing === undefined || billing.mode === "off") return { usage: [...events], tokens: 0 };
  const usage = events.map((event) => ({ ...event, tokens: tokensOf(event, rates) }));
  return { usage, tokens: usage.reduce((sum, { tokens }) => sum + tokens, 0) };
}

/** Totals of recognised pages, without those of which the text layer was read, and of tokens. */
export function usageTotals(usage: readonly UsageEvent[]): { ocrPages: number; llmTokens: number } {
  const sum = (unit: UsageEvent["unit"]): number =>
    usage
      .filter((event) => event.unit === unit && !event.provider_key.startsWith(TEXT_LAYER_PREFIX))
      .reduce((all, { quantity }) => all + quantity, 0);
  return { ocrPages: sum("page"), llmTokens: sum("token") };
}
