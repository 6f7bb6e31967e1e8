/** The state that the ledger's commands read and change. Pure: the store around it reads and writes records. */
import { type Entry, MAX_BALANCE_TOKENS, MAX_ENTRY_TOKENS } from "./entry.ts";
import { LedgerRefusal } from "./refusal.ts";

/** Sums over all entries. */
export interface Account {
  balance: number;
  /** Tokens of open holds that are not captured. */
  held: number;
  /** Number of entries; the last one's `seq`. */
  entries: number;
  /** Time of the last entry, ISO 8601; empty before the first. */
  at: string;
}

/** Tokens set aside for one run: captured in parts, then released once. */
export interface Hold {
  id: string;
  amount: number;
  captured: number;
  open: boolean;
  guid: string;
  run: number;
}

/** A grant, with the tokens that were refunded of it. */
export interface Grant {
  key: string;
  amount: number;
  refunded: number;
}

/** A used key, with the amount that was asked for, which a repeated command must ask for again. */
export interface UsedKey {
  key: string;
  kind: Entry["kind"];
  asked: number;
  seq: number;
}

export interface LedgerView {
  readonly account: Account;
  usedKey(key: string): UsedKey | undefined;
  hold(id: string): Hold | undefined;
  grant(key: string): Grant | undefined;
}

export const EMPTY_ACCOUNT: Account = { balance: 0, held: 0, entries: 0, at: "" };

/** Tokens that a new hold may take. */
export const availableOf = ({ balance, held }: Pick<Account, "balance" | "held">): number => balance - held;

/** An entry before the ledger gives it its place. */
export type NewEntry = Omit<Entry, "seq" | "at" | "balance">;

/** Changes on top of a view, not yet written. Commands see the changes of those before them. */
export class LedgerDraft implements LedgerView {
  readonly #base: LedgerView;
  readonly #now: string;
  readonly entries: Entry[] = [];
  readonly keys = new Map<string, UsedKey>();
  readonly holds = new Map<string, Hold>();
  readonly grants = new Map<string, Grant>();
  account: Account;

  /** @param now ISO 8601 */
  constructor(base: LedgerView, now: string) {
    this.#base = base;
    this.#now = now;
    this.account = base.account;
  }

  usedKey(key: string): UsedKey | undefined {
    return this.keys.get(key) ?? this.#base.usedKey(key);
  }

  hold(id: string): Hold | undefined {
    return this.holds.get(id) ?? this.#base.hold(id);
  }

  grant(key: string): Grant | undefined {
    return this.grants.get(key) ?? this.#base.grant(key);
  }

  /** Takes over the changes of a draft that was begun on this one. */
  absorb({ account, entries, keys, holds, grants }: LedgerDraft): void {
    this.account = account;
    this.entries.push(...entries);
    for (const [key, used] of keys) this.keys.set(key, used);
    for (const [id, hold] of holds) this.holds.set(id, hold);
    for (const [key, grant] of grants) this.grants.set(key, grant);
  }

  /**
   * Appends an entry.
   * @param asked the amount that the command asked for @throws LedgerRefusal beyond the largest balance
   */
  append(entry: NewEntry, asked: number): Entry {
    const balance = this.account.balance + entry.amount;
    if (Math.abs(balance) > MAX_BALANCE_TOKENS) {
      throw new LedgerRefusal("balance_limit", `A balance has at most ${MAX_BALANCE_TOKENS} tokens`);
    }
    const at = this.#now > this.account.at ? this.#now : this.account.at;
    const placed: Entry = { ...entry, seq: this.account.entries + 1, at, balance };
    this.account = { balance, held: this.account.held + entry.held, entries: placed.seq, at };
    this.entries.push(placed);
    this.keys.set(entry.key, { key: entry.key, kind: entry.kind, asked, seq: placed.seq });
    return placed;
  }
}

/** @throws LedgerRefusal for anything but whole tokens from `least` to the most of one entry */
export function checkAmount(amount: number, least = 1): void {
  if (Number.isSafeInteger(amount) && amount >= least && amount <= MAX_ENTRY_TOKENS) return;
  throw new LedgerRefusal(
    "invalid_amount",
    `An amount is a whole number of tokens from ${least} to ${MAX_ENTRY_TOKENS.toLocaleString("en-US")}`,
  );
}

/**
 * True when the key has its entry already: the command was carried out before.
 * @throws LedgerRefusal when that entry is of another kind or amount
 */
export function isRepeated(draft: LedgerDraft, key: string, kind: Entry["kind"], asked: number): boolean {
  const used = draft.usedKey(key);
  if (used === undefined) return false;
  if (used.kind === kind && used.asked === asked) return true;
  throw new LedgerRefusal(
    "key_reused",
    `The key names a ${used.kind} of ${used.asked} tokens already; choose another key for another entry`,
  );
}
