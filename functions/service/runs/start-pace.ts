/**
 * The pace at which an organization's runs start: a token bucket, beyond which starts are postponed and never refused.
 * So a burst of one organization leaves room for the others where all share few executions.
 */
import { ConditionFailed } from "../../ports/errors.ts";
import { MAX_QUEUE_DELAY_SECONDS } from "../../ports/queue.ts";
import type { Organization } from "../organizations/organization.ts";
import { reserveToken } from "../organizations/rate-limit.ts";
import { enqueue } from "../queue/enqueue.ts";
import { type OpenRun, runId } from "./job-records.ts";

/** Milliseconds until a postponed run may start; 0 for any other. */
export const msUntilStart = (org: Organization, { startAt = 0 }: Pick<OpenRun, "startAt">): number =>
  Math.max(0, startAt - org.engines.clock.now());

/** Enqueues the start of a postponed run; the sweep starts it when the message is lost. */
export async function enqueueStart(org: Organization, { guid, run }: OpenRun, waitMs: number): Promise<void> {
  const seconds = Math.min(MAX_QUEUE_DELAY_SECONDS, Math.ceil(waitMs / 1000));
  await enqueue(org, { kind: "start-run", guid, run }, seconds);
}

async function findDue(org: Organization, guid: string, run: number): Promise<OpenRun | undefined> {
  return (await org.records.due(runId(guid, run)))?.value as OpenRun | undefined;
}

/** Takes a token for an open run, and postpones its start when there is none now. @returns true for a postponed run */
export async function postponeStart(org: Organization, guid: string, run: number): Promise<boolean> {
  const { startRate } = org.config;
  if (startRate === null) return false;
  const now = org.engines.clock.now();
  const waitMs = await reserveToken(org.records, startRate, now);
  if (waitMs === 0) return false;
  const due = await findDue(org, guid, run);
  // Ended meanwhile, or started by a sweep.
  if (due === undefined || due.deadline !== null) return false;
  const postponed = { ...due, startAt: now + waitMs };
  try {
    const id = runId(guid, run);
    await org.records.transact([{ kind: "due-put", id, value: postponed, condition: { ifPresent: true } }]);
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
  await enqueueStart(org, postponed, waitMs);
  return true;
}

/** True for a run whose start is postponed still. */
export async function isPostponed(org: Organization, guid: string, run: number): Promise<boolean> {
  if (org.config.startRate === null) return false;
  const due = await findDue(org, guid, run);
  return due !== undefined && msUntilStart(org, due) > 0;
}
