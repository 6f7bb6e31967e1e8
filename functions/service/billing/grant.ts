/** Grants, and refunds of them. */
import { checkAmount, isRepeated, type LedgerDraft } from "./ledger-state.ts";
import { LedgerRefusal } from "./refusal.ts";

export interface GrantCommand {
  kind: "grant";
  /** Names the grant: the same key twice is one grant. */
  key: string;
  amount: number;
  reason: string;
}

/** Takes back tokens of one grant, as when its payment is returned; may take the balance below 0. */
export interface RefundCommand {
  kind: "refund";
  key: string;
  /** Key of the grant. */
  grant: string;
  amount: number;
  reason: string;
}

export const grantKeyOf = (key: string): string => `grant/${key}`;

/** @throws LedgerRefusal for an unusable amount, and a key that names another amount */
export function grant(draft: LedgerDraft, { key, amount, reason }: GrantCommand): void {
  checkAmount(amount);
  const entryKey = grantKeyOf(key);
  if (isRepeated(draft, entryKey, "grant", amount)) return;
  draft.append({ kind: "grant", amount, held: 0, tokens: 0, key: entryKey, reason }, amount);
  draft.grants.set(entryKey, { key: entryKey, amount, refunded: 0 });
}

/** @throws LedgerRefusal for an unknown grant, and for more than is left of it */
export function refund(draft: LedgerDraft, { key, grant: of, amount, reason }: RefundCommand): void {
  checkAmount(amount);
  const entryKey = `refund/${key}`;
  if (isRepeated(draft, entryKey, "refund", amount)) return;
  const granted = draft.grant(grantKeyOf(of));
  if (granted === undefined) throw new LedgerRefusal("unknown_grant", "There is no grant of that key to refund");
  const left = granted.amount - granted.refunded;
  if (amount > left) {
    throw new LedgerRefusal("exceeds_grant", `Of that grant ${left} of ${granted.amount} tokens can be refunded`);
  }
  draft.append({ kind: "refund", amount: -amount, held: 0, tokens: 0, key: entryKey, reason, overdraws: true }, amount);
  draft.grants.set(granted.key, { ...granted, refunded: granted.refunded + amount });
}
