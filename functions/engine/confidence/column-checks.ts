/** Checks the cells of a column against its common traits: kind, sign, size, counting up. */
import { quantile } from "../layout/geometry.ts";
import { cellKind } from "../structure/records/cell-kinds.ts";
import type { Notation } from "../values/numbers.ts";
import { amountOf } from "./amount-checks.ts";
import { type Check, failedCheck, type KnownLeaf, quoteValue } from "./check.ts";

/** Minimum cells that make a rule. */
const MIN_COLUMN_CELLS = 5;
/** Share of a column's cells that must follow a rule. */
const MIN_RULE_SHARE = 0.85;
/**
 * Powers of ten beyond the middle four fifths of a column at which a decimal mark or digits were lost. Small amounts
 * among large ones are common (of numbers from 1 to 10,000, every tenth has a digit less), large among small ones are
 * not.
 */
const MAX_SIZE_DISTANCE_DECADES = { below: 3, above: 1.5 };

/** The rule that most cells follow, and the cells that break it. @returns no outliers without a rule */
function findOutliers<Key>(
  cells: readonly KnownLeaf[],
  keyOf: (cell: KnownLeaf) => Key | null,
): { rule: Key | null; others: KnownLeaf[] } {
  const counts = new Map<Key, number>();
  const keys = cells.map(keyOf);
  let all = 0;
  for (const key of keys) {
    if (key === null) continue;
    all += 1;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const [rule, count] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [null, 0];
  if (rule === null || all < MIN_COLUMN_CELLS || count < all * MIN_RULE_SHARE) return { rule: null, others: [] };
  return { rule, others: cells.filter((_, at) => keys[at] !== null && keys[at] !== rule) };
}

function checkKinds(cells: readonly KnownLeaf[]): Check[] {
  const { rule, others } = findOutliers(cells, ({ leaf }) =>
    typeof leaf.value === "string" ? cellKind(leaf.value) : typeof leaf.value,
  );
  // In a column of words, some look like codes.
  if (rule === null || rule === "text") return [];
  return others.map(({ leaf }) =>
    failedCheck(
      "column-kind",
      "column",
      [leaf.pointer],
      `${quoteValue(leaf.value)} is of another kind than the rest of its column.`,
    ),
  );
}

function checkSizes(cells: readonly KnownLeaf[], numbers: readonly (number | null)[]): Check[] {
  const sizes = numbers.flatMap((number) => (number === null || number === 0 ? [] : [Math.log10(Math.abs(number))]));
  if (sizes.length < MIN_COLUMN_CELLS * 2) return [];
  const [low, high] = [
    quantile(sizes, 0.1) - MAX_SIZE_DISTANCE_DECADES.below,
    quantile(sizes, 0.9) + MAX_SIZE_DISTANCE_DECADES.above,
  ];
  return cells.flatMap(({ leaf }, at) => {
    const number = numbers[at];
    if (number === null || number === undefined || number === 0) return [];
    const size = Math.log10(Math.abs(number));
    if (size >= low && size <= high) return [];
    return [
      failedCheck(
        "column-size",
        "column",
        [leaf.pointer],
        `${quoteValue(leaf.value)} is far from the size of the rest of its column.`,
      ),
    ];
  });
}

function checkSigns(cells: readonly KnownLeaf[], numbers: readonly (number | null)[]): Check[] {
  const signs = new Map(cells.map((cell, at) => [cell, numbers[at]]));
  const { others } = findOutliers(cells, (cell) => {
    const number = signs.get(cell);
    return number === null || number === undefined || number === 0 ? null : Math.sign(number);
  });
  return others.map(({ leaf }) =>
    failedCheck(
      "column-sign",
      "column",
      [leaf.pointer],
      `${quoteValue(leaf.value)} has another sign than the rest of its column.`,
    ),
  );
}

/** Positions count up by one; a cell that breaks the count between two that keep it is wrong. */
function checkCounting(cells: readonly KnownLeaf[], numbers: readonly (number | null)[]): Check[] {
  const steps = numbers.slice(1).filter((number, at) => number !== null && number - (numbers[at] ?? Number.NaN) === 1);
  if (numbers.length < MIN_COLUMN_CELLS || steps.length < (numbers.length - 1) * MIN_RULE_SHARE - 2) return [];
  return cells.flatMap(({ leaf }, at) => {
    const [before, own, after] = [numbers[at - 1], numbers[at], numbers[at + 1]];
    if (typeof before !== "number" || typeof own !== "number" || typeof after !== "number") return [];
    if (after - before !== 2 || own - before === 1) return [];
    return [
      failedCheck(
        "column-count",
        "column",
        [leaf.pointer],
        `${quoteValue(leaf.value)} breaks off a column that counts up.`,
      ),
    ];
  });
}

/**
 * Failed checks of cells that differ from their column; passed checks are not listed. O(n log n) in the number of
 * cells; pure.
 */
export function checkColumns(known: readonly KnownLeaf[], notation: Notation): Check[] {
  const columns = new Map<string, KnownLeaf[]>();
  for (const one of known) {
    if (one.leaf.item === null) continue;
    const column = columns.get(one.leaf.path);
    if (column === undefined) columns.set(one.leaf.path, [one]);
    else column.push(one);
  }
  return [...columns.values()].flatMap((cells) => {
    if (cells.length < MIN_COLUMN_CELLS) return [];
    const numbers = cells.map(({ leaf }) => amountOf(leaf.value, notation));
    return [
      ...checkKinds(cells),
      ...checkSizes(cells, numbers),
      ...checkSigns(cells, numbers),
      ...checkCounting(cells, numbers),
    ];
  });
}
