/** Batch members of a job's status; false and 0 for other jobs. */
import type { JobRecord, RunSummary } from "../runs/job-records.ts";
import type { Progress } from "../runs/progress-notes.ts";
import type { RunCounts } from "./batch-records.ts";

const NO_BATCH_MEMBERS = {
  isBatch: false,
  totalDocs: 0,
  completedDocs: 0,
  failedDocs: 0,
  maxConcurrency: 1,
  nextDocIndex: 0,
  inProgressDocs: 0,
};

/** @param counts of the newest run, while it is open */
export function batchMembers(
  { documents }: JobRecord,
  run: RunSummary | undefined,
  counts?: RunCounts,
): Record<string, unknown> {
  if (documents === undefined) return NO_BATCH_MEMBERS;
  const { total } = documents;
  const {
    completed = 0,
    failed = 0,
    cancelled = 0,
    maxConcurrency = documents.maxConcurrency,
  } = { ...run?.documents, ...counts };
  // Documents begin in their order.
  const nextDocIndex = counts?.started ?? run?.documents?.begun ?? run?.documents?.total ?? 0;
  return {
    isBatch: true,
    totalDocs: total,
    completedDocs: completed,
    failedDocs: failed,
    maxConcurrency,
    nextDocIndex,
    inProgressDocs: counts === undefined ? 0 : Math.max(0, counts.started - completed - failed - cancelled),
    totalDocuments: total,
    completedDocuments: completed,
    failedDocuments: failed,
    cancelledDocuments: cancelled,
  };
}

/** Progress of an open run. */
export const batchProgress = (
  run: RunSummary,
  { completed, failed, cancelled }: RunCounts,
): Progress & { failed: number } => ({
  done: completed + failed + cancelled,
  total: run.documents?.total ?? 0,
  failed,
  phase: run.status === "PENDING" ? "queued" : "processing",
  unit: "document",
});
