/** Checks the order of dates. */
import type { DateOrder } from "../values/dates.ts";
import { type Check, type CheckSide, checkBetween, type KnownLeaf } from "./check.ts";
import { dayOf } from "./value-checks.ts";

/** Concepts in chronological order, with the message of a violation. */
const DATE_ORDER_RULES: [string, string, string][] = [
  ["issue-date", "due-date", "The due date $2 is before the date of issue $1."],
  ["order-date", "issue-date", "The date of issue $2 is before the date of the order $1."],
  ["birth-date", "issue-date", "The date of issue $2 is before the date of birth $1."],
  ["period-start", "period-end", "The period ends on $2, before it begins on $1."],
];
/** Longest believable credit period, in days: two years, as in contracts by instalments. */
const MAX_CREDIT_DAYS = 731;

interface DaySide extends CheckSide {
  value: string;
  pointers: string[];
}

const MS_PER_DAY = 86_400_000;
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / MS_PER_DAY;

/** Dates by scope (the document, or one list row) and concept; null for contradictory dates. */
function daysByScope(known: readonly KnownLeaf[], order: DateOrder): Map<string, Map<string, DaySide | null>> {
  const scopes = new Map<string, Map<string, DaySide | null>>();
  for (const { leaf, meaning } of known) {
    if (meaning.value !== "date" || meaning.concept === null) continue;
    const day = dayOf(leaf.value, order);
    if (day === null) continue;
    const scope = leaf.item === null ? "" : `${leaf.item.at} ${leaf.item.list}`;
    const days = scopes.get(scope) ?? new Map<string, DaySide | null>();
    scopes.set(scope, days);
    const before = days.get(meaning.concept);
    if (before === undefined) days.set(meaning.concept, { value: day, pointers: [leaf.pointer] });
    else if (before?.value === day) before.pointers.push(leaf.pointer);
    else days.set(meaning.concept, null);
  }
  return scopes;
}

/** Linear time; pure. */
export function checkDateOrder(known: readonly KnownLeaf[], order: DateOrder): Check[] {
  const checks: Check[] = [];
  for (const days of daysByScope(known, order).values()) {
    for (const [first, second, sentence] of DATE_ORDER_RULES) {
      const [from, to] = [days.get(first), days.get(second)];
      if (from === undefined || from === null || to === undefined || to === null) continue;
      const long = second === "due-date" && daysBetween(from.value, to.value) > MAX_CREDIT_DAYS;
      const message =
        from.value > to.value
          ? sentence.replace("$1", from.value).replace("$2", to.value)
          : long
            ? `The due date ${to.value} is years after the date of issue ${from.value}.`
            : "";
      checks.push(checkBetween(long ? "credit-period" : `${first}-before-${second}`, "order", [from, to], message));
    }
  }
  return checks;
}
