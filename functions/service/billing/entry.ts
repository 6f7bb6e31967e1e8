/** Entries of an organization's ledger: append-only, in whole tokens. */

export const ENTRY_KINDS = ["grant", "hold", "capture", "release", "debit", "refund", "adjustment"] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** One entry. The balance is the sum of all `amount`s, and the open holds are the sum of all `held`. */
export interface Entry {
  /** From 1, without gaps, in the order of the transactions. */
  seq: number;
  /** ISO 8601; never earlier than the entry before. */
  at: string;
  kind: EntryKind;
  /** Change of the balance: negative for what is spent; 0 for a hold, a release and a recorded debit. */
  amount: number;
  /** Change of the open holds. */
  held: number;
  /** Tokens that work has used, also where a recorded debit leaves the balance alone. */
  tokens: number;
  /** The balance after the entry. */
  balance: number;
  /** The natural key: an organization has one entry of each. */
  key: string;
  reason: string;
  /** The job and run that the entry is about. */
  guid?: string;
  run?: number;
  /** May take what is available below 0: a refund, and an adjustment for a dispute (docs/decisions/overdraft.md). */
  overdraws?: true;
}

/** Most tokens of one entry: sums of a million such entries are exact numbers. */
export const MAX_ENTRY_TOKENS = 1_000_000_000;
/** Largest balance, in either direction. */
export const MAX_BALANCE_TOKENS = 1_000_000_000_000_000;
