/**
 * Rows that a printed total proves: amounts one below the other that add up to it to the cent are the rows of one list,
 * and all of them, though nothing heads them and other amounts stand between. Labels with their amounts, at one indent;
 * or amounts on lines of their own under the lines that describe them, as on till receipts.
 */
import { type Notation, parseNumber } from "../values/numbers.ts";
import { splitName } from "../values/text-folding.ts";
import { meaningsInText, meaningsOfName } from "../values/vocabulary/vocabulary.ts";
import { joinUnits, type Unit, type Units } from "./candidate-rows.ts";
import { kindOf } from "./cell-kinds.ts";
import { namesSum } from "./subtotal-rows.ts";

/** Inches by which edges of one column differ. */
const IN_LINE = 0.08;
/** Columns of amounts that may be under way side by side. */
const OPEN = 8;
/** Addends that prove a total which is printed anywhere; right below them two are enough. */
const FEWEST = 3;
/** Lines that describe one amount. */
const MOST_LINES = 12;

/** Sums and what is put on them: they add up to a total like rows of a list, and are none. */
const CHARGES = new Set(
  "tax-total discount shipping surcharge rounding tip prepaid previous-balance cash-given net-total gross-total amount-due".split(
    " ",
  ),
);

/** Whether a row's or a list's name is one of taxes, discounts, fees: of what is put on the sum of a list. */
export const namesCharge = (text: string): boolean =>
  meaningsInText(text, false).some(({ concept }) => CHARGES.has(concept));

interface Amount {
  unit: Unit;
  /** Cents. */
  value: number;
  label: string;
  left: number;
  right: number;
}

const centsOf = (text: string, notation: Notation): number | null => {
  const value = /[.,]\d{2}(?!\d)/.test(text) && !text.includes("%") ? parseNumber(text, notation) : null;
  return value === null ? null : Math.round(value * 100);
};

/** Whether a label says nothing but that: `VAT 20 %`, not `Tax advice`. */
function isCharge(label: string): boolean {
  const words = splitName(label).filter((word) => /\p{L}/u.test(word));
  return meaningsOfName(words, false).some(({ concept }) => CHARGES.has(concept));
}

/**
 * Groups of rows of a list without what is put on their sum: rows that are called so and nothing else; and the last ones
 * of a group, where their names speak of it and no other rows' do.
 */
export function withoutCharges<Item>(groups: readonly Item[][], labelOf: (row: Item) => string): Item[][] {
  const own = groups.map((rows) => rows.filter((row) => !isCharge(labelOf(row))));
  const speaks = (row: Item): boolean => namesCharge(labelOf(row)) || namesSum(labelOf(row));
  const lasts = own.map((rows) => rows.findLastIndex((row) => !speaks(row)));
  // Words that rows begin with in the middle are no charges: Porto is a town.
  const usual = own.some((rows, at) => rows.slice(0, lasts[at]).some((row) => namesCharge(labelOf(row))));
  return usual ? own : own.map((rows, at) => rows.slice(0, (lasts[at] ?? -1) + 1));
}

/** Totals that their words do not call sums: `Net`, `Amount due`. */
const TOTALS = new Set(["net-total", "gross-total", "amount-due"]);

const namesTotal = (label: string): boolean =>
  namesSum(label) || meaningsInText(label, false).some(({ concept }) => TOTALS.has(concept));

/** What a row says if it is a label with an amount behind it, or an amount alone; `wide`: other cells may stand between. */
function amountOf(unit: Unit, notation: Notation, wide: boolean): Amount | undefined {
  const apart = unit.cells.length >= 2;
  if ((unit.cells.length > 2 && !wide) || unit.header === true) return undefined;
  const texts = apart ? unit.cells.map(({ text }) => text) : unit.words.map(({ text }) => text);
  // The currency may be a word of its own.
  for (const size of apart ? [1] : [2, 1]) {
    const value = centsOf(texts.slice(-size).join(" "), notation);
    const label = texts.slice(0, -size).join(" ");
    if (value === null || (label !== "" && !/\p{L}/u.test(label))) continue;
    const [left, right] = [unit.words[0]?.left ?? unit.box.left, unit.words.at(-1)?.right ?? unit.box.right];
    return { unit, value, label, left, right };
  }
  return undefined;
}

/** Amounts of one column, up to a total; `total`: what is printed below them. */
interface Run {
  amounts: Amount[];
  total: number | undefined;
}

const near = (a: number, b: number): boolean => Math.abs(a - b) <= IN_LINE;

/** Labels at one indent whose amounts end alike, where they stand apart from them; or amounts alone. */
function inColumn(a: Amount, b: Amount): boolean {
  if ((a.label === "") !== (b.label === "")) return false;
  if (a.label === "") return near(a.left, b.left) || near(a.right, b.right);
  const apart = (one: Amount): boolean => one.unit.cells.length >= 2;
  return near(a.left, b.left) && (!apart(a) || !apart(b) || near(a.right, b.right));
}

/** Runs of amounts, and all that is called a total. Rows further out end the runs inside, as parts of an outline do. */
function runsOf(all: readonly Unit[], notation: Notation, wide: boolean): { runs: Run[]; totals: Set<number> } {
  const runs: Run[] = [];
  const totals = new Set<number>();
  let open: Run[] = [];
  for (const unit of all) {
    open = open.filter(({ amounts: [first], amounts }) => {
      const last = amounts.at(-1)?.unit.page ?? unit.page;
      return (
        first !== undefined &&
        (last === unit.page ? (unit.words[0]?.left ?? unit.box.left) >= first.left - IN_LINE : unit.page === last + 1)
      );
    });
    const amount = amountOf(unit, notation, wide);
    if (amount === undefined) continue;
    if (wide ? namesTotal(amount.label) : namesSum(amount.label)) {
      totals.add(amount.value);
      for (const run of open) run.total = amount.value;
      open = [];
      continue;
    }
    const own = open.find(({ amounts: [first] }) => first !== undefined && inColumn(first, amount));
    if (own !== undefined) own.amounts.push(amount);
    else {
      const run: Run = { amounts: [amount], total: undefined };
      runs.push(run);
      open = [run, ...open].slice(0, OPEN);
    }
  }
  return { runs, totals };
}

/** The last amounts of a run that make the total below it, else all of it where that is a total; none where neither. */
function proven({ amounts, total }: Run, totals: ReadonlySet<number>): Amount[] {
  let sum = 0;
  let filled = 0;
  for (let from = amounts.length - 1; from >= 0; from -= 1) {
    const { value = 0 } = amounts[from] ?? {};
    sum += value;
    if (value !== 0) filled += 1;
    if (filled >= 2 && sum === total) return amounts.slice(from);
  }
  return filled >= FEWEST && totals.has(sum) ? amounts : [];
}

/** The lines above each amount that describe it; undefined where an amount has none. */
function describedBy(amounts: readonly Amount[], all: readonly Unit[]): Unit[][] | undefined {
  const above = amounts.map(({ unit }, at): Unit[] => {
    const before = amounts[at - 1]?.unit.order ?? unit.order - MOST_LINES - 1;
    const lines = all.slice(Math.max(0, before + 1, unit.order - MOST_LINES), unit.order);
    return lines.filter(({ page, table }) => page === unit.page && table === undefined);
  });
  const most = above.slice(1).reduce((longest, { length }) => Math.max(longest, length), 0);
  const [first = [], ...others] = above;
  // Nothing ends the first one's lines but their number: as many as the longest of the others has.
  return most === 0 || above.some(({ length }) => length === 0) ? undefined : [first.slice(-most), ...others];
}

/**
 * Finds what totals prove.
 * @returns the rows of each list, and the units, in which amounts with lines of their own are one row with these lines
 */
export function proveAddends(units: Units, notation: Notation): { units: Units; groups: Unit[][] } {
  const { runs, totals } = runsOf(units.all, notation, false);
  const groups = runs.flatMap((run) => {
    const amounts = proven(run, totals);
    const alone = amounts[0]?.label === "";
    const lines = alone ? describedBy(amounts, units.all) : [];
    return amounts.length === 0 || lines === undefined ? [] : [{ amounts, lines }];
  });
  const joined = joinUnits(
    units,
    groups.flatMap(({ amounts, lines }) => lines.map((from, at) => ({ into: amounts[at]?.unit.order ?? -1, from }))),
  );
  const kept = withoutCharges(
    groups.map(({ amounts }) => amounts),
    ({ label }) => label,
  );
  const rows = kept.map((amounts) => amounts.flatMap(({ unit }) => joined.all[unit.order] ?? []));
  return { units: joined, groups: rows.filter(({ length }) => length > 0) };
}

/** What the cells of a row are; rows that are alike in it are told by that. */
const kindsOf = ({ cells }: Unit): string => cells.map(({ text }) => kindOf(text)).join(" ");

/**
 * The same for rows of several cells that are alike in their amounts only, the last ones: what they are of, how many of it,
 * at which price.
 */
export function proveWide(all: readonly Unit[], notation: Notation, free: ReadonlySet<Unit>): Unit[][] {
  const { runs, totals } = runsOf(all, notation, true);
  const groups = runs.map((run) => proven(run, totals)).filter(({ length }) => length > 0);
  return withoutCharges(groups, ({ label }) => label)
    .map((amounts) => amounts.map(({ unit }) => unit))
    .filter((rows) => rows.every((unit) => unit.cells.length >= 2 && free.has(unit)))
    .filter((rows) => new Set(rows.map(kindsOf)).size > 1);
}
