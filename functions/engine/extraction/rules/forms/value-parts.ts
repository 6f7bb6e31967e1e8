/** Places of a form that hold the parts of one value: the digits of a number, day, month and year, both sides of an @. */
import type { EntryField, FormEntry } from "../../../../ports/layout.ts";
import { lowerBound } from "../../../layout/binary-search.ts";
import { middleY } from "../../../layout/geometry.ts";
import type { EntryView } from "../../../structure/view/view-form-entries.ts";
import { foldText, splitName } from "../../../values/text-folding.ts";
import { type TimeUnit, timeUnit } from "../../../values/time-units.ts";
import { wordsOf } from "../../../values/vocabulary/languages.ts";

/** Gap between the parts of one number or date at most, their overlap, and width of a part, in inches. */
const MAX_PART_GAP_INCHES = 0.3;
const MAX_PART_OVERLAP_INCHES = 0.05;
const MAX_PART_WIDTH_INCHES = 1.3;
/** Characters of a part at most: the year of a date, the last digits of a number; and of a part that is only written. */
const MAX_PART_CHARACTERS = 7;
const MAX_WRITTEN_CHARACTERS = 4;
/** Characters of print that names the unit of a part: `월 mm`, `(year)`. */
const MAX_UNIT_CHARACTERS = 12;
/** Share of the longer of two tooltips with which both begin where they name parts of one value. */
const MIN_SHARED_TOOLTIP = 0.5;

/** The last named part of a field's full name: programs name the groups above it. */
export function ownName({ name }: EntryField): string {
  const parts = name.split(".").map((part) => part.replace(/\[\d+\]$/, ""));
  const isTelling = (part: string): boolean => splitName(part).some((word) => /\p{L}{3}/u.test(word));
  return parts.findLast(isTelling) ?? "";
}

/** A full name without its numbers, which count fields of one kind. */
export const stemOfName = (field: EntryField | undefined): string => field?.name.replace(/\d+/g, "") ?? "";

const OF_WORDS = new Set(wordsOf(({ dates }) => dates.of).map(foldText));

/** The print between a part and the one before it: a sign, or the word before a month or year. */
export const separatorOf = ({ entry: { label, context } }: EntryView): string | undefined =>
  [label, ...context].find((text) => /^[/.@–-]$/u.test(text) || OF_WORDS.has(foldText(text)));

/** Letters of a date's notation in several languages: `dd`, `MM`, `jjjj`. */
const UNIT_LETTERS: readonly (readonly [RegExp, TimeUnit])[] = [
  [/^(?:d{1,2}|t{2}|j{2}|g{2})$/u, "day"],
  [/^m{2}$/u, "month"],
  [/^(?:y|j|a|r|é){4}$/u, "year"],
];

/** The unit of a part of a date, as its name or the print beside it says. */
export function unitOf({ entry: { label, context, field } }: EntryView): TimeUnit | undefined {
  const near = [label, context[0] ?? ""].filter((text) => text.length <= MAX_UNIT_CHARACTERS);
  const units = [field === undefined ? "" : ownName(field), ...near].map((text) => {
    const words = splitName(text);
    const last = words.at(-1) ?? "";
    return timeUnit(last) ?? UNIT_LETTERS.find(([letters]) => letters.test(last))?.[1];
  });
  return units.find((unit) => unit !== undefined);
}

/** Characters that a place takes, or has. */
function isShort({ entry: { field, comb }, tokens }: EntryView): boolean {
  if (field?.maxLength !== undefined) return field.maxLength <= MAX_PART_CHARACTERS;
  const held =
    typeof field?.value === "string" ? field.value.length : tokens.reduce((sum, { text }) => sum + text.length, 0);
  return comb === true || (held > 0 && held <= MAX_WRITTEN_CHARACTERS);
}

/** True for a place in which every character stands alone, as in cells for them. */
const isSpelled = ({ tokens }: EntryView): boolean =>
  tokens.length > 0 && tokens.every(({ text }) => text.length === 1);

const isPart = (view: EntryView): boolean => view.entry.box.right - view.entry.box.left <= MAX_PART_WIDTH_INCHES;

function shareTooltip(one: FormEntry, other: FormEntry): boolean {
  const [a, b] = [one.field?.tooltip ?? "", other.field?.tooltip ?? ""];
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared += 1;
  return shared > 0 && shared >= MIN_SHARED_TOOLTIP * Math.max(a.length, b.length);
}

/** True for a place whose value goes on in the next one on its row. */
function continues(last: EntryView, next: EntryView): boolean {
  const separator = separatorOf(next);
  if (separator === "@") return true;
  if (!isPart(last) || !isPart(next)) return false;
  const [unit, other] = [unitOf(last), unitOf(next)];
  if (unit !== undefined && other !== undefined) return unit !== other;
  if (!isShort(last) || !isShort(next)) return false;
  if (separator !== undefined || (last.entry.comb === true && next.entry.comb === true)) return true;
  if (last.entry.field === undefined || next.entry.field === undefined)
    return last.entry.label === next.entry.label && isSpelled(last) && isSpelled(next);
  const sameName = stemOfName(last.entry.field) === stemOfName(next.entry.field);
  return sameName || shareTooltip(last.entry, next.entry) || last.entry.label === next.entry.label;
}

const leftOf = ({ entry }: EntryView): number => entry.box.left;

/** The place beside the one at an index, to its right. @param sorted places of one page, by their left edges */
function nextOnRow(sorted: readonly EntryView[], index: number): EntryView | undefined {
  const box = sorted[index]?.entry.box;
  if (box === undefined) return undefined;
  const height = box.bottom - box.top;
  for (let at = Math.max(index + 1, lowerBound(sorted, leftOf, box.right - MAX_PART_OVERLAP_INCHES)); ; at += 1) {
    const next = sorted[at];
    if (next === undefined) return undefined;
    const { box: other, field, comb, words } = next.entry;
    const gap = other.left - box.right;
    if (gap > MAX_PART_GAP_INCHES) return undefined;
    // The gaps between cells look like small cells.
    const isGap = field === undefined && comb === undefined && words.length === 0;
    const isBeside = Math.abs(middleY(box) - middleY(other)) < 0.3 * height && gap > -MAX_PART_OVERLAP_INCHES;
    if (isBeside && !isGap) return next;
  }
}

/** Texts by the value that they hold, each with its parts from left to right; in the order of the first parts. */
export function valueParts(texts: readonly EntryView[]): EntryView[][] {
  const nextOf = new Map<EntryView, EntryView>();
  for (const page of Map.groupBy(texts, (view) => view.page).values()) {
    const sorted = page.toSorted((a, b) => leftOf(a) - leftOf(b));
    const taken = new Set<EntryView>();
    for (const [index, view] of sorted.entries()) {
      const next = nextOnRow(sorted, index);
      if (next === undefined || taken.has(next) || !continues(view, next)) continue;
      nextOf.set(view, next);
      taken.add(next);
    }
  }
  const later = new Set(nextOf.values());
  return texts
    .filter((view) => !later.has(view))
    .map((view) => {
      const parts = [view];
      for (let next = nextOf.get(view); next !== undefined; next = nextOf.get(next)) parts.push(next);
      return parts;
    });
}
