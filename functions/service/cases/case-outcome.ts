/** The end of a case document's run, as its case records it: with the run's own end, in one transaction. */
import { isObject, parseJsonBytes } from "../../ports/json.ts";
import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/organization-records.ts";
import { awaitsReading, stateOperations } from "../runs/case-place.ts";
import { type JobRecord, jobKey, type RunSummary } from "../runs/job-records.ts";
import type { CaseEvent } from "./case-events.ts";
import { type DocumentSummary, type SummaryRecord, summaryKey } from "./case-records.ts";

/** What the end of a run changes in a case. */
export interface CaseEnd {
  job: JobRecord;
  operations: OrgOperation[];
  /** Set for the run that has read the document. */
  event?: CaseEvent & { kind: "read" };
}

/**
 * Loads the summary that a run has made.
 * @param resultKey of the step that describes documents @returns undefined for a run that made none
 */
export async function loadMadeSummary(
  org: Organization,
  { guid, run }: { guid: string; run: number },
  resultKey: string | undefined,
): Promise<DocumentSummary | undefined> {
  const job = resultKey === undefined ? undefined : (await org.records.get<JobRecord>(jobKey(guid)))?.value;
  if (resultKey === undefined || job?.runs.find((one) => one.run === run)?.mode !== "SUMMARY") return undefined;
  const bytes = await org.blobs.get(resultKey);
  const found = bytes === undefined ? undefined : parseJsonBytes<unknown>(bytes);
  return isObject(found) ? (found as unknown as DocumentSummary) : undefined;
}

/**
 * The end of a run of a case's document: COMPLETED once a run has read the whole document, FAILED where it has not; of
 * later runs only a summary is kept. For other jobs there is nothing to write.
 * @param job with the run ended
 */
export function caseEnd(job: JobRecord, ended: RunSummary | undefined, summary: DocumentSummary | undefined): CaseEnd {
  const { case: place, guid: documentId, updatedAt } = job;
  if (place === undefined || place.removed === true || ended === undefined) return { job, operations: [] };
  const kept = ended.resultKey === undefined ? [] : summaryOperations(job, place.id, summary);
  if (!awaitsReading(job)) return { job, operations: kept };
  const { layoutKey, readAs: contentType, wholeDocument, resultKey } = ended;
  const isRead = layoutKey !== undefined && wholeDocument && resultKey !== undefined;
  if (!isRead) return { job, operations: stateOperations(job, { status: "FAILED", updatedAt }) };
  return {
    job: { ...job, case: { ...place, read: true } },
    operations: [...stateOperations(job, { status: "COMPLETED", updatedAt, layoutKey, contentType }), ...kept],
    event: { kind: "read", caseId: place.id, documentId, layoutKey },
  };
}

function summaryOperations(job: JobRecord, caseId: number, summary: DocumentSummary | undefined): OrgOperation[] {
  if (summary === undefined) return [];
  const value: SummaryRecord = { v: 1, documentId: job.guid, fileName: job.source.fileName, summary };
  return [{ kind: "put", key: summaryKey(caseId, job.guid), value }];
}
