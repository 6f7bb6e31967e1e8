/** Batches: made empty, filled document by document; each document is a job of its own that no list shows. */

import { resolveMimeType } from "../../engine/readers/sniff-media-type.ts";
import { AppError, ConditionFailed, Conflict, NotFound, UnsupportedMediaType } from "../../ports/errors.ts";
import { PLAIN_TEXT } from "../../ports/media-types.ts";
import { queryAll } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import { type BatchFacts, type JobRecord, jobKey, sourceKey } from "../runs/job-records.ts";
import { insertJob, loadJob, newJob, refuseOpenRun, sha256Of, updateJob } from "../runs/job-store.ts";
import { type BatchDocument, DOCUMENT_PREFIX, documentKey, MAX_DOCUMENTS } from "./batch-records.ts";

export const DEFAULT_CONCURRENCY = 5;
/** Attempts to append a document among concurrent uploads; enough for a few hundred of them. */
const MAX_APPEND_ATTEMPTS = 400;
const PAGE_SIZE = 1000;

export type BatchJob = JobRecord & { documents: BatchFacts };

const isBatch = (job: JobRecord): job is BatchJob => job.documents !== undefined;

/** Makes an empty batch. Repeating it with the same guid has no effect. */
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

/** Loads a batch. @throws Conflict for an unknown job, or one that is not a batch */
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
  /** GUID of the document's own job; repeating it adds nothing. */
  guid: string;
  bytes: Uint8Array;
  /** Type by the content and the declaration. */
  mimeType: string;
  /** True when a type was declared. */
  declared: boolean;
  fileName: string | null;
  pageCount?: number | null;
}

/** Applies the batch's default type, which can only refine a text's type; an unsuitable default is ignored. */
export function applyDefaultType(mimeType: string, defaultType: string | undefined): string {
  try {
    return resolveMimeType(mimeType, defaultType);
  } catch (error) {
    if (error instanceof UnsupportedMediaType) return mimeType;
    throw error;
  }
}

/** @throws Conflict while a run is open, and for a full batch */
function refuseFull(batch: BatchJob): void {
  refuseOpenRun(batch);
  if (batch.documents.total >= MAX_DOCUMENTS) {
    throw new Conflict(`A batch holds at most ${MAX_DOCUMENTS.toLocaleString("en-US")} documents; make another one`);
  }
}

/**
 * Appends a document, also among many concurrent uploads.
 * @returns its index, and the number of documents with it
 * @throws Conflict while a run is open, and for a full batch
 */
export async function addDocument(
  org: Organization,
  batchGuid: string,
  document: NewDocument,
): Promise<{ index: number; total: number }> {
  const existing = await findPlace(org, batchGuid, document.guid);
  if (existing !== undefined) return existing;
  const batch = await loadBatch(org, batchGuid);
  refuseFull(batch);
  const { guid, bytes, fileName, pageCount = null } = document;
  // A text type other than plain text counts as declared.
  const declared = document.declared || document.mimeType !== PLAIN_TEXT;
  const mimeType = declared ? document.mimeType : applyDefaultType(document.mimeType, batch.documents.mimeType);
  const key = sourceKey(guid);
  await org.blobs.put(key, bytes, { contentType: mimeType });
  const source = { key, size: bytes.length, sha256: sha256Of(bytes), mimeType, fileName, pageCount };
  const job = newJob(org, guid, source);
  try {
    const total = await append(org, batchGuid, job, declared);
    org.observer.count("documents_added_total");
    return { index: total - 1, total };
  } catch (error) {
    // A concurrent attempt of the same request was first.
    const first = error instanceof ConditionFailed ? await findPlace(org, batchGuid, guid) : undefined;
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
      refuseFull(batch);
      const index = batch.documents.total;
      total = index + 1;
      const { guid, source } = job;
      const { bytes = 0, pages = 0 } = batch.documents;
      const sizes = { bytes: bytes + source.size, pages: pages + (source.pageCount ?? 1) };
      const listed: BatchDocument = { v: 1, index, guid, fileName: job.source.fileName };
      const child: JobRecord = { ...job, batch: { guid: batchGuid, index, declared } };
      return {
        job: { ...batch, updatedAt: job.createdAt, documents: { ...batch.documents, total, ...sizes } },
        more: [
          { kind: "put", key: documentKey(batchGuid, index), value: listed },
          { kind: "put", key: jobKey(guid), value: child, condition: { ifAbsent: true } },
        ],
      };
    },
    MAX_APPEND_ATTEMPTS,
  );
  return total;
}

/** Place of a document that an earlier attempt added. */
async function findPlace(
  org: Organization,
  batchGuid: string,
  guid: string,
): Promise<{ index: number; total: number } | undefined> {
  const place = (await org.records.get<JobRecord>(jobKey(guid)))?.value.batch;
  return place?.guid === batchGuid ? { index: place.index, total: place.index + 1 } : undefined;
}

/** Loads a batch's documents in their order. */
export async function* loadDocuments(org: Organization, guid: string): AsyncGenerator<BatchDocument> {
  const query = { partition: `job/${guid}`, prefix: DOCUMENT_PREFIX, limit: PAGE_SIZE };
  for await (const { value } of queryAll<BatchDocument>(org.records, query)) yield value;
}

/** Finds a document by its index. @throws NotFound for an unknown index */
export async function findDocument(org: Organization, guid: string, index: number): Promise<BatchDocument> {
  const found = await org.records.get<BatchDocument>(documentKey(guid, index));
  if (found === undefined) throw new NotFound(`Batch ${guid} has no document with the index ${index}`);
  return found.value;
}
