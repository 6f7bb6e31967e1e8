/**
 * Rates: the tokens that usage costs, from a time on. Multipliers are exact decimals, kept in millionths; the tokens of
 * an event are whole numbers.
 */
import { LLM_TIERS, type LlmTier } from "../../ports/llm.ts";
import { isOwnProvider } from "../../ports/own-providers.ts";

/** Rates from a time on; what a set does not name keeps its rate from before. */
export interface RateSet {
  /** ISO 8601, UTC; events at this time or later. */
  from: string;
  /** Blended tokens for a million tokens of a tier's model. */
  tiers: Partial<Record<LlmTier, number>>;
  /** Tokens a page, by OCR provider: `textract`, or with its operation `textract:AnalyzeDocument`. */
  pages: Readonly<Record<string, number>>;
}

/** Sets of rates, in any order of their times. */
export type RateTable = readonly RateSet[];

/** Blended tokens are this many times smaller than the product of tokens and multiplier. */
export const MILLIONTHS = 1_000_000;
/** Digits after the point of a multiplier. */
export const MULTIPLIER_DECIMALS = 6;
export const ALWAYS = "1970-01-01T00:00:00.000Z";

/** Every tier 1; the embedded text recognition, and any provider not named, 0; Textract 1,000 a page. */
export const DEFAULT_RATES: RateSet = {
  from: ALWAYS,
  tiers: Object.fromEntries(LLM_TIERS.map((tier) => [tier, MILLIONTHS])),
  pages: { textract: 1_000 },
};

/** The part of a usage event that its price depends on. */
export interface Charged {
  unit: "token" | "page";
  quantity: number;
  llm_tier: string | null;
  provider_key: string;
  billing_exempt: boolean;
  /** ISO 8601. */
  createdAt: string;
}

/** Text recognition on the service's own machine, which rates call `embedded`. */
const EMBEDDED: ReadonlySet<string> = new Set(["tesseract", "tesseract.js"]);
/** The sets in force at a time, the newest first, the default last. */
const setsAt = (table: RateTable, at: string): RateSet[] => [
  ...table.filter(({ from }) => from <= at).sort((a, b) => (a.from < b.from ? 1 : -1)),
  DEFAULT_RATES,
];

/** Blended tokens for a million tokens of a tier, at a time. */
export function tierRate(table: RateTable, tier: string | null, at: string): number {
  for (const { tiers } of setsAt(table, at)) {
    const rate = tiers[(tier ?? "DEFAULT") as LlmTier];
    if (rate !== undefined) return rate;
  }
  return MILLIONTHS;
}

/** Tokens for a page of a provider, at a time: of its operation where a set names it, else of the provider. */
export function pageRate(table: RateTable, providerKey: string, at: string): number {
  if (isOwnProvider(providerKey)) return 0;
  const [provider = ""] = providerKey.split(":");
  for (const { pages } of setsAt(table, at)) {
    const rate = pages[providerKey] ?? pages[provider] ?? (EMBEDDED.has(provider) ? pages.embedded : undefined);
    if (rate !== undefined) return rate;
  }
  return 0;
}

/** The highest of a provider's rates, whatever its operation will be. */
export function providerPageRate(table: RateTable, provider: string, at: string): number {
  const named = setsAt(table, at).flatMap(({ pages }) => Object.keys(pages));
  const operations = named.filter((name) => name.startsWith(`${provider}:`));
  return Math.max(...[provider, ...operations].map((name) => pageRate(table, name, at)));
}

/** ceil(quantity × rate), exactly. @param rate in millionths */
export const blendedTokens = (quantity: number, rate: number): number =>
  Number((BigInt(quantity) * BigInt(rate) + BigInt(MILLIONTHS - 1)) / BigInt(MILLIONTHS));

/** True for usage that is recorded and never debited. */
export const isExempt = ({ provider_key, billing_exempt }: Pick<Charged, "provider_key" | "billing_exempt">): boolean =>
  // Organizations pay providers of their own themselves.
  billing_exempt || isOwnProvider(provider_key);

/** The tokens that a usage event costs, by the rates of its time. */
export function tokensOf(event: Charged, table: RateTable): number {
  if (isExempt(event)) return 0;
  const { unit, quantity, llm_tier, provider_key, createdAt } = event;
  if (unit === "page") return quantity * pageRate(table, provider_key, createdAt);
  return blendedTokens(quantity, tierRate(table, llm_tier, createdAt));
}

/** The tokens of several events. */
export const tokensOfAll = (events: readonly Charged[], table: RateTable): number =>
  events.reduce((sum, event) => sum + tokensOf(event, table), 0);
