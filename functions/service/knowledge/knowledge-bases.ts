/** Knowledge bases: cases that are searched. Making a case one, and making it a plain case again. */
import { ConcurrentModification, ConditionFailed, NotFound } from "../../ports/errors.ts";
import { type CaseRecord, caseKey } from "../cases/case-records.ts";
import { laterThan, listCases, loadCase } from "../cases/cases.ts";
import type { Organization } from "../organizations/organization.ts";
import { nowIso } from "../runs/job-store.ts";
import { dueIndexing, enqueueIndexing } from "./due-indexing.ts";

/** Tries of a change beside other changes of the same case. */
const MAX_TRIES = 4;

export const unknownKnowledgeBase = (caseId: number): NotFound =>
  new NotFound(caseId > 0 ? `There is no knowledge base ${caseId}` : "There is no such knowledge base");

/** Lists the cases that are knowledge bases, by id. */
export async function listKnowledgeBases(org: Organization): Promise<CaseRecord[]> {
  return (await listCases(org)).filter(({ isKnowledgeBase }) => isKnowledgeBase);
}

/** @throws NotFound for an unknown case, and for one that is no knowledge base */
export async function loadKnowledgeBase(org: Organization, caseId: number): Promise<CaseRecord> {
  const found = caseId > 0 ? await org.records.get<CaseRecord>(caseKey(caseId)) : undefined;
  if (found === undefined || !found.value.isKnowledgeBase) throw unknownKnowledgeBase(caseId);
  return found.value;
}

/**
 * Makes a case a knowledge base: its documents are indexed by the queue, also those that come later. Repeating it has no
 * effect. @throws NotFound for an unknown case; ConcurrentModification
 */
export const promoteCase = (org: Organization, caseId: number): Promise<CaseRecord> => change(org, caseId, true);

/** Makes a knowledge base a plain case; its passages and its index are deleted by the queue. @throws as loadKnowledgeBase */
export async function demoteCase(org: Organization, caseId: number): Promise<void> {
  await loadKnowledgeBase(org, caseId);
  await change(org, caseId, false);
}

/** Writes the change in one transaction with the work that it makes due. */
async function change(org: Organization, caseId: number, isKnowledgeBase: boolean): Promise<CaseRecord> {
  for (let tries = 1; ; tries += 1) {
    const { value, version } = await loadCase(org, caseId);
    if (value.isKnowledgeBase === isKnowledgeBase) return value;
    const updated = { ...value, isKnowledgeBase, updatedAt: laterThan(value.updatedAt, nowIso(org)) };
    const place = { caseId, guid: String(caseId) };
    try {
      await org.records.transact([
        { kind: "put", key: caseKey(caseId), value: updated, condition: { ifVersion: version } },
        dueIndexing(org, place),
      ]);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (tries === MAX_TRIES) throw new ConcurrentModification("the case", { cause: error });
      continue;
    }
    await enqueueIndexing(org, place);
    return updated;
  }
}
