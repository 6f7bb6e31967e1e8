/**
 * Saved configurations: commands that an organization keeps under names. Partition `configurations`: a small entry each,
 * for the list; `configuration-commands`: what each says. Both are written in one transaction, so that a reader sees a
 * command whole, and as one call saved it.
 */
import { ConditionFailed, Conflict, NotFound, PayloadTooLarge } from "../../ports/errors.ts";
import type { RecordValue } from "../../ports/records.ts";
import { nextId } from "../organizations/id-sequence.ts";
import type { Organization } from "../organizations/organization.ts";
import { nowIso } from "../runs/job-store.ts";

/**
 * Clients put names into paths as they are, where a slash, a question mark, a number sign and a percent sign mean
 * something, and dots alone are taken out; blanks at the ends get lost on the way.
 */
export const NAME_PATTERN = /^(?!\.{1,2}$)(?! )[^/\\?#%]{1,128}(?<! )$/u;
export const isConfigurationName = (name: string): boolean => NAME_PATTERN.test(name) && !/\p{Cc}/u.test(name);

/** Bytes of JSON; a record of DynamoDB has 400 KB. */
export const MOST_COMMAND_BYTES = 350_000;
/** Few enough for one page of a query. Saves at the same time may pass it by some. */
export const MOST_CONFIGURATIONS = 500;
const PAGE = 1000;
const TRIES = 8;

export interface ConfigurationEntry extends RecordValue {
  v: 1;
  id: number;
  name: string;
  createdAt: string;
  updatedAt: string;
}

/** As it was sent, but normalised. */
export type KeptCommand = Record<string, unknown>;

interface CommandRecord extends RecordValue {
  v: 1;
  command: KeptCommand;
}

const PARTITION = "configurations";
const entryKey = (name: string) => ({ partition: PARTITION, sort: name });
const commandKey = (name: string) => ({ partition: "configuration-commands", sort: name });

/** Where a configuration stands in the store. */
export const storagePathOf = ({ name }: ConfigurationEntry): string => {
  const { partition, sort } = commandKey(name);
  return `${partition}/${sort}`;
};

const missing = (name: string) => new NotFound(`There is no configuration ${JSON.stringify(name.slice(0, 128))}`);

/** By name. */
export async function listConfigurations(org: Organization): Promise<ConfigurationEntry[]> {
  const { items } = await org.records.query<ConfigurationEntry>({ partition: PARTITION, limit: PAGE });
  return items.map(({ value }) => value);
}

/** @throws NotFound */
export async function loadConfiguration(org: Organization, name: string): Promise<KeptCommand> {
  // What cannot be a name would be no key of the store either.
  const record = isConfigurationName(name) ? await org.records.get<CommandRecord>(commandKey(name)) : undefined;
  if (record === undefined) throw missing(name);
  return record.value.command;
}

/**
 * @param name one that can be a name
 * @param overwrite what has the name is replaced, and keeps its id
 * @throws Conflict when the name is taken, there are too many, or others write it at the same time; PayloadTooLarge
 */
export async function saveConfiguration(
  org: Organization,
  name: string,
  command: KeptCommand,
  { overwrite }: { overwrite: boolean },
): Promise<ConfigurationEntry> {
  if (Buffer.byteLength(JSON.stringify(command)) > MOST_COMMAND_BYTES) {
    throw new PayloadTooLarge(`A configuration holds at most ${MOST_COMMAND_BYTES.toLocaleString("en-US")} bytes`);
  }
  for (let tried = 0; tried < TRIES; tried += 1) {
    const known = await org.records.get<ConfigurationEntry>(entryKey(name));
    if (known !== undefined && !overwrite) throw new Conflict("Configuration name already exists");
    const entry = known === undefined ? await newEntry(org, name) : { ...known.value, updatedAt: nowIso(org) };
    const condition = known === undefined ? ({ ifAbsent: true } as const) : { ifVersion: known.version };
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
  throw new Conflict("The configuration was changed by others at the same time; look at it and try again");
}

async function newEntry(org: Organization, name: string): Promise<ConfigurationEntry> {
  if ((await listConfigurations(org)).length >= MOST_CONFIGURATIONS) {
    throw new Conflict(`An organization keeps at most ${MOST_CONFIGURATIONS} configurations; delete one first`);
  }
  const at = nowIso(org);
  return { v: 1, id: await nextId(org, "configuration"), name, createdAt: at, updatedAt: at };
}

/** @throws NotFound */
export async function removeConfiguration(org: Organization, name: string): Promise<void> {
  if (!isConfigurationName(name)) throw missing(name);
  try {
    await org.records.transact([
      { kind: "delete", key: entryKey(name), condition: { ifPresent: true } },
      { kind: "delete", key: commandKey(name) },
    ]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw missing(name);
  }
}
