/** Checks over several dates: what comes after what. */
import type { DateOrder } from "../formats/dates.ts";
import { type Check, failed, type Known, passed } from "./check.ts";
import { dayOf } from "./values.ts";

/** Concepts whose first day is never after the second, with their names in sentences. */
const FOLLOWS: [string, string, string][] = [
  ["issue-date", "due-date", "The due date $2 is before the date of issue $1."],
  ["order-date", "issue-date", "The date of issue $2 is before the date of the order $1."],
  ["birth-date", "issue-date", "The date of issue $2 is before the date of birth $1."],
  ["period-start", "period-end", "The period ends on $2, before it begins on $1."],
];
/** Days between issue and payment that are still believable: two years, as in contracts by instalments. */
const LONGEST_CREDIT = 731;

interface Day {
  day: string;
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
    if (before === undefined) days.set(meaning.concept, { day, pointers: [leaf.pointer] });
    else if (before?.day === day) before.pointers.push(leaf.pointer);
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
      const pointers = [...from.pointers, ...to.pointers];
      const message = sentence.replace("$1", from.day).replace("$2", to.day);
      if (from.day > to.day) checks.push(failed(`${first}-before-${second}`, "order", pointers, message));
      else if (second === "due-date" && daysBetween(from.day, to.day) > LONGEST_CREDIT)
        checks.push(
          failed(
            "credit-period",
            "order",
            pointers,
            `The due date ${to.day} is years after the date of issue ${from.day}.`,
          ),
        );
      else checks.push(passed(`${first}-before-${second}`, "order", pointers));
    }
  }
  return checks;
}
