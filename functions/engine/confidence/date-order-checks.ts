/** Checks over several dates: what comes after what. */
import type { DateOrder } from "../values/dates.ts";
import { between, type Check, type Known, type Side } from "./check.ts";
import { dayOf } from "./value-checks.ts";

/** Concepts whose first day is never after the second, with their names in sentences. */
const FOLLOWS: [string, string, string][] = [
  ["issue-date", "due-date", "The due date $2 is before the date of issue $1."],
  ["order-date", "issue-date", "The date of issue $2 is before the date of the order $1."],
  ["birth-date", "issue-date", "The date of issue $2 is before the date of birth $1."],
  ["period-start", "period-end", "The period ends on $2, before it begins on $1."],
];
/** Days between issue and payment that are still believable: two years, as in contracts by instalments. */
const LONGEST_CREDIT = 731;

interface Day extends Side {
  value: string;
  pointers: string[];
}

const DAY = 86_400_000;
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY;

/** Days by scope (the document, or one row of a list) and concept; what is said in two ways is left out. */
function scopesOf(known: readonly Known[], order: DateOrder): Map<string, Map<string, Day | null>> {
  const scopes = new Map<string, Map<string, Day | null>>();
  for (const { leaf, meaning } of known) {
    if (meaning.value !== "date" || meaning.concept === null) continue;
    const day = dayOf(leaf.value, order);
    if (day === null) continue;
    const scope = leaf.item === null ? "" : `${leaf.item.at} ${leaf.item.list}`;
    const days = scopes.get(scope) ?? new Map<string, Day | null>();
    scopes.set(scope, days);
    const before = days.get(meaning.concept);
    if (before === undefined) days.set(meaning.concept, { value: day, pointers: [leaf.pointer] });
    else if (before?.value === day) before.pointers.push(leaf.pointer);
    else days.set(meaning.concept, null);
  }
  return scopes;
}

/** Pure; in linear time. */
export function checkOrder(known: readonly Known[], order: DateOrder): Check[] {
  const checks: Check[] = [];
  for (const days of scopesOf(known, order).values()) {
    for (const [first, second, sentence] of FOLLOWS) {
      const [from, to] = [days.get(first), days.get(second)];
      if (from === undefined || from === null || to === undefined || to === null) continue;
      const long = second === "due-date" && daysBetween(from.value, to.value) > LONGEST_CREDIT;
      const message =
        from.value > to.value
          ? sentence.replace("$1", from.value).replace("$2", to.value)
          : long
            ? `The due date ${to.value} is years after the date of issue ${from.value}.`
            : "";
      checks.push(between(long ? "credit-period" : `${first}-before-${second}`, "order", [from, to], message));
    }
  }
  return checks;
}
