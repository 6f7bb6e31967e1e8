/**
 * Records of saved configurations. Partition `configurations`: a small entry each, for the list;
 * `configuration-commands`: the newest command of each, which most runs use. `configuration-revisions/{id}` has an entry
 * for each save, and `configuration-revision-commands/{id}` its command. The id, not the name, is in these partitions,
 * because a configuration that is deleted and saved again has another one.
 */
import { NotFound } from "../../ports/errors.ts";
import type { RecordKey, RecordValue } from "../../ports/records.ts";
import { PINNED } from "../runs/configuration-use.ts";

/**
 * Pattern of names. Clients put names into paths unescaped, where slash, question mark, number sign and percent sign
 * have a meaning, "." and ".." are removed, and blanks at the ends get lost.
 */
const KEPT_NAME = /^(?!\.{1,2}$)(?! )[^/\\?#%]{1,128}(?<! )$/u;
/** Pattern of new names, which do not look like a pinned revision. */
export const NAME_PATTERN = new RegExp(`^(?!.*${PINNED.source})${KEPT_NAME.source.slice(1)}`, "u");

const hasControlCharacter = (name: string): boolean => /\p{Cc}/u.test(name);
/** A name that a stored configuration may have: an earlier release took names that look like a pinned revision. */
export const isKeptName = (name: string): boolean => KEPT_NAME.test(name) && !hasControlCharacter(name);
export const isConfigurationName = (name: string): boolean => NAME_PATTERN.test(name) && !hasControlCharacter(name);

/** A command as sent, normalised. */
export type StoredCommand = Record<string, unknown>;

export interface ConfigurationEntry extends RecordValue {
  v: 1;
  id: number;
  name: string;
  createdAt: string;
  updatedAt: string;
  /** Number of the newest revision, from 1. Absent: saved by an earlier release, which kept one command. */
  revision?: number;
}

/** The number of a revision; an earlier release kept one command, without a number. */
export const numberOf = ({ revision }: { revision?: number }): number => revision ?? 1;

/** A save, which never changes. */
export interface ConfigurationRevision extends RecordValue {
  v: 1;
  revision: number;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** Id of the API key; null: saved by an earlier release. */
  savedBy: string | null;
}

export interface CommandRecord extends RecordValue {
  v: 1;
  command: StoredCommand;
  /** Absent: saved by an earlier release. */
  revision?: number;
}

const REVISION_DIGITS = 9;
const ofRevision = (partition: string, id: number, revision: number): RecordKey => ({
  partition: `${partition}/${id}`,
  sort: String(revision).padStart(REVISION_DIGITS, "0"),
});

export const CONFIGURATIONS_PARTITION = "configurations";
export const entryKey = (name: string): RecordKey => ({ partition: CONFIGURATIONS_PARTITION, sort: name });
export const commandKey = (name: string): RecordKey => ({ partition: "configuration-commands", sort: name });
export const revisionKey = (id: number, revision: number): RecordKey =>
  ofRevision("configuration-revisions", id, revision);
export const revisionCommandKey = (id: number, revision: number): RecordKey =>
  ofRevision("configuration-revision-commands", id, revision);

/** Path of a configuration in the store. */
export const storagePathOf = ({ name }: ConfigurationEntry): string => {
  const { partition, sort } = commandKey(name);
  return `${partition}/${sort}`;
};

const shown = (name: string): string => JSON.stringify(name.slice(0, 128));

export const unknownConfiguration = (name: string): NotFound =>
  new NotFound(`There is no configuration ${shown(name)}`);
export const unknownRevision = (name: string, revision: number, newest: number): NotFound =>
  new NotFound(`Configuration ${shown(name)} has no revision ${revision}; its newest is ${newest}`);
