/** What the status of a job says of batches: members of every job, false and 0 where it is none. */
import type { JobRecord, RunSummary } from "../runs/job-records.ts";
import type { Progress } from "../runs/progress-notes.ts";
import type { RunCounts } from "./batch-records.ts";

const ALONE = {
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
  if (documents === undefined) return ALONE;
  const { total } = documents;
  const { completed = 0, failed = 0, maxConcurrency = documents.maxConcurrency } = { ...run?.documents, ...counts };
  // Documents are begun in their order.
  const nextDocIndex = counts?.started ?? run?.documents?.total ?? 0;
  return {
    isBatch: true,
    totalDocs: total,
    completedDocs: completed,
    failedDocs: failed,
    maxConcurrency,
    nextDocIndex,
    inProgressDocs: counts === undefined ? 0 : Math.max(0, counts.started - completed - failed),
    totalDocuments: total,
    completedDocuments: completed,
    failedDocuments: failed,
  };
}

/** How far an open run has come. */
export const batchProgress = (run: RunSummary, { completed, failed }: RunCounts): Progress & { failed: number } => ({
  done: completed + failed,
  total: run.documents?.total ?? 0,
  failed,
  phase: run.status === "PENDING" ? "queued" : "processing",
  unit: "document",
});
