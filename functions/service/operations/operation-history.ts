/** The operations of a job, newest first; each is a job of its own, noted beside its parent. */
import { NotFound } from "../../ports/errors.ts";
import { queryAll } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import {
  type JobRecord,
  jobKey,
  OPERATION_FILES,
  type OperationFile,
  operationFileKey,
  operationKey,
} from "../runs/job-records.ts";
import { loadJob } from "../runs/job-store.ts";

const PAGE_SIZE = 1000;
/** Most UTF-16 code units of results in a list; older results are left out, and read one by one. */
const MAX_LIST_UNITS = 2_000_000;

/** An operation as the API shows it. */
export interface OperationView {
  jobGuid: string;
  operationType: string;
  status: string;
  createdAt: string;
  updatedAt: string;
  error: string | null;
  resultAvailable: boolean;
  /** JSON text. */
  result: string | null;
}

/** Loads the GUIDs of a job's operations, newest first. */
export async function loadOperationGuids(org: Organization, parent: string): Promise<string[]> {
  const guids: string[] = [];
  const query = { partition: `job/${parent}`, prefix: "operation/", descending: true, limit: PAGE_SIZE };
  for await (const { key } of queryAll(org.records, query)) guids.push(key.sort.slice("operation/".length));
  return guids;
}

/** Loads a job's operations that are not deleted, newest first. */
export async function loadOperations(org: Organization, parent: string): Promise<JobRecord[]> {
  const jobs: JobRecord[] = [];
  for (const guid of await loadOperationGuids(org, parent)) {
    const job = (await org.records.get<JobRecord>(jobKey(guid)))?.value;
    if (job !== undefined && !job.deleted) jobs.push(job);
  }
  return jobs;
}

async function viewOf(org: Organization, job: JobRecord, room: number): Promise<OperationView> {
  const { guid, status, createdAt, updatedAt, error, operation } = job;
  const key = job.runs.at(-1)?.resultKey;
  const size = key === undefined ? 0 : ((await org.blobs.head(key))?.size ?? 0);
  const bytes = key === undefined || size > room ? undefined : await org.blobs.get(key);
  return {
    jobGuid: guid,
    operationType: operation?.type ?? "",
    status,
    createdAt,
    updatedAt,
    error,
    resultAvailable: key !== undefined,
    result: bytes === undefined ? null : Buffer.from(bytes).toString("utf8"),
  };
}

/** Lists all operations of a job with their results. @throws NotFound for an unknown job */
export async function listOperations(org: Organization, parent: string): Promise<OperationView[]> {
  await loadJob(org, parent);
  const views: OperationView[] = [];
  let room = MAX_LIST_UNITS;
  for (const job of await loadOperations(org, parent)) {
    const view = await viewOf(org, job, room);
    room -= view.result?.length ?? 0;
    views.push(view);
  }
  return views;
}

/** Finds the newest operation of a type. @throws NotFound for an unknown job, or one without such an operation */
export async function findOperation(org: Organization, parent: string, type: string): Promise<OperationView> {
  await loadJob(org, parent);
  for (const guid of await loadOperationGuids(org, parent)) {
    const job = (await org.records.get<JobRecord>(jobKey(guid)))?.value;
    if (job !== undefined && !job.deleted && job.operation?.type === type) {
      return viewOf(org, job, Number.POSITIVE_INFINITY);
    }
  }
  throw new NotFound(`Job ${parent} has no operation ${type}; start one with POST /operation`);
}

/** Deletes an operation's files and note at its parent; safe to repeat. */
export async function deleteOperationResult(org: Organization, { guid, operation }: JobRecord): Promise<void> {
  if (operation === undefined) return;
  const names = Object.keys(OPERATION_FILES) as OperationFile[];
  for (const name of names) await org.blobs.delete(operationFileKey(operation.parent, guid, name));
  await org.records.delete(operationKey(operation, guid));
}
