/** The operations of a job: newest first, each a job of its own that stands beside its parent. */
import { NotFound } from "../../ports/errors.ts";
import { queryAll } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import { type JobRecord, jobKey, operationKey, operationResultKey } from "../runs/job-records.ts";
import { loadJob } from "../runs/job-store.ts";

const PAGE = 1000;
/** UTF-16 code units of results in one list: older ones past it are read by themselves. */
const MOST_LISTED = 2_000_000;

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

/** The GUIDs of a job's operations, newest first. */
export async function guidsOf(org: Organization, parent: string): Promise<string[]> {
  const guids: string[] = [];
  const query = { partition: `job/${parent}`, prefix: "operation/", descending: true, limit: PAGE };
  for await (const { key } of queryAll(org.records, query)) guids.push(key.sort.slice("operation/".length));
  return guids;
}

/** Those that are there, newest first. */
export async function operationsOf(org: Organization, parent: string): Promise<JobRecord[]> {
  const jobs: JobRecord[] = [];
  for (const guid of await guidsOf(org, parent)) {
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

/** All operations of a job with their results. @throws NotFound for no such job */
export async function listOperations(org: Organization, parent: string): Promise<OperationView[]> {
  await loadJob(org, parent);
  const views: OperationView[] = [];
  let room = MOST_LISTED;
  for (const job of await operationsOf(org, parent)) {
    const view = await viewOf(org, job, room);
    room -= view.result?.length ?? 0;
    views.push(view);
  }
  return views;
}

/** The newest operation of a type. @throws NotFound for no such job, or when it has none */
export async function findOperation(org: Organization, parent: string, type: string): Promise<OperationView> {
  await loadJob(org, parent);
  for (const guid of await guidsOf(org, parent)) {
    const job = (await org.records.get<JobRecord>(jobKey(guid)))?.value;
    if (job !== undefined && !job.deleted && job.operation?.type === type) {
      return viewOf(org, job, Number.POSITIVE_INFINITY);
    }
  }
  throw new NotFound(`Job ${parent} has no operation ${type}; start one with POST /operation`);
}

/** What an operation left at its parent: for its own deletion, which may be done again. */
export async function eraseOperation(org: Organization, { guid, operation }: JobRecord): Promise<void> {
  if (operation === undefined) return;
  await org.blobs.delete(operationResultKey(operation.parent, guid));
  await org.records.delete(operationKey(operation, guid));
}
