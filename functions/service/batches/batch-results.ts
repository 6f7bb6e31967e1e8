/** The results of a batch in upload order: as a list file, and one by one. */
import { Readable } from "node:stream";
import { NotFound } from "../../ports/errors.ts";
import { encodeJson } from "../../ports/json.ts";
import type { Organization } from "../organizations/organization.ts";
import { type JobRecord, type JobStatus, type RunSummary, TERMINAL_STATUSES } from "../runs/job-records.ts";
import { loadJob } from "../runs/job-store.ts";
import { findResult, type StoredAnswer } from "../runs/run-results.ts";
import { type DocumentOutcome, interimFile, resultsFile } from "./batch-records.ts";
import { type BatchJob, loadBatch, loadDocuments } from "./batches.ts";
import { hasSucceeded } from "./document-counts.ts";
import { loadDocumentOutcomes } from "./document-outcomes.ts";

const JSON_TYPE = "application/json";
/** Results fetched ahead of the written one; bounds the memory of a list of any length. */
const MAX_FETCHED_AHEAD = 16;

/** A document of a batch with its result in a run. */
export interface BatchResult {
  index: number;
  fileName: string | null;
  /** Status in that run; PENDING before the document is begun. */
  status: JobStatus;
  /** The error of a document without a result, once that is final. */
  error: string | null;
  /** The stored result, if it has one. */
  result: StoredAnswer | undefined;
}

/** The run whose results are served: the requested run, else the newest finished one, else the open one. */
function servedRunOf(batch: JobRecord, requestedNumber: number | undefined): RunSummary | undefined {
  const { runs } = batch;
  if (requestedNumber === undefined) return runs.findLast(({ status }) => TERMINAL_STATUSES.has(status)) ?? runs.at(-1);
  const requested = runs.find(({ run }) => run === requestedNumber);
  if (requested === undefined) throw new NotFound(`Batch ${batch.guid} has no run ${requestedNumber}`);
  return requested;
}

/**
 * Loads every document of a batch in upload order, with its result in the requested run, else in the newest finished
 * one, else in the open one. Holds one page of records at a time.
 * @throws Conflict for a job that is not a batch; NotFound for an unknown run
 */
export async function* loadBatchResults(org: Organization, guid: string, run?: number): AsyncGenerator<BatchResult> {
  const batch = await loadBatch(org, guid);
  yield* resultsOf(org, batch, servedRunOf(batch, run));
}

async function* resultsOf(
  org: Organization,
  batch: BatchJob,
  run: RunSummary | undefined,
): AsyncGenerator<BatchResult> {
  const outcomes = run === undefined ? undefined : loadDocumentOutcomes(org, batch.guid, run.run);
  let outcome = (await outcomes?.next())?.value;
  for await (const { index, fileName } of loadDocuments(org, batch.guid)) {
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

/** An entry of the list, UTF-8 JSON: the data (a text as a string), an error string, or null. */
async function entryOf(org: Organization, { result, error }: BatchResult): Promise<Uint8Array> {
  const bytes = result && (await org.blobs.get(result.key));
  if (bytes === undefined || result === undefined) return encodeJson(error);
  if (result.contentType === JSON_TYPE) return bytes;
  return encodeJson(Buffer.from(bytes).toString("utf8"));
}

async function* encodeList(org: Organization, results: AsyncIterable<BatchResult>): AsyncGenerator<Buffer> {
  const ahead: Promise<Uint8Array>[] = [];
  let written = 0;
  const next = async (): Promise<Buffer> => {
    const entry = (await ahead.shift()) ?? Buffer.from("null");
    written += 1;
    return Buffer.concat([Buffer.from(written === 1 ? "[" : ","), entry]);
  };
  for await (const result of results) {
    const entry = entryOf(org, result);
    // Awaited later; until then a rejection must not be unhandled.
    entry.catch(() => undefined);
    ahead.push(entry);
    if (ahead.length === MAX_FETCHED_AHEAD) yield await next();
  }
  while (ahead.length > 0) yield await next();
  yield Buffer.from(written === 0 ? "[]" : "]");
}

async function writeList(org: Organization, key: string, results: AsyncIterable<BatchResult>): Promise<void> {
  await org.blobs.put(key, Readable.from(encodeList(org, results)), { contentType: JSON_TYPE });
}

/**
 * Stores the list of a run whose documents have all ended. @returns its key
 * @param unfinished the error of documents that were not begun
 */
export async function keepBatchResults(
  org: Organization,
  guid: string,
  run: number,
  unfinished: string,
): Promise<string> {
  const batch = await loadBatch(org, guid);
  const found = servedRunOf(batch, run);
  const key = resultsFile(guid, run);
  await writeList(org, key, resultsOf(org, batch, found && { ...found, unfinished }));
  return key;
}

/**
 * Finds a job's main result; a batch's is its list.
 * @param interim give a batch's list also before its run has ended, with null for pending documents
 * @throws NotFound when there is none
 */
export async function findAnyResult(
  org: Organization,
  guid: string,
  { run, interim = false }: { run?: number | undefined; interim?: boolean },
): Promise<StoredAnswer> {
  const job = (await loadJob(org, guid)).value;
  if (job.documents === undefined) return findResult(org, guid, run);
  const served = servedRunOf(job, run);
  const ended = served !== undefined && TERMINAL_STATUSES.has(served.status);
  if (!ended && !interim) throw new NotFound(`Batch ${guid} has no result yet; its status is ${job.status}`);
  // Documents added after the run are pending.
  if (ended && served.resultKey !== undefined && served.documents?.total === job.documents.total) {
    return { key: served.resultKey, contentType: JSON_TYPE };
  }
  const key = interimFile(guid, served?.run ?? 0);
  await writeList(org, key, resultsOf(org, job as BatchJob, served));
  return { key, contentType: JSON_TYPE };
}
