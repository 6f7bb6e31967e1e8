/**
 * Saved configurations: named commands of an organization. Every save is a revision that never changes; the entry, the
 * newest command and the revision are written in one transaction, so that they always match.
 */
import { ConcurrentModification, ConditionFailed, Conflict, PayloadTooLarge } from "../../ports/errors.ts";
import type { StoredRecord } from "../../ports/records.ts";
import { nextId } from "../organizations/id-sequence.ts";
import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/organization-records.ts";
import { type ConfigurationUse, readPin } from "../runs/configuration-use.ts";
import { nowIso } from "../runs/job-store.ts";
import {
  CONFIGURATIONS_PARTITION,
  type CommandRecord,
  type ConfigurationEntry,
  type ConfigurationRevision,
  commandKey,
  entryKey,
  isKeptName,
  numberOf,
  revisionCommandKey,
  revisionKey,
  type StoredCommand,
  unknownConfiguration,
  unknownRevision,
} from "./configuration-records.ts";

/** Most bytes of a command's JSON; a DynamoDB item has at most 400 KB. */
export const MAX_COMMAND_BYTES = 350_000;
/** Most configurations: few enough for one page of a query. Concurrent saves may exceed it slightly. */
export const MAX_CONFIGURATIONS = 500;
/** Most revisions of a configuration: one page of a query lists them. */
export const MAX_REVISIONS = 500;
const PAGE_SIZE = 1000;
const MAX_WRITE_ATTEMPTS = 8;
/** Deletions in one transaction: a transaction of DynamoDB has at most 100 operations. */
const DELETIONS_AT_ONCE = 90;

/** Lists configurations by name. */
export async function listConfigurations(org: Organization): Promise<ConfigurationEntry[]> {
  const partition = CONFIGURATIONS_PARTITION;
  const { items } = await org.records.query<ConfigurationEntry>({ partition, limit: PAGE_SIZE });
  return items.map(({ value }) => value);
}

/** @throws NotFound */
async function findConfiguration(org: Organization, name: string): Promise<StoredRecord<ConfigurationEntry>> {
  // An invalid name would be an invalid key of the store.
  const entry = isKeptName(name) ? await org.records.get<ConfigurationEntry>(entryKey(name)) : undefined;
  if (entry === undefined) throw unknownConfiguration(name);
  return entry;
}

// A release that knew no passwords kept one like any member it did not know.
const withoutPassword = ({ password: _, ...command }: StoredCommand): StoredCommand => command;

async function loadNewest(org: Organization, name: string): Promise<CommandRecord> {
  const record = isKeptName(name) ? await org.records.get<CommandRecord>(commandKey(name)) : undefined;
  if (record === undefined) throw unknownConfiguration(name);
  return record.value;
}

/**
 * Loads a configuration's newest command, or that of a revision.
 * @throws NotFound for an unknown configuration or revision
 */
export async function loadConfiguration(org: Organization, name: string, revision?: number): Promise<StoredCommand> {
  if (revision === undefined) return withoutPassword((await loadNewest(org, name)).command);
  const entry = (await findConfiguration(org, name)).value;
  const isUnnumbered = entry.revision === undefined && revision === numberOf(entry);
  const key = isUnnumbered ? commandKey(name) : revisionCommandKey(entry.id, revision);
  const record = await org.records.get<CommandRecord>(key);
  if (record === undefined) throw unknownRevision(name, revision, numberOf(entry));
  return withoutPassword(record.value.command);
}

/**
 * Loads what a command names: a configuration's newest revision (`invoices`), or a pinned one (`invoices@7`).
 * @throws NotFound for an unknown configuration or revision
 */
export async function resolveConfiguration(
  org: Organization,
  reference: string,
): Promise<{ command: StoredCommand; use: ConfigurationUse }> {
  const pin = readPin(reference);
  if (pin !== undefined && !(await isOldName(org, reference))) {
    return { command: await loadConfiguration(org, pin.name, pin.revision), use: pin };
  }
  const newest = await loadNewest(org, reference);
  return { command: withoutPassword(newest.command), use: { name: reference, revision: numberOf(newest) } };
}

/** An earlier release took names that look like a pinned revision. */
const isOldName = async (org: Organization, name: string): Promise<boolean> =>
  isKeptName(name) && (await org.records.get(entryKey(name))) !== undefined;

/** Call it first with a command as sent: reading a command of very many members costs more. @throws PayloadTooLarge */
export function checkCommandSize(command: StoredCommand): void {
  if (Buffer.byteLength(JSON.stringify(command)) > MAX_COMMAND_BYTES) {
    throw new PayloadTooLarge(`A configuration holds at most ${MAX_COMMAND_BYTES.toLocaleString("en-US")} bytes`);
  }
}

/** How a command is saved. */
export interface SaveOptions {
  /** Id of the API key that saves it. */
  savedBy: string;
  /** Whether a configuration of that name may exist: `new` must not, `existing` must. */
  as: "new" | "any" | "existing";
}

/**
 * Saves a command as a configuration's next revision; its first one makes the configuration.
 * @param name a valid name
 * @throws Conflict when the name is taken, there are too many, or after concurrent writes; NotFound; PayloadTooLarge
 */
export async function saveConfiguration(
  org: Organization,
  name: string,
  command: StoredCommand,
  { savedBy, as }: SaveOptions,
): Promise<ConfigurationEntry> {
  checkCommandSize(command);
  for (let attempt = 0; attempt < MAX_WRITE_ATTEMPTS; attempt += 1) {
    const existing = await org.records.get<ConfigurationEntry>(entryKey(name));
    if (existing !== undefined && as === "new") throw new Conflict("Configuration name already exists");
    if (existing === undefined && as === "existing") throw unknownConfiguration(name);
    const entry = existing === undefined ? await newEntry(org, name) : nextEntry(org, existing.value);
    const { id, revision, updatedAt: createdAt } = entry;
    const save = { v: 1 as const, revision, createdAt, savedBy } satisfies ConfigurationRevision;
    const record = { v: 1 as const, command, revision } satisfies CommandRecord;
    const condition = existing === undefined ? ({ ifAbsent: true } as const) : { ifVersion: existing.version };
    try {
      await org.records.transact([
        { kind: "put", key: entryKey(name), value: entry, condition },
        { kind: "put", key: commandKey(name), value: record },
        { kind: "put", key: revisionKey(id, revision), value: save },
        { kind: "put", key: revisionCommandKey(id, revision), value: record },
        ...(await firstRevision(org, existing?.value)),
      ]);
      return entry;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
  throw new ConcurrentModification("the configuration");
}

type NumberedEntry = ConfigurationEntry & { revision: number };

async function newEntry(org: Organization, name: string): Promise<NumberedEntry> {
  if ((await listConfigurations(org)).length >= MAX_CONFIGURATIONS) {
    throw new Conflict(`An organization keeps at most ${MAX_CONFIGURATIONS} configurations; delete one first`);
  }
  const at = nowIso(org);
  return { v: 1, id: await nextId(org, "configuration"), name, createdAt: at, updatedAt: at, revision: 1 };
}

function nextEntry(org: Organization, entry: ConfigurationEntry): NumberedEntry {
  const revision = numberOf(entry) + 1;
  if (revision > MAX_REVISIONS) {
    throw new Conflict(`A configuration has at most ${MAX_REVISIONS} revisions; save the command under another name`);
  }
  return { ...entry, updatedAt: nowIso(org), revision };
}

/** Writes the revision of the one command that an earlier release kept, before a save puts another in its place. */
async function firstRevision(org: Organization, entry: ConfigurationEntry | undefined): Promise<OrgOperation[]> {
  if (entry === undefined || entry.revision !== undefined) return [];
  const { command } = await loadNewest(org, entry.name);
  const record = { v: 1 as const, command: withoutPassword(command), revision: 1 } satisfies CommandRecord;
  return [
    { kind: "put", key: revisionKey(entry.id, 1), value: revisionOfUnnumbered(entry) },
    { kind: "put", key: revisionCommandKey(entry.id, 1), value: record },
  ];
}

const revisionOfUnnumbered = ({ updatedAt }: ConfigurationEntry): ConfigurationRevision => ({
  v: 1,
  revision: 1,
  createdAt: updatedAt,
  savedBy: null,
});

/** Lists a configuration's revisions, newest first. @throws NotFound */
export async function listRevisions(org: Organization, name: string): Promise<ConfigurationRevision[]> {
  const entry = (await findConfiguration(org, name)).value;
  if (entry.revision === undefined) return [revisionOfUnnumbered(entry)];
  const { partition } = revisionKey(entry.id, entry.revision);
  const { items } = await org.records.query<ConfigurationRevision>({ partition, limit: PAGE_SIZE, descending: true });
  return items.map(({ value }) => value);
}

/**
 * Saves the command of a revision again, as the newest one.
 * @throws NotFound for an unknown configuration or revision; Conflict
 */
export async function restoreRevision(
  org: Organization,
  { name, revision }: ConfigurationUse,
  savedBy: string,
): Promise<ConfigurationRevision> {
  const command = await loadConfiguration(org, name, revision);
  const entry = await saveConfiguration(org, name, command, { savedBy, as: "existing" });
  return { v: 1, revision: numberOf(entry), createdAt: entry.updatedAt, savedBy };
}

/** Deletes a configuration with its revisions: the oldest first, and the name with the newest. @throws NotFound */
export async function removeConfiguration(org: Organization, name: string): Promise<void> {
  for (let attempt = 0; attempt < MAX_WRITE_ATTEMPTS; attempt += 1) {
    const found = await findConfiguration(org, name);
    const deletions = (await listRevisions(org, name)).reverse().flatMap(({ revision }): OrgOperation[] => [
      { kind: "delete", key: revisionKey(found.value.id, revision) },
      { kind: "delete", key: revisionCommandKey(found.value.id, revision) },
    ]);
    while (deletions.length > DELETIONS_AT_ONCE) await org.records.transact(deletions.splice(0, DELETIONS_AT_ONCE));
    try {
      await org.records.transact([
        // A revision that was saved meanwhile has changed the entry, and is deleted by the next attempt.
        { kind: "delete", key: entryKey(name), condition: { ifVersion: found.version } },
        { kind: "delete", key: commandKey(name) },
        ...deletions,
      ]);
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
  throw new ConcurrentModification("the configuration");
}
