/** An organization's own providers: saved, changed and deleted, with their secrets sealed. */
import {
  AppError,
  BadRequest,
  ConcurrentModification,
  ConditionFailed,
  Conflict,
  JobFailure,
  NotFound,
} from "../../ports/errors.ts";
import { queryAll, type StoredRecord } from "../../ports/records.ts";
import { nextId } from "../organizations/id-sequence.ts";
import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/organization-records.ts";
import {
  BINDINGS_KEY,
  type BindingsRecord,
  KIND_NAMES,
  type LlmProviderRecord,
  type OcrProviderRecord,
  type ProviderKind,
  partitionOf,
  providerKey,
  providerRequestKey,
  type RecordOf,
  vaultPurpose,
} from "./provider-records.ts";
import { type LlmProviderWish, llmSettings, type OcrProviderWish, ocrSettings } from "./provider-settings.ts";

/** Most providers of a kind that are not deleted: bindings have six keys, the rest are spares. */
export const MAX_PROVIDERS = 100;
/** A repeated request finds its provider for longer than its Idempotency-Key is kept. */
const REQUEST_SECONDS = 2 * 86_400;

const nowIso = ({ engines }: Organization): string => new Date(engines.clock.now()).toISOString();

/** Keeps `updatedAt` different for two changes in one millisecond: it names the settings. */
const laterThan = (now: string, before: string): string =>
  now > before ? now : new Date(Date.parse(before) + 1).toISOString();

export const unknownProvider = (kind: ProviderKind, id: number): NotFound =>
  new NotFound(`There is no ${KIND_NAMES[kind]} ${id}`);

const addressOf = (record: LlmProviderRecord | OcrProviderRecord): string =>
  "apiUrl" in record ? (record as LlmProviderRecord).apiUrl : (record as OcrProviderRecord).endpoint;

/** Where a secret is sent to. */
const originOf = (address: string): string => URL.parse(address)?.origin ?? "";

/** All providers of a kind, by id. @param options `deleted`: those that were deleted, too */
export async function listProviders<K extends ProviderKind>(
  org: Organization,
  kind: K,
  { deleted = false }: { deleted?: boolean } = {},
): Promise<RecordOf<K>[]> {
  const found: RecordOf<K>[] = [];
  for await (const { value } of queryAll<RecordOf<K>>(org.records, { partition: partitionOf(kind) })) {
    if (deleted || value.status !== "DELETED") found.push(value);
  }
  return found;
}

/** A provider, deleted ones included; undefined for one that never was. */
export const findProvider = <K extends ProviderKind>(
  org: Organization,
  kind: K,
  id: number,
): Promise<StoredRecord<RecordOf<K>> | undefined> => org.records.get<RecordOf<K>>(providerKey(kind, id));

/** @throws NotFound for an unknown or deleted provider */
export async function loadProvider<K extends ProviderKind>(
  org: Organization,
  kind: K,
  id: number,
): Promise<StoredRecord<RecordOf<K>>> {
  const found = await findProvider(org, kind, id);
  if (found === undefined || found.value.status === "DELETED") throw unknownProvider(kind, id);
  return found;
}

/**
 * Reads a provider's secret.
 * @returns undefined where it has none
 * @throws JobFailure for one that was sealed under another key of the service
 */
export async function openSecret(
  org: Organization,
  kind: ProviderKind,
  { id, sealedKey }: Pick<LlmProviderRecord, "id" | "sealedKey">,
): Promise<string | undefined> {
  if (sealedKey === undefined) return undefined;
  try {
    return await org.documentVault.open(sealedKey, vaultPurpose(kind, id));
  } catch (error) {
    if (error instanceof AppError) throw error;
    const why = "can no longer be opened, because the service's key has changed; send its apiKey again";
    throw new JobFailure(`Processing failed: The key of ${KIND_NAMES[kind]} ${id} ${why}`, { cause: error });
  }
}

/** The member with a provider's sealed secret. */
async function sealedMember(
  org: Organization,
  kind: ProviderKind,
  id: number,
  apiKey: string,
): Promise<{ sealedKey?: string }> {
  if (apiKey === "") return {};
  return { sealedKey: await org.documentVault.seal(apiKey, vaultPurpose(kind, id)) };
}

/**
 * The secret of another provider, for the same host: no change of settings sends a secret to a host that it was not
 * given for.
 * @throws BadRequest
 */
async function borrowedKey(org: Organization, credentialId: number, apiUrl: string): Promise<string> {
  const other = await findProvider(org, "llm", credentialId);
  const usable = other !== undefined && other.value.status !== "DELETED" && other.value.sealedKey !== undefined;
  if (!usable) throw new BadRequest(`credentialId ${credentialId} is no LLM provider with a key; send apiKey instead`);
  if (originOf(other.value.apiUrl) !== originOf(apiUrl)) {
    throw new BadRequest(`The key of LLM provider ${credentialId} is for another host; send apiKey instead`);
  }
  return (await openSecret(org, "llm", other.value)) ?? "";
}

/** @throws BadRequest where a stored secret would be sent to another host than it was given for */
function checkSameHost(kind: ProviderKind, before: LlmProviderRecord | OcrProviderRecord, address: string): void {
  if (before.sealedKey === undefined || originOf(addressOf(before)) === originOf(address)) return;
  const member = kind === "llm" ? "apiUrl" : "endpoint";
  throw new BadRequest(`The ${member} leads to another host than the one the key was given for; send apiKey with it`);
}

/** The settings and the secret that a request asks for. */
async function settingsFor(
  org: Organization,
  kind: ProviderKind,
  id: number,
  wish: LlmProviderWish & OcrProviderWish,
  before?: LlmProviderRecord | OcrProviderRecord,
) {
  const settings =
    kind === "llm"
      ? llmSettings(wish, before as LlmProviderRecord | undefined)
      : ocrSettings(wish, before as OcrProviderRecord | undefined);
  const address = "apiUrl" in settings ? settings.apiUrl : settings.endpoint;
  if (address !== "") await org.engines.outbound.check(address);
  const { apiKey, credentialId } = wish;
  if (apiKey !== undefined) return { ...settings, ...(await sealedMember(org, kind, id, apiKey.trim())) };
  if (kind === "llm" && credentialId !== undefined) {
    const key = await borrowedKey(org, credentialId, address);
    return { ...settings, credentialId, ...(await sealedMember(org, kind, id, key)) };
  }
  if (before === undefined) return settings;
  checkSameHost(kind, before, address);
  const { sealedKey } = before;
  const borrowed = (before as LlmProviderRecord).credentialId;
  return {
    ...settings,
    ...(sealedKey === undefined ? {} : { sealedKey }),
    ...(borrowed === undefined ? {} : { credentialId: borrowed }),
  };
}

/**
 * Saves a new provider. Repeating it with the same request has no effect.
 * @param request the same for every try of one request; absent: the request is not repeated
 * @throws BadRequest for settings or an address that cannot be used; Conflict for too many
 */
export async function createProvider<K extends ProviderKind>(
  org: Organization,
  kind: K,
  wish: K extends "llm" ? LlmProviderWish : OcrProviderWish,
  request?: string,
): Promise<RecordOf<K>> {
  const made = await findMade(org, kind, request);
  if (made !== undefined) return made;
  if ((await listProviders(org, kind)).length >= MAX_PROVIDERS) {
    throw new Conflict(`Your organization has ${MAX_PROVIDERS} providers of this kind, the most; delete one first`);
  }
  const id = await nextId(org, "provider");
  const settings = await settingsFor(org, kind, id, wish);
  const now = nowIso(org);
  const record = { v: 1, id, ...settings, createdAt: now, updatedAt: now } as RecordOf<K>;
  const operations: OrgOperation[] = [
    { kind: "put", key: providerKey(kind, id), value: record, condition: { ifAbsent: true } },
  ];
  if (request !== undefined) {
    const expiresAt = Math.floor(org.engines.clock.now() / 1000) + REQUEST_SECONDS;
    const key = providerRequestKey(request);
    operations.push({ kind: "put", key, value: { v: 1, id }, expiresAt, condition: { ifAbsent: true } });
  }
  try {
    await org.records.transact(operations);
  } catch (error) {
    // Another try of the same request was first.
    const first = error instanceof ConditionFailed ? await findMade(org, kind, request) : undefined;
    if (first === undefined) throw error;
    return first;
  }
  org.observer.log("info", "provider saved", { organization: org.id, kind, provider: id });
  return record;
}

/** The provider that an earlier try of a request made. */
async function findMade<K extends ProviderKind>(
  org: Organization,
  kind: K,
  request: string | undefined,
): Promise<RecordOf<K> | undefined> {
  if (request === undefined) return undefined;
  const id = (await org.records.get(providerRequestKey(request)))?.value.id;
  return typeof id === "number" ? (await findProvider(org, kind, id))?.value : undefined;
}

/**
 * Changes a provider; members that are absent stay.
 * @throws NotFound; BadRequest; ConcurrentModification when another changed it meanwhile, or since `updatedAt`
 */
export async function updateProvider<K extends ProviderKind>(
  org: Organization,
  kind: K,
  id: number,
  wish: K extends "llm" ? LlmProviderWish : OcrProviderWish,
): Promise<RecordOf<K>> {
  const { value: before, version, key } = await loadProvider(org, kind, id);
  const name = `${KIND_NAMES[kind]} ${id}`;
  if (wish.updatedAt !== undefined && wish.updatedAt !== before.updatedAt) throw new ConcurrentModification(name);
  const settings = await settingsFor(org, kind, id, wish, before);
  const updatedAt = laterThan(nowIso(org), before.updatedAt);
  const record = { v: 1, id, ...settings, createdAt: before.createdAt, updatedAt } as RecordOf<K>;
  try {
    await org.records.put(key, record, { condition: { ifVersion: version } });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new ConcurrentModification(name);
  }
  org.observer.log("info", "provider saved", { organization: org.id, kind, provider: id });
  return record;
}

/** The bindings without a provider. */
function withoutProvider(bindings: BindingsRecord, kind: ProviderKind, id: number): BindingsRecord {
  const rest = Object.entries(bindings[kind] ?? {}).filter(([, bound]) => bound !== id);
  return { ...bindings, [kind]: Object.fromEntries(rest) };
}

/**
 * Deletes a provider: its secret is gone and its keys stand for the service's own again. The rest of its record stays.
 * @throws NotFound; ConcurrentModification
 */
export async function deleteProvider<K extends ProviderKind>(
  org: Organization,
  kind: K,
  id: number,
): Promise<RecordOf<K>> {
  const { value, version, key } = await loadProvider(org, kind, id);
  const { sealedKey: _, ...rest } = value;
  const updatedAt = laterThan(nowIso(org), value.updatedAt);
  const record = { ...rest, status: "DELETED", updatedAt } as unknown as RecordOf<K>;
  const bindings = await org.records.get<BindingsRecord>(BINDINGS_KEY);
  const unbind =
    bindings === undefined
      ? ({ kind: "check", key: BINDINGS_KEY, condition: { ifAbsent: true } } as const)
      : ({
          kind: "put",
          key: BINDINGS_KEY,
          value: withoutProvider(bindings.value, kind, id),
          condition: { ifVersion: bindings.version },
        } as const);
  try {
    await org.records.transact([{ kind: "put", key, value: record, condition: { ifVersion: version } }, unbind]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new ConcurrentModification(`${KIND_NAMES[kind]} ${id}`);
  }
  org.observer.log("info", "provider deleted", { organization: org.id, kind, provider: id });
  return record;
}
