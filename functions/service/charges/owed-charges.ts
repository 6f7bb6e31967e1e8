/**
 * Charges of ended runs. The transaction that ends a run notes what it owes; the ledger takes it in a transaction of its
 * own, together with the note, so that a charge is made once whoever makes it: the run's last step, a reader of the
 * balance, or the sweep.
 */
import { AppError, ConditionFailed } from "../../ports/errors.ts";
import { describeError } from "../../ports/observer.ts";
import { queryAll, type RecordKey, type RecordValue, type StoredRecord } from "../../ports/records.ts";
import type { LedgerCommand } from "../billing/apply-command.ts";
import { LEDGER } from "../billing/ledger-records.ts";
import type { RunBilling } from "../billing/run-billing.ts";
import type { Organization } from "../organizations/organization.ts";
import type { OrgOperation } from "../organizations/organization-records.ts";

/** What an ended run owes. */
interface OwedCharge extends RecordValue {
  v: 1;
  guid: string;
  run: number;
  tokens: number;
  /** The hold that pays; absent: the tokens are only recorded. */
  hold?: string;
  /** The hold's own run has ended: its rest is released. */
  closes?: true;
}

/** Due record of an open hold, or of recorded tokens; the sweep finds what is owed by it. */
export interface DueCharge extends RecordValue {
  v: 1;
  kind: "charge";
  organizationId: number;
  guid: string;
  run: number;
  hold?: string;
  createdAt: string;
}

const OWED_PREFIX = "owed/";
/** Prefix of what is owed to a hold, or of a run without one. */
const prefixOf = ({ hold, guid, run }: Pick<OwedCharge, "hold" | "guid" | "run">): string =>
  `${OWED_PREFIX}${hold ?? `recorded/${guid}/${run}`}/`;
/** Charges stand before the end of their hold. */
const owedKey = (charge: OwedCharge): RecordKey => ({
  partition: LEDGER,
  sort: `${prefixOf(charge)}${charge.closes === true ? "2" : "1"}/${charge.guid}/${charge.run}`,
});
export const dueChargeId = ({ hold, guid, run }: Pick<OwedCharge, "hold" | "guid" | "run">): string =>
  hold ?? `${guid}/${run}/charge`;

const now = (org: Organization): string => new Date(org.engines.clock.now()).toISOString();

/** The due record of a hold that is being taken. */
export const dueCharge = (org: Organization, charge: { guid: string; run: number; hold?: string }): DueCharge => ({
  v: 1,
  kind: "charge",
  organizationId: org.id,
  createdAt: now(org),
  ...charge,
});

/** Operations to write with the end of a run: what it owes. */
export function owedOperations(
  org: Organization,
  { guid, run }: { guid: string; run: number },
  billing: RunBilling | undefined,
  tokens: number,
): OrgOperation[] {
  if (billing === undefined || billing.mode === "off") return [];
  const { hold, payer } = billing;
  const closes = payer.guid === guid && payer.run === run;
  if (hold === undefined && tokens === 0) return [];
  if (hold !== undefined && tokens === 0 && !closes) return [];
  const charge: OwedCharge = {
    v: 1,
    guid,
    run,
    tokens,
    ...(hold === undefined ? {} : { hold, ...(closes ? { closes } : {}) }),
  };
  const put: OrgOperation = { kind: "put", key: owedKey(charge), value: charge };
  // A hold has a due record from its beginning.
  if (hold !== undefined) return [put];
  return [put, { kind: "due-put", id: dueChargeId(charge), value: dueCharge(org, { guid, run }) }];
}

/** The commands that take a charge. */
async function commandsOf(org: Organization, charge: OwedCharge): Promise<LedgerCommand[]> {
  const { guid, run, tokens, hold, closes } = charge;
  const about = { key: `${guid}/${run}`, amount: tokens, guid, run };
  if (hold === undefined) {
    return [{ kind: "debit", ...about, recorded: true, reason: `Recorded for run ${run}, not debited` }];
  }
  const held = await org.ledger.hold(hold);
  const release: LedgerCommand = { kind: "release", hold, reason: `The rest of the hold of run ${run}` };
  const take: LedgerCommand =
    held?.open === true
      ? { kind: "capture", hold, ...about, most: true, reason: `Used by run ${run}` }
      : // The hold's own run ended before, as when it was cancelled.
        { kind: "debit", ...about, most: true, reason: `Used by run ${run} after its hold was released` };
  return [...(tokens > 0 ? [take] : []), ...(closes === true && held?.open === true ? [release] : [])];
}

/** Takes one charge with its note. A note that is gone was taken by another. */
async function take(org: Organization, { key, value }: StoredRecord<OwedCharge>): Promise<void> {
  const isLast = value.closes === true || value.hold === undefined;
  try {
    await org.ledger.post(await commandsOf(org, value), [
      { kind: "delete", key, condition: { ifPresent: true } },
      ...(isLast ? [{ kind: "due-delete" as const, id: dueChargeId(value) }] : []),
    ]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

/** Takes all charges below a prefix, the ends of holds last. */
async function takeBelow(org: Organization, prefix: string): Promise<number> {
  const ends: StoredRecord<OwedCharge>[] = [];
  let taken = 0;
  let wave: Promise<void>[] = [];
  const endWave = async (): Promise<void> => {
    await Promise.all(wave);
    wave = [];
  };
  for await (const owed of queryAll<OwedCharge>(org.records, { partition: LEDGER, prefix, limit: 1000 })) {
    taken += 1;
    if (owed.value.closes === true) ends.push(owed);
    else wave.push(take(org, owed));
    if (wave.length >= MAX_WAVE) await endWave();
  }
  await endWave();
  await Promise.all(ends.map((owed) => take(org, owed)));
  return taken;
}

/** Charges that are taken at once. */
const MAX_WAVE = 100;

/** Takes everything that ended runs of the organization owe, so that its balance tells of them. */
export const takeAllOwed = async (org: Organization): Promise<void> => {
  if (org.config.billing.mode !== "off") await takeBelow(org, OWED_PREFIX);
};

/**
 * Takes what a run owes, after its end. A ledger that is too busy leaves it to the sweep: the end of the run stands.
 */
export async function takeOwed(
  org: Organization,
  { guid, run }: { guid: string; run: number },
  billing: RunBilling | undefined,
): Promise<void> {
  if (billing === undefined || billing.mode === "off") return;
  const { hold } = billing;
  try {
    await takeBelow(org, prefixOf({ guid, run, ...(hold === undefined ? {} : { hold }) }));
  } catch (error) {
    if (!(error instanceof AppError) || !error.retryable) throw error;
    org.observer.log("warn", "charge left to the sweep", {
      organization: org.id,
      job: guid,
      run,
      ...describeError(error),
    });
  }
}

/** Takes what is owed to a due record's hold. @returns the number of charges */
export const takeDue = (org: Organization, { guid, run, hold }: DueCharge): Promise<number> =>
  takeBelow(org, prefixOf({ guid, run, ...(hold === undefined ? {} : { hold }) }));
