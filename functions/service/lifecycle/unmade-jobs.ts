/**
 * Documents of jobs that were never made: a crash came between counting or storing the document and making its job, and
 * its caller sent it no more. A day later they are deleted, and what they take of the quota is given back. The names of
 * documents begin with the time of their job's GUID, so that each is looked at once.
 */
import { queryAll, type RecordValue } from "../../ports/records.ts";
import { loadOrganizationIds } from "../organizations/known-organizations.ts";
import { bindOrganization, type Organization, type Platform } from "../organizations/organization.ts";
import type { SystemRecords } from "../organizations/organization-records.ts";
import { FILES_PARTITION } from "../organizations/stored-files.ts";
import { deleteFiles } from "../runs/erase-job-data.ts";
import { filesOf, jobKey } from "../runs/job-records.ts";

const HOUR_MS = 3_600_000;
/** A request with an idempotency key makes the same job within this time. */
const MAX_TRY_MS = 25 * HOUR_MS;
/** Pause between two passes over all organizations. */
const PASS_PAUSE_MS = HOUR_MS;
const PASS_KEY = { partition: "sys/retention", sort: "unmade-jobs" };
const CHECKED_KEY = { partition: "quota", sort: "checked" };
const PAGE_SIZE = 200;

interface Pass extends RecordValue {
  v: 1;
  /** Milliseconds since 1970. */
  nextAt: number;
}

interface Checked extends RecordValue {
  v: 1;
  /** Milliseconds since 1970: documents of GUIDs made before it are checked. */
  until: number;
}

/** The name of the first file of jobs whose GUIDs were made at a time (UUID version 7, RFC 9562). */
function firstNameAt(milliseconds: number): string {
  const digits = Math.max(0, Math.floor(milliseconds)).toString(16).padStart(12, "0");
  return filesOf(`${digits.slice(0, 8)}-${digits.slice(8)}`).slice(0, -1);
}

/** @returns the number of documents deleted */
async function sweepOrganization(org: Organization): Promise<number> {
  const until = org.engines.clock.now() - MAX_TRY_MS;
  const before = (await org.records.get<Checked>(CHECKED_KEY))?.value.until ?? 0;
  if (before >= until) return 0;
  const range = { from: firstNameAt(before), to: firstNameAt(until), limit: PAGE_SIZE };
  let deleted = 0;
  for await (const { key } of queryAll(org.records, { partition: FILES_PARTITION, ...range })) {
    const guid = key.sort.split("/")[1] ?? "";
    if ((await org.records.get(jobKey(guid))) !== undefined) continue;
    await deleteFiles(org, guid);
    deleted += 1;
  }
  await org.records.put(CHECKED_KEY, { v: 1, until });
  return deleted;
}

/** Deletes documents of jobs that were never made, once an hour. @returns their number */
export async function sweepUnmadeJobs(platform: Platform, system: SystemRecords): Promise<number> {
  const now = platform.engines.clock.now();
  if (now < ((await system.get<Pass>(PASS_KEY))?.value.nextAt ?? 0)) return 0;
  let deleted = 0;
  for (const id of await loadOrganizationIds(system))
    deleted += await sweepOrganization(bindOrganization(platform, id));
  await system.put(PASS_KEY, { v: 1, nextAt: now + PASS_PAUSE_MS });
  return deleted;
}
