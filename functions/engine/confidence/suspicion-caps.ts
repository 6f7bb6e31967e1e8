/**
 * Upper limits of confidence for values of failed checks. They are rules, not weights: weights are fitted to how often
 * values are wrong, and most values of failed checks are right ones beside the wrong one, so that one sum that holds
 * would outweigh another that fails. But failed check digits, a failed sum, or dates in an impossible order prove that
 * something is wrong, perhaps the document itself: no such value may look certain.
 */
import type { Check } from "./check.ts";

/**
 * Several suspects: just below 0.9, from which marks on pages are green. Other evidence mostly tells which is wrong: on
 * the bench nine in ten of the values it keeps are right.
 */
const SEVERAL_SUSPECTS_CAP = 0.85;
/** A single suspect: the value or the document is wrong. */
const SINGLE_SUSPECT_CAP = 0.5;

/** A failed check of this kind is impossible, not just unusual. */
const isImpossible = ({ name, kind }: Check): boolean =>
  kind === "checksum" || kind === "arithmetic" || kind === "order" || name === "date";

/** Passed check digits and sums prove a value; the order of dates holds for most. */
const proves = ({ kind, ok }: Check): boolean => ok && (kind === "checksum" || kind === "arithmetic");

interface SuspectedCheck {
  check: Check;
  /** Pointers of the values that may be wrong. */
  suspects: string[];
  /** Number of suspected values; several fields may state one. */
  count: number;
}

/** Failed checks with the values that no other check proves; with all values if everything is proven. */
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
  /** By pointer: the value's share of a failed sum. */
  failureShares: Map<string, number>;
  /** By pointer: the upper limit of confidence; absent for unsuspected values. */
  caps: Map<string, number>;
}

/** The suspicions that failed checks raise. */
export function suspicionOf(checks: readonly Check[]): Suspicion {
  const [failureShares, caps] = [new Map<string, number>(), new Map<string, number>()];
  for (const { check, suspects, count } of suspectedChecks(checks)) {
    const most = count === 1 ? SINGLE_SUSPECT_CAP : SEVERAL_SUSPECTS_CAP;
    for (const pointer of suspects) {
      caps.set(pointer, Math.min(caps.get(pointer) ?? 1, most));
      if (check.kind === "arithmetic") failureShares.set(pointer, Math.max(failureShares.get(pointer) ?? 0, 1 / count));
    }
  }
  return { failureShares, caps };
}
