/** Debits without a hold, and adjustments by an operator. */
import { availableOf, checkAmount, isRepeated, type LedgerDraft } from "./ledger-state.ts";
import { LedgerRefusal } from "./refusal.ts";

export interface DebitCommand {
  kind: "debit";
  key: string;
  /** Tokens that the work used. */
  amount: number;
  guid: string;
  run: number;
  reason: string;
  /** Only recorded: the balance stays. */
  recorded?: true;
  /** Takes what is available, where that is less. */
  most?: true;
}

export interface AdjustmentCommand {
  kind: "adjustment";
  key: string;
  /** Negative: tokens are taken. */
  amount: number;
  reason: string;
  /** A disputed payment, which may take the balance below 0. */
  dispute?: true;
}

/** @throws LedgerRefusal for more than is available */
export function debit(draft: LedgerDraft, command: DebitCommand): void {
  const { amount: asked, guid, run, reason, recorded } = command;
  checkAmount(asked);
  const key = `debit/${command.key}`;
  if (isRepeated(draft, key, "debit", asked)) return;
  const available = Math.max(0, availableOf(draft.account));
  const tokens = command.most === true ? Math.min(asked, available) : asked;
  if (tokens === 0) return;
  if (recorded !== true && tokens > available) {
    throw new LedgerRefusal("overdraft", `${available} tokens are available, not ${tokens}`);
  }
  draft.append(
    { kind: "debit", amount: recorded === true ? 0 : -tokens, held: 0, tokens, key, reason, guid, run },
    asked,
  );
}

/** @throws LedgerRefusal for more than is available, without a dispute */
export function adjust(draft: LedgerDraft, { key: name, amount, reason, dispute }: AdjustmentCommand): void {
  checkAmount(Math.abs(amount));
  const key = `adjustment/${name}`;
  if (isRepeated(draft, key, "adjustment", amount)) return;
  if (dispute !== true && -amount > availableOf(draft.account)) {
    throw new LedgerRefusal("overdraft", `${availableOf(draft.account)} tokens are available, not ${-amount}`);
  }
  const overdraws = dispute === true ? { overdraws: true as const } : {};
  draft.append({ kind: "adjustment", amount, held: 0, tokens: 0, key, reason, ...overdraws }, amount);
}
