/** Cases of an organization: making, listing and changing them. */
import { ConcurrentModification, ConditionFailed, Conflict, NotFound } from "../../ports/errors.ts";
import { queryAll, type StoredRecord } from "../../ports/records.ts";
import { nextId } from "../organizations/id-sequence.ts";
import type { Organization } from "../organizations/organization.ts";
import { nowIso } from "../runs/job-store.ts";
import { newPlaces } from "./case-places.ts";
import { CASES_PARTITION, type CaseRecord, caseCountKey, caseKey, caseRequestKey } from "./case-records.ts";

/** Most cases of an organization: their list is one answer, of at most the 6 MB that a Lambda function may answer. */
export const MAX_CASES = 2_000;
/** Longest name and description, in characters: 2,000 cases of 2,200 characters are below 6 MB. */
export const MAX_CASE_NAME = 200;
export const MAX_CASE_DESCRIPTION = 2_000;
const PAGE_SIZE = 1000;
/** A repeated request finds its case for longer than its Idempotency-Key is kept. */
const REQUEST_SECONDS = 2 * 86_400;

export const unknownCase = (id: number): NotFound =>
  new NotFound(id > 0 ? `There is no case ${id}` : "There is no such case");

/** Lists cases by id. */
export async function listCases(org: Organization): Promise<CaseRecord[]> {
  const cases: CaseRecord[] = [];
  const query = { partition: CASES_PARTITION, limit: PAGE_SIZE };
  for await (const { value } of queryAll<CaseRecord>(org.records, query)) cases.push(value);
  return cases;
}

/** @throws NotFound */
export async function loadCase(org: Organization, id: number): Promise<StoredRecord<CaseRecord>> {
  const record = id > 0 ? await org.records.get<CaseRecord>(caseKey(id)) : undefined;
  if (record === undefined) throw unknownCase(id);
  return record;
}

export interface NewCase {
  name: string;
  description: string | null;
  /** Id of the API key that makes it. */
  userId: string;
  /** The same for every try of one request; absent: the request is not repeated. */
  request?: string;
}

/** Makes a case. Repeating it with the same request has no effect. @throws Conflict where there are too many */
export async function createCase(org: Organization, { request, ...given }: NewCase): Promise<CaseRecord> {
  const made = request === undefined ? undefined : await findMade(org, request);
  if (made !== undefined) return made;
  const at = nowIso(org);
  const id = await nextId(org, "case");
  const value: CaseRecord = { v: 1, id, ...given, isKnowledgeBase: false, createdAt: at, updatedAt: at };
  const expiresAt = Math.floor(org.engines.clock.now() / 1000) + REQUEST_SECONDS;
  try {
    await org.records.transact([
      { kind: "add", key: caseCountKey, amounts: { left: -1 }, floor: { left: -MAX_CASES } },
      { kind: "put", key: caseKey(id), value, condition: { ifAbsent: true } },
      ...newPlaces(id),
      ...(request === undefined
        ? []
        : [
            {
              kind: "put" as const,
              key: caseRequestKey(request),
              value: { v: 1, id },
              expiresAt,
              condition: { ifAbsent: true as const },
            },
          ]),
    ]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    if (error.failed.includes(0)) {
      throw new Conflict(`An organization has at most ${MAX_CASES.toLocaleString("en-US")} cases; delete one first`);
    }
    const first = request === undefined ? undefined : await findMade(org, request);
    if (first === undefined) throw error;
    return first;
  }
  org.observer.count("cases_created_total");
  return value;
}

/** The case that an earlier try of a request made. */
async function findMade({ records }: Organization, request: string): Promise<CaseRecord | undefined> {
  const id = (await records.get(caseRequestKey(request)))?.value.id;
  return typeof id === "number" ? (await records.get<CaseRecord>(caseKey(id)))?.value : undefined;
}

/**
 * Changes a case, unless another request changes it at the same time.
 * @param change gives the members to write @param readAt `updatedAt` of the case that the caller has seen
 * @throws NotFound; ConcurrentModification when the case was changed since it was read
 */
export async function updateCase(
  org: Organization,
  id: number,
  change: Partial<Pick<CaseRecord, "name" | "description" | "isKnowledgeBase">>,
  readAt?: string,
): Promise<CaseRecord> {
  const { value, version } = await loadCase(org, id);
  if (readAt !== undefined && readAt !== value.updatedAt) throw new ConcurrentModification("the case");
  const updated: CaseRecord = { ...value, ...change, updatedAt: laterThan(value.updatedAt, nowIso(org)) };
  try {
    await org.records.put(caseKey(id), updated, { condition: { ifVersion: version } });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new ConcurrentModification("the case", { cause: error });
  }
  return updated;
}

/** A time after the one before, also within its millisecond: callers tell states of a case by it. */
export const laterThan = (before: string, now: string): string =>
  now > before ? now : new Date(Date.parse(before) + 1).toISOString();
