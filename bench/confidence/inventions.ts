/**
 * Invented values for facts that a document lacks, as models invent them: mostly other words of the page, rarely made
 * up.
 */
import type { Json } from "../../functions/ports/json.ts";
import type { PrintedValues } from "./faults.ts";
import type { Random } from "./random.ts";
import { type FieldKind, kindOf, type Values } from "./truths.ts";

export type Invention = "unstated-field" | "unstated-page" | "unstated-made-up" | "unstated-column";

type Scalar = string | number;

/** Share of the unstated fields that are given all the same, and share of the unstated columns. */
const INVENTED_FIELD_SHARE = 0.3;
const INVENTED_COLUMN_SHARE = 0.15;

const isOf = (kind: FieldKind, value: Json | undefined): value is Scalar => {
  // A zero often means that there is no value.
  if (typeof value === "number") return value !== 0 && (kind === "number" || (kind === "integer" && value % 1 === 0));
  return typeof value === "string" && (kind === "date" || kind === "text") && isDay(value) === (kind === "date");
};
const isDay = (value: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(value);

const scalarsOf = (value: Json): Json[] =>
  Array.isArray(value)
    ? value.slice(0, 3).flatMap(scalarsOf)
    : typeof value === "object" && value !== null
      ? Object.values(value)
      : [value];

function madeUp(kind: FieldKind, random: Random): Scalar {
  if (kind === "date") return `20${random.int(10, 29)}-0${random.int(1, 9)}-${random.int(10, 28)}`;
  if (kind === "integer") return random.int(2, 400);
  if (kind === "number") return random.int(101, 99_999) / 100;
  return random.pick(["Sparkasse Mitte", "Project Aurora", "J. Turner", `K-${random.int(10_000, 99_999)}`]);
}

function onPage(kind: FieldKind, { numbers, dates, texts, codes }: PrintedValues): Scalar[] {
  if (kind === "date") return dates;
  return (kind === "text" ? [...texts, ...codes] : numbers).filter((value) => isOf(kind, value));
}

/** Inventions for the answer about one document. */
export class Inventions {
  readonly #truth: Values;
  readonly #printed: PrintedValues;
  readonly #random: Random;

  constructor(truth: Values, printed: PrintedValues, random: Random) {
    this.#truth = truth;
    this.#printed = printed;
    this.#random = random;
  }

  /** An invention for a field without a value; mostly null. */
  forField(name: string): { value: Scalar; fault: Invention } | null {
    const random = this.#random;
    if (!random.chance(INVENTED_FIELD_SHARE)) return null;
    const kind = kindOf(name);
    const others = Object.values(this.#truth)
      .flatMap(scalarsOf)
      .filter((value) => isOf(kind, value));
    const printed = onPage(kind, this.#printed);
    if (others.length > 0 && random.chance(0.45)) return { value: random.pick(others), fault: "unstated-field" };
    if (printed.length > 0 && random.chance(0.8)) return { value: random.pick(printed), fault: "unstated-page" };
    return { value: madeUp(kind, random), fault: "unstated-made-up" };
  }

  /** Inventions for the rows of a column without values: another column's values, or one value in all rows. */
  forColumn(list: string, name: string): ((row: Values) => Scalar | null) | null {
    const random = this.#random;
    if (!random.chance(INVENTED_COLUMN_SHARE)) return null;
    const kind = kindOf(name, list);
    const rows = this.#truth[list];
    const first = Array.isArray(rows) ? Object.entries((rows[0] ?? {}) as Values) : [];
    const columns = first.flatMap(([other, value]) => (isOf(kind, value) ? [other] : []));
    const printed = onPage(kind, this.#printed);
    if (columns.length > 0 && random.chance(0.6)) {
      const from = random.pick(columns);
      return (row) => (isOf(kind, row[from]) ? row[from] : null);
    }
    if (printed.length === 0) return null;
    const repeated = random.pick(printed);
    return () => repeated;
  }
}
