/** The work of indexing as it becomes due: recorded with its reason, so that a crash only delays it. */
import type { CaseListener } from "../cases/case-events.ts";
import { type CaseRecord, caseKey } from "../cases/case-records.ts";
import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/organization-records.ts";
import { enqueue } from "../queue/enqueue.ts";
import { type DueIndexing, indexingDue } from "./knowledge-records.ts";

/** What the work is for. */
export type IndexingPlace = Pick<DueIndexing, "guid" | "caseId">;

/** The operation that makes indexing due. */
export function dueIndexing(org: Organization, { guid, caseId }: IndexingPlace): OrgOperation {
  const value: DueIndexing = { v: 1, kind: "index-knowledge", organizationId: org.id, guid, caseId };
  return { kind: "due-put", id: indexingDue(guid), value };
}

/** Puts due work on the queue. Done twice it does nothing more. */
export const enqueueIndexing = (
  org: Organization,
  { guid }: Pick<DueIndexing, "guid">,
  delaySeconds = 0,
): Promise<void> => enqueue(org, { kind: "index-knowledge", guid }, delaySeconds);

const placeOf = (event: Parameters<CaseListener["after"]>[1]): IndexingPlace => ({
  caseId: event.caseId,
  guid: event.kind === "case-removed" ? String(event.caseId) : event.documentId,
});

/** Indexes documents of knowledge bases when they were read, and forgets those that are removed. */
export const indexingListener: CaseListener = {
  // A record for each document: one of the case would be in the way of all that end at the same time.
  operations: (org, event) => [dueIndexing(org, placeOf(event))],
  async after(org, event) {
    const place = placeOf(event);
    const found = event.kind === "case-removed" ? undefined : await org.records.get<CaseRecord>(caseKey(event.caseId));
    // Promoted later, the case is indexed with all documents that it then has.
    if (found?.value.isKnowledgeBase === false) {
      await org.records.transact([{ kind: "due-delete", id: indexingDue(place.guid) }]);
    } else await enqueueIndexing(org, place);
  },
};
