/** Rows that may be items of one list, counted from the page alone: tables over all their pages, and runs of like lines. */
import type { Notation } from "../values/numbers.ts";
import { foldText } from "../values/text-folding.ts";
import type { Unit, Units } from "./candidate-rows.ts";
import { joinCards } from "./card-groups.ts";
import { kindOf } from "./cell-kinds.ts";
import { headsAbove, sameEdges } from "./column-headings.ts";
import { cellsIn, conforms, type Frame, frameOf, hasValues, isRow, isTelling } from "./column-layout.ts";
import { patternOfLine } from "./line-patterns.ts";
import type { PageRows, Part, RowSet } from "./row-group-types.ts";
import { findRuns } from "./row-runs.ts";
import { joinSplitRows } from "./split-rows.ts";
import { isSum } from "./subtotal-rows.ts";
import { proveAddends, proveWide, withoutCharges } from "./sum-verified-rows.ts";

/** Of a part's full rows, so many fit the columns of the set that it goes on from. */
const GOES_ON = 0.8;
/** Columns by which two parts may differ: one that is empty in a part is not seen there. */
const MORE_COLUMNS = 1;
/** Lines between two parts of a table: titles of pages, remarks. */
const BETWEEN = 3;
/** Sets that a part may go on from, and parts of a set that it is held against: the last ones. */
const RECENT = 20;

const textsOf = ({ cells }: Unit): string[] => cells.map(({ text }) => text);
const keyOf = (texts: readonly string[]): string => foldText(texts.join("|"));
const isFull = (frame: Frame, { cells }: Unit): boolean => cells.length >= frame.keys.length;
const sameHeads = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === 0 || b.length === 0 || keyOf(a) === keyOf(b);

/** Whether the rows of one are rows of the other: the smaller is held against the larger. */
function goesOn(a: Part | RowSet, b: Part): boolean {
  if (Math.abs(a.frame.columns.length - b.frame.columns.length) > MORE_COLUMNS) return false;
  const [larger, smaller] = a.frame.size >= b.frame.size ? [a, b] : [b, a];
  const units = "parts" in smaller ? smaller.parts.slice(-RECENT).flatMap((part) => part.units) : smaller.units;
  const rows = units.filter((unit) => isFull(larger.frame, unit) && !isSum(textsOf(unit)));
  const fitting = rows.filter((unit) => conforms(larger.frame, unit)).length;
  return isTelling(larger.frame) && rows.length > 0 && fitting >= GOES_ON * rows.length;
}

/** Years head columns, whatever stands below them. */
const YEAR = /^(?:19|20)\d{2}$/;

/** The rows that head a table. Files mark some that do not: behind the first, what has values as rows have is a row. */
function headsAmong(own: readonly Unit[]): Set<Unit> {
  const frame = frameOf(own.filter(({ header }) => header !== true));
  const saysValue = ({ cells }: Unit): boolean =>
    cells.some(({ text }) => kindOf(text) !== "text" && !YEAR.test(text.trim()));
  const [first, ...others] = own.filter(({ header }) => header === true);
  const heads = others.filter((unit) => !(hasValues(frame) && conforms(frame, unit) && saysValue(unit)));
  return new Set(first === undefined ? [] : [first, ...heads]);
}

function tableParts(units: readonly Unit[]): Part[] {
  const byTable = new Map<number, Unit[]>();
  for (const unit of units) {
    if (unit.table === undefined) continue;
    const own = byTable.get(unit.table) ?? [];
    own.push(unit);
    byTable.set(unit.table, own);
  }
  const tables = [...byTable.values()].map((own) => {
    const heads = headsAmong(own);
    return { heads: [...heads].flatMap(textsOf), rows: own.filter((unit) => !heads.has(unit)) };
  });
  const known = new Set(tables.flatMap(({ heads }) => (heads.length > 0 ? [keyOf(heads)] : [])));
  return tables.map((table, at): Part => {
    const [first, ...others] = table.rows;
    // What heads one table heads the next, though it does not look like it there.
    const again = table.heads.length === 0 && first !== undefined && known.has(keyOf(textsOf(first)));
    const rows = again ? others : table.rows;
    const before = tables[at - 1];
    // The end of a page may part the headings from all of their rows.
    const cut = table.heads.length === 0 && before?.rows.length === 0 ? before.heads : table.heads;
    return { kind: "table", units: rows, frame: frameOf(rows), heads: again ? textsOf(first) : cut };
  });
}

/** Puts a part into the set that it goes on from, the last one that grew first; sets stand in the order in which they grew. */
function put(sets: RowSet[], part: Part): void {
  const kind = part.kind;
  const alone = kind === "items" || kind === "keys";
  const recent = sets.slice(-RECENT);
  const own = recent.findLast((set) =>
    alone
      ? set.parts[0]?.kind === kind && followsOn(set, part)
      : set.parts[0]?.kind !== "items" && sameHeads(set.heads, part.heads) && goesOn(set, part) && isBehind(set, part),
  );
  if (own === undefined) {
    sets.push({ parts: [part], frame: part.frame, heads: part.heads });
    return;
  }
  sets.push(...sets.splice(sets.lastIndexOf(own), 1));
  own.parts.push(part);
  if (part.frame.size > own.frame.size) own.frame = part.frame;
  if (own.heads.length === 0) own.heads = part.heads;
}

/**
 * Rows without headings are of one table with headed ones only where they follow each other, with no page between; words
 * alone are alike in all tables, so that there hardly a line may stand between.
 */
function isBehind({ heads, frame, parts }: RowSet, part: Part): boolean {
  const [first] = part.units;
  if ((heads.length === 0) === (part.heads.length === 0) || first === undefined) return true;
  if ((parts[0]?.units[0]?.order ?? 0) > first.order) return false;
  return parts.some(({ units }) => {
    const last = units.at(-1);
    if (last === undefined || last.order > first.order) return false;
    return first.page - last.page <= 1 && (hasValues(frame) || first.order - last.order <= BETWEEN);
  });
}

/** List items of the same level on the next page. */
function followsOn(set: RowSet, part: Part): boolean {
  const [before, after] = [set.parts.at(-1)?.units.at(-1), part.units[0]];
  return before !== undefined && after !== undefined && before.level === after.level && after.page === before.page + 1;
}

/** By page, the last sets with rows on it or on its neighbours. */
function setsNear(sets: readonly RowSet[]): Map<number, RowSet[]> {
  const near = new Map<number, RowSet[]>();
  for (const set of sets) {
    const pages = new Set(set.parts.flatMap(({ units: own }) => own.flatMap(({ page }) => [page - 1, page, page + 1])));
    for (const page of pages) near.set(page, [...(near.get(page) ?? []), set].slice(-RECENT));
  }
  return near;
}

/** Lines on a set's pages and their neighbours that fit its columns: the rest of a table, where the reader saw none. */
function adopt(sets: readonly RowSet[], units: readonly Unit[]): Unit[] {
  const near = setsNear(sets);
  const adopted = new Map<RowSet, Map<number, Unit[]>>();
  const left = units.filter((unit) => {
    const set = near
      .get(unit.page)
      ?.find(
        ({ frame }) =>
          hasValues(frame) &&
          frame.keys.length >= 2 &&
          unit.cells.length >= 2 &&
          isRow(frame, unit) &&
          !isSum(textsOf(unit)),
      );
    if (set === undefined) return true;
    const pages = adopted.get(set) ?? new Map<number, Unit[]>();
    adopted.set(set, pages);
    const part = pages.get(unit.page);
    if (part === undefined) pages.set(unit.page, [unit]);
    else part.push(unit);
    return false;
  });
  for (const [set, pages] of adopted)
    for (const own of pages.values()) set.parts.push({ kind: "lines", units: own, frame: set.frame, heads: [] });
  return left;
}

const startOf = ({ units }: Part): number => units[0]?.order ?? 0;
const partOf = (kind: Part["kind"], units: Unit[], all: readonly Unit[]): Part => {
  const frame = frameOf(units);
  const headed = kind === "lines" || kind === "addends";
  return { kind, units, frame, heads: headed ? headsAbove(frame, units, all) : [] };
};

/** Runs that are told by more than their columns: those of one kind and the same edges are one set, over all pages. */
function putAlike(sets: RowSet[], part: Part): void {
  const own = sets.find(
    ({ parts: [first], frame, heads }) =>
      first?.kind === part.kind && sameHeads(heads, part.heads) && isAlike(first, part) && sameEdges(frame, part.frame),
  );
  if (own === undefined) sets.push({ parts: [part], frame: part.frame, heads: part.heads });
  else {
    own.parts.push(part);
    if (own.heads.length === 0) own.heads = part.heads;
  }
}

function isAlike({ kind, units: [a] }: Part, { units: [b] }: Part): boolean {
  return kind !== "pattern" || (a !== undefined && b !== undefined && patternOfLine(a) === patternOfLine(b));
}

/** What stands at the same edges as proven rows is of their list: sections whose total is wrong, or is not printed. */
function joinProven(sets: RowSet[], proven: readonly RowSet[]): RowSet[] {
  return sets.filter((set) => {
    const own = proven.find(
      ({ parts: [first], frame, heads }) =>
        first?.kind === "addends" &&
        frame.columns.length === 2 &&
        set.parts.every(({ kind }) => kind === "lines") &&
        sameHeads(heads, set.heads) &&
        sameEdges(frame, set.frame),
    );
    own?.parts.push(...set.parts);
    return own === undefined;
  });
}

/** Where labels have values, what is put on the sum of the others is none of them; where nothing else stands there, it is. */
function leaveCharges(set: RowSet): void {
  const own = set.parts.filter(({ kind, frame }) => kind === "lines" && frame.columns.length === 2);
  const rows = withoutCharges(
    own.map(({ units }) => units),
    ({ cells }) => cells[0]?.text ?? "",
  );
  if (rows.every(({ length }) => length === 0)) return;
  for (const [at, part] of own.entries()) part.units = rows[at] ?? [];
}

/** The sets of a document's units, in its order. */
export function findSets(printed: Units, notation: Notation): PageRows {
  const isLine = ({ table, level }: Unit): boolean => table === undefined && level === undefined;
  const carded = joinCards(printed, isLine);
  const { units: described, groups } = proveAddends(carded.units, notation);
  const proven = new Set([...groups.flat(), ...carded.groups.flatMap((group) => group.units)]);
  const sets: RowSet[] = [];
  const free = described.all.filter((unit) => !proven.has(unit));
  for (const part of tableParts(free).filter(({ units }) => units.length > 0)) put(sets, part);
  const units = joinSplitRows(described, proven, setsNear(sets));
  const left = adopt(
    sets,
    units.all.filter((unit) => unit.table === undefined && !proven.has(unit)),
  );
  const wide = proveWide(units.all, notation, new Set(left));
  const wideRows = new Set(wide.flat());
  const runs = findRuns(left.filter((unit) => !wideRows.has(unit))).map((run) =>
    partOf(run.kind, run.units, units.all),
  );
  const fresh: RowSet[] = [];
  for (const part of runs) {
    if (part.kind === "lines") put(sets, part);
    else if (part.kind === "items" || part.kind === "keys") put(fresh, part);
    else putAlike(fresh, part);
  }
  const taken = new Set([...wideRows, ...runs.flatMap((run) => run.units)]);
  adopt(
    sets,
    left.filter((unit) => !taken.has(unit) && unit.level === undefined),
  );
  for (const rows of [...groups, ...wide]) putAlike(fresh, partOf("addends", rows, units.all));
  for (const { units: own, heads } of carded.groups)
    fresh.push({ parts: [{ kind: "cards", units: own, frame: frameOf(own), heads }], frame: frameOf(own), heads });
  const all = [...joinProven(sets, fresh), ...fresh];
  for (const set of all) leaveCharges(set);
  for (const set of all) set.parts.sort((a, b) => startOf(a) - startOf(b));
  return { units, sets: all.filter(({ parts }) => parts.some((part) => part.units.length > 0)) };
}

/** Rows that are told by something else than their columns. */
const BY_THEMSELVES: ReadonlySet<Part["kind"]> = new Set(["items", "keys", "addends", "cards", "pattern", "block"]);

/** Whether rows are labels with a value each: as often sums of a document as rows of a list. */
export const isPairs = ({ frame, parts }: RowSet): boolean =>
  frame.columns.length === 2 &&
  parts[0]?.kind === "lines" &&
  frame.columns[0]?.kind !== "date" &&
  frame.columns[0]?.kind !== "code";

/** Whether a row heads columns again. */
const isHead = (heads: readonly string[], unit: Unit): boolean =>
  heads.length > 0 && keyOf(textsOf(unit)) === keyOf(heads);

/**
 * The rows of a part that are rows of its list: full ones, no sums, no repeated headings.
 * @param keys columns that every row fills; the set's own where absent
 */
export function candidatesOf(set: RowSet, part: Part, keys?: readonly number[]): Unit[] {
  return part.units.filter((unit) => {
    const texts = textsOf(unit);
    if (isSum(texts) || isHead(set.heads, unit)) return false;
    return BY_THEMSELVES.has(part.kind) || isRow(set.frame, unit, keys);
  });
}

/** Which columns some rows fill, as a text that is the same for the same columns. */
export const patternOf = (frame: Frame, unit: Unit): string => [...cellsIn(frame, unit).texts.keys()].sort().join(",");
