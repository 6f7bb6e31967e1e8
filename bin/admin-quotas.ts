/** `sheaf admin quota|set-quota|audit`: what an organization may send and store, and what was changed. */
import { type Command, InvalidArgumentError } from "commander";
import { EXIT_CODES, type Io, type Perform } from "../client/cli/io.ts";
import { systemClock } from "../functions/adapters/local/clock.ts";
import type { Records } from "../functions/ports/records.ts";
import { listEntries } from "../functions/service/audit/audit-log.ts";
import { isKnownOrganization } from "../functions/service/organizations/known-organizations.ts";
import {
  boundOperation,
  organizationRecords,
  systemRecords,
} from "../functions/service/organizations/organization-records.ts";
import {
  MAX_DOCUMENT_QUOTA,
  MAX_STORAGE_QUOTA,
  QUOTAS_KEY,
  type QuotaRecord,
  storedFilesOf,
} from "../functions/service/organizations/stored-files.ts";
import { parseOrganization, reportOutcome } from "./admin-io.ts";
import { commandEntry, parseTime, unknownOrganization } from "./admin-keys.ts";
import { type RecordsOptions, recordsCommand, withRecords } from "./admin-records.ts";
import { ConfigError } from "./api-keys.ts";
import { parseLimits } from "./limits.ts";

type Quota = number | "none";

interface QuotaOptions extends RecordsOptions {
  documents?: Quota;
  storage?: Quota;
}

interface AuditOptions extends RecordsOptions {
  from?: string;
  to?: string;
}

/** Entries that are read at once. */
const PAGE_ENTRIES = 900;

/** @throws InvalidArgumentError */
const parseQuota =
  (most: number) =>
  (value: string): Quota => {
    if (value === "none") return value;
    if (/^\d{1,16}$/.test(value) && Number(value) <= most) return Number(value);
    throw new InvalidArgumentError(`It is a whole number from 0 to ${most}, or none.`);
  };

/** The quota as stored: null for none. */
const quotaAfter = (before: number | null, wish: Quota | undefined): number | null =>
  wish === undefined ? before : wish === "none" ? null : wish;

/** @throws NotFound for an unknown organization */
const withOrganization = (
  io: Io,
  id: number,
  options: RecordsOptions,
  work: (records: Records) => Promise<void>,
): Promise<number> =>
  reportOutcome(io, () =>
    withRecords(io, options, async (records) => {
      if (!(await isKnownOrganization(systemRecords(records), id))) throw unknownOrganization(id);
      await work(records);
      return EXIT_CODES.success;
    }),
  );

const filesOf = (records: Records, id: number) => storedFilesOf(organizationRecords(records, id), systemClock());

async function printQuotas(io: Io, records: Records, id: number): Promise<void> {
  const files = filesOf(records, id);
  const [quotas, use] = await Promise.all([files.quotas(), files.use()]);
  await io.stdout.write(`${JSON.stringify({ organizationId: id, ...quotas, ...use })}\n`);
}

const showQuotas = (io: Io, id: number, options: RecordsOptions): Promise<number> =>
  withOrganization(io, id, options, (records) => printQuotas(io, records, id));

const setQuotas = (io: Io, id: number, options: QuotaOptions): Promise<number> =>
  withOrganization(io, id, options, async (records) => {
    const { documents, storage } = options;
    if (documents === undefined && storage === undefined) {
      throw new ConfigError("Name a quota to set: --documents, --storage or both");
    }
    const before = await filesOf(records, id).quotas();
    const value: QuotaRecord = {
      v: 1,
      documentsPerDay: quotaAfter(before.documentsPerDay, documents),
      storageBytes: quotaAfter(before.storageBytes, storage),
    };
    await records.transact([
      boundOperation(id, { kind: "put", key: QUOTAS_KEY, value }),
      commandEntry(io, id, "set-quota", String(id)),
    ]);
    await printQuotas(io, records, id);
  });

const printAudit = (io: Io, id: number, { from, to, ...options }: AuditOptions): Promise<number> =>
  withOrganization(io, id, options, async (records) => {
    const audited = {
      records: organizationRecords(records, id),
      clock: systemClock(),
      auditDays: parseLimits(io.env).auditDays,
    };
    let cursor: string | undefined;
    do {
      const page = await listEntries(audited, { from, to, cursor, limit: PAGE_ENTRIES });
      await io.stdout.write(page.entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  });

/** Adds the commands to `sheaf admin`. */
export function defineQuotas(admin: Command, perform: Perform): void {
  const command = (text: string, description: string): Command =>
    recordsCommand(admin, text, description).argument("<organization>", "its number", parseOrganization);
  command("quota", "print an organization's quotas, and what is used of them").action(
    (id: number, options: RecordsOptions) => perform((io) => showQuotas(io, id, options)),
  );
  command("set-quota", "set what an organization may send and store; the service holds it at once")
    .option("--documents <number>", "documents a day (UTC), or none", parseQuota(MAX_DOCUMENT_QUOTA))
    .option("--storage <bytes>", "bytes of all documents that are kept, or none", parseQuota(MAX_STORAGE_QUOTA))
    .action((id: number, options: QuotaOptions) => perform((io) => setQuotas(io, id, options)));
  command("audit", "print an organization's audit as JSON lines, newest first")
    .option("--from <time>", "entries from this day or time on", parseTime)
    .option("--to <time>", "entries up to this time", parseTime)
    .action((id: number, options: AuditOptions) => perform((io) => printAudit(io, id, options)));
}
