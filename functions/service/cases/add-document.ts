/** Adding a document to a case: its job, its first run and its place in the case are written at once, or not at all. */
import { AppError, ConcurrentModification, ConditionFailed, Conflict, PaymentRequired } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";
import { nextId } from "../organizations/id-sequence.ts";
import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/organization-records.ts";
import { admitPages } from "../organizations/page-quota.ts";
import { enqueue } from "../queue/enqueue.ts";
import { type CaseDocumentState, stateKey } from "../runs/case-place.ts";
import { type JobRecord, jobKey, sourceKey } from "../runs/job-records.ts";
import { newJob, nowIso, sha256Of } from "../runs/job-store.ts";
import { newRun, startRun, storeCommand, withOpenRun } from "../runs/open-run.ts";
import type { RunCommand } from "../runs/run-command.ts";
import { sealPassword } from "../runs/run-password.ts";
import { billingMember, openPaid, openPayment } from "../runs/run-payment.ts";
import { postponeStart } from "../runs/start-pace.ts";
import { inspectUpload } from "../runs/uploads.ts";
import { findCaseDocument, type ReadCaseDocument } from "./case-documents.ts";
import { loadPlaces, MAX_CASE_DOCUMENTS, pickGroup, takePlace } from "./case-places.ts";
import { type CaseDocument, documentKey } from "./case-records.ts";
import { loadCase, unknownCase } from "./cases.ts";
import { readingCommand } from "./reading-command.ts";

/** Attempts to take a place: each failed one has seen another group full. */
const MAX_PLACE_ATTEMPTS = 40;

export const UNPAID_SENTENCE =
  "Processing failed: No prepaid tokens were left to read the document; process it when there are some";

/** What a client says of a document. */
export interface DocumentFacts {
  fileName: string | null;
  metadata: { [name: string]: Json };
}

export interface NewCaseDocument extends DocumentFacts {
  /** Of the document and its job; the same for every try of one request. */
  guid: string;
  file: { bytes: Uint8Array; mimeType: string | undefined; fileName: string | undefined };
  /** The command's part that opens an encrypted document. */
  password?: RunCommand["password"];
}

/** A job to put into a case, and the operations to write with it. */
interface PlacedJob {
  job: JobRecord;
  operations: OrgOperation[];
}

/**
 * Puts a job's document into a case. Repeating it with the same job has no effect.
 * @throws NotFound for an unknown case; Conflict for a full one
 */
export async function placeDocument(
  org: Organization,
  caseId: number,
  { job, operations }: PlacedJob,
  { fileName, metadata }: DocumentFacts,
): Promise<ReadCaseDocument> {
  const { guid: documentId, createdAt, source } = job;
  const id = await nextId(org, "case-document");
  for (let attempt = 0; attempt < MAX_PLACE_ATTEMPTS; attempt += 1) {
    const placeGroup = await findGroup(org, caseId, documentId);
    const facts = { id, caseId, documentId, fileName, contentType: source.mimeType, sizeBytes: source.size };
    const document: CaseDocument = { v: 1, ...facts, metadata, createdAt, placeGroup };
    const status = job.status === "FAILED" ? "FAILED" : "PENDING";
    const state: CaseDocumentState = { v: 1, documentId, status, updatedAt: createdAt };
    try {
      await org.records.transact([
        takePlace(caseId, placeGroup),
        {
          kind: "put",
          key: jobKey(documentId),
          value: { ...job, case: { id: caseId } },
          condition: { ifAbsent: true },
        },
        { kind: "put", key: documentKey(caseId, documentId), value: document, condition: { ifAbsent: true } },
        { kind: "put", key: stateKey(caseId, documentId), value: state },
        ...operations,
      ]);
      org.observer.count("case_documents_added_total");
      return { document, state };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // Another try of the same request was first.
      const first = await findCaseDocument(org, caseId, documentId);
      if (first !== undefined) return first;
      if (!error.failed.includes(0)) throw error;
    }
  }
  throw new ConcurrentModification("the case");
}

/** A group of the case with a free place. @throws NotFound for an unknown case; Conflict for a full one */
async function findGroup(org: Organization, caseId: number, documentId: string): Promise<number> {
  const free = await loadPlaces(org, caseId);
  if (free.length === 0) throw unknownCase(caseId);
  const group = pickGroup(free, documentId);
  if (group === undefined) throw new Conflict(`Case document limit reached: ${MAX_CASE_DOCUMENTS}`);
  return group;
}

/**
 * Stores a document in a case and starts its reading, which makes its summary. Repeating it with the same guid has no
 * effect.
 * @throws NotFound for an unknown case; Conflict for a full one; the table of bad documents in the contract; Forbidden for
 *   a spent page quota; ServiceUnavailable while too many runs are open
 */
export async function addCaseDocument(
  org: Organization,
  caseId: number,
  upload: NewCaseDocument,
): Promise<ReadCaseDocument> {
  const { guid, file } = upload;
  await loadCase(org, caseId);
  const existing = await findCaseDocument(org, caseId, guid);
  if (existing !== undefined) return existing;
  // Also before the file is stored, as most refusals are known by then.
  await findGroup(org, caseId, guid);
  await org.openRuns.admit();
  const { mimeType, pageCount } = await inspectUpload(org, file);
  const command = readingCommand(mimeType, upload.password);
  await admitPages(org, command);
  const key = sourceKey(guid);
  await org.blobs.put(key, file.bytes, { contentType: mimeType });
  const sha256 = sha256Of(file.bytes);
  const { fileName } = upload;
  const job = newJob(org, guid, { key, size: file.bytes.length, sha256, mimeType, fileName, pageCount });
  try {
    return await placeWithReading(org, caseId, { ...job, case: { id: caseId } }, command, upload);
  } catch (error) {
    // Nothing of a refused request stays; after any other error a repeated one finds its file.
    if (error instanceof AppError && error.refusesRequest) await deleteRefused(org, guid);
    throw error;
  }
}

/** Has the files of a refused upload deleted, by a function that may. */
async function deleteRefused(org: Organization, guid: string): Promise<void> {
  if ((await org.records.get(jobKey(guid))) === undefined) await enqueue(org, { kind: "delete-job", guid });
}

/** Puts a job into a case with its first run open, and starts that. Without tokens to pay the run, there is none. */
async function placeWithReading(
  org: Organization,
  caseId: number,
  job: JobRecord,
  command: RunCommand,
  facts: DocumentFacts,
): Promise<ReadCaseDocument> {
  const { guid } = job;
  const payment = await openPayment(org, job, command).catch((error: unknown) => {
    if (error instanceof PaymentRequired) return undefined;
    throw error;
  });
  if (payment === undefined) {
    const unpaid: JobRecord = { ...job, status: "FAILED", error: UNPAID_SENTENCE, statusVersion: 2 };
    return placeDocument(org, caseId, { job: unpaid, operations: [] }, facts);
  }
  const key = await storeCommand(org, guid, command);
  const password = await sealPassword(org, guid, command);
  const run = { ...newRun(org, 1, command, key), createdAt: nowIso(org), ...billingMember(payment.billing(1)) };
  const opened = withOpenRun(org, job, run, command);
  const operations = [...opened.more, ...password(1), ...payment.operations(1)];
  let placed: ReadCaseDocument | undefined;
  let isNew = false;
  await openPaid(payment, async () => {
    placed = await placeDocument(org, caseId, { job: opened.job, operations }, facts);
    isNew = placed.document.createdAt === job.createdAt;
    return isNew;
  });
  if (placed === undefined) throw new Error("The document was put into the case or found there");
  if (isNew) await startReading(org, guid, command);
  return placed;
}

/** Starts an open reading at the organization's pace; the sweep starts it when this is cut short. */
async function startReading(org: Organization, guid: string, command: RunCommand): Promise<void> {
  await org.openRuns.opened();
  if (await postponeStart(org, guid, 1)) return;
  await startRun(org, { organizationId: org.id, guid, run: 1, mode: command.mode as "SUMMARY" }, command);
}
