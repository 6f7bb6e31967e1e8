/** The end of batches' runs and of their documents' runs. */
import { ConditionFailed, Conflict, timeoutSentence } from "../../ports/errors.ts";
import { countKey, type DocumentOutcome, outcomeKey } from "../batches/batch-records.ts";
import { batchExecutions, startBatchRun } from "../batches/batch-runs.ts";
import { findDocument } from "../batches/batches.ts";
import { countDocuments, countOf } from "../batches/document-counts.ts";
import { loadDocumentOutcomes } from "../batches/document-outcomes.ts";
import { owedOperations, takeOwed } from "../charges/owed-charges.ts";
import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/organization-records.ts";
import { allNodesEnded, loadNodes } from "../pipelines/node-statuses.ts";
import { publishPipeline } from "../pipelines/publish-result.ts";
import {
  type DocumentCounts,
  executionName,
  type JobRecord,
  type JobStatus,
  type OpenRun,
  type RunMode,
  type RunSummary,
  runId,
} from "../runs/job-records.ts";
import { loadJob, nowIso, updateJob } from "../runs/job-store.ts";
import { findRun, loadMachineCommand, startRun, withRun } from "../runs/open-run.ts";
import { tellEnd } from "../runs/run-ends.ts";
import { erasePassword } from "../runs/run-password.ts";
import { enqueueStart, msUntilStart } from "../runs/start-pace.ts";
import { INTERNAL_SENTENCE } from "../runs/step-errors.ts";
import { hasResult, loadOutcomes, sentenceOfCause } from "../runs/step-outcomes.ts";
import { openOutbox } from "../webhooks/event-outbox.ts";
import { cancelJob } from "./cancel-job.ts";
import { enqueueDependents, settleRun } from "./settle-run.ts";

/** Starts a run of any kind. A run that was started before is not started again. */
export async function startAnyRun(
  org: Organization,
  { guid, run, mode }: { guid: string; run: number; mode: RunMode },
): Promise<void> {
  if (mode === "BATCH") {
    await startBatchRun(org, guid, run);
    return;
  }
  const input = { organizationId: org.id, guid, run, mode };
  await startRun(org, input, await loadMachineCommand(org, input));
}

/** Starts a postponed run when it is time; a run that has begun or ended is left alone. */
export async function startPostponed(org: Organization, guid: string, run: number): Promise<void> {
  const due = (await org.records.due(runId(guid, run)))?.value as OpenRun | undefined;
  if (due === undefined || due.deadline !== null || due.waiting === true) return;
  const waitMs = msUntilStart(org, due);
  if (waitMs > 0) await enqueueStart(org, due, waitMs);
  else await startAnyRun(org, due);
}

/** Ends a run of any kind: FAILED, or a batch's by the outcomes of its documents. */
export async function settleAnyRun(org: Organization, guid: string, run: number, sentence: string): Promise<JobStatus> {
  const { value: job } = await loadJob(org, guid);
  if (job.documents === undefined) return settleRun(org, guid, run, sentence);
  await settleOpenDocuments(org, guid, run, sentence);
  return settleBatch(org, guid, run, { unfinished: sentence });
}

/** The sentence of a failed nested execution; Step Functions gives its description as `Cause`. */
function nestedExecutionSentence(org: Organization, cause: unknown): string {
  try {
    const description = JSON.parse(String(cause)) as { Status?: unknown; Cause?: unknown };
    if (description.Status === "TIMED_OUT") return timeoutSentence(org.config.jobTimeoutSeconds);
    return sentenceOfCause(description.Cause) ?? sentenceOfCause(cause) ?? INTERNAL_SENTENCE;
  } catch {
    return INTERNAL_SENTENCE;
  }
}

/**
 * Closes a document whose iteration failed: its run could not be opened, its machine failed, or it was started twice.
 * @returns `open` true while its machine runs, started by another
 */
export async function closeDocument(
  org: Organization,
  batch: string,
  run: number,
  index: number,
  cause: unknown,
): Promise<{ open: boolean }> {
  const { guid } = await findDocument(org, batch, index);
  const { value: job } = await loadJob(org, guid);
  const sentence = nestedExecutionSentence(org, cause);
  if (job.lastRun < run) {
    await recordUnopened(org, { batch, run, index, guid }, sentence);
    return { open: false };
  }
  if (job.openRun !== run) return { open: false };
  const execution = await org.workflows.describe(executionName(guid, run));
  if (execution?.status === "RUNNING") return { open: true };
  await settleDeadDocument(org, guid, run, sentence);
  return { open: false };
}

/** Ends the run of a dead execution. A result that was complete before its last step counts. */
async function settleDeadDocument(org: Organization, guid: string, run: number, sentence: string): Promise<void> {
  const nodes = await loadNodes(org, guid, run);
  const hasAllResults =
    nodes === undefined ? hasResult((await loadOutcomes(org, guid, run)).outputs) : allNodesEnded(nodes);
  if (hasAllResults) await publishPipeline(org, { guid, run });
  await settleRun(org, guid, run, hasAllResults ? undefined : sentence);
}

/** Records the failure of a document whose run was never opened. */
async function recordUnopened(
  org: Organization,
  { batch, run, index, guid }: { batch: string; run: number; index: number; guid: string },
  sentence: string,
): Promise<void> {
  // No entry for a document that was not begun when its batch was cancelled.
  const due = await org.records.due(runId(batch, run));
  if (due === undefined || (due.value as OpenRun).cancelling === true) return;
  const value: DocumentOutcome = { v: 1, index, guid, status: "FAILED", error: sentence };
  const operations: OrgOperation[] = [
    { kind: "due-check", id: runId(batch, run), ifVersion: due.version },
    { kind: "put", key: outcomeKey(batch, run, index), value, condition: { ifAbsent: true } },
    { kind: "add", key: countKey(batch, run, index), amounts: { started: 1, failed: 1 } },
  ];
  try {
    await org.records.transact(operations);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

/**
 * Ends the documents' runs that are still open when their batch ends; after a complete Map there are none.
 * @param sentence null: they are cancelled
 */
export async function settleOpenDocuments(
  org: Organization,
  guid: string,
  run: number,
  sentence: string | null,
): Promise<void> {
  for await (const { guid: document, status } of loadDocumentOutcomes(org, guid, run)) {
    if (status !== "PROCESSING") continue;
    await settleRun(org, document, run, sentence ?? undefined, { cancelled: sentence === null });
    await stopIfRunning(org, executionName(document, run), "Batch.Ended", "The batch's run has ended");
  }
}

/** Numbers of a batch's documents by their final status. */
type DocumentEnds = Pick<DocumentCounts, "completed" | "failed"> & { cancelled: number };

async function loadDocumentEnds(org: Organization, guid: string, run: number): Promise<DocumentEnds> {
  const ends = { completed: 0, failed: 0, cancelled: 0 };
  for await (const { status } of loadDocumentOutcomes(org, guid, run)) ends[countOf(status)] += 1;
  return ends;
}

/**
 * The end of a batch's run: COMPLETED when all documents succeeded, FAILED when none did, else PARTIAL. Documents that
 * were not begun have failed, except in a cancelled run.
 */
function batchEndOf(
  run: RunSummary,
  { completed, failed, cancelled }: DocumentEnds,
): { status: JobStatus; error: string | null; counts: Partial<DocumentCounts> } {
  if (run.cancelling === true) {
    const counts = { completed, failed, cancelled, begun: completed + failed + cancelled };
    return { status: "CANCELLED", error: null, counts };
  }
  const total = run.documents?.total ?? 0;
  const missing = total - completed;
  const counts = { completed, failed: missing };
  if (missing === 0) return { status: "COMPLETED", error: null, counts };
  return { status: completed === 0 ? "FAILED" : "PARTIAL", error: `${missing} of ${total} documents failed`, counts };
}

/**
 * Marks a batch's run as being cancelled: it ends CANCELLED, whatever ends it from here on, and no more of its documents
 * begin. @returns the run; undefined when it has ended
 */
async function markCancelling(org: Organization, guid: string, run: number): Promise<RunSummary | undefined> {
  const id = runId(guid, run);
  const due = await org.records.due(id);
  if (due === undefined) return undefined;
  try {
    const job = await updateJob(org, guid, (current) =>
      current.openRun === run
        ? {
            job: withRun(current, run, { cancelling: true }),
            more: [{ kind: "due-put", id, value: { ...due.value, cancelling: true }, condition: { ifPresent: true } }],
          }
        : undefined,
    );
    return job.openRun === run ? findRun(job, run) : undefined;
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}

async function stopIfRunning(org: Organization, execution: string, error: string, cause: string): Promise<void> {
  if ((await org.workflows.describe(execution))?.status === "RUNNING")
    await org.workflows.stop(execution, error, cause);
}

/** Cancels a job of any kind. @throws NotFound; Conflict for a job that has already ended */
export async function cancelAnyJob(org: Organization, guid: string): Promise<JobRecord> {
  const job = (await loadJob(org, guid)).value;
  if (job.batch !== undefined) throw new Conflict("This is a document of a batch; cancel the batch");
  if (job.documents === undefined || job.openRun === null) return cancelJob(org, guid);
  const run = job.openRun;
  const marked = await markCancelling(org, guid, run);
  for (const name of marked === undefined ? [] : batchExecutions(org, guid, marked)) {
    await stopIfRunning(org, name, "Cancelled", "The batch was cancelled");
  }
  await settleOpenDocuments(org, guid, run, null);
  const status = await settleBatch(org, guid, run, {});
  if (status !== "CANCELLED") throw new Conflict(`The batch is ${status} already; there is nothing to cancel`);
  return (await loadJob(org, guid)).value;
}

/** Tells those who wait for a batch, and its dependents, that its run has ended. */
async function announceEnd(org: Organization, guid: string, run: number, status: JobStatus): Promise<void> {
  tellEnd(org, guid);
  org.observer.count("batches_settled_total", { status });
  org.observer.log("info", "run settled", { organization: org.id, job: guid, run, status });
  await org.openRuns.ended();
  await enqueueDependents(org, guid);
}

/**
 * Ends a batch's run by the outcomes of its documents. A second call changes nothing.
 * @param unfinished the error of documents that were not begun
 * @returns the batch's status afterwards
 */
export async function settleBatch(
  org: Organization,
  guid: string,
  run: number,
  { resultKey, unfinished }: { resultKey?: string; unfinished?: string },
): Promise<JobStatus> {
  const ends = await loadDocumentEnds(org, guid, run);
  const counts = await countDocuments(org, guid, run);
  let isSettledHere = false;
  try {
    const outbox = await openOutbox(org);
    const job = await updateJob(org, guid, (current) => {
      const currentRun = findRun(current, run);
      isSettledHere = false;
      if (currentRun?.documents === undefined || current.openRun !== run) return undefined;
      isSettledHere = true;
      const { status, error, counts: documentCounts } = batchEndOf(currentRun, ends);
      // The list of a cancelled run is made on request: documents that were not begun are null in it.
      const kept = status === "CANCELLED" ? {} : { resultKey, unfinished };
      const at = nowIso(org);
      const settled: JobRecord = withRun(current, run, {
        status,
        error,
        completedAt: at,
        documents: { ...currentRun.documents, ...documentCounts },
        ...(kept.resultKey === undefined ? {} : { resultKey: kept.resultKey, resultType: "application/json" }),
        ...(kept.unfinished === undefined ? {} : { unfinished: kept.unfinished }),
      });
      return {
        job: {
          ...settled,
          status,
          error,
          updatedAt: at,
          openRun: null,
          tokenCount: current.tokenCount + counts.tokens,
          ocrPages: current.ocrPages + counts.ocrPages,
          llmTokens: current.llmTokens + counts.llmTokens,
          statusVersion: current.statusVersion + 1,
        },
        more: [
          { kind: "due-delete", id: runId(guid, run), condition: { ifPresent: true } },
          ...erasePassword(current, currentRun),
          // Its documents have noted what they owe.
          ...owedOperations(org, { guid, run }, currentRun.billing, 0),
          ...outbox.record(settled, findRun(settled, run) ?? currentRun),
        ],
      };
    });
    const ended = findRun(job, run);
    const status = ended?.status ?? job.status;
    if (isSettledHere) await takeOwed(org, { guid, run }, ended?.billing);
    if (isSettledHere) await announceEnd(org, guid, run, status);
    await outbox.enqueueRecorded();
    return status;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return (await loadJob(org, guid)).value.status;
  }
}
