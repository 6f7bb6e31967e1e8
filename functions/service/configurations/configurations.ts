/**
 * Saved configurations: named commands of an organization. Partition `configurations`: a small entry each, for the
 * list; `configuration-commands`: the commands. Both are written in one transaction, so that they always match.
 */
import { ConcurrentModification, ConditionFailed, Conflict, NotFound, PayloadTooLarge } from "../../ports/errors.ts";
import type { RecordValue } from "../../ports/records.ts";
import { nextId } from "../organizations/id-sequence.ts";
import type { Organization } from "../organizations/organization.ts";
import { nowIso } from "../runs/job-store.ts";

/**
 * Pattern of names. Clients put names into paths unescaped, where slash, question mark, number sign and percent sign
 * have a meaning, "." and ".." are removed, and blanks at the ends get lost.
 */
export const NAME_PATTERN = /^(?!\.{1,2}$)(?! )[^/\\?#%]{1,128}(?<! )$/u;
export const isConfigurationName = (name: string): boolean => NAME_PATTERN.test(name) && !/\p{Cc}/u.test(name);

/** Most bytes of a command's JSON; a DynamoDB item has at most 400 KB. */
export const MAX_COMMAND_BYTES = 350_000;
/** Most configurations: few enough for one page of a query. Concurrent saves may exceed it slightly. */
export const MAX_CONFIGURATIONS = 500;
const PAGE_SIZE = 1000;
const MAX_WRITE_ATTEMPTS = 8;

export interface ConfigurationEntry extends RecordValue {
  v: 1;
  id: number;
  name: string;
  createdAt: string;
  updatedAt: string;
}

/** A command as sent, normalised. */
export type StoredCommand = Record<string, unknown>;

interface CommandRecord extends RecordValue {
  v: 1;
  command: StoredCommand;
}

const PARTITION = "configurations";
const entryKey = (name: string) => ({ partition: PARTITION, sort: name });
const commandKey = (name: string) => ({ partition: "configuration-commands", sort: name });

/** Path of a configuration in the store. */
export const storagePathOf = ({ name }: ConfigurationEntry): string => {
  const { partition, sort } = commandKey(name);
  return `${partition}/${sort}`;
};

const unknownConfiguration = (name: string) =>
  new NotFound(`There is no configuration ${JSON.stringify(name.slice(0, 128))}`);

/** Lists configurations by name. */
export async function listConfigurations(org: Organization): Promise<ConfigurationEntry[]> {
  const { items } = await org.records.query<ConfigurationEntry>({ partition: PARTITION, limit: PAGE_SIZE });
  return items.map(({ value }) => value);
}

/** @throws NotFound */
export async function loadConfiguration(org: Organization, name: string): Promise<StoredCommand> {
  // An invalid name would be an invalid key of the store.
  const record = isConfigurationName(name) ? await org.records.get<CommandRecord>(commandKey(name)) : undefined;
  if (record === undefined) throw unknownConfiguration(name);
  // A release that knew no passwords kept one like any member it did not know.
  const { password: _, ...command } = record.value.command;
  return command;
}

/** Call it first with a command as sent: reading a command of very many members costs more. @throws PayloadTooLarge */
export function checkCommandSize(command: StoredCommand): void {
  if (Buffer.byteLength(JSON.stringify(command)) > MAX_COMMAND_BYTES) {
    throw new PayloadTooLarge(`A configuration holds at most ${MAX_COMMAND_BYTES.toLocaleString("en-US")} bytes`);
  }
}

/**
 * Saves a configuration.
 * @param name a valid name
 * @param overwrite replace an existing configuration of that name, which keeps its id
 * @throws Conflict when the name is taken, there are too many, or after concurrent writes; PayloadTooLarge
 */
export async function saveConfiguration(
  org: Organization,
  name: string,
  command: StoredCommand,
  { overwrite }: { overwrite: boolean },
): Promise<ConfigurationEntry> {
  checkCommandSize(command);
  for (let attempt = 0; attempt < MAX_WRITE_ATTEMPTS; attempt += 1) {
    const existing = await org.records.get<ConfigurationEntry>(entryKey(name));
    if (existing !== undefined && !overwrite) throw new Conflict("Configuration name already exists");
    const entry = existing === undefined ? await newEntry(org, name) : { ...existing.value, updatedAt: nowIso(org) };
    const condition = existing === undefined ? ({ ifAbsent: true } as const) : { ifVersion: existing.version };
    try {
      await org.records.transact([
        { kind: "put", key: entryKey(name), value: entry, condition },
        { kind: "put", key: commandKey(name), value: { v: 1, command } satisfies CommandRecord },
      ]);
      return entry;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
  throw new ConcurrentModification("the configuration");
}

async function newEntry(org: Organization, name: string): Promise<ConfigurationEntry> {
  if ((await listConfigurations(org)).length >= MAX_CONFIGURATIONS) {
    throw new Conflict(`An organization keeps at most ${MAX_CONFIGURATIONS} configurations; delete one first`);
  }
  const at = nowIso(org);
  return { v: 1, id: await nextId(org, "configuration"), name, createdAt: at, updatedAt: at };
}

/** @throws NotFound */
export async function removeConfiguration(org: Organization, name: string): Promise<void> {
  if (!isConfigurationName(name)) throw unknownConfiguration(name);
  try {
    await org.records.transact([
      { kind: "delete", key: entryKey(name), condition: { ifPresent: true } },
      { kind: "delete", key: commandKey(name) },
    ]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw unknownConfiguration(name);
  }
}
