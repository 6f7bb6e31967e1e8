/**
 * Deletion of cases and their documents. A document leaves its case in one transaction; its job is then deleted as any
 * other, by the queue or the sweep. A deleted case is gone at once, and its documents leave it afterwards.
 */
import { ConcurrentModification, ConditionFailed, NotFound } from "../../ports/errors.ts";
import { documentIds, loadCaseDocument } from "../cases/case-documents.ts";
import { type CaseEvent, listenerOperations, tellListeners } from "../cases/case-events.ts";
import { deletedPlaces, returnPlace } from "../cases/case-places.ts";
import {
  type CaseDocument,
  caseCountKey,
  caseDeletionDue,
  caseKey,
  type DueCaseDeletion,
  documentKey,
  summaryKey,
  uploadDue,
} from "../cases/case-records.ts";
import { loadCase } from "../cases/cases.ts";
import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/organization-records.ts";
import { enqueue } from "../queue/enqueue.ts";
import { stateKey } from "../runs/case-place.ts";
import { deletionId, type OpenDeletion } from "../runs/job-records.ts";
import { updateJob } from "../runs/job-store.ts";
import { enqueueUploadDeletion } from "../runs/uploads.ts";
import { CASE_LISTENERS } from "./case-listeners.ts";

/** Documents that one call removes: each takes some tens of milliseconds in the cloud, and a queue's consumer has 120 s. */
const DOCUMENTS_AT_ONCE = 50;

/** Deletes a case: it is gone at once, its documents follow. @throws NotFound; ConcurrentModification */
export async function deleteCase(org: Organization, id: number): Promise<void> {
  const { version } = await loadCase(org, id);
  const due: DueCaseDeletion = { v: 1, kind: "delete-case", organizationId: org.id, guid: String(id) };
  const event: CaseEvent = { kind: "case-removed", caseId: id };
  try {
    await org.records.transact([
      { kind: "delete", key: caseKey(id), condition: { ifVersion: version } },
      // Documents that are being added find no place from here on.
      ...deletedPlaces(id),
      { kind: "add", key: caseCountKey, amounts: { left: 1 } },
      { kind: "due-put", id: caseDeletionDue(id), value: due },
      ...listenerOperations(CASE_LISTENERS, org, event),
    ]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new ConcurrentModification("the case", { cause: error });
  }
  await tellListeners(CASE_LISTENERS, org, event);
  await enqueue(org, { kind: "delete-case", guid: String(id) });
  org.observer.count("cases_deleted_total");
}

/** Deletes a document of a case; its files are deleted afterwards. @throws NotFound */
export async function deleteCaseDocument(org: Organization, caseId: number, documentId: string): Promise<void> {
  const { document } = await loadCaseDocument(org, caseId, documentId);
  await removeDocument(org, document, [returnPlace(caseId, document.placeGroup)]);
  org.observer.count("case_documents_deleted_total");
}

/** Takes a document out of its case, and has its job deleted. @throws NotFound when another call was first */
async function removeDocument(
  org: Organization,
  { caseId, documentId }: CaseDocument,
  more: readonly OrgOperation[],
): Promise<void> {
  const due: OpenDeletion = { v: 1, kind: "delete", organizationId: org.id, guid: documentId };
  const event: CaseEvent = { kind: "removed", caseId, documentId };
  const gone = new NotFound(`Case ${caseId} has no document ${documentId}`);
  let upload: { expiresAt: string } | undefined;
  try {
    await updateJob(org, documentId, (job) => {
      upload = job.upload;
      // An open run keeps the job until the deletion has ended the run.
      const hidden = job.openRun === null ? { deleted: true as const } : {};
      return {
        job: { ...job, ...hidden, case: { ...job.case, id: caseId, removed: true } },
        more: [
          { kind: "delete", key: documentKey(caseId, documentId), condition: { ifPresent: true } },
          { kind: "delete", key: stateKey(caseId, documentId) },
          { kind: "delete", key: summaryKey(caseId, documentId) },
          { kind: "due-put", id: deletionId(documentId), value: due },
          { kind: "due-delete", id: uploadDue(documentId) },
          ...more,
          ...listenerOperations(CASE_LISTENERS, org, event),
        ],
      };
    });
  } catch (error) {
    if (error instanceof ConditionFailed) throw gone;
    throw error;
  }
  await tellListeners(CASE_LISTENERS, org, event);
  await enqueue(org, { kind: "delete-job", guid: documentId });
  // The upload address may still take a file.
  if (upload !== undefined) await enqueueUploadDeletion(org, documentId, upload);
}

/**
 * Continues the deletion of a case; safe to repeat, also concurrently.
 * @returns true when it is complete; many documents take several calls
 */
export async function finishCaseDeletion(org: Organization, caseId: number): Promise<boolean> {
  const ids = await documentIds(org, caseId, DOCUMENTS_AT_ONCE);
  for (const documentId of ids) {
    const document = (await org.records.get<CaseDocument>(documentKey(caseId, documentId)))?.value;
    if (document === undefined) continue;
    await removeDocument(org, document, []).catch(async (error: unknown) => {
      if (!(error instanceof NotFound)) throw error;
      // Removed meanwhile. The record of a document without a job would keep the deletion from its end.
      await org.records.delete(documentKey(caseId, documentId));
    });
  }
  if (ids.length === DOCUMENTS_AT_ONCE) return false;
  // A place that was given back during the deletion.
  await org.records.transact([...deletedPlaces(caseId), { kind: "due-delete", id: caseDeletionDue(caseId) }]);
  return true;
}
