/** Captures: the second phase. Each takes a part of an open hold from the balance. */
import { checkAmount, isRepeated, type LedgerDraft } from "./ledger-state.ts";
import { LedgerRefusal } from "./refusal.ts";

export interface CaptureCommand {
  kind: "capture";
  /** Id of the hold. */
  hold: string;
  /** Names the capture: a document or an operation of the hold's run. */
  key: string;
  amount: number;
  guid: string;
  run: number;
  reason: string;
  /** Takes what the hold has left, where that is less. */
  most?: true;
}

/** @throws LedgerRefusal for an unknown or closed hold, and for more than it has left */
export function capture(draft: LedgerDraft, command: CaptureCommand): void {
  const { hold: id, amount, guid, run, reason } = command;
  checkAmount(amount);
  const key = `capture/${command.key}`;
  if (isRepeated(draft, key, "capture", amount)) return;
  const held = draft.hold(id);
  if (held === undefined) throw new LedgerRefusal("unknown_hold", "There is no such hold");
  if (!held.open) throw new LedgerRefusal("hold_closed", "The hold is closed; its rest was released");
  const left = held.amount - held.captured;
  const taken = command.most === true ? Math.min(amount, left) : amount;
  if (taken === 0) return;
  if (taken > left) {
    throw new LedgerRefusal("exceeds_hold", `The hold has ${left} of ${held.amount} tokens left, not ${amount}`);
  }
  draft.append({ kind: "capture", amount: -taken, held: -taken, tokens: taken, key, reason, guid, run }, amount);
  draft.holds.set(id, { ...held, captured: held.captured + taken });
}
