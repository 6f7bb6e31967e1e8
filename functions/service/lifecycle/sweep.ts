/**
 * The sweep: starts runs whose start was lost, settles runs past their deadline or whose execution died, completes
 * deletions.
 */

import { timeoutSentence } from "../../ports/errors.ts";
import { describeError } from "../../ports/observer.ts";
import { queryAll, type StoredRecord } from "../../ports/records.ts";
import type { Execution } from "../../ports/workflows.ts";
import type { DueCaseDeletion, DueCaseUpload } from "../cases/case-records.ts";
import type { DueCharge } from "../charges/owed-charges.ts";
import { sweepCharge } from "../charges/run-holds.ts";
import { enqueueIndexing } from "../knowledge/due-indexing.ts";
import type { DueIndexing } from "../knowledge/knowledge-records.ts";
import { setOpenRunCounts } from "../organizations/open-run-counts.ts";
import { bindOrganization, type Organization, type Platform } from "../organizations/organization.ts";
import { DUE_SHARDS, type SystemRecords } from "../organizations/organization-records.ts";
import { enqueue } from "../queue/enqueue.ts";
import { executionName, type OpenDeletion, type OpenRun } from "../runs/job-records.ts";
import { msUntilStart } from "../runs/start-pace.ts";
import { INTERNAL_SENTENCE } from "../runs/step-errors.ts";
import { sentenceOfCause } from "../runs/step-outcomes.ts";
import { type DueTemplateWork, sweepTemplateWork } from "../templates/template-sweep.ts";
import { sweepDelivery } from "../webhooks/event-outbox.ts";
import type { DueDelivery } from "../webhooks/webhook-records.ts";
import { sweepCaseDeletion } from "./case-work.ts";
import { finishDeletion } from "./delete-job.ts";
import { advanceDependent } from "./dependent-runs.ts";
import { settleAnyRun, startAnyRun } from "./settle-batch.ts";
import { duePartition, processRound } from "./sweep-round.ts";

type DueWork =
  | OpenRun
  | OpenDeletion
  | DueDelivery
  | DueTemplateWork
  | DueCaseDeletion
  | DueCaseUpload
  | DueIndexing
  | DueCharge;

/** Time after its deadline within which a run's own step may end it. */
const RUN_GRACE_MS = 30_000;
/** Time limit of a sweep, of the 280 s of its function: retention takes up to 60 s, and unused machines some. */
const MAX_SWEEP_MS = 150_000;

/** All due work of every organization: open runs, begun deletions, undelivered webhooks, and work on templates. */
export async function* dueWork(system: SystemRecords): AsyncGenerator<StoredRecord<DueWork>> {
  for (let shard = 0; shard < DUE_SHARDS; shard++) {
    yield* queryAll<DueWork>(system, { partition: duePartition(shard), limit: 500 });
  }
}

/**
 * Corrects the counters of open runs, then processes the due work, or as much of it as there is time for; the next
 * sweep continues there. A failing piece does not stop the others. @returns the number of pieces acted on
 */
export async function sweep(
  platform: Platform,
  system: SystemRecords,
  { milliseconds = MAX_SWEEP_MS }: { milliseconds?: number } = {},
): Promise<number> {
  const { clock } = platform.engines;
  const until = clock.now() + milliseconds;
  await setOpenRunCounts(system, await countOpenRuns(system));
  return processRound<DueWork>(system, { clock, until }, async (due) => {
    try {
      return await sweepPiece(bindOrganization(platform, due.value.organizationId), due);
    } catch (error) {
      platform.observer.log("error", "sweep failed", { job: due.value.guid, ...describeError(error) });
      return false;
    }
  });
}

async function sweepPiece(org: Organization, due: StoredRecord<DueWork>): Promise<boolean> {
  const { value } = due;
  if (value.kind === "run") return sweepRun(org, value);
  if (value.kind === "webhook") return sweepDelivery(org, { ...due, value });
  if (value.kind === "charge") return sweepCharge(org, value);
  if (value.kind === "delete") await finishDeletion(org, value.guid);
  else if (value.kind === "delete-case") await sweepCaseDeletion(org, value.guid);
  else if (value.kind === "case-upload") await enqueue(org, { kind: value.kind, guid: value.guid });
  else if (value.kind === "index-knowledge") await enqueueIndexing(org, value);
  else await sweepTemplateWork(org, value);
  return true;
}

/** Counts open runs by organization. Runs that open or end meanwhile may be missed; the next sweep counts them. */
async function countOpenRuns(system: SystemRecords): Promise<Map<number, number>> {
  const open = new Map<number, number>();
  for await (const { value } of dueWork(system)) {
    const counts = value.kind === "run" && value.ofBatch !== true;
    if (counts) open.set(value.organizationId, (open.get(value.organizationId) ?? 0) + 1);
  }
  return open;
}

async function sweepRun(org: Organization, due: OpenRun): Promise<boolean> {
  if (due.waiting === true) return advanceDependent(org, due.guid, due.run);
  if (msUntilStart(org, due) > 0) return false;
  const name = executionName(due.guid, due.run);
  const late = due.deadline !== null && org.engines.clock.now() > due.deadline + RUN_GRACE_MS;
  if (late) {
    await settleAnyRun(org, due.guid, due.run, timeoutSentence(org.config.jobTimeoutSeconds));
    await org.workflows.stop(name, "States.Timeout", "The run is past its deadline");
    return true;
  }
  // The step of another run does the work; a machine beside it would repeat every model call.
  if (due.within !== undefined && (await org.records.due(due.within)) !== undefined) return false;
  const execution = await org.workflows.describe(name);
  if (execution === undefined) {
    await startAnyRun(org, due);
    return true;
  }
  if (execution.status === "RUNNING") return false;
  await settleAnyRun(org, due.guid, due.run, executionSentence(org, execution));
  return true;
}

/**
 * Resets the deadlines of open runs at a start on one machine: no run's time passes while the service is down, and the
 * next step sets a new deadline. Not used in the cloud, where the service is never down as a whole.
 */
export async function restartClocks(platform: Platform, system: SystemRecords): Promise<number> {
  let restarted = 0;
  for await (const { key, value, version } of dueWork(system)) {
    if (value.kind !== "run" || value.deadline === null) continue;
    await platform.records.put(key, { ...value, deadline: null }, { condition: { ifVersion: version } });
    restarted += 1;
  }
  return restarted;
}

/**
 * Releases, at a start on one machine, the holds of requests that died before they opened their runs. Not used in the
 * cloud, where other requests are under way.
 */
export async function releaseLostHolds(platform: Platform, system: SystemRecords): Promise<void> {
  for await (const { value } of dueWork(system)) {
    if (value.kind === "charge") await sweepCharge(bindOrganization(platform, value.organizationId), value, true);
  }
}

/** Settles the run of an execution that failed; called for execution-status events. */
export async function settleDeadExecution(platform: Platform, execution: Execution): Promise<void> {
  if (execution.status === "SUCCEEDED") return;
  // Executions of a batch's parts and iterations name no run.
  const { organizationId, guid, run } = (execution.input ?? {}) as {
    organizationId?: number;
    guid?: string;
    run?: number;
  };
  if (organizationId === undefined || guid === undefined || run === undefined) return;
  const org = bindOrganization(platform, organizationId);
  await settleAnyRun(org, guid, run, executionSentence(org, execution));
}

function executionSentence(org: Organization, execution: Execution): string {
  if (execution.status === "TIMED_OUT") return timeoutSentence(org.config.jobTimeoutSeconds);
  return sentenceOfCause(execution.cause) ?? INTERNAL_SENTENCE;
}
