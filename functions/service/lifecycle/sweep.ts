/** Starts runs whose start was lost, settles runs past their time or whose execution died, finishes deletions. */

import { timeoutSentence } from "../../ports/errors.ts";
import { describeError } from "../../ports/observer.ts";
import type { StoredRecord } from "../../ports/records.ts";
import type { Execution } from "../../ports/workflows.ts";
import { correctOpenRuns } from "../organizations/open-run-counts.ts";
import { bindOrganization, type Organization, type Platform } from "../organizations/organization.ts";
import { DUE_SHARDS, type SystemRecords } from "../organizations/organization-records.ts";
import { executionName, type OpenDeletion, type OpenRun } from "../runs/job-records.ts";
import { INTERNAL_SENTENCE } from "../runs/step-errors.ts";
import { sentenceOfCause } from "../runs/step-outcomes.ts";
import { sweepDelivery } from "../webhooks/event-outbox.ts";
import type { DueDelivery } from "../webhooks/webhook-records.ts";
import { finishDeletion } from "./delete-job.ts";
import { advanceDependent } from "./dependent-runs.ts";
import { settleAnyRun, startAnyRun } from "./settle-batch.ts";
import { duePartition, workRound } from "./sweep-round.ts";

type Due = OpenRun | OpenDeletion | DueDelivery;

/** After its deadline a run has this long to be ended by its own step. */
const GRACE_MS = 30_000;
/** Of one sweep, of the 280 s that its function has: retention takes up to 60 s, and unused machines some. */
const LONGEST_MS = 150_000;

/** All open runs, begun deletions and webhooks that are due, of every organization. */
export async function* dueWork(system: SystemRecords): AsyncGenerator<StoredRecord<Due>> {
  for (let shard = 0; shard < DUE_SHARDS; shard++) {
    let cursor: string | undefined;
    do {
      const page = await system.query<Due>({
        partition: duePartition(shard),
        limit: 500,
        ...(cursor === undefined ? {} : { cursor }),
      });
      yield* page.items;
      cursor = page.cursor;
    } while (cursor !== undefined);
  }
}

/**
 * Puts the counters of open runs right, then works off the due work, or as much of it as there is time for; the next
 * sweep goes on there. One failing piece does not stop the others. @returns how many pieces were acted on
 */
export async function sweep(
  platform: Platform,
  system: SystemRecords,
  { milliseconds = LONGEST_MS }: { milliseconds?: number } = {},
): Promise<number> {
  const { clock } = platform.engines;
  const until = clock.now() + milliseconds;
  await correctOpenRuns(system, await countOpenRuns(system));
  return workRound<Due>(system, { clock, until }, async (due) => {
    try {
      return await sweepPiece(bindOrganization(platform, due.value.organizationId), due);
    } catch (error) {
      platform.observer.log("error", "sweep failed", { job: due.value.guid, ...describeError(error) });
      return false;
    }
  });
}

async function sweepPiece(org: Organization, due: StoredRecord<Due>): Promise<boolean> {
  const { value } = due;
  if (value.kind === "run") return sweepRun(org, value);
  if (value.kind === "webhook") return sweepDelivery(org, { ...due, value });
  await finishDeletion(org, value.guid);
  return true;
}

/** By organization. What opens or ends meanwhile may be missed; the next sweep sees it. */
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
  const name = executionName(due.guid, due.run);
  const late = due.deadline !== null && org.engines.clock.now() > due.deadline + GRACE_MS;
  if (late) {
    await settleAnyRun(org, due.guid, due.run, timeoutSentence(org.config.jobTimeoutSeconds));
    await org.workflows.stop(name, "States.Timeout", "The run is past its deadline");
    return true;
  }
  // A machine beside the step that does its work would ask everything a second time.
  if (due.within !== undefined && (await org.records.due(due.within)) !== undefined) return false;
  const execution = await org.workflows.describe(name);
  if (execution === undefined) {
    await startAnyRun(org, due);
    return true;
  }
  if (execution.status === "RUNNING") return false;
  await settleAnyRun(org, due.guid, due.run, sentenceOfExecution(org, execution));
  return true;
}

/**
 * While the service is down no run's time passes: at a start on one machine the clocks of open runs begin anew with
 * their next step. (In the cloud nothing is ever down as a whole; nothing calls this there.)
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

/** The execution-status event: settles what an execution that ended badly left open. */
export async function settleDeadExecution(platform: Platform, execution: Execution): Promise<void> {
  if (execution.status === "SUCCEEDED") return;
  // What else machines are started with, the parts of a batch and its iterations, names no run.
  const { organizationId, guid, run } = (execution.input ?? {}) as {
    organizationId?: number;
    guid?: string;
    run?: number;
  };
  if (organizationId === undefined || guid === undefined || run === undefined) return;
  const org = bindOrganization(platform, organizationId);
  await settleAnyRun(org, guid, run, sentenceOfExecution(org, execution));
}

function sentenceOfExecution(org: Organization, execution: Execution): string {
  if (execution.status === "TIMED_OUT") return timeoutSentence(org.config.jobTimeoutSeconds);
  return sentenceOfCause(execution.cause) ?? INTERNAL_SENTENCE;
}
