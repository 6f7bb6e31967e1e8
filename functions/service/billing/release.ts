/** Releases: the end of a hold. Its rest is available again, once. */
import type { LedgerDraft } from "./ledger-state.ts";
import { LedgerRefusal } from "./refusal.ts";

export interface ReleaseCommand {
  kind: "release";
  /** Id of the hold. */
  hold: string;
  reason: string;
}

/** Closes a hold; a closed one stays as it is. A hold without a rest closes without an entry. @throws LedgerRefusal */
export function release(draft: LedgerDraft, { hold: id, reason }: ReleaseCommand): void {
  const held = draft.hold(id);
  if (held === undefined) throw new LedgerRefusal("unknown_hold", "There is no such hold");
  if (!held.open) return;
  const rest = held.amount - held.captured;
  const { guid, run } = held;
  if (rest > 0) {
    draft.append({ kind: "release", amount: 0, held: -rest, tokens: 0, key: `release/${id}`, reason, guid, run }, rest);
  }
  draft.holds.set(id, { ...held, open: false });
}
