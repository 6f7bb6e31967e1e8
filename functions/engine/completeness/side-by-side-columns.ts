import { fieldsOf } from "../extraction/rules/items/item-lists.ts";
import { median, unionBox } from "../layout/geometry.ts";
import { labelKey } from "../values/text-folding.ts";
import type { Cell, Unit, Units } from "./candidate-rows.ts";
import { kindOf } from "./cell-kinds.ts";
import { PrintedRows, type Writing } from "./printed-rows.ts";
import type { DataList } from "./result-lists.ts";

/** Inches by which the columns' distances differ. */
const IN_LINE = 0.08;
/** Columns side by side, cells of a row in each at least, rows that tell. */
const FOLDS = [2, 3];
const FEWEST_CELLS = 2;
const FEWEST_ROWS = 3;
/** Of the rows, so many have the same kinds of cells in each column. */
const ALIKE = 0.85;
/** Items that are asked. */
const MOST_ASKED = 200;

/** Lines that are folded alike. */
interface Fold {
  units: Unit[];
  /** Cells of a row in one column. */
  width: number;
  /** By column: where its words begin at the earliest, and how far it stands from the first one; inches. */
  columns: { from: number; shift: number }[];
}

/** The distance of two cells that mean the same: texts keep left, values right. */
const distance = (a: Cell, b: Cell): number => (kindOf(a.text) === "text" ? b.left - a.left : b.right - a.right);

/** How far a column stands from the first; undefined where its cells are others, or stand otherwise. */
function shiftOf(rows: readonly Unit[], width: number, column: number): number | undefined {
  const shifts: number[] = [];
  for (let cell = 0; cell < width; cell += 1) {
    const pairs = rows.flatMap(({ cells }) => {
      const [a, b] = [cells[cell], cells[cell + column * width]];
      return a !== undefined && b !== undefined && kindOf(a.text) === kindOf(b.text) ? [distance(a, b)] : [];
    });
    const shift = median(pairs);
    const near = pairs.filter((one) => Math.abs(one - shift) <= IN_LINE).length;
    if (pairs.length < ALIKE * rows.length || near < ALIKE * rows.length) return undefined;
    shifts.push(shift);
  }
  const [first = 0] = shifts;
  return shifts.every((shift) => Math.abs(shift - first) <= IN_LINE) ? first : undefined;
}

/** Headings of a folded list are the same above each column. */
function repeatsHeads(rows: readonly Unit[], width: number): boolean {
  return rows
    .filter(({ header, cells }) => header === true || cells.every(({ text }) => kindOf(text) === "text"))
    .every(({ cells }) => cells.every(({ text }, at) => labelKey(text) === labelKey(cells[at % width]?.text ?? "")));
}

function foldOf(units: readonly Unit[]): Fold | undefined {
  for (const count of FOLDS) {
    const width = median(units.map(({ cells }) => cells.length)) / count;
    if (!Number.isInteger(width) || width < FEWEST_CELLS) continue;
    const full = units.filter(({ cells }) => cells.length === count * width);
    const body = full.filter(
      ({ header, cells }) => header !== true && cells.some(({ text }) => kindOf(text) !== "text"),
    );
    if (body.length < FEWEST_ROWS || !repeatsHeads(full, width)) continue;
    const columns = Array.from({ length: count }, (_, column) => ({
      from:
        body.reduce(
          (least, { cells }) => Math.min(least, cells[column * width]?.left ?? least),
          Number.POSITIVE_INFINITY,
        ) - IN_LINE,
      shift: shiftOf(body, width, column),
    }));
    const known = columns.flatMap(({ from, shift }) => (shift === undefined ? [] : [{ from, shift }]));
    if (known.length === count) return { units: [...units], width, columns: known };
  }
  return undefined;
}

/** Lines that may be folded together: those of a table on one page, or those of a page that no table holds. */
function findFolds({ all }: Units): Fold[] {
  const groups = Map.groupBy(
    all.filter(({ cells, level }) => cells.length >= FEWEST_CELLS && level === undefined),
    ({ page, table }) => `${page} ${table}`,
  );
  return [...groups.values()].flatMap((units) => {
    const lines = units[0]?.table === undefined ? units.filter(({ cells }) => cells.length >= 2 * FEWEST_CELLS) : units;
    const fold = foldOf(lines);
    return fold === undefined ? [] : [fold];
  });
}

/** The parts of a line, one for each column that it has words in. */
function partsOf(unit: Unit, { columns, width }: Fold, tables: number): Unit[] {
  const columnOf = ({ left }: { left: number }): number =>
    Math.max(
      0,
      columns.findLastIndex(({ from }) => left >= from),
    );
  return columns.flatMap(({ shift }, at): Unit[] => {
    const words = unit.words.filter((word) => columnOf(word) === at);
    if (words.length === 0) return [];
    const moved = <Placed extends { left: number; right: number }>(one: Placed): Placed => ({
      ...one,
      left: one.left - shift,
      right: one.right - shift,
    });
    const cells = unit.cells
      .filter((cell) => columnOf(cell) === at)
      .map((cell) => (cell.column === undefined ? moved(cell) : { ...moved(cell), column: cell.column - at * width }));
    const table = unit.table === undefined || at === 0 ? unit.table : tables + at;
    const [box, shown] = [unionBox(words.map((word) => word.box)), unionBox(words.map((word) => word.shown))];
    const own = { ...unit, cells, words: words.map(moved), box, shown };
    return [table === undefined ? own : { ...own, table }];
  });
}

/** The units with their orders anew, and the words' owners. */
function number(units: readonly Unit[], { byWord, words }: Units): Units {
  const owners = new Map([...byWord].map(([page, own]) => [page, new Int32Array(own.length).fill(-1)]));
  const all = units.map((unit, order): Unit => {
    for (const { index } of unit.words) owners.get(unit.page)?.fill(order, index, index + 1);
    return { ...unit, order };
  });
  return { all, byWord: owners, words };
}

function unfold(units: Units, folds: readonly Fold[]): { units: Units; parts: Unit[] } {
  let tables = units.all.reduce((most, { table = 0 }) => Math.max(most, table), 0);
  const before = new Map<Unit, Unit>();
  const after = new Map<Unit, Unit[]>();
  const parts: Unit[] = [];
  for (const fold of folds) {
    const later: Unit[][] = fold.columns.map(() => []);
    for (const unit of fold.units) {
      const [first, ...others] = partsOf(unit, fold, tables);
      if (first !== undefined) before.set(unit, first);
      for (const [at, part] of others.entries()) later[at]?.push(part);
    }
    const last = fold.units.at(-1);
    if (last !== undefined) after.set(last, later.flat());
    tables += fold.columns.length;
  }
  const all = units.all.flatMap((unit) => {
    const own = before.get(unit) ?? unit;
    if (before.has(unit)) parts.push(own, ...(after.get(unit) ?? []));
    return [own, ...(after.get(unit) ?? [])];
  });
  return { units: number(all, units), parts };
}

/** Whether items say what one column says of a line, and not what the whole line says; without items, their fields tell. */
function isFolded(
  lists: readonly DataList[],
  folds: readonly Fold[],
  parts: readonly Unit[],
  writing: Writing,
): boolean {
  const lines = new PrintedRows(
    folds.flatMap((fold) => fold.units),
    writing,
  );
  const rows = new PrintedRows(
    parts.map((part, order) => ({ ...part, order })),
    writing,
  );
  let votes = 0;
  const items = lists.flatMap((list) => list.items.filter(({ leaves }) => leaves.length > 1));
  for (const item of items.slice(0, MOST_ASKED)) {
    const [line] = lines.find(item);
    if (line === undefined) continue;
    const [row] = rows.find(item);
    votes += row !== undefined && rows.match(item, row) >= lines.match(item, line) ? 1 : -1;
  }
  if (votes !== 0) return votes > 0;
  const most = Math.max(...folds.map(({ width }) => width));
  const wanted = lists.flatMap(({ shape }) => (shape === null ? [] : [fieldsOf(shape.item).length]));
  return wanted.length > 0 && wanted.every((count) => count <= most);
}

/** The units as they are read for some lists: line by line, or down one column after the other. */
export function foldUnits(units: Units, lists: readonly DataList[], writing: Writing): Units {
  const folds = findFolds(units);
  if (folds.length === 0 || lists.length === 0) return units;
  const { units: folded, parts } = unfold(units, folds);
  return isFolded(lists, folds, parts, writing) ? folded : units;
}
