/** Batches: made empty, filled document by document, each of which is a job of its own that no list shows. */

import { resolveMimeType } from "../../engine/readers/sniff-media-type.ts";
import { AppError, ConditionFailed, Conflict, NotFound, UnsupportedMediaType } from "../../ports/errors.ts";
import { PLAIN_TEXT } from "../../ports/media-types.ts";
import { queryAll } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import { type BatchFacts, type JobRecord, jobKey, sourceKey } from "../runs/job-records.ts";
import { insertJob, loadJob, newJob, sha256Of, updateJob } from "../runs/job-store.ts";
import { refuseOpenRun } from "../runs/open-run.ts";
import { type BatchDocument, DOCUMENTS, documentKey, MOST_DOCUMENTS } from "./batch-records.ts";

export const DEFAULT_CONCURRENCY = 5;
/** Uploads that come at once wait for each other; so many tries let a few hundred through. */
const UPLOAD_TRIES = 400;
const PAGE = 1000;

export type BatchJob = JobRecord & { documents: BatchFacts };

const isBatch = (job: JobRecord): job is BatchJob => job.documents !== undefined;

/** Makes an empty batch. Doing it again with the same guid is once. */
export async function createBatch(
  org: Organization,
  {
    guid,
    mimeType,
    maxConcurrency = DEFAULT_CONCURRENCY,
  }: { guid: string; mimeType?: string; maxConcurrency?: number },
): Promise<BatchJob> {
  const source = { key: sourceKey(guid), size: 0, sha256: null, mimeType: "", fileName: null };
  const documents = { total: 0, maxConcurrency, ...(mimeType === undefined ? {} : { mimeType }) };
  return asBatch(await insertJob(org, guid, source, undefined, documents));
}

/** @throws Conflict when there is no such job, or it is no batch */
export async function loadBatch(org: Organization, guid: string): Promise<BatchJob> {
  try {
    return asBatch((await loadJob(org, guid)).value);
  } catch (error) {
    if (error instanceof NotFound) throw new Conflict(`There is no batch ${guid}; make one by POST /document/batch`);
    throw error;
  }
}

function asBatch(job: JobRecord): BatchJob {
  if (isBatch(job)) return job;
  throw new Conflict(`Job ${job.guid} is not a batch; make one by POST /document/batch`);
}

export interface NewDocument {
  /** Of the document's own job; a second try with it adds nothing. */
  guid: string;
  bytes: Uint8Array;
  /** As the content and what was declared of it tell. */
  mimeType: string;
  /** Whether a type was declared. */
  declared: boolean;
  fileName: string | null;
}

/** A default of the batch may tell a text's kind, and nothing else: it never fails a document. */
export function typeByDefault(mimeType: string, wish: string | undefined): string {
  try {
    return resolveMimeType(mimeType, wish);
  } catch (error) {
    if (error instanceof UnsupportedMediaType) return mimeType;
    throw error;
  }
}

/** @throws Conflict when it takes no more documents now */
function refuseMore(batch: BatchJob): void {
  refuseOpenRun(batch);
  if (batch.documents.total >= MOST_DOCUMENTS) {
    throw new Conflict(`A batch holds at most ${MOST_DOCUMENTS.toLocaleString("en-US")} documents; make another one`);
  }
}

/**
 * Adds a document at the end, also among many that come at once.
 * @returns its index, and how many documents there are with it
 * @throws Conflict while a run is open, and when the batch is full
 */
export async function addDocument(
  org: Organization,
  batchGuid: string,
  document: NewDocument,
): Promise<{ index: number; total: number }> {
  const known = await placeOf(org, batchGuid, document.guid);
  if (known !== undefined) return known;
  const batch = await loadBatch(org, batchGuid);
  refuseMore(batch);
  const { guid, bytes, fileName } = document;
  // A text whose name or sender says of which kind it is has said so.
  const declared = document.declared || document.mimeType !== PLAIN_TEXT;
  const mimeType = declared ? document.mimeType : typeByDefault(document.mimeType, batch.documents.mimeType);
  const key = sourceKey(guid);
  await org.blobs.put(key, bytes, { contentType: mimeType });
  const job = newJob(org, guid, { key, size: bytes.length, sha256: sha256Of(bytes), mimeType, fileName });
  try {
    const total = await append(org, batchGuid, job, declared);
    org.observer.count("documents_added_total");
    return { index: total - 1, total };
  } catch (error) {
    // Beside another try of the same request, which was first.
    const first = error instanceof ConditionFailed ? await placeOf(org, batchGuid, guid) : undefined;
    if (first !== undefined) return first;
    if (error instanceof AppError && error.refusesRequest) await org.blobs.delete(key);
    throw error;
  }
}

async function append(org: Organization, batchGuid: string, job: JobRecord, declared: boolean): Promise<number> {
  let total = 0;
  await updateJob(
    org,
    batchGuid,
    (current) => {
      const batch = asBatch(current);
      refuseMore(batch);
      const index = batch.documents.total;
      total = index + 1;
      const { guid } = job;
      const listed: BatchDocument = { v: 1, index, guid, fileName: job.source.fileName };
      const child: JobRecord = { ...job, batch: { guid: batchGuid, index, declared } };
      return {
        job: { ...batch, updatedAt: job.createdAt, documents: { ...batch.documents, total } },
        more: [
          { kind: "put", key: documentKey(batchGuid, index), value: listed },
          { kind: "put", key: jobKey(guid), value: child, condition: { ifAbsent: true } },
        ],
      };
    },
    UPLOAD_TRIES,
  );
  return total;
}

/** Where a document stands that an earlier try added. */
async function placeOf(
  org: Organization,
  batchGuid: string,
  guid: string,
): Promise<{ index: number; total: number } | undefined> {
  const place = (await org.records.get<JobRecord>(jobKey(guid)))?.value.batch;
  return place?.guid === batchGuid ? { index: place.index, total: place.index + 1 } : undefined;
}

/** A batch's documents in their order. */
export async function* documentsOf(org: Organization, guid: string): AsyncGenerator<BatchDocument> {
  const query = { partition: `job/${guid}`, prefix: DOCUMENTS, limit: PAGE };
  for await (const { value } of queryAll<BatchDocument>(org.records, query)) yield value;
}

/** @throws NotFound for an index that the batch does not have */
export async function findDocument(org: Organization, guid: string, index: number): Promise<BatchDocument> {
  const found = await org.records.get<BatchDocument>(documentKey(guid, index));
  if (found === undefined) throw new NotFound(`Batch ${guid} has no document with the index ${index}`);
  return found.value;
}
