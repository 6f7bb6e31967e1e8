/**
 * The index of a knowledge base follows its documents: work of the queue, which compares what is there with what should
 * be, so that it can be repeated, can be cut short, and can be late.
 */
import { ConditionFailed } from "../../ports/errors.ts";
import { readDocuments } from "../cases/case-documents.ts";
import { type CaseRecord, caseKey } from "../cases/case-records.ts";
import type { Organization } from "../organizations/organization.ts";
import { enqueueIndexing } from "./due-indexing.ts";
import {
  type DueIndexing,
  type IndexRecord,
  indexFile,
  indexingDue,
  indexKey,
  termsFile,
} from "./knowledge-records.ts";
import { passageIndexes } from "./search-passages.ts";
import { deletePassages, listStored, storePassages } from "./stored-passages.ts";

/**
 * Documents that one change adds to an index. Each change writes the index anew, up to some 30 MB; a change of this many
 * takes less than a second (npm run bench -- search).
 */
const DOCUMENTS_A_CHANGE = 20;
/** Time after which the rest is left to the next delivery; a function of the queue has 120 s. */
const MAX_WORK_MS = 50_000;
/** One change at a time for a case; who dies loses the place after these seconds. */
const TURN = { most: 1, seconds: 120 };
/** Who finds another at work looks again after these seconds. */
const LOOK_AGAIN_SECONDS = 3;

/** Follows the documents of the case that due work names; nothing when the work is done. */
export async function followQueued(org: Organization, guid: string): Promise<void> {
  const due = await org.records.due(indexingDue(guid));
  if (due === undefined) return;
  const { caseId } = due.value as DueIndexing;
  const turn = await org.slots.take(`index-knowledge/${caseId}`, TURN);
  if (turn === undefined) return enqueueIndexing(org, { guid }, LOOK_AGAIN_SECONDS);
  try {
    const done = await followDocuments(org, caseId);
    if (!done) return await enqueueIndexing(org, { guid });
    const condition = { ifVersion: due.version };
    await org.records.transact([{ kind: "due-delete", id: indexingDue(guid), condition }]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // The documents have changed since, or another change of the index came first.
    await enqueueIndexing(org, { guid });
  } finally {
    await turn.release();
  }
}

/** @returns true when index and documents agree, false when time ran out @throws ConditionFailed beside another change */
async function followDocuments(org: Organization, caseId: number): Promise<boolean> {
  const until = org.engines.clock.now() + MAX_WORK_MS;
  while (org.engines.clock.now() < until) {
    const wanted = await wantedDocuments(org, caseId);
    const stored = new Map((await listStored(org, caseId)).map((one) => [one.documentId, one]));
    const index = await org.records.get<IndexRecord>(indexKey(caseId));
    const indexed = new Set(index?.value.documents);
    const add = [...wanted].filter((id) => !indexed.has(id)).slice(0, DOCUMENTS_A_CHANGE);
    const remove = [...indexed].filter((id) => !wanted.has(id));
    for (const id of add) if (stored.get(id)?.passages === undefined) await storePassages(org, caseId, id);
    if (wanted.size === 0) await dropIndex(org, caseId, index?.value);
    else if (add.length + remove.length > 0) await changeIndex(org, caseId, { add, remove });
    for (const id of stored.keys()) if (!wanted.has(id)) await deletePassages(org, caseId, id);
    if (wanted.size > 0) await deleteStale(org, caseId);
    if (add.length === 0) return true;
  }
  return false;
}

/** GUIDs of the documents that the index should have: none of a case that is no knowledge base, or is gone. */
async function wantedDocuments(org: Organization, caseId: number): Promise<Set<string>> {
  const wanted = new Set<string>();
  const found = await org.records.get<CaseRecord>(caseKey(caseId));
  if (found?.value.isKnowledgeBase !== true) return wanted;
  for await (const { documentId } of readDocuments(org, caseId)) wanted.add(documentId);
  return wanted;
}

/**
 * Writes a new file of the index and then its record. The record names the file before it is written, so that one that a
 * crash leaves behind is deleted later. @throws ConditionFailed beside another change
 */
async function changeIndex(
  org: Organization,
  caseId: number,
  change: { add: readonly string[]; remove: readonly string[] },
): Promise<void> {
  const key = indexKey(caseId);
  const before = await org.records.get<IndexRecord>(key);
  const state: IndexRecord = before?.value ?? { v: 1, documents: [], stale: [] };
  const file = org.engines.clock.guid();
  const announced = { ...state, stale: [...state.stale, file] };
  const condition = before === undefined ? { ifAbsent: true as const } : { ifVersion: before.version };
  const { version } = await org.records.put(key, announced, { condition });
  const old = state.file === undefined ? undefined : await org.blobs.get(indexFile(caseId, state.file));
  // A lost file is made again of the terms, a few documents at a time.
  const known = old === undefined ? [] : state.documents;
  const terms = await Promise.all(
    change.add.map(async (document) => ({ document, terms: await org.blobs.get(termsFile(caseId, document)) })),
  );
  const add = terms.map((one) => ({ document: one.document, terms: one.terms ?? new Uint8Array() }));
  const bytes = await passageIndexes(org).update(old, { remove: change.remove, add });
  await org.blobs.put(indexFile(caseId, file), bytes);
  const gone = new Set(change.remove);
  const updated: IndexRecord = {
    v: 1,
    file,
    documents: [...known.filter((id) => !gone.has(id) && !change.add.includes(id)), ...change.add],
    stale: [...state.stale, ...(state.file === undefined ? [] : [state.file])],
  };
  await org.records.put(key, updated, { condition: { ifVersion: version } });
}

/** Deletes the files that no search finds any more. */
async function deleteStale(org: Organization, caseId: number): Promise<void> {
  const found = await org.records.get<IndexRecord>(indexKey(caseId));
  if (found === undefined || found.value.stale.length === 0) return;
  for (const file of found.value.stale) await org.blobs.delete(indexFile(caseId, file));
  await org.records.put(indexKey(caseId), { ...found.value, stale: [] }, { condition: { ifVersion: found.version } });
}

/** Deletes an index with all of its files. */
async function dropIndex(org: Organization, caseId: number, index: IndexRecord | undefined): Promise<void> {
  if (index === undefined) return;
  const files = [...index.stale, ...(index.file === undefined ? [] : [index.file])];
  for (const file of files) await org.blobs.delete(indexFile(caseId, file));
  await org.records.delete(indexKey(caseId));
}
