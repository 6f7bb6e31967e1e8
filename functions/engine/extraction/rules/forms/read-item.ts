/** Reads what is written or ticked at an item of a form, in the form that a field asks for. */
import type { EntryField } from "../../../../ports/layout.ts";
import { middleY } from "../../../layout/geometry.ts";
import type { Field } from "../../../schema/schema-shape.ts";
import type { EntryView } from "../../../structure/view/view-form-entries.ts";
import { parseBoolean } from "../../../values/booleans.ts";
import { type DateOrder, parseDate } from "../../../values/dates.ts";
import { parseNumber } from "../../../values/numbers.ts";
import { foldText, splitName, trimValue } from "../../../values/text-folding.ts";
import { wordsOf } from "../../../values/vocabulary/languages.ts";
import type { Meaning } from "../field-meaning.ts";
import { type Conventions, fitsLengthAndPattern, matchChoice, wantsIso } from "../value-reader.ts";
import { type FormItem, isCertain, OWN_TEXT_WEIGHT } from "./form-items.ts";
import { ADDRESS_TERM, likeness, namesOnlyFields, termsOf } from "./form-terms.ts";
import { separatorOf, unitOf } from "./value-parts.ts";

/** `empty`: nothing is written; `unfit`: what is written is not of the field's type. */
export type ItemReading =
  | { kind: "value"; value: string | number | boolean; members: EntryView[]; fit: number }
  | { kind: "empty" | "unfit" };

const EMPTY: ItemReading = { kind: "empty" };
const UNFIT: ItemReading = { kind: "unfit" };

/** A label that says which part of a date comes first: `mm/dd/yyyy`, `TT.MM.JJJJ`. */
const MONTH_FIRST = /\bm{1,2}[ /.-]{0,3}(?:d{1,2}|t{1,2}|j{1,2})\b/i;
const DAY_FIRST = /\b(?:d{1,2}|t{1,2}|j{1,2})[ /.-]{0,3}m{1,2}\b/i;

function dateOrder(item: FormItem, { order }: Conventions): DateOrder {
  const [first] = item.members.map(unitOf);
  if (first === "month" || first === "day") return `${first}-first`;
  const texts = item.names.map(([text]) => text);
  if (texts.some((text) => MONTH_FIRST.test(text))) return "month-first";
  return texts.some((text) => DAY_FIRST.test(text)) ? "day-first" : order;
}

/** The value of a form's field as text; for a list, the labels of its options. */
function fieldText({ value, options = [] }: EntryField): string {
  const shown = (one: string): string => options.find((option) => option.value === one)?.label ?? one;
  return Array.isArray(value) ? value.map(shown).join(", ") : value === null ? "" : shown(value);
}

/** Characters that stand apart from which they are those of one number or code; no text has as many short words. */
const MIN_SPACED = 3;
const SINGLE = /^\S$/u;

/** Text written at one place. */
export const writtenText = ({ entry, tokens }: EntryView): string => {
  if (entry.field !== undefined) return fieldText(entry.field);
  const isSpaced = tokens.length >= MIN_SPACED && tokens.every(({ text }) => SINGLE.test(text));
  const space = entry.comb === true || isSpaced ? "" : " ";
  return tokens.reduce((before, { text, box }, index) => {
    const last = tokens[index - 1];
    return before + (last === undefined ? "" : box.top > middleY(last.box) ? "\n" : space) + text;
  }, "");
};

/** Eight digits of a date that is written without signs, the year last. */
const COMPACT_DATE = /^(\d{2})(\d{2})((?:19|20)\d{2})$/u;

/** Characters in cells of their own. */
const SPELLED = /^\S(?:\s\S)+$/u;

/** Text of all parts: those of a date parted by strokes, others by the sign printed between them, digits by dashes. */
export function itemText({ members }: FormItem, isDate: boolean): string {
  const parts = members.flatMap((view) => {
    const written = writtenText(view).trim();
    const text = members.length > 1 && SPELLED.test(written) ? written.replace(/\s/gu, "") : written;
    return text === "" ? [] : [{ text, separator: separatorOf(view) }];
  });
  const joined = parts.reduce((before, { text, separator }) => {
    if (before === "") return text;
    if (isDate) return `${before}/${text}`;
    if (separator !== undefined && !/\p{L}/u.test(separator)) return before + separator + text;
    return before + (/\d$/u.test(before) && /^\d+$/u.test(text) ? "-" : " ") + text;
  }, "");
  return isDate ? joined.replace(COMPACT_DATE, "$1/$2/$3") : joined;
}

function readChoice(text: string, choices: readonly (string | number | boolean)[]): ItemReading | null {
  const rated = choices
    .map((choice) => ({
      choice,
      fit: Math.max(matchChoice(text, String(choice))?.fit ?? 0, likeness(text, String(choice))),
    }))
    .sort((a, b) => b.fit - a.fit);
  const [best, second] = rated;
  if (best === undefined || best.fit < 0.5 || best.fit - (second?.fit ?? 0) < 0.1) return null;
  return { kind: "value", value: best.choice, members: [], fit: best.fit };
}

/** Words of a property's name that asks for a name. */
const NAME_WORDS = new Set(wordsOf(({ properties }) => properties.parts?.name ?? []).map(foldText));

/** The first line of a block of name and address is the name. */
function isNameOfBlock({ names }: FormItem, field: Field): boolean {
  const isOfAddress = names.some(([text, weight]) => weight >= OWN_TEXT_WEIGHT && termsOf(text).has(ADDRESS_TERM));
  return isOfAddress && NAME_WORDS.has(splitName(field.name).at(-1) ?? "");
}

/** Terms of a property's name that ask for values with certain signs: names have letters, numbers digits, mail addresses an @. */
const SIGNS: readonly (readonly [RegExp, ReadonlySet<string>])[] = [
  [/\p{L}/u, new Set(["=first-name", "=last-name", "=middle-name", "=maiden-name", "=city"])],
  [/\d/u, new Set(["=postal-code", "=phone", "=mobile", "=fax", "=social-security-number"])],
  [/@/u, new Set(["=email"])],
];

function hasSigns(value: string, { name }: Field): boolean {
  const terms = [...termsOf(name).keys()];
  const asked = SIGNS.filter(([, ones]) => terms.some((term) => ones.has(term)));
  const isName = NAME_WORDS.has(splitName(name).at(-1) ?? "");
  return asked.length === 0 ? !isName || /\p{L}/u.test(value) : asked.some(([signs]) => signs.test(value));
}

function readText(item: FormItem, field: Field, meaning: Meaning, conventions: Conventions): ItemReading {
  const isDate = wantsIso(field, meaning) || meaning.value === "date";
  const whole = itemText(item, isDate);
  const raw = isNameOfBlock(item, field) ? (whole.trim().split(/[\r\n]+/u)[0] ?? "") : whole;
  const text = raw.replace(/\s+/g, " ").trim();
  if (text === "" || (!isCertain(item) && namesOnlyFields(text))) return EMPTY;
  const found = (value: string | number | boolean | null, fit = 1): ItemReading =>
    value === null ? UNFIT : { kind: "value", value, members: item.members, fit };
  if (field.choices !== null) {
    const chosen = readChoice(text, field.choices);
    return chosen?.kind === "value" ? { ...chosen, members: item.members } : UNFIT;
  }
  if (field.type === "boolean") return found(parseBoolean(text));
  if (field.type === "number" || field.type === "integer") {
    const number = parseNumber(text.replace(/^[^\d(+-]+|[^\d)]+$/gu, ""), conventions.notation);
    const isFit = number !== null && number >= field.minimum && number <= field.maximum;
    return found(isFit && (field.type === "number" || Number.isInteger(number)) ? number : null);
  }
  if (wantsIso(field, meaning)) {
    const date = parseDate(text, dateOrder(item, conventions));
    if (date !== null || field.format === "date" || field.format === "date-time") return found(date);
  }
  const value = trimValue(text);
  if (!/[\p{L}\p{N}]/u.test(value) || !hasSigns(value, field)) return UNFIT;
  return value !== "" && fitsLengthAndPattern(field, value) ? found(value) : UNFIT;
}

/** The texts of an option: its print, its state, the end of its tooltip. */
const optionTexts = ({ entry: { label, field } }: EntryView): string[] => {
  const state = field?.state;
  const shown = state === undefined ? undefined : field?.options?.find(({ value }) => value === state)?.label;
  return [label, shown ?? "", state ?? "", field?.tooltip ?? ""].filter((text) => text !== "");
};

/** How well an option is a choice, 0 to 1. */
function optionFit(view: EntryView, choice: string): number {
  const [wanted, texts] = [foldText(choice).replace(/[_-]+/g, " "), optionTexts(view)];
  const best = texts.reduce((most, text, index) => {
    const part = matchChoice(text, choice);
    const fit = Math.max(likeness(text, wanted), part === null ? 0 : 0.8 * part.fit);
    return Math.max(most, index === 0 ? fit : 0.95 * fit);
  }, 0);
  const [state = ""] = texts.slice(-1);
  // A state of one letter stands for its word: `M`, `F`.
  return best < 0.5 && state.length === 1 && wanted.startsWith(foldText(state)) ? 0.5 : best;
}

/** The choice of each option: each goes to the option that fits it best, and the other way round. */
function optionChoices(
  members: readonly EntryView[],
  choices: readonly (string | number | boolean)[],
): Map<EntryView, { choice: string | number | boolean; fit: number }> {
  const rated = members
    .flatMap((view) => choices.map((choice) => ({ view, choice, fit: optionFit(view, String(choice)) })))
    .filter(({ fit }) => fit > 0.2)
    .sort((a, b) => b.fit - a.fit);
  const taken = new Set<string | number | boolean>();
  const found = new Map<EntryView, { choice: string | number | boolean; fit: number }>();
  for (const { view, choice, fit } of rated) {
    if (found.has(view) || taken.has(choice)) continue;
    found.set(view, { choice, fit });
    taken.add(choice);
  }
  return found;
}

/** The answer of a box to tick of a question with yes and no; null for another box. */
export function yesOrNo(view: EntryView): boolean | null {
  const [label = ""] = optionTexts(view);
  return parseBoolean(label.replace(/[^\p{L}].*$/u, ""));
}

export const isYesNoGroup = ({ kind, members }: FormItem): boolean =>
  kind === "group" &&
  members.length === 2 &&
  new Set(members.map(yesOrNo)).size === 2 &&
  members.every((one) => yesOrNo(one) !== null);

const isTicked = ({ entry }: EntryView): boolean => entry.ticked === true;

function readGroup(item: FormItem, field: Field): ItemReading {
  const ticked = item.members.filter(isTicked);
  const [only, ...more] = ticked;
  if (only === undefined) return EMPTY;
  if (field.type === "boolean") {
    const answer = isYesNoGroup(item) && more.length === 0 ? yesOrNo(only) : null;
    return answer === null ? UNFIT : { kind: "value", value: answer, members: [only], fit: 1 };
  }
  if (field.choices !== null) {
    const choices = optionChoices(item.members, field.choices);
    const own = choices.get(only);
    return own === undefined || more.length > 0
      ? UNFIT
      : { kind: "value", value: own.choice, members: [only], fit: Math.min(1, 0.6 + 0.4 * own.fit) };
  }
  if (field.type !== "string") return UNFIT;
  const value = ticked.map((view) => trimValue(view.entry.label || (view.entry.field?.state ?? ""))).join(", ");
  return value === "" || !fitsLengthAndPattern(field, value)
    ? UNFIT
    : { kind: "value", value, members: ticked, fit: 0.95 };
}

function readTick(item: FormItem, field: Field): ItemReading {
  const [view] = item.members;
  if (view === undefined || field.type !== "boolean") return UNFIT;
  if (yesOrNo(view) === false) return isTicked(view) ? { kind: "value", value: false, members: [view], fit: 1 } : EMPTY;
  return { kind: "value", value: isTicked(view), members: [view], fit: 1 };
}

/** Reads an item for a field. */
export function readItem(item: FormItem, field: Field, meaning: Meaning, conventions: Conventions): ItemReading {
  if (item.kind === "text") return readText(item, field, meaning, conventions);
  return item.kind === "group" ? readGroup(item, field) : readTick(item, field);
}
