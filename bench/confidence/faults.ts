/** Plants typical errors of models into true values; the kind of a value decides which errors it can have. */

import { pageWords } from "../../functions/engine/layout/page-words.ts";
import { scanDates } from "../../functions/engine/values/dates.ts";
import { scanNumbers } from "../../functions/engine/values/numbers.ts";
import type { Json } from "../../functions/ports/json.ts";
import type { Layout } from "../../functions/ports/layout.ts";
import { type Invention, Inventions } from "./inventions.ts";
import type { Random } from "./random.ts";
import type { Values } from "./truths.ts";

export type Fault =
  | "digit"
  | "confusion"
  | "other-field"
  | "elsewhere"
  | "wrong-row"
  | "date-shift"
  | "day-month"
  | "sign"
  | "decimal"
  | "currency"
  | "cut"
  | "invented";

type Scalar = string | number;

const LOOKALIKE_DIGITS: Record<string, string> = {
  "0": "8",
  "1": "7",
  "2": "7",
  "3": "8",
  "4": "1",
  "5": "6",
  "6": "5",
  "7": "1",
  "8": "3",
  "9": "0",
};
const CONFUSED_CHARACTERS: Record<string, string> = {
  "0": "O",
  "1": "I",
  "5": "S",
  "8": "B",
  O: "0",
  I: "l",
  l: "1",
  S: "5",
  B: "8",
  rn: "m",
  m: "rn",
  e: "c",
  u: "ii",
  n: "r",
};
const CURRENCIES = ["EUR", "USD", "GBP", "CHF", "CAD"];

const isDate = (value: Scalar): boolean => typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value);
const kindOf = (value: Scalar): string =>
  isDate(value)
    ? "date"
    : typeof value === "number"
      ? "number"
      : CURRENCIES.includes(value)
        ? "currency"
        : /\d{2}/.test(value)
          ? "code"
          : "text";

function changeDigit(text: string, random: Random, to: (digit: string) => string): string | null {
  const places = [...text].flatMap((char, at) => (/\d/.test(char) ? [at] : []));
  if (places.length === 0) return null;
  const at = random.pick(places);
  return text.slice(0, at) + to(text.charAt(at)) + text.slice(at + 1);
}

/** Swaps two neighbouring digits, or changes one. */
function swapDigits(text: string, random: Random): string | null {
  const pairs = [...text].flatMap((char, at) =>
    /\d/.test(char) && /\d/.test(text.charAt(at + 1)) && char !== text.charAt(at + 1) ? [at] : [],
  );
  if (pairs.length === 0 || random.chance(0.5))
    return changeDigit(text, random, (digit) => String((Number(digit) + random.int(1, 9)) % 10));
  const at = random.pick(pairs);
  return text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2);
}

const onNumbers = (value: Scalar, change: (text: string) => string | null): Scalar | null => {
  const changed = change(String(value));
  return changed === null ? null : typeof value === "number" ? Number(changed) : changed;
};

function confuse(value: Scalar, random: Random): Scalar | null {
  if (typeof value === "number")
    return onNumbers(value, (text) => changeDigit(text, random, (digit) => LOOKALIKE_DIGITS[digit] ?? digit));
  const places = Object.keys(CONFUSED_CHARACTERS).filter((char) => value.includes(char));
  if (places.length === 0) return null;
  const char = random.pick(places);
  return value.replace(char, CONFUSED_CHARACTERS[char] ?? char);
}

function shiftDate(value: string, random: Random): string {
  const days = random.pick([-31, -30, -7, -1, 1, 7, 14, 30, 365]);
  return new Date(Date.parse(value) + days * 86_400_000).toISOString().slice(0, 10);
}

function exchangeDayAndMonth(value: string): string | null {
  const [year = "", month = "", day = ""] = value.split("-");
  return Number(day) > 12 || day === month ? null : `${year}-${day}-${month}`;
}

function cutText(value: string, random: Random): string | null {
  const words = value.split(" ");
  return words.length < 2 ? null : random.chance(0.5) ? words.slice(1).join(" ") : words.slice(0, -1).join(" ");
}

/** The values that a document prints, by kind. */
export interface PrintedValues {
  numbers: number[];
  dates: string[];
  texts: string[];
  /** Words with several digits: document numbers, house numbers and others. */
  codes: string[];
}

export function printedIn(layout: Layout): PrintedValues {
  const words = layout.pages.flatMap(pageWords).map(({ text }) => text);
  const text = words.join(" ");
  return {
    numbers: [...new Set(scanNumbers(text, "comma").map(({ value }) => value))],
    dates: [...new Set(scanDates(text, "day-first").map(({ iso }) => iso))],
    texts: [...new Set(words.filter((word) => /\p{L}{4,}/u.test(word)))],
    codes: [...new Set(words.filter((word) => /\d.*\d/.test(word) && !/[.,:]\d{2}\D*$/.test(word)))],
  };
}

interface FaultPlace {
  value: Scalar;
  /** Values of the same kind in other fields, and of the same column in other rows. */
  others: Scalar[];
  column: Scalar[];
  printed: PrintedValues;
}

function invent(value: Scalar, random: Random): Scalar | null {
  if (isDate(value))
    return `20${random.int(10, 29)}-${String(random.int(1, 12)).padStart(2, "0")}-${String(random.int(1, 28)).padStart(2, "0")}`;
  if (typeof value === "number")
    return Number((value * (0.2 + 2 * random.next())).toFixed(Number.isInteger(value) ? 0 : 2));
  if (kindOf(value) === "code") return value.replace(/\d/g, () => String(random.int(0, 9)));
  return random.pick(["Acme Holdings", "Muster & Partner", "General Services", "Société Générique"]);
}

const pickOrNull = (list: readonly Scalar[], random: Random): Scalar | null =>
  list.length === 0 ? null : random.pick(list);

function printedElsewhere({ value, printed }: FaultPlace, random: Random): Scalar | null {
  if (isDate(value)) return pickOrNull(printed.dates, random);
  if (typeof value === "number") return pickOrNull(printed.numbers, random);
  return kindOf(value) === "text" ? pickOrNull(printed.texts, random) : null;
}

const FAULTS: Record<Fault, (place: FaultPlace, random: Random) => Scalar | null> = {
  digit: ({ value }, random) => (isDate(value) ? null : onNumbers(value, (text) => swapDigits(text, random))),
  confusion: ({ value }, random) => (isDate(value) ? null : confuse(value, random)),
  "other-field": ({ others }, random) => pickOrNull(others, random),
  elsewhere: printedElsewhere,
  "wrong-row": ({ column }, random) => pickOrNull(column, random),
  "date-shift": ({ value }, random) => (isDate(value) ? shiftDate(String(value), random) : null),
  "day-month": ({ value }) => (isDate(value) ? exchangeDayAndMonth(String(value)) : null),
  sign: ({ value }) => (typeof value === "number" && value !== 0 ? -value : null),
  decimal: ({ value }, random) =>
    typeof value === "number" && value !== 0
      ? Number((value * random.pick([0.01, 0.1, 10, 100, 1000])).toPrecision(12))
      : null,
  currency: ({ value }, random) => (kindOf(value) === "currency" ? random.pick(CURRENCIES) : null),
  cut: ({ value }, random) => (typeof value === "string" && kindOf(value) === "text" ? cutText(value, random) : null),
  invented: ({ value }, random) => (kindOf(value) === "currency" ? null : invent(value, random)),
};

export const FAULT_NAMES = Object.keys(FAULTS) as Fault[];

/** A wrong value and its fault. @returns null if no randomly drawn fault gives another value */
function damage(place: FaultPlace, random: Random): { value: Scalar; fault: Fault } | null {
  for (let tries = 0; tries < 12; tries += 1) {
    const fault = random.pick(FAULT_NAMES);
    const value = FAULTS[fault](place, random);
    if (value !== null && value !== place.value && !Number.isNaN(value)) return { value, fault };
  }
  return null;
}

export interface Answer {
  values: Values;
  /** In the shape of `values`: the fault of each value, null for true ones. */
  faults: Values;
}

interface GivenValue {
  value: Json;
  fault: Fault | Invention | null;
}

const isScalar = (value: Json | undefined): value is Scalar => typeof value === "string" || typeof value === "number";

class AnswerMaker {
  readonly #truth: Values;
  readonly #printed: PrintedValues;
  readonly #share: number;
  readonly #random: Random;
  readonly #inventions: Inventions;

  constructor(truth: Values, printed: PrintedValues, share: number, random: Random) {
    this.#truth = truth;
    this.#printed = printed;
    this.#share = share;
    this.#random = random;
    this.#inventions = new Inventions(truth, printed, random);
  }

  #change(value: Json, others: Scalar[], column: Scalar[]): GivenValue {
    if (!isScalar(value) || !this.#random.chance(this.#share)) return { value, fault: null };
    return damage({ value, others, column, printed: this.#printed }, this.#random) ?? { value, fault: null };
  }

  /** A value outside of lists. */
  field(name: string, value: Json): GivenValue {
    if (value === null) return this.#inventions.forField(name) ?? { value, fault: null };
    const others = Object.entries(this.#truth).flatMap(([other, one]) =>
      other !== name && isScalar(one) && isScalar(value) && kindOf(one) === kindOf(value) ? [one] : [],
    );
    return this.#change(value, others, []);
  }

  /** The rows of a list. */
  rows(name: string, list: readonly Json[]): Record<string, GivenValue>[] {
    const rows = list.map((row) => (typeof row === "object" && row !== null && !Array.isArray(row) ? row : {}));
    const unstated = Object.entries(rows[0] ?? {}).filter(([, value]) => value === null);
    const columns = new Map(unstated.map(([key]) => [key, this.#inventions.forColumn(name, key)]));
    return rows.map((row, at) =>
      Object.fromEntries(
        Object.entries(row).map(([key, cell]): [string, GivenValue] => {
          if (cell === null) {
            const value = columns.get(key)?.(row) ?? null;
            return [key, { value, fault: value === null ? null : "unstated-column" }];
          }
          const same = (one: Json | undefined): one is Scalar => isScalar(one) && typeof one === typeof cell;
          const column = rows.flatMap((other, index) => (index !== at && same(other[key]) ? [other[key]] : []));
          const others = Object.entries(row).flatMap(([other, one]) => (other !== key && same(one) ? [one] : []));
          return [key, this.#change(cell, others, column)];
        }),
      ),
    );
  }
}

const membersOf = (row: Record<string, GivenValue>, member: keyof GivenValue): Values =>
  Object.fromEntries(Object.entries(row).map(([key, one]) => [key, one[member]]));

/** The answer of a model that errs in a share of the values, and invents some that the document does not state. */
export function answerOf(truth: Values, printed: PrintedValues, share: number, random: Random): Answer {
  const answering = new AnswerMaker(truth, printed, share, random);
  const [values, faults]: [Values, Values] = [{}, {}];
  for (const [name, value] of Object.entries(truth)) {
    if (Array.isArray(value)) {
      const rows = answering.rows(name, value);
      values[name] = rows.map((row) => membersOf(row, "value"));
      faults[name] = rows.map((row) => membersOf(row, "fault"));
      continue;
    }
    const one = answering.field(name, value);
    values[name] = one.value;
    faults[name] = one.fault;
  }
  return { values, faults };
}
