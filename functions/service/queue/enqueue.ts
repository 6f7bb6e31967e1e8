/** Work that nobody waits for: whoever owes it puts it on the queue, and whoever takes it off carries it out. */
import { AppError } from "../../ports/errors.ts";
import { describeError } from "../../ports/observer.ts";
import { WORK_QUEUE } from "../../ports/queue.ts";
import type { Organization } from "../organizations/organization.ts";

/** What can be on the queue. It may be delivered twice, so doing it again must be harmless. */
export type Work =
  /** The files and records of a job that is deleted already for every reader. */
  | { kind: "delete-job"; guid: string }
  /** What a presigned PUT left behind, once its address takes nothing any more. */
  | { kind: "delete-upload"; guid: string }
  /** The runs that waited for a job which has ended, or is gone. */
  | { kind: "start-dependents"; guid: string }
  /** An event of a job's end, to be told to the organization's webhook. */
  | { kind: "deliver-webhook"; guid: string; event: string };

/**
 * Puts work on the queue that is on record elsewhere too, so that losing it loses nothing but time: a queue that does
 * not take it is told to the operators, not to the caller.
 */
export async function enqueue(org: Organization, work: Work, delaySeconds = 0): Promise<void> {
  try {
    await org.queue.send(WORK_QUEUE, { ...work, organizationId: org.id }, { delaySeconds });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { kind, guid } = work;
    org.observer.log("error", "work not handed over", { kind, job: guid, ...describeError(error) });
  }
}
