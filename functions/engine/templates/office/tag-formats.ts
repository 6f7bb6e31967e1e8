/** The formats of values, a fixed list: `{date | format("d MMMM yyyy", "de")}`, `{total | currency("EUR", "de")}`. */
import type { Json } from "../../../ports/json.ts";
import { badValue, textValue } from "../field-values.ts";
import type { TemplateValueType } from "../template.ts";
import { formatDate, isDatePattern } from "./date-patterns.ts";
import type { TagExpression, TagFilter } from "./tag-expression.ts";
import { TagProblem } from "./tag-fault.ts";

const DEFAULT_LOCALE = "en";
/** Most digits after the point, as Intl takes them. */
const MAX_DIGITS = 20;

type Argument = string | number | undefined;

interface Filter {
  /** Most arguments. */
  takes: number;
  /** What the value must be; null for any text. */
  asks: TemplateValueType | null;
  /** @throws TagProblem for arguments that the filter does not take */
  check?(args: readonly Argument[]): void;
  apply(value: Json, args: readonly Argument[], field: string): Json;
}

/** @throws TagProblem */
function checkLocale(locale: Argument): void {
  if (locale === undefined) return;
  try {
    Intl.getCanonicalLocales(String(locale));
  } catch {
    throw new TagProblem(`names the language "${locale}", which is none; write a code such as "de" or "en-GB"`);
  }
}

/** @throws TagProblem */
function checkDigits(digits: Argument): void {
  if (digits === undefined || (Number.isInteger(digits) && Number(digits) >= 0 && Number(digits) <= MAX_DIGITS)) return;
  throw new TagProblem(`takes 0 to ${MAX_DIGITS} digits after the point`);
}

/** @throws TagProblem */
function checkCurrency(code: Argument): void {
  if (typeof code === "string" && /^[A-Za-z]{3}$/.test(code)) return;
  throw new TagProblem('names no currency; write its code, such as currency("EUR", "de")');
}

/** A number, also as a text with a point. @throws BadRequest */
function numberOf(field: string, value: Json): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number === "number" && Number.isFinite(number)) return number;
  throw badValue(field, `The field ${field} takes a number, such as 1234.5`);
}

const localeOf = (args: readonly Argument[]): string =>
  String(args.find((one) => typeof one === "string") ?? DEFAULT_LOCALE);
const digitsOf = (args: readonly Argument[]): number | undefined => args.find((one) => typeof one === "number");

function checkNumberArguments(args: readonly Argument[]): void {
  checkLocale(args.find((one) => typeof one === "string"));
  checkDigits(digitsOf(args));
}

function numberFilter(style: "decimal" | "percent"): Filter {
  return {
    takes: 2,
    asks: "number",
    check: checkNumberArguments,
    apply(value, args, field) {
      const digits = digitsOf(args);
      const fixed = digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
      return new Intl.NumberFormat(localeOf(args), { style, ...fixed }).format(numberOf(field, value));
    },
  };
}

const dateFilter: Filter = {
  takes: 2,
  asks: "date",
  check([pattern, locale]) {
    checkLocale(locale);
    if (!isDatePattern(String(pattern ?? ""))) {
      throw new TagProblem('has no pattern of a date; write one such as format("d MMMM yyyy", "de")');
    }
  },
  apply(value, [pattern, locale], field) {
    const date = formatDate(textValue(field, value), String(pattern), String(locale ?? DEFAULT_LOCALE));
    if (date === undefined) throw badValue(field, `The field ${field} takes a date, such as 2026-01-31`);
    return date;
  },
};

const textFilter = (change: (text: string, args: readonly Argument[]) => string, takes = 0): Filter => ({
  takes,
  asks: null,
  check: ([locale]) => checkLocale(locale),
  apply: (value, args, field) => change(textValue(field, value), args),
});

const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ["format", dateFilter],
  ["number", numberFilter("decimal")],
  ["percent", numberFilter("percent")],
  [
    "currency",
    {
      takes: 2,
      asks: "number",
      check([code, locale]) {
        checkCurrency(code);
        checkLocale(locale);
      },
      apply: (value, [code, locale], field) =>
        new Intl.NumberFormat(String(locale ?? DEFAULT_LOCALE), {
          style: "currency",
          currency: String(code),
        }).format(numberOf(field, value)),
    },
  ],
  ["upper", textFilter((text, [locale]) => text.toLocaleUpperCase(locale === undefined ? undefined : `${locale}`), 1)],
  ["lower", textFilter((text, [locale]) => text.toLocaleLowerCase(locale === undefined ? undefined : `${locale}`), 1)],
  ["trim", textFilter((text) => text.trim())],
  [
    "join",
    {
      takes: 1,
      asks: null,
      apply: (value, [between = ", "], field) =>
        Array.isArray(value) ? value.map((item) => textValue(field, item)).join(String(between)) : value,
    },
  ],
  ["default", { takes: 1, asks: null, apply: (value, [text = ""]) => (value === null || value === "" ? text : value) }],
]);

export const FILTER_NAMES: readonly string[] = [...FILTERS.keys()];

/** @throws TagProblem for an unknown filter, or arguments that it does not take */
export function checkFilters(
  { filters }: TagExpression,
  /** Filters of the format's own, such as one that makes rich text. */
  more: ReadonlySet<string> = new Set(),
): void {
  for (const { name, args } of filters) {
    if (more.has(name)) continue;
    const filter = FILTERS.get(name);
    if (filter === undefined) {
      throw new TagProblem(`has the filter ${name}, which there is not; there are ${FILTER_NAMES.join(", ")}`);
    }
    if (args.length > filter.takes) throw new TagProblem(`gives the filter ${name} too many arguments`);
    filter.check?.(args);
  }
}

/** The type of values that the filters ask for; null for text. */
export const valueTypeOf = ({ filters }: TagExpression): TemplateValueType | null =>
  filters.map(({ name }) => FILTERS.get(name)?.asks ?? null).find((type) => type !== null) ?? null;

/** The date's pattern among the filters; null for none. */
export const datePatternOf = ({ filters }: TagExpression): string | null => {
  const found = filters.find(({ name }) => name === "format");
  return found === undefined ? null : String(found.args[0] ?? "");
};

/** Applies the filters to a value; an absent one stays absent, besides `default`. @throws BadRequest naming the field */
export function applyFilters(value: Json | undefined, filters: readonly TagFilter[], field: string): Json | undefined {
  let at: Json | undefined = value;
  for (const { name, args } of filters) {
    const filter = FILTERS.get(name);
    const isAbsent = at === undefined || at === null || at === "";
    if (filter !== undefined && (!isAbsent || name === "default")) at = filter.apply(at ?? null, args, field);
  }
  return at;
}
