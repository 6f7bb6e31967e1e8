/**
 * Entries of the job list, and the counters beside them. An entry is written, moved and removed in one transaction with
 * its job and its counter, so that the counters always are the numbers of entries.
 *
 * An earlier release kept entries in `jobs/{yyyy-mm}` by GUID, without counters. Those are carried over when their job
 * changes, and by each sweep (carryEntries).
 */
import { ConcurrentModification, ConditionFailed } from "../../ports/errors.ts";
import { type TalliedJob, tallyPlace } from "../../ports/job-tally.ts";
import type { RecordKey, StoredRecord, WriteCondition } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/organization-records.ts";
import { type JobEntry, type JobRecord, monthOf } from "./job-records.ts";

/** Entries carried over in one transaction: with their counters they stay below the 100 operations of one. */
const CARRIED_ENTRIES = 25;
const MAX_REMOVAL_ATTEMPTS = 8;
/** Partition of the months that an earlier release kept entries of. */
const OLD_MONTHS = "jobs";

export const entryPartition = (month: string): string => `job-list/${month}`;
/** Key of a job's entry: entries are in the order in which the jobs were made. */
export const entryKey = ({ createdAt, guid }: Pick<JobEntry, "createdAt" | "guid">): RecordKey => ({
  partition: entryPartition(monthOf(createdAt)),
  sort: `${createdAt}/${guid}`,
});
const oldEntryKey = ({ createdAt, guid }: Pick<JobEntry, "createdAt" | "guid">): RecordKey => ({
  partition: `${OLD_MONTHS}/${monthOf(createdAt)}`,
  sort: guid,
});

const entryOf = ({ guid, status, createdAt, updatedAt }: JobEntry | JobRecord): JobEntry => ({
  v: 1,
  guid,
  status,
  createdAt,
  updatedAt,
});

/** Documents of batches and cases, and operations, have no entry: they belong to their parent. */
const isListed = (job: JobRecord): boolean =>
  job.batch === undefined && job.case === undefined && job.operation === undefined;

/** Additions to the counters: one operation a record, none where nothing changes. */
function tallyOperations(changes: readonly { job: TalliedJob; amount: number }[]): OrgOperation[] {
  const sums = new Map<string, { key: RecordKey; amounts: Record<string, number> }>();
  for (const { job, amount } of changes) {
    const { key, member } = tallyPlace(job);
    const name = `${key.partition}/${key.sort}`;
    const sum = sums.get(name) ?? { key, amounts: {} };
    sum.amounts[member] = (sum.amounts[member] ?? 0) + amount;
    sums.set(name, sum);
  }
  return [...sums.values()].flatMap(({ key, amounts }) => {
    const changed = Object.entries(amounts).filter(([, amount]) => amount !== 0);
    return changed.length === 0 ? [] : [{ kind: "add", key, amounts: Object.fromEntries(changed) }];
  });
}

/** Operations that list a new job. */
export const newEntryOperations = (job: JobRecord): OrgOperation[] =>
  isListed(job)
    ? [{ kind: "put", key: entryKey(job), value: entryOf(job) }, ...tallyOperations([{ job, amount: 1 }])]
    : [];

const versionCondition = (stored: StoredRecord | undefined): WriteCondition =>
  stored === undefined ? { ifAbsent: true } : { ifVersion: stored.version };

/** Operations that carry an entry of an earlier release over. @param entry undefined: the job leaves the list */
async function carryOperations(
  org: Organization,
  job: Pick<JobEntry, "guid" | "createdAt">,
  entry: JobEntry | undefined,
): Promise<{ operations: OrgOperation[]; changes: { job: TalliedJob; amount: number }[] }> {
  const [old, counted] = await Promise.all([
    org.records.get<JobEntry>(oldEntryKey(job)),
    org.records.get<JobEntry>(entryKey(job)),
  ]);
  const condition = versionCondition(counted);
  const operations: OrgOperation[] = [];
  const changes: { job: TalliedJob; amount: number }[] = [];
  if (old !== undefined) operations.push({ kind: "delete", key: old.key, condition: { ifVersion: old.version } });
  if (counted !== undefined) changes.push({ job: counted.value, amount: -1 });
  if (entry !== undefined) {
    operations.push({ kind: "put", key: entryKey(entry), value: entry, condition });
    changes.push({ job: entry, amount: 1 });
  } else if (counted !== undefined) operations.push({ kind: "delete", key: counted.key, condition });
  return { operations, changes };
}

/**
 * The entry of a job that changes, and its counters; for a job being deleted, their removal.
 * @returns the job as it is written, and operations whose failed condition means that others changed the entry
 */
export async function entryChange(
  org: Organization,
  before: JobRecord,
  after: JobRecord,
): Promise<{ job: JobRecord; operations: OrgOperation[] }> {
  if (!isListed(after)) return { job: after, operations: [] };
  const entry = after.deleted ? undefined : entryOf(after);
  if (before.tallied !== true) {
    const { operations, changes } = await carryOperations(org, before, entry);
    return { job: { ...after, tallied: true }, operations: [...operations, ...tallyOperations(changes)] };
  }
  const counted = [{ job: before, amount: -1 }, ...(entry === undefined ? [] : [{ job: entry, amount: 1 }])];
  const write: OrgOperation =
    entry === undefined
      ? { kind: "delete", key: entryKey(before) }
      : { kind: "put", key: entryKey(entry), value: entry };
  return { job: after, operations: [write, ...tallyOperations(counted)] };
}

/** Removes the entry of a job whose deletion an earlier release began; safe to repeat, also concurrently. */
export async function removeEntry(org: Organization, job: JobRecord): Promise<void> {
  if (job.tallied === true || !isListed(job)) return;
  for (let attempt = 0; attempt < MAX_REMOVAL_ATTEMPTS; attempt++) {
    const { operations, changes } = await carryOperations(org, job, undefined);
    if (operations.length === 0) return;
    try {
      return await org.records.transact([...operations, ...tallyOperations(changes)]);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
  throw new ConcurrentModification("the list of jobs");
}

/** True while there are entries of an earlier release, which have no counters. */
export async function hasOldEntries(org: Organization): Promise<boolean> {
  return (await org.records.query({ partition: OLD_MONTHS, limit: 1 })).items.length > 0;
}

/** Partitions of entries of an earlier release. */
export async function oldEntryPartitions(org: Organization): Promise<string[]> {
  const { items } = await org.records.query({ partition: OLD_MONTHS, limit: 1000 });
  return items.map(({ key }) => `${OLD_MONTHS}/${key.sort}`);
}

/**
 * Carries entries of an earlier release over; safe to repeat, also concurrently.
 * @param until milliseconds since 1970; the next call continues there @returns the number carried over
 */
export async function carryEntries(org: Organization, until: number): Promise<number> {
  let carried = 0;
  for (const partition of await oldEntryPartitions(org)) {
    for (;;) {
      if (org.engines.clock.now() >= until) return carried;
      const { items } = await org.records.query<JobEntry>({ partition, limit: CARRIED_ENTRIES });
      if (items.length === 0) break;
      const parts = await Promise.all(items.map(({ value }) => carryOperations(org, value, entryOf(value))));
      const changes = parts.flatMap((part) => part.changes);
      try {
        await org.records.transact([...parts.flatMap(({ operations }) => operations), ...tallyOperations(changes)]);
        carried += items.length;
      } catch (error) {
        // Their jobs changed meanwhile, which has carried them over.
        if (!(error instanceof ConditionFailed)) throw error;
      }
    }
    await org.records.delete({ partition: OLD_MONTHS, sort: partition.slice(OLD_MONTHS.length + 1) });
  }
  return carried;
}
