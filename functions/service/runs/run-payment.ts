/** Payment around the opening of a run: tokens are held before, and released when the run is not opened. */

import type { RunBilling } from "../billing/run-billing.ts";
import { type OpenedBilling, openBilling } from "../charges/run-holds.ts";
import type { Organization } from "../organizations/organization.ts";
import type { JobRecord, RunSummary } from "./job-records.ts";
import { refuseOpenRun } from "./job-store.ts";
import type { RunCommand } from "./run-command.ts";

/** The payment of another run, which this one draws on. */
const drawingOn = (billing: RunBilling | undefined): OpenedBilling => ({
  billing: () => billing,
  operations: () => [],
  giveUp: async () => undefined,
});

/**
 * Opens the payment of a job's next run.
 * @param options `idempotencyKey`: a run that it opened before is paid for; `within`: another run does the work, and
 * `payer` is how that one is paid for
 * @throws Conflict while a run is open; PaymentRequired when no tokens are available
 */
export async function openPayment(
  org: Organization,
  job: JobRecord,
  command: RunCommand,
  {
    idempotencyKey,
    within,
    payer,
  }: { idempotencyKey?: string | undefined; within?: string | undefined; payer?: RunBilling | undefined } = {},
): Promise<OpenedBilling> {
  const isOpened = idempotencyKey !== undefined && job.runs.some((one) => one.idempotencyKey === idempotencyKey);
  if (within !== undefined || isOpened) return drawingOn(payer);
  refuseOpenRun(job);
  return openBilling(
    org,
    { guid: job.guid, run: job.lastRun + 1 },
    { tokenBudget: command.tokenBudget, upperBound: () => org.estimates.upperBound(org, job, command) },
  );
}

/**
 * Opens a run with its payment.
 * @param open @returns true when it has opened the run
 */
export async function openPaid(payment: OpenedBilling, open: () => Promise<boolean>): Promise<void> {
  let isOpened = false;
  try {
    isOpened = await open();
  } finally {
    // The sweep releases a hold that cannot be released now.
    if (!isOpened) await payment.giveUp().catch(() => undefined);
  }
}

/** The member of a run's summary. */
export const billingMember = (billing: RunBilling | undefined): Pick<RunSummary, "billing"> =>
  billing === undefined ? {} : { billing };
