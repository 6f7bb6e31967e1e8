/**
 * `sheaf admin create-org|create-key|list-keys|revoke-key`: organizations and their API keys. Each change is in the
 * audit of its organization, written in one transaction with it.
 */
import { type Command, InvalidArgumentError } from "commander";
import { EXIT_CODES, type Io, type Perform } from "../client/cli/io.ts";
import { systemClock } from "../functions/adapters/local/clock.ts";
import { Conflict, NotFound } from "../functions/ports/errors.ts";
import type { RecordOperation, Records } from "../functions/ports/records.ts";
import { auditOperation, commandFacts } from "../functions/service/audit/audit-records.ts";
import { type OrganizationKeys, organizationKeys } from "../functions/service/organizations/issued-keys.ts";
import { type KeyRecord, keyRecordKey, SCOPES, type Scope } from "../functions/service/organizations/key-records.ts";
import {
  addOrganization,
  isKnownOrganization,
  loadOrganizationIds,
} from "../functions/service/organizations/known-organizations.ts";
import { hashUnder } from "../functions/service/organizations/new-key.ts";
import { boundOperation, systemRecords } from "../functions/service/organizations/organization-records.ts";
import { parseOrganization, reportOutcome } from "./admin-io.ts";
import { type RecordsOptions, recordsCommand, serverKeyOf, withRecords } from "./admin-records.ts";
import { parseLimits } from "./limits.ts";

interface CreateOptions extends RecordsOptions {
  id?: number;
}

interface KeyOptions extends RecordsOptions {
  name?: string;
  scopes?: Scope[];
  expires?: string;
  replaces?: string;
  overlapHours?: number;
}

/** Most characters of a name, and most hours of an overlap, as POST /keys takes them. */
const MAX_NAME_CHARACTERS = 100;
const MAX_OVERLAP_HOURS = 720;

/** @throws InvalidArgumentError */
function parseScopes(value: string): Scope[] {
  const named = value.split(/[+,\s]+/).filter((scope) => scope !== "");
  const isScope = (scope: string): scope is Scope => (SCOPES as readonly string[]).includes(scope);
  if (named.length > 0 && named.every(isScope)) return named;
  throw new InvalidArgumentError(`They are some of ${SCOPES.join(", ")}, joined by commas.`);
}

/** @throws InvalidArgumentError */
function parseName(value: string): string {
  if (/^[^\p{Cc}]+$/u.test(value) && value.length <= MAX_NAME_CHARACTERS) return value;
  throw new InvalidArgumentError(`It has 1 to ${MAX_NAME_CHARACTERS} characters, on one line.`);
}

/** @throws InvalidArgumentError */
export function parseTime(value: string): string {
  const time = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  throw new InvalidArgumentError("It is a day or a time, such as 2027-12-31 or 2027-12-31T18:00:00Z.");
}

/** @throws InvalidArgumentError */
function parseHours(value: string): number {
  if (/^\d{1,3}$/.test(value) && Number(value) <= MAX_OVERLAP_HOURS) return Number(value);
  throw new InvalidArgumentError(`It is a number of hours from 0 to ${MAX_OVERLAP_HOURS}.`);
}

/** The operation that records a command in the audit of its organization. */
export function commandEntry(
  io: Io,
  organizationId: number,
  command: string,
  resource: string | null,
): RecordOperation {
  const clock = systemClock();
  const { auditDays } = parseLimits(io.env);
  const facts = commandFacts(command, resource);
  return boundOperation(organizationId, auditOperation(facts, { now: clock.now(), guid: clock.guid(), auditDays }));
}

export const unknownOrganization = (id: number): NotFound =>
  new NotFound(`There is no organization ${id}; make it by sheaf admin create-org --id ${id}`);

const keysOf = (records: Records, id: number, serverKey: () => Promise<Uint8Array>): OrganizationKeys =>
  organizationKeys(records, id, { clock: systemClock(), hash: hashUnder(serverKey) });

const noServerKey = (): Promise<never> => Promise.reject(new Error("This command makes no key"));

/** Takes the id, or the next one that is free. @throws Conflict for an id that is taken */
async function takeOrganization(records: Records, wish: number | undefined): Promise<number> {
  const system = systemRecords(records);
  for (;;) {
    const id = wish ?? ((await loadOrganizationIds(system)).at(-1) ?? 0) + 1;
    if (await addOrganization(system, id)) return id;
    if (wish !== undefined) throw new Conflict(`Organization ${wish} exists`);
  }
}

const createOrganization = (io: Io, options: CreateOptions): Promise<number> =>
  reportOutcome(io, () =>
    withRecords(io, options, async (records) => {
      const organizationId = await takeOrganization(records, options.id);
      await records.transact([commandEntry(io, organizationId, "create-org", String(organizationId))]);
      await io.stdout.write(`${JSON.stringify({ organizationId })}\n`);
      return EXIT_CODES.success;
    }),
  );

const createKey = (io: Io, id: number, options: KeyOptions): Promise<number> =>
  reportOutcome(io, () =>
    withRecords(io, options, async (records) => {
      if (!(await isKnownOrganization(systemRecords(records), id))) throw unknownOrganization(id);
      const { name, scopes, expires: expiresAt, replaces, overlapHours } = options;
      const wish = { name, scopes, expiresAt, replaces, overlapHours };
      const keys = keysOf(records, id, () => serverKeyOf(io, options));
      const made = await keys.issue(wish, undefined, {
        more: (keyId) => [commandEntry(io, id, "create-key", replaces === undefined ? keyId : `${replaces}/${keyId}`)],
      });
      await io.stdout.write(`${JSON.stringify({ organizationId: id, ...made })}\n`);
      io.stderr.write("The key is shown this once; keep it where only its user reads it.\n");
      return EXIT_CODES.success;
    }),
  );

const listKeys = (io: Io, id: number, options: RecordsOptions): Promise<number> =>
  reportOutcome(io, () =>
    withRecords(io, options, async (records) => {
      if (!(await isKnownOrganization(systemRecords(records), id))) throw unknownOrganization(id);
      const lines = (await keysOf(records, id, noServerKey).list()).map((key) => `${JSON.stringify(key)}\n`);
      await io.stdout.write(lines.join(""));
      return EXIT_CODES.success;
    }),
  );

const revokeKey = (io: Io, keyId: string, options: RecordsOptions & { last?: boolean }): Promise<number> =>
  reportOutcome(io, () =>
    withRecords(io, options, async (records) => {
      const stored = await systemRecords(records).get<KeyRecord>(keyRecordKey(keyId));
      if (stored === undefined) throw new NotFound(`No API key ${keyId}; sheaf admin list-keys ORG prints their ids`);
      const { organizationId } = stored.value;
      const last = options.last === true;
      await keysOf(records, organizationId, noServerKey).revoke(keyId, {
        last,
        more: () => [commandEntry(io, organizationId, "revoke-key", keyId)],
      });
      return `Revoked key ${keyId} of organization ${organizationId}; the service refuses it within a second`;
    }),
  );

/** Adds the commands to `sheaf admin`. */
export function defineKeys(admin: Command, perform: Perform): void {
  const command = (text: string, description: string): Command => recordsCommand(admin, text, description);
  const organization = (one: Command): Command => one.argument("<organization>", "its number", parseOrganization);
  command("create-org", "make an organization, and print its number")
    .option("--id <number>", "its number (default: the next one)", parseOrganization)
    .action((options: CreateOptions) => perform((io) => createOrganization(io, options)));
  organization(command("create-key", "make an API key of an organization, and print it this once"))
    .option("--name <text>", "tells the program or person that uses it", parseName)
    .option("--scopes <scopes>", `some of ${SCOPES.join(", ")}, joined by commas`, parseScopes)
    .option("--expires <time>", "the day or time from which it is refused", parseTime)
    .option("--replaces <key>", "the id of a key to rotate: name and scopes are its unless given")
    .option("--overlap-hours <hours>", "how long the replaced key goes on working (default: 24)", parseHours)
    .action((id: number, options: KeyOptions) => perform((io) => createKey(io, id, options)));
  organization(
    command("list-keys", "print an organization's API keys as JSON lines, without the keys themselves"),
  ).action((id: number, options: RecordsOptions) => perform((io) => listKeys(io, id, options)));
  command("revoke-key", "revoke an API key for good")
    .argument("<key>", "its id, as list-keys prints it")
    .option("--last", "also the organization's last key with the scope admin")
    .action((id: string, options: RecordsOptions & { last?: boolean }) => perform((io) => revokeKey(io, id, options)));
}
