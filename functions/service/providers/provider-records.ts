/**
 * Records of an organization's own providers. Partition `llm-providers` and `ocr-providers`: one record each, deleted ones
 * included, so that usage events that name one stay readable; ids are given once, over both kinds. `providers/bindings`:
 * the providers that the keys are bound to. `provider-requests`: what requests with an Idempotency-Key have made.
 */
import type { Json } from "../../ports/json.ts";
import type { LlmTier } from "../../ports/llm.ts";
import { OCR_KEYS, type ProviderUse } from "../../ports/own-providers.ts";
import type { RecordKey, RecordValue } from "../../ports/records.ts";

export type ProviderKind = "llm" | "ocr";

/** ACTIVE: in use. INACTIVE: its keys stand for the service's own meanwhile. DELETED: for good. */
export const PROVIDER_STATUSES = ["ACTIVE", "INACTIVE"] as const;
export type ProviderStatus = (typeof PROVIDER_STATUSES)[number] | "DELETED";

interface ProviderSettings {
  name: string;
  description: string;
  status: ProviderStatus;
}

export interface LlmProviderSettings extends ProviderSettings {
  apiUrl: string;
  modelType: string;
  deploymentName: string;
  kwargs: { [name: string]: Json };
}

export interface OcrProviderSettings extends ProviderSettings {
  endpoint: string;
  modelId: string;
  features: Json;
}

interface SavedProvider extends RecordValue {
  v: 1;
  id: number;
  createdAt: string;
  updatedAt: string;
  /** The secret, sealed; absent: it has none. A deleted provider's is gone. */
  sealedKey?: string;
}

export interface LlmProviderRecord extends SavedProvider, LlmProviderSettings {
  /** The provider whose secret this one was given. */
  credentialId?: number;
}

export interface OcrProviderRecord extends SavedProvider, OcrProviderSettings {}

export type RecordOf<K extends ProviderKind> = K extends "llm" ? LlmProviderRecord : OcrProviderRecord;

export interface BindingsRecord extends RecordValue, ProviderUse {
  v: 1;
}

/** The tiers in the order of the contract. */
const LLM_KEYS: readonly LlmTier[] = ["DEFAULT", "NANO", "MINI", "HIGH"];
export const KEYS_BY_KIND: Record<ProviderKind, readonly string[]> = { llm: LLM_KEYS, ocr: OCR_KEYS };
export const KIND_NAMES: Record<ProviderKind, string> = { llm: "LLM provider", ocr: "OCR provider" };

const ID_DIGITS = 12;
export const partitionOf = (kind: ProviderKind): string => `${kind}-providers`;
export const providerKey = (kind: ProviderKind, id: number): RecordKey => ({
  partition: partitionOf(kind),
  sort: String(id).padStart(ID_DIGITS, "0"),
});
/** Names the provider that a repeated request has made already. */
export const providerRequestKey = (guid: string): RecordKey => ({ partition: "provider-requests", sort: guid });
export const BINDINGS_KEY: RecordKey = { partition: "providers", sort: "bindings" };

/** The purpose that a provider's secret is sealed for: it opens for no other provider. */
export const vaultPurpose = (kind: ProviderKind, id: number): string => `provider/${kind}/${id}`;

/** The bindings of a kind by the names of its keys. */
export const boundIds = (use: ProviderUse, kind: ProviderKind): Record<string, number | undefined> => ({
  ...use[kind],
});
