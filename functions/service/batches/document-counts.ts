/** Counts of a batch's run, written in one transaction with the counted outcomes. */

import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/organization-records.ts";
import type { JobRecord, RunSummary } from "../runs/job-records.ts";
import { countKey, type DocumentOutcome, outcomeKey, type RunCounts } from "./batch-records.ts";

/** Entry in the batch's results of a document that was under way when the batch was cancelled. */
const CANCELLED_ENTRY = "Cancelled";

/** Operations to write with the opening of a document's run. */
export function documentStartOperations({ guid, batch }: JobRecord, run: number): OrgOperation[] {
  if (batch === undefined) return [];
  const value: DocumentOutcome = { v: 1, index: batch.index, guid, status: "PROCESSING", error: null };
  return [
    { kind: "put", key: outcomeKey(batch.guid, run, batch.index), value },
    { kind: "add", key: countKey(batch.guid, run, batch.index), amounts: { started: 1 } },
  ];
}

/** Operations to write with the end of a document's run; none for a job outside of batches. */
export function documentEndOperations(
  { guid, batch }: JobRecord,
  run: RunSummary | undefined,
  used: { ocrPages: number; llmTokens: number; tokens: number },
): OrgOperation[] {
  if (batch === undefined || run === undefined) return [];
  const { status, error, resultKey, resultType } = run;
  const { index } = batch;
  const result = resultKey === undefined ? {} : { resultKey, resultType: resultType ?? "application/json" };
  const entry = status === "CANCELLED" ? CANCELLED_ENTRY : error;
  const value: DocumentOutcome = { v: 1, index, guid, status, error: entry, ...result };
  const amounts = { ...used, [countOf(status)]: 1 };
  return [
    { kind: "put", key: outcomeKey(batch.guid, run.run, index), value },
    { kind: "add", key: countKey(batch.guid, run.run, index), amounts },
  ];
}

/** True for documents with data, also for PARTIAL ones. */
export const hasSucceeded = (status: string): boolean => status === "COMPLETED" || status === "PARTIAL";

/** The count that a document's final status adds to. */
export const countOf = (status: string): "completed" | "failed" | "cancelled" =>
  hasSucceeded(status) ? "completed" : status === "CANCELLED" ? "cancelled" : "failed";

/** Loads the current counts of a run. */
export async function countDocuments(org: Organization, guid: string, run: number): Promise<RunCounts> {
  const { partition, sort: prefix } = countKey(guid, run, "");
  const { items } = await org.records.query({ partition, prefix, limit: 1000 });
  const sum = (member: keyof RunCounts): number =>
    items.reduce((all, { value }) => all + (typeof value[member] === "number" ? value[member] : 0), 0);
  return {
    started: sum("started"),
    completed: sum("completed"),
    failed: sum("failed"),
    cancelled: sum("cancelled"),
    ocrPages: sum("ocrPages"),
    llmTokens: sum("llmTokens"),
    tokens: sum("tokens"),
  };
}
