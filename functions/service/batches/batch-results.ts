/**
 * The results of a batch in the order of its uploads: as a list for readers, one by one for whoever makes more of them.
 */
import { Readable } from "node:stream";
import { NotFound } from "../../ports/errors.ts";
import { encodeJson } from "../../ports/json.ts";
import type { Organization } from "../organizations/organization.ts";
import { type JobRecord, type JobStatus, type RunSummary, TERMINAL_STATUSES } from "../runs/job-records.ts";
import { loadJob } from "../runs/job-store.ts";
import { findResult, type StoredAnswer } from "../runs/run-results.ts";
import { type DocumentOutcome, interimFile, resultsFile } from "./batch-records.ts";
import { type BatchJob, documentsOf, loadBatch } from "./batches.ts";
import { hasSucceeded } from "./document-counts.ts";
import { outcomesOf } from "./document-outcomes.ts";

const JSON_TYPE = "application/json";
/** Results that are fetched ahead of the one that is written: what a list of any length holds in memory. */
const AHEAD = 16;

/** A document of a batch with what a run made of it. */
export interface BatchResult {
  index: number;
  fileName: string | null;
  /** Of the document in that run; PENDING when the run has not come to it. */
  status: JobStatus;
  /** Why there is no result, once that is certain. */
  error: string | null;
  /** Where its result lies, if it has one. */
  result: StoredAnswer | undefined;
}

/** The run whose results are served: the one asked for, the newest finished one, or else the open one. */
function runOf(batch: JobRecord, wanted: number | undefined): RunSummary | undefined {
  const { runs } = batch;
  if (wanted === undefined) return runs.findLast(({ status }) => TERMINAL_STATUSES.has(status)) ?? runs.at(-1);
  const asked = runs.find(({ run }) => run === wanted);
  if (asked === undefined) throw new NotFound(`Batch ${batch.guid} has no run ${wanted}`);
  return asked;
}

/**
 * Every document of a batch in upload order, with its result in the newest finished run, in the one asked for, or in
 * the open one when none has finished. Holds one page of records at a time.
 * @throws Conflict for what is no batch; NotFound for a run that it does not have
 */
export async function* loadBatchResults(org: Organization, guid: string, run?: number): AsyncGenerator<BatchResult> {
  const batch = await loadBatch(org, guid);
  yield* resultsOf(org, batch, runOf(batch, run));
}

async function* resultsOf(
  org: Organization,
  batch: BatchJob,
  run: RunSummary | undefined,
): AsyncGenerator<BatchResult> {
  const outcomes = run === undefined ? undefined : outcomesOf(org, batch.guid, run.run);
  let outcome = (await outcomes?.next())?.value;
  for await (const { index, fileName } of documentsOf(org, batch.guid)) {
    const found: DocumentOutcome | undefined = outcome?.index === index ? outcome : undefined;
    if (found !== undefined) outcome = (await outcomes?.next())?.value;
    const missing = index < (run?.documents?.total ?? 0) ? (run?.unfinished ?? null) : null;
    const { status = missing === null ? "PENDING" : "FAILED", error = missing, resultKey, resultType } = found ?? {};
    const result =
      resultKey === undefined || !hasSucceeded(status)
        ? undefined
        : { key: resultKey, contentType: resultType ?? JSON_TYPE };
    yield { index, fileName, status, error, result };
  }
}

/** The list's entry as JSON text: the data (a text as a string), an error string, or null. */
async function entryOf(org: Organization, { result, error }: BatchResult): Promise<Uint8Array> {
  const bytes = result && (await org.blobs.get(result.key));
  if (bytes === undefined || result === undefined) return encodeJson(error);
  if (result.contentType === JSON_TYPE) return bytes;
  return encodeJson(Buffer.from(bytes).toString("utf8"));
}

async function* writtenList(org: Organization, results: AsyncIterable<BatchResult>): AsyncGenerator<Buffer> {
  const ahead: Promise<Uint8Array>[] = [];
  let written = 0;
  const next = async (): Promise<Buffer> => {
    const entry = (await ahead.shift()) ?? Buffer.from("null");
    written += 1;
    return Buffer.concat([Buffer.from(written === 1 ? "[" : ","), entry]);
  };
  for await (const result of results) {
    const entry = entryOf(org, result);
    // Awaited in its turn; until then its failure is nobody's.
    entry.catch(() => undefined);
    ahead.push(entry);
    if (ahead.length === AHEAD) yield await next();
  }
  while (ahead.length > 0) yield await next();
  yield Buffer.from(written === 0 ? "[]" : "]");
}

async function writeList(org: Organization, key: string, results: AsyncIterable<BatchResult>): Promise<void> {
  await org.blobs.put(key, Readable.from(writtenList(org, results)), { contentType: JSON_TYPE });
}

/**
 * Keeps the list of a run all of whose documents have ended. @returns its key
 * @param unfinished stands for documents that the run did not come to
 */
export async function keepBatchResults(
  org: Organization,
  guid: string,
  run: number,
  unfinished: string,
): Promise<string> {
  const batch = await loadBatch(org, guid);
  const found = runOf(batch, run);
  const key = resultsFile(guid, run);
  await writeList(org, key, resultsOf(org, batch, found && { ...found, unfinished }));
  return key;
}

/**
 * A job's main result. A batch's is its list.
 * @param interim a batch's list also before its run has ended, with null for what is pending
 * @throws NotFound when there is none
 */
export async function findAnyResult(
  org: Organization,
  guid: string,
  { run, interim = false }: { run?: number | undefined; interim?: boolean },
): Promise<StoredAnswer> {
  const job = (await loadJob(org, guid)).value;
  if (job.documents === undefined) return findResult(org, guid, run);
  const served = runOf(job, run);
  const ended = served !== undefined && TERMINAL_STATUSES.has(served.status);
  if (!ended && !interim) throw new NotFound(`Batch ${guid} has no result yet; its status is ${job.status}`);
  // Documents that came after the run are pending.
  if (ended && served.resultKey !== undefined && served.documents?.total === job.documents.total) {
    return { key: served.resultKey, contentType: JSON_TYPE };
  }
  const key = interimFile(guid, served?.run ?? 0);
  await writeList(org, key, resultsOf(org, job as BatchJob, served));
  return { key, contentType: JSON_TYPE };
}
