/** Holds: the first of the two phases. Tokens of an open hold are not available to others. */
import { availableOf, checkAmount, type LedgerDraft } from "./ledger-state.ts";
import { LedgerRefusal } from "./refusal.ts";

export interface HoldCommand {
  kind: "hold";
  /** Names the hold. */
  id: string;
  /** Upper bound of the work; the hold takes what is available of it. */
  amount: number;
  guid: string;
  run: number;
}

export const holdKeyOf = (id: string): string => `hold/${id}`;

/**
 * Holds min(amount, available). A repeated command changes nothing.
 * @throws LedgerRefusal `insufficient` when nothing is available
 */
export function hold(draft: LedgerDraft, { id, amount, guid, run }: HoldCommand): void {
  checkAmount(amount);
  if (draft.hold(id) !== undefined) return;
  const available = availableOf(draft.account);
  if (available <= 0) throw new LedgerRefusal("insufficient", "No tokens are available");
  const held = Math.min(amount, available);
  const reason = `Held for run ${run}, at most ${amount}`;
  draft.append({ kind: "hold", amount: 0, held, tokens: 0, key: holdKeyOf(id), reason, guid, run }, amount);
  draft.holds.set(id, { id, amount: held, captured: 0, open: true, guid, run });
}
