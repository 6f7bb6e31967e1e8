/** What the cells of a column have in common, and which of them do not: kind, sign, size, counting up. */
import { quantile } from "../layout/geometry.ts";
import type { Notation } from "../values/numbers.ts";
import { amountOf } from "./amount-checks.ts";
import { type Check, failed, type Known, quote } from "./check.ts";

/** Fewer cells are no rule. */
const FEWEST = 5;
/** Of a column's cells, so many make the rule that others break. */
const MOST_OF = 0.85;
/**
 * Powers of ten beyond the middle four fifths of a column: a decimal mark or digits were lost. Small amounts among large
 * ones are common (of numbers from 1 to 10,000, every tenth has a digit less), large among small ones are not.
 */
const FAR = { below: 3, above: 1.5 };

type Kind = "number" | "date" | "code" | "text";

function kindOf(text: string): Kind {
  if (/^\d{4}-\d{2}-\d{2}|^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}$/.test(text)) return "date";
  if (/^[-+(]?[\p{Sc}\s]*\d[\d.,'’\s]*[%)-]?[\p{Sc}\s]*$/u.test(text)) return "number";
  return /^\S*\d\S*$/.test(text) ? "code" : "text";
}

/** The rule that most cells follow, and those that do not. @returns no outliers where there is no rule */
function outliers<Key>(
  cells: readonly Known[],
  keyOf: (cell: Known) => Key | null,
): { rule: Key | null; others: Known[] } {
  const counts = new Map<Key, number>();
  const keys = cells.map(keyOf);
  let all = 0;
  for (const key of keys) {
    if (key === null) continue;
    all += 1;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const [rule, count] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [null, 0];
  if (rule === null || all < FEWEST || count < all * MOST_OF) return { rule: null, others: [] };
  return { rule, others: cells.filter((_, at) => keys[at] !== null && keys[at] !== rule) };
}

function checkKinds(cells: readonly Known[]): Check[] {
  const { rule, others } = outliers(cells, ({ leaf }) =>
    typeof leaf.value === "string" ? kindOf(leaf.value.trim()) : typeof leaf.value,
  );
  // Between words, some look like codes.
  if (rule === null || rule === "text") return [];
  return others.map(({ leaf }) =>
    failed(
      "column-kind",
      "column",
      [leaf.pointer],
      `${quote(leaf.value)} is of another kind than the rest of its column.`,
    ),
  );
}

function checkSizes(cells: readonly Known[], numbers: readonly (number | null)[]): Check[] {
  const sizes = numbers.flatMap((number) => (number === null || number === 0 ? [] : [Math.log10(Math.abs(number))]));
  if (sizes.length < FEWEST * 2) return [];
  const [low, high] = [quantile(sizes, 0.1) - FAR.below, quantile(sizes, 0.9) + FAR.above];
  return cells.flatMap(({ leaf }, at) => {
    const number = numbers[at];
    if (number === null || number === undefined || number === 0) return [];
    const size = Math.log10(Math.abs(number));
    if (size >= low && size <= high) return [];
    return [
      failed(
        "column-size",
        "column",
        [leaf.pointer],
        `${quote(leaf.value)} is far from the size of the rest of its column.`,
      ),
    ];
  });
}

function checkSigns(cells: readonly Known[], numbers: readonly (number | null)[]): Check[] {
  const signs = new Map(cells.map((cell, at) => [cell, numbers[at]]));
  const { others } = outliers(cells, (cell) => {
    const number = signs.get(cell);
    return number === null || number === undefined || number === 0 ? null : Math.sign(number);
  });
  return others.map(({ leaf }) =>
    failed(
      "column-sign",
      "column",
      [leaf.pointer],
      `${quote(leaf.value)} has another sign than the rest of its column.`,
    ),
  );
}

/** Positions count up by one; one that does not, between two that do, is wrong. */
function checkCounting(cells: readonly Known[], numbers: readonly (number | null)[]): Check[] {
  const steps = numbers.slice(1).filter((number, at) => number !== null && number - (numbers[at] ?? Number.NaN) === 1);
  if (numbers.length < FEWEST || steps.length < (numbers.length - 1) * MOST_OF - 2) return [];
  return cells.flatMap(({ leaf }, at) => {
    const [before, own, after] = [numbers[at - 1], numbers[at], numbers[at + 1]];
    if (typeof before !== "number" || typeof own !== "number" || typeof after !== "number") return [];
    if (after - before !== 2 || own - before === 1) return [];
    return [
      failed("column-count", "column", [leaf.pointer], `${quote(leaf.value)} breaks off a column that counts up.`),
    ];
  });
}

/** Cells that do not fit their column; nothing is said of those that do. In n log n of the cells. Pure. */
export function checkColumns(known: readonly Known[], notation: Notation): Check[] {
  const columns = new Map<string, Known[]>();
  for (const one of known) {
    if (one.leaf.item === null) continue;
    const column = columns.get(one.leaf.path);
    if (column === undefined) columns.set(one.leaf.path, [one]);
    else column.push(one);
  }
  return [...columns.values()].flatMap((cells) => {
    if (cells.length < FEWEST) return [];
    const numbers = cells.map(({ leaf }) => amountOf(leaf.value, notation));
    return [
      ...checkKinds(cells),
      ...checkSizes(cells, numbers),
      ...checkSigns(cells, numbers),
      ...checkCounting(cells, numbers),
    ];
  });
}
