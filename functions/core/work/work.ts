/** Work that nobody waits for: whoever owes it puts it on the queue, and whoever takes it off carries it out. */
import { AppError } from "../errors.ts";
import { describeError } from "../observe.ts";
import type { Organization } from "../organizations/organization.ts";

/** The one queue of all work, by the name that the drivers know it by. */
export const WORK_QUEUE = "work";

/** The queues of pipelines' nodes, by the tier of the model that they ask. */
export const NODE_QUEUES = {
  nano: "nodes-nano",
  mini: "nodes-mini",
  default: "nodes-default",
  high: "nodes-high",
} as const;

/** Deliveries of a piece of work. What fails at its last one is a dead letter. */
export const MAX_RECEIVES = 5;

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
export async function handOver(org: Organization, work: Work, delaySeconds = 0): Promise<void> {
  try {
    await org.queue.send(WORK_QUEUE, { ...work, organizationId: org.id }, { delaySeconds });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { kind, guid } = work;
    org.observer.log("error", "work not handed over", { kind, job: guid, ...describeError(error) });
  }
}

/** Seconds until a delivery that failed is followed by the next: 5, 20, 80, 320; after the last one, none. */
export const retryDelaySeconds = (receives: number): number =>
  receives >= MAX_RECEIVES ? 0 : 5 * 4 ** (Math.max(1, receives) - 1);
