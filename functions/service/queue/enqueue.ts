/** Enqueueing of background work. */
import { AppError } from "../../ports/errors.ts";
import { describeError } from "../../ports/observer.ts";
import { WEBHOOK_QUEUE, WORK_QUEUE } from "../../ports/queue.ts";
import { groupOf } from "../organizations/engine-group.ts";
import type { Organization } from "../organizations/organization.ts";

/** Kinds of work on the queue. Work may be delivered twice, so it must be safe to repeat. */
export type Work =
  /** Deletes the files and records of a job that is already hidden from readers. */
  | { kind: "delete-job"; guid: string }
  /** Deletes the file of a presigned PUT, once its address has expired. */
  | { kind: "delete-upload"; guid: string }
  /** Checks the runs that wait for a job which has ended, or is deleted. */
  | { kind: "start-dependents"; guid: string }
  /** Starts an open run that was postponed. */
  | { kind: "start-run"; guid: string; run: number }
  /** Detects the fields of a template's revision, of this GUID. */
  | { kind: "detect-fields"; guid: string }
  /** Deletes the files and records of a template whose name is free already. */
  | { kind: "delete-template"; guid: string }
  /** Deletes a filled document that was too large for an answer's body. */
  | { kind: "delete-filled"; guid: string }
  /** Deletes the documents of a case that is gone; the GUID is the case's id. */
  | { kind: "delete-case"; guid: string }
  /** Takes a document of a case that was sent by a presigned PUT, once it is there. */
  | { kind: "case-upload"; guid: string }
  /** Lets the index of a knowledge base follow its documents; the GUID is that of the due record. */
  | { kind: "index-knowledge"; guid: string }
  /** Sends the event of a run's end to the organization's webhook. */
  | { kind: "deliver-webhook"; guid: string; event: string };

const QUEUES: Readonly<Record<Work["kind"], string>> = {
  "delete-job": WORK_QUEUE,
  "delete-upload": WORK_QUEUE,
  "start-dependents": WORK_QUEUE,
  "start-run": WORK_QUEUE,
  "detect-fields": WORK_QUEUE,
  "delete-template": WORK_QUEUE,
  "delete-filled": WORK_QUEUE,
  "delete-case": WORK_QUEUE,
  "case-upload": WORK_QUEUE,
  "index-knowledge": WORK_QUEUE,
  // Receivers take their time: no other work waits behind them.
  "deliver-webhook": WEBHOOK_QUEUE,
};

/**
 * Enqueues work that is also recorded elsewhere, so that losing it only costs time: a failure of the queue is logged
 * and not thrown.
 */
export async function enqueue(org: Organization, work: Work, delaySeconds = 0): Promise<void> {
  try {
    const options = { delaySeconds, group: groupOf(org.id) };
    await org.queue.send(QUEUES[work.kind], { ...work, organizationId: org.id }, options);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { kind, guid } = work;
    org.observer.log("error", "work not handed over", { kind, job: guid, ...describeError(error) });
  }
}
