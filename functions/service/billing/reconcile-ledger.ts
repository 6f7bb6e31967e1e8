/** Reconciliation: recomputes everything from the entries, and names each difference from what is stored. */
import type { Entry } from "./entry.ts";
import { type Account, EMPTY_ACCOUNT, type Grant, type Hold } from "./ledger-state.ts";

/** A ledger as it is stored. */
export interface StoredLedger {
  account: Account;
  holds: readonly Hold[];
  grants: readonly Grant[];
  /** Tokens by day, `yyyy-mm-dd`. */
  days: ReadonlyMap<string, number>;
}

/** Recomputes a ledger's sums, entry by entry in their order. */
export class Reconciliation {
  readonly drift: string[] = [];
  #account: Account = EMPTY_ACCOUNT;
  readonly #keys = new Set<string>();
  readonly #days = new Map<string, number>();
  #captured = 0;

  get account(): Account {
    return this.#account;
  }

  /** Adds the next entry. */
  add(entry: Entry): void {
    const { seq, at, key, kind, amount } = entry;
    const before = this.#account;
    const balance = before.balance + amount;
    const held = before.held + entry.held;
    if (seq !== before.entries + 1) this.drift.push(`entry ${seq} follows entry ${before.entries}`);
    if (at < before.at) this.drift.push(`entry ${seq} is earlier than the entry before it`);
    if (this.#keys.has(key)) this.drift.push(`entry ${seq} repeats the key ${key}`);
    if (entry.balance !== balance) this.drift.push(`entry ${seq} notes a balance of ${entry.balance}, not ${balance}`);
    if (held < 0) this.drift.push(`entry ${seq} releases more than is held`);
    // A capture takes what its hold has set aside before, whatever was refunded since.
    if (balance - held < 0 && amount < entry.held && entry.overdraws !== true)
      this.drift.push(`entry ${seq}, a ${kind}, takes more than is available`);
    this.#keys.add(key);
    if (kind === "capture") this.#captured += -entry.held;
    if (entry.tokens > 0) this.#days.set(at.slice(0, 10), (this.#days.get(at.slice(0, 10)) ?? 0) + entry.tokens);
    this.#account = { balance, held, entries: seq, at };
  }

  /** Compares with the stored sums. @returns every difference, as a sentence; none for a sound ledger */
  compare({ account, holds, grants, days }: StoredLedger): string[] {
    const { balance, held, entries } = this.#account;
    const drift = [...this.drift];
    const expect = (what: string, stored: number, recomputed: number): void => {
      if (stored !== recomputed) drift.push(`${what} is stored as ${stored}, and its entries give ${recomputed}`);
    };
    expect("the balance", account.balance, balance);
    expect("the tokens held", account.held, held);
    expect("the number of entries", account.entries, entries);
    const rest = holds.reduce((sum, one) => sum + (one.open ? one.amount - one.captured : 0), 0);
    expect("the rest of the open holds", rest, held);
    expect(
      "the captured part of the holds",
      holds.reduce((sum, one) => sum + one.captured, 0),
      this.#captured,
    );
    for (const one of holds) if (one.captured > one.amount) drift.push(`hold ${one.id} was captured beyond its amount`);
    for (const one of grants) if (one.refunded > one.amount) drift.push(`${one.key} was refunded beyond its amount`);
    for (const day of new Set([...days.keys(), ...this.#days.keys()]))
      expect(`the tokens of ${day}`, days.get(day) ?? 0, this.#days.get(day) ?? 0);
    return drift;
  }
}
