/**
 * The tokens that a run may use: its hold, or its command's `tokenBudget`. Work reserves tokens before it is done and
 * returns what it did not need, so that nothing begins that the budget cannot pay for, however many steps work at once.
 * The documents of a batch and the operations of a pipeline share their payer's budget.
 */
import { createHash } from "node:crypto";
import type { Clock } from "../../ports/clock.ts";
import { ConditionFailed, JobFailure } from "../../ports/errors.ts";
import type { RecordKey, RecordValue } from "../../ports/records.ts";
import type { RunBilling } from "../billing/run-billing.ts";
import type { OrgOperation, OrgRecords } from "../organizations/organization-records.ts";

interface BudgetRecord extends RecordValue {
  v: 1;
  /** Tokens that are neither used nor reserved. */
  left: number;
  reserved: number;
}

interface ReservationRecord extends RecordValue {
  v: 1;
  tokens: number;
  /** The work is done, and used these tokens. */
  settled?: true;
}

type Payer = RunBilling["payer"];

const budgetKey = ({ guid, run }: Payer): RecordKey => ({
  partition: `job/${guid}`,
  sort: `run/${String(run).padStart(6, "0")}/budget`,
});

/** The operation that makes a run's budget, to be written with its opening. */
export const budgetOperation = (payer: Payer, left: number): OrgOperation => ({
  kind: "put",
  key: budgetKey(payer),
  value: { v: 1, left, reserved: 0 } satisfies BudgetRecord,
});

/** Longest wait for tokens that others have reserved and may return, in milliseconds: a model's long answer. */
const MAX_WAIT_MS = 30_000;
const WAIT_STEP_MS = 150;

export interface BudgetStore {
  records: Pick<OrgRecords, "get" | "transact">;
  clock: Pick<Clock, "now" | "sleep">;
}

export class TokenBudget {
  readonly #store: BudgetStore;
  readonly #billing: RunBilling;
  readonly #key: RecordKey;

  constructor(store: BudgetStore, billing: RunBilling) {
    this.#store = store;
    this.#billing = billing;
    this.#key = budgetKey(billing.payer);
  }

  /**
   * Reserves `wish` tokens, or what is left where that is at least `least`. Waits for tokens that others may return.
   * @param name of the work: repeated under the same name, as after a crash, it has its reservation
   * @returns the reserved tokens @throws JobFailure when the budget is used up
   */
  async reserve(name: string, least: number, wish: number): Promise<number> {
    const { records, clock } = this.#store;
    const key = this.#reservationKey(name);
    const until = clock.now() + MAX_WAIT_MS;
    for (;;) {
      const own = (await records.get<ReservationRecord>(key))?.value.tokens;
      if (own !== undefined) return own;
      const { left = 0, reserved = 0 } = (await records.get<BudgetRecord>(this.#key))?.value ?? {};
      const tokens = Math.min(wish, left);
      if (tokens >= least) {
        if (await this.#take(key, tokens)) return tokens;
      } else if (reserved <= 0 || clock.now() >= until) {
        throw this.#usedUp();
      } else {
        await clock.sleep(WAIT_STEP_MS);
      }
    }
  }

  /** Ends a reservation: returns what was not used. More than was reserved is taken too. Repeatable. */
  async settle(name: string, used: number): Promise<void> {
    const { records } = this.#store;
    const key = this.#reservationKey(name);
    const stored = await records.get<ReservationRecord>(key);
    if (stored === undefined || stored.value.settled === true) return;
    const { tokens: reserved } = stored.value;
    const value: ReservationRecord = { v: 1, tokens: used, settled: true };
    try {
      await records.transact([
        { kind: "add", key: this.#key, amounts: { left: reserved - used, reserved: -reserved } },
        { kind: "put", key, value, condition: { ifVersion: stored.version } },
      ]);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }

  #reservationKey(name: string): RecordKey {
    const { partition, sort } = this.#key;
    return { partition, sort: `${sort}/${createHash("sha256").update(name).digest("hex")}` };
  }

  /** @returns false when another was faster */
  async #take(key: RecordKey, tokens: number): Promise<boolean> {
    const value: ReservationRecord = { v: 1, tokens };
    try {
      await this.#store.records.transact([
        { kind: "add", key: this.#key, amounts: { left: -tokens, reserved: tokens }, floor: { left: 0 } },
        { kind: "put", key, value, condition: { ifAbsent: true } },
      ]);
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed) return false;
      throw error;
    }
  }

  #usedUp(): JobFailure {
    const { allowance, capped } = this.#billing;
    return new JobFailure(
      capped === true
        ? `Processing failed: The run needs more than the ${allowance} tokens that its tokenBudget allows; raise it and process the document again`
        : "Processing failed: The prepaid tokens held for this run are used up; buy more and process the document again",
      { tokensUsedUp: true },
    );
  }
}

/** The budget of a run; undefined where it has no limit. */
export const budgetOf = (store: BudgetStore, billing: RunBilling | undefined): TokenBudget | undefined =>
  billing?.allowance === undefined ? undefined : new TokenBudget(store, billing);
