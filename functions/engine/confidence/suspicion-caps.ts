/**
 * How sure a value can be at most that a failed check is about, as a rule and not as a weight: the weights are fitted to
 * how often values are wrong, and most failed checks are of values beside the wrong one, so that one sum that comes out
 * would outweigh another that does not. But check digits that fail, a sum that does not come out, or a day before the
 * one that it must follow say for certain that something is wrong, be it in the document: nobody may be told that all is well.
 */
import type { Check } from "./check.ts";

/**
 * Of several values: just below the 0.9 from which marks on pages are green. Which of them is wrong the other evidence
 * says, mostly: on the bench nine in ten of those that it leaves standing are right.
 */
const SEVERAL_SUSPECTS_CAP = 0.85;
/** Of one alone: it is wrong, or the document is. */
const SINGLE_SUSPECT_CAP = 0.5;

/** What it says is impossible, not just unusual. */
const isImpossible = ({ name, kind }: Check): boolean =>
  kind === "checksum" || kind === "arithmetic" || kind === "order" || name === "date";

/** Check digits and sums that come out prove a value; that a day is after another is true of most. */
const proves = ({ kind, ok }: Check): boolean => ok && (kind === "checksum" || kind === "arithmetic");

interface SuspectedCheck {
  check: Check;
  /** The values that may be the wrong ones. */
  suspects: string[];
  /** So many are they, where several fields say one value. */
  count: number;
}

/** What fails, with its values that nothing else proves right; with all of them where everything is proven. */
function suspectedChecks(checks: readonly Check[]): SuspectedCheck[] {
  const proven = new Set(checks.filter(proves).flatMap(({ pointers }) => pointers));
  return checks.flatMap((check): SuspectedCheck[] => {
    if (check.ok || !isImpossible(check)) return [];
    const sides = check.sides ?? [{ pointers: check.pointers }];
    const open = sides.filter(({ pointers }) => !pointers.some((pointer) => proven.has(pointer)));
    const suspects = open.length === 0 ? sides : open;
    return [{ check, suspects: suspects.flatMap(({ pointers }) => pointers), count: suspects.length }];
  });
}

export interface Suspicion {
  /** Of a sum that does not come out, the share that falls on a value. */
  failureShares: Map<string, number>;
  /** The most that a value's confidence can be; nothing for values that are not suspected. */
  caps: Map<string, number>;
}

/** Who is suspected of what does not fit, by pointer. */
export function suspicionOf(checks: readonly Check[]): Suspicion {
  const [blame, caps] = [new Map<string, number>(), new Map<string, number>()];
  for (const { check, suspects, count } of suspectedChecks(checks)) {
    const most = count === 1 ? SINGLE_SUSPECT_CAP : SEVERAL_SUSPECTS_CAP;
    for (const pointer of suspects) {
      caps.set(pointer, Math.min(caps.get(pointer) ?? 1, most));
      if (check.kind === "arithmetic") blame.set(pointer, Math.max(blame.get(pointer) ?? 0, 1 / count));
    }
  }
  return { failureShares: blame, caps };
}
