/**
 * Drivers of providers that an organization names itself: its own language models and text recognition. They send
 * requests to addresses that callers name, so each of them goes through the guarded outbound port.
 */
import type { Json } from "./json.ts";
import type { LanguageModel, LlmTier, ModelFacts } from "./llm.ts";
import type { OcrEngine } from "./ocr.ts";

/** Names under which runs ask for a provider. */
export const OCR_KEYS = ["DEFAULT", "PREMIUM"] as const;
export type OcrKey = (typeof OCR_KEYS)[number];

/** Every provider of an organization in usage events: `provider:{id}`. */
export const OWN_PROVIDER_PREFIX = "provider:";
export const providerKeyOf = (id: number): string => `${OWN_PROVIDER_PREFIX}${id}`;
/** True for the key of an organization's own provider, which the organization pays itself. */
export const isOwnProvider = (providerKey: string): boolean => providerKey.startsWith(OWN_PROVIDER_PREFIX);

interface Endpoint {
  id: number;
  /** Identifies these settings: a driver is kept as long as they stay the same. */
  version: string;
  url: string;
  /** Reads the secret where a request needs it; undefined for a provider without one. */
  apiKey(): Promise<string | undefined>;
}

/** A server of the chat-completions protocol. */
export interface ModelEndpoint extends Endpoint {
  /** `azure`: a deployment's path, the version in the query, and the key in `api-key`. */
  protocol: "openai" | "azure";
  model: string;
  /** Azure: the version of its interface. */
  apiVersion: string;
  facts: Partial<Pick<ModelFacts, "contextTokens" | "answerTokens" | "takesImages">>;
  /** Further members of every request. */
  extra: Readonly<Record<string, Json>>;
}

/** A server of the OCR contract (docs/providers.md). */
export interface OcrEndpoint extends Endpoint {
  model: string;
  features: Json;
}

export interface ModelDrivers {
  /** The same driver for the same organization, id and version: it remembers refused parameters and outages. */
  model(organizationId: number, endpoint: ModelEndpoint): LanguageModel;
}

export interface OcrDrivers {
  ocr(organizationId: number, endpoint: OcrEndpoint): OcrEngine;
}

/** Asks a provider once, in the way of a run; no other try follows a failure. */
export interface ProviderProbes {
  /** @throws JobFailure with the sentence of a run */
  model(endpoint: ModelEndpoint, limits: { deadline: number }): Promise<void>;
  /** @throws JobFailure with the sentence of a run */
  ocr(endpoint: OcrEndpoint, limits: { deadline: number }): Promise<void>;
}

/** Ids of providers by the keys they are bound to. */
export interface ProviderUse {
  llm?: Partial<Record<LlmTier, number>>;
  ocr?: Partial<Record<OcrKey, number>>;
}

/** The providers of one run, by the keys they are bound to. */
export interface OwnProviders {
  /** Their ids, for the runs that this one opens. */
  use: ProviderUse;
  models: Partial<Record<LlmTier, LanguageModel>>;
  ocr: Partial<Record<OcrKey, OcrEngine>>;
}
