/**
 * The providers of a run. A run keeps those that its keys were bound to when it was opened, whatever is bound later: a
 * document that its organization sends to a provider of its own goes to no other.
 */
import { JobFailure } from "../../ports/errors.ts";
import type { LanguageModel, LlmTier } from "../../ports/llm.ts";
import type { OcrEngine } from "../../ports/ocr.ts";
import {
  type ModelEndpoint,
  type OcrEndpoint,
  type OcrKey,
  type OwnProviders,
  type ProviderUse,
  providerKeyOf,
} from "../../ports/own-providers.ts";
import type { Engines } from "../organizations/engines.ts";
import type { Organization } from "../organizations/organization.ts";
import {
  BINDINGS_KEY,
  type BindingsRecord,
  KIND_NAMES,
  type LlmProviderRecord,
  type OcrProviderRecord,
  type ProviderKind,
} from "./provider-records.ts";
import { apiVersionOf, extraOf, factsOf, isAzure } from "./provider-settings.ts";
import { findProvider, openSecret } from "./providers.ts";

type Reader = Pick<Organization, "records" | "engines">;

/** The bindings of a kind whose providers are in use. */
async function activeOf<K extends string>(
  org: Reader,
  kind: ProviderKind,
  bound: Partial<Record<K, number>> = {},
): Promise<Partial<Record<K, number>> | undefined> {
  const ids = [...new Set(Object.values<number | undefined>(bound))].filter((id) => id !== undefined);
  const found = await Promise.all(ids.map((id) => findProvider(org as Organization, kind, id)));
  const active = new Set(found.flatMap((one) => (one?.value.status === "ACTIVE" ? [one.value.id] : [])));
  const entries = Object.entries<number | undefined>(bound).filter(([, id]) => id !== undefined && active.has(id));
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Partial<Record<K, number>>);
}

/** The providers that a run opened now would have; undefined for none, which is read from one record. */
export async function boundProviders(org: Reader): Promise<ProviderUse | undefined> {
  const bindings = (await org.records.get<BindingsRecord>(BINDINGS_KEY))?.value;
  if (bindings === undefined) return undefined;
  const [llm, ocr] = await Promise.all([activeOf(org, "llm", bindings.llm), activeOf(org, "ocr", bindings.ocr)]);
  if (llm === undefined && ocr === undefined) return undefined;
  return { ...(llm === undefined ? {} : { llm }), ...(ocr === undefined ? {} : { ocr }) };
}

/** A command with the providers of its run; one that has them keeps them. */
export async function withProviders<C extends { providers?: ProviderUse }>(org: Reader, command: C): Promise<C> {
  if (command.providers !== undefined) return command;
  // A step that opens another run hands on its own providers.
  const providers = org.engines.own?.use ?? (await boundProviders(org));
  return providers === undefined ? command : { ...command, providers };
}

const goneFailure = (kind: ProviderKind, id: number): JobFailure =>
  new JobFailure(
    `Processing failed: ${KIND_NAMES[kind]} ${id} was deleted after the run had begun; process the document again`,
  );

/** Stands for a deleted model: whoever asks it fails. */
const goneModel = (id: number): LanguageModel => ({
  facts: () => {
    throw goneFailure("llm", id);
  },
  answer: () => Promise.reject(goneFailure("llm", id)),
});

/** Stands for a deleted text recognition. */
const goneOcr = (id: number): OcrEngine => ({
  name: providerKeyOf(id),
  maxImageBytes: 1,
  maxSide: 1,
  parallel: 1,
  recognize: () => Promise.reject(goneFailure("ocr", id)),
});

/** A saved model as its drivers know it. */
export function modelEndpoint(org: Organization, record: LlmProviderRecord): ModelEndpoint {
  const { id, updatedAt, apiUrl, modelType, deploymentName, kwargs } = record;
  return {
    id,
    version: updatedAt,
    url: apiUrl,
    apiKey: () => openSecret(org, "llm", record),
    protocol: isAzure(modelType) ? "azure" : "openai",
    model: deploymentName === "" ? modelType.toLowerCase() : deploymentName,
    apiVersion: apiVersionOf(kwargs),
    facts: factsOf(kwargs),
    extra: extraOf(kwargs),
  };
}

/** A saved text recognition as its drivers know it. */
export function ocrEndpoint(org: Organization, record: OcrProviderRecord): OcrEndpoint {
  const { id, updatedAt, endpoint, modelId, features } = record;
  const apiKey = () => openSecret(org, "ocr", record);
  return { id, version: updatedAt, url: endpoint, apiKey, model: modelId, features };
}

async function driversOf<K extends string, T>(
  bound: Partial<Record<K, number>> | undefined,
  open: (id: number) => Promise<T>,
): Promise<Partial<Record<K, T>>> {
  const byId = new Map<number, Promise<T>>();
  const entries = Object.entries<number | undefined>(bound ?? {}).flatMap(([key, id]) => {
    if (id === undefined) return [];
    const opened = byId.get(id) ?? open(id);
    byId.set(id, opened);
    return [opened.then((driver): [string, T] => [key, driver])];
  });
  return Object.fromEntries(await Promise.all(entries)) as Partial<Record<K, T>>;
}

/**
 * The organization with the providers of a run. A function without drivers for them asks none, and gets none.
 * @param providers the run's; undefined: it has none
 */
export async function withOwnProviders(org: Organization, providers: ProviderUse | undefined): Promise<Organization> {
  const { ownModels, ownOcr } = org.engines;
  if (providers === undefined || (ownModels === undefined && ownOcr === undefined)) return org;
  const models = driversOf<LlmTier, LanguageModel>(ownModels && providers.llm, async (id) => {
    const record = (await findProvider(org, "llm", id))?.value;
    if (ownModels === undefined || record === undefined || record.status === "DELETED") return goneModel(id);
    return ownModels.model(org.id, modelEndpoint(org, record));
  });
  const ocr = driversOf<OcrKey, OcrEngine>(ownOcr && providers.ocr, async (id) => {
    const record = (await findProvider(org, "ocr", id))?.value;
    if (ownOcr === undefined || record === undefined || record.status === "DELETED") return goneOcr(id);
    return ownOcr.ocr(org.id, ocrEndpoint(org, record));
  });
  const own: OwnProviders = { use: providers, models: await models, ocr: await ocr };
  const engines: Engines = { ...org.engines, own };
  return { ...org, engines };
}
