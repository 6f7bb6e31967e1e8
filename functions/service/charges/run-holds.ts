/**
 * The opening of a run's payment. Tokens are held before the run is opened; a hold whose run is never opened is released
 * by whoever took it, or by the sweep.
 */
import { PaymentRequired } from "../../ports/errors.ts";
import type { RecordKey, RecordValue } from "../../ports/records.ts";
import { MAX_ENTRY_TOKENS } from "../billing/entry.ts";
import { availableOf } from "../billing/ledger-state.ts";
import { LedgerRefusal } from "../billing/refusal.ts";
import type { RunBilling } from "../billing/run-billing.ts";
import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/organization-records.ts";
import { type DueCharge, dueCharge, dueChargeId, takeDue } from "./owed-charges.ts";
import { budgetOperation } from "./token-budget.ts";

/** A run's payment before the run is open. */
export interface OpenedBilling {
  /** How the run is paid for, once its number is known. */
  billing(run: number): RunBilling | undefined;
  /** Operations to write with the run's opening. */
  operations(run: number): OrgOperation[];
  /** Releases the hold, of a run that was not opened with it. */
  giveUp(): Promise<void>;
}

const FREE: OpenedBilling = { billing: () => undefined, operations: () => [], giveUp: async () => undefined };

/** Time within which a request opens the run that it has held tokens for, in milliseconds: an API request has 30 s. */
export const HOLD_GRACE_MS = 60_000;

/** The answer 402. */
function insufficient(org: Organization, balance: number): PaymentRequired {
  const { checkoutUrl, portalUrl } = org.config.billing;
  const where = checkoutUrl === null ? "ask your operator for more" : `buy more at ${checkoutUrl}`;
  return new PaymentRequired(`Your organization has no prepaid tokens left; ${where}`, {
    extra: {
      code: "billing.insufficient_tokens",
      balance,
      checkout_url: checkoutUrl,
      portal_url: portalUrl,
      organization_id: org.id,
    },
  });
}

/** Refuses work that costs tokens where none are available. @throws PaymentRequired */
export async function admitTokens(org: Organization): Promise<void> {
  if (org.config.billing.mode !== "enforced") return;
  const account = await org.ledger.account();
  if (availableOf(account) <= 0) throw insufficient(org, account.balance);
}

/**
 * Opens the payment of a job's next run: holds tokens where billing is enforced.
 * @param wish `tokenBudget`: the command's; `upperBound` estimates the most tokens that the run may use
 * @throws PaymentRequired when no tokens are available
 */
export async function openBilling(
  org: Organization,
  place: { guid: string; run: number },
  { tokenBudget, upperBound }: { tokenBudget?: number | undefined; upperBound: () => Promise<number> },
): Promise<OpenedBilling> {
  const { mode } = org.config.billing;
  if (mode === "off" && tokenBudget === undefined) return FREE;
  const { guid } = place;
  const open = (
    part: Omit<RunBilling, "mode" | "payer">,
    giveUp = async (): Promise<void> => undefined,
  ): OpenedBilling => ({
    billing: (run) => ({ mode, payer: { guid, run }, ...part }),
    operations: (run) => (part.allowance === undefined ? [] : [budgetOperation({ guid, run }, part.allowance)]),
    giveUp,
  });
  const capped = tokenBudget === undefined ? {} : { allowance: tokenBudget, capped: true as const };
  if (mode !== "enforced") return open(capped);
  await admitTokens(org);
  const bound = Math.min(await upperBound(), tokenBudget ?? Number.POSITIVE_INFINITY, MAX_ENTRY_TOKENS);
  // Work that costs nothing holds nothing.
  if (bound <= 0) return open({ allowance: 0 });
  const hold = await takeHold(org, place, bound);
  const isCapped = tokenBudget !== undefined && hold.amount === tokenBudget ? { capped: true as const } : {};
  return open({ hold: hold.id, allowance: hold.amount, ...isCapped }, () => giveUp(org, { ...place, hold: hold.id }));
}

/** Holds tokens for a run. @throws PaymentRequired */
async function takeHold(
  org: Organization,
  { guid, run }: { guid: string; run: number },
  amount: number,
): Promise<{ id: string; amount: number }> {
  // Each try of a request has a hold of its own: none releases another's.
  const id = `${guid}/${run}/${org.engines.clock.guid().slice(-12)}`;
  const due = { kind: "due-put", id, value: dueCharge(org, { guid, run, hold: id }) } as const;
  try {
    await org.ledger.post([{ kind: "hold", id, amount, guid, run }], [due]);
  } catch (error) {
    if (!(error instanceof LedgerRefusal) || error.code !== "insufficient") throw error;
    throw insufficient(org, (await org.ledger.account()).balance);
  }
  const hold = await org.ledger.hold(id);
  if (hold === undefined) throw new Error("The hold was taken");
  return { id, amount: hold.amount };
}

interface JobRuns extends RecordValue {
  v: 1;
  runs: readonly { billing?: RunBilling }[];
}

/** True when a run was opened with the hold. */
async function isUsed(org: Organization, { guid, hold }: { guid: string; hold: string }): Promise<boolean> {
  const key: RecordKey = { partition: `job/${guid}`, sort: "job" };
  const runs = (await org.records.get<JobRuns>(key))?.value.runs ?? [];
  return runs.some(({ billing }) => billing?.hold === hold);
}

async function giveUp(org: Organization, place: { guid: string; run: number; hold: string }): Promise<void> {
  if (await isUsed(org, place)) return;
  const release = { kind: "release", hold: place.hold, reason: "The run was not opened" } as const;
  await org.ledger.post([release], [{ kind: "due-delete", id: dueChargeId(place) }]);
}

/**
 * Completes a due charge: takes what is owed to its hold, and releases a hold whose run was never opened.
 * @param atStart on one machine, at a start: no request is under way
 * @returns true when something was done
 */
export async function sweepCharge(org: Organization, due: DueCharge, atStart = false): Promise<boolean> {
  const taken = await takeDue(org, due);
  const { guid, run, hold } = due;
  if (hold === undefined) {
    // Taken by another, who did not get to the due record.
    if (taken === 0) await org.ledger.post([], [{ kind: "due-delete", id: dueChargeId(due) }]);
    return true;
  }
  const isOld = org.engines.clock.now() >= Date.parse(due.createdAt) + HOLD_GRACE_MS;
  if (taken > 0 || !(atStart || isOld)) return taken > 0;
  if (await isUsed(org, { guid, hold })) return false;
  await giveUp(org, { guid, run, hold });
  return true;
}
