/**
 * Groups the candidate rows that may be items of one list, from the pages alone: tables over all their pages, and runs
 * of similar lines.
 */

import type { CandidateRow, CandidateRows } from "./candidate-rows.ts";
import { joinCards } from "./card-groups.ts";
import { cellKind } from "./cell-kinds.ts";
import { withoutCharges } from "./charges.ts";
import { haveSameEdges, headingsAbove } from "./column-headings.ts";
import {
  type ColumnLayout,
  columnLayoutOf,
  fitsColumns,
  fitsColumnsButOne,
  hasValueColumn,
  isDistinctive,
} from "./column-layout.ts";
import { cellTexts, headingsKey } from "./group-item-rows.ts";
import { linePattern } from "./line-patterns.ts";
import type { RecordSet } from "./record-set.ts";
import type { GroupPart, PageRows, RowGroup } from "./row-group-types.ts";
import { findRowRuns } from "./row-runs.ts";
import { joinSplitRows } from "./split-rows.ts";
import { isSumRow } from "./sum-rows.ts";
import { findSummedRows, findSummedWideRows } from "./summed-rows.ts";

/** Share of a part's full rows that must fit the columns of the group it continues. */
const CONTINUING_ROW_SHARE = 0.8;
/** Parts of one group may differ by one column: a column that is empty in a part is not detected there. */
const MAX_COLUMN_COUNT_DIFFERENCE = 1;
/** Lines between two parts of a table: page titles, remarks. */
const MAX_LINES_BETWEEN_PARTS = 3;
/** Only the most recent groups are continued, and a part is compared with a group's most recent parts. */
const MAX_RECENT_GROUPS = 20;
const isFullRow = (columnLayout: ColumnLayout, { cells }: CandidateRow): boolean =>
  cells.length >= columnLayout.keyColumns.length;
const areSameHeadings = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === 0 || b.length === 0 || headingsKey(a) === headingsKey(b);

/** The rows of one fit the columns of the other; the smaller is compared with the larger. */
function continuesGroup(a: GroupPart | RowGroup, b: GroupPart): boolean {
  if (Math.abs(a.columnLayout.columns.length - b.columnLayout.columns.length) > MAX_COLUMN_COUNT_DIFFERENCE)
    return false;
  const [larger, smaller] = a.columnLayout.rowCount >= b.columnLayout.rowCount ? [a, b] : [b, a];
  const candidates =
    "parts" in smaller ? smaller.parts.slice(-MAX_RECENT_GROUPS).flatMap((part) => part.rows) : smaller.rows;
  const rows = candidates.filter((row) => isFullRow(larger.columnLayout, row) && !isSumRow(cellTexts(row)));
  const fitting = rows.filter((row) => fitsColumns(larger.columnLayout, row)).length;
  return isDistinctive(larger.columnLayout) && rows.length > 0 && fitting >= CONTINUING_ROW_SHARE * rows.length;
}

/** Years head columns whatever stands below them. */
const YEAR = /^(?:19|20)\d{2}$/;

/**
 * The heading rows of a table. Files mark some rows that are none: behind the first, a row with values like the body's
 * is a body row.
 */
function headingRowsOf(own: readonly CandidateRow[]): Set<CandidateRow> {
  const columnLayout = columnLayoutOf(own.filter(({ header }) => header !== true));
  const saysValue = ({ cells }: CandidateRow): boolean =>
    cells.some(({ text }) => cellKind(text) !== "text" && !YEAR.test(text.trim()));
  const [first, ...others] = own.filter(({ header }) => header === true);
  const headings = others.filter(
    (row) => !(hasValueColumn(columnLayout) && fitsColumns(columnLayout, row) && saysValue(row)),
  );
  return new Set(first === undefined ? [] : [first, ...headings]);
}

function tableParts(rows: readonly CandidateRow[]): GroupPart[] {
  const byTable = new Map<number, CandidateRow[]>();
  for (const row of rows) {
    if (row.table === undefined) continue;
    const own = byTable.get(row.table) ?? [];
    own.push(row);
    byTable.set(row.table, own);
  }
  const tables = [...byTable.values()].map((own) => {
    const headings = headingRowsOf(own);
    return { headings: [...headings].flatMap(cellTexts), rows: own.filter((row) => !headings.has(row)) };
  });
  const known = new Set(tables.flatMap(({ headings }) => (headings.length > 0 ? [headingsKey(headings)] : [])));
  return tables.map((table, at): GroupPart => {
    const [first, ...others] = table.rows;
    // A row that heads one table also heads the next, though the next does not mark it as a heading.
    const again = table.headings.length === 0 && first !== undefined && known.has(headingsKey(cellTexts(first)));
    const rows = again ? others : table.rows;
    const before = tables[at - 1];
    // A page break may separate the headings from all of their rows.
    const cut = table.headings.length === 0 && before?.rows.length === 0 ? before.headings : table.headings;
    return { kind: "table", rows, columnLayout: columnLayoutOf(rows), headings: again ? cellTexts(first) : cut };
  });
}

/**
 * Adds a part to the group that it continues, the most recently extended group first; keeps groups in the order of
 * their last extension.
 */
function addToContinuedGroup(groups: RowGroup[], part: GroupPart): void {
  const kind = part.kind;
  const alone = kind === "items" || kind === "keys";
  const recent = groups.slice(-MAX_RECENT_GROUPS);
  const own = recent.findLast((group) =>
    alone
      ? group.parts[0]?.kind === kind && continuesItemsOfPage(group, part)
      : group.parts[0]?.kind !== "items" &&
        areSameHeadings(group.headings, part.headings) &&
        continuesGroup(group, part) &&
        mayFollow(group, part),
  );
  if (own === undefined) {
    groups.push({ parts: [part], columnLayout: part.columnLayout, headings: part.headings });
    return;
  }
  groups.push(...groups.splice(groups.lastIndexOf(own), 1));
  own.parts.push(part);
  if (part.columnLayout.rowCount > own.columnLayout.rowCount) own.columnLayout = part.columnLayout;
  if (own.headings.length === 0) own.headings = part.headings;
}

/**
 * Rows without headings continue a headed table only if they follow it, with no page between; groups of words are alike
 * in all tables, so hardly a line may stand between.
 */
function mayFollow({ headings, columnLayout, parts }: RowGroup, part: GroupPart): boolean {
  const [first] = part.rows;
  if ((headings.length === 0) === (part.headings.length === 0) || first === undefined) return true;
  if ((parts[0]?.rows[0]?.order ?? 0) > first.order) return false;
  return parts.some(({ rows }) => {
    const last = rows.at(-1);
    if (last === undefined || last.order > first.order) return false;
    return (
      first.page - last.page <= 1 &&
      (hasValueColumn(columnLayout) || first.order - last.order <= MAX_LINES_BETWEEN_PARTS)
    );
  });
}

/** The part continues list items of the same level from the page before. */
function continuesItemsOfPage(group: RowGroup, part: GroupPart): boolean {
  const [before, after] = [group.parts.at(-1)?.rows.at(-1), part.rows[0]];
  return before !== undefined && after !== undefined && before.level === after.level && after.page === before.page + 1;
}

/** By page, the most recent groups with rows on it or on its neighbours. */
function recentGroupsByPage(groups: readonly RowGroup[]): Map<number, RowGroup[]> {
  const near = new Map<number, RowGroup[]>();
  for (const group of groups) {
    const pages = new Set(
      group.parts.flatMap(({ rows: own }) => own.flatMap(({ page }) => [page - 1, page, page + 1])),
    );
    for (const page of pages) near.set(page, [...(near.get(page) ?? []), group].slice(-MAX_RECENT_GROUPS));
  }
  return near;
}

/**
 * Lines on a group's pages and their neighbours that fit its columns: the rest of a table, where the reader found none.
 * @returns the other rows
 */
function adoptLines(groups: readonly RowGroup[], rows: readonly CandidateRow[]): CandidateRow[] {
  const near = recentGroupsByPage(groups);
  const adopted = new Map<RowGroup, Map<number, CandidateRow[]>>();
  const left = rows.filter((row) => {
    const group = near
      .get(row.page)
      ?.find(
        ({ columnLayout }) =>
          hasValueColumn(columnLayout) &&
          columnLayout.keyColumns.length >= 2 &&
          row.cells.length >= 2 &&
          fitsColumnsButOne(columnLayout, row) &&
          !isSumRow(cellTexts(row)),
      );
    if (group === undefined) return true;
    const pages = adopted.get(group) ?? new Map<number, CandidateRow[]>();
    adopted.set(group, pages);
    const part = pages.get(row.page);
    if (part === undefined) pages.set(row.page, [row]);
    else part.push(row);
    return false;
  });
  for (const [group, pages] of adopted)
    for (const own of pages.values())
      group.parts.push({ kind: "lines", rows: own, columnLayout: group.columnLayout, headings: [] });
  return left;
}

const firstOrder = ({ rows }: GroupPart): number => rows[0]?.order ?? 0;
const makePart = (kind: GroupPart["kind"], rows: CandidateRow[], all: readonly CandidateRow[]): GroupPart => {
  const columnLayout = columnLayoutOf(rows);
  const headed = kind === "lines" || kind === "sum-verified";
  return {
    kind,
    rows,
    columnLayout,
    headings: headed ? headingsAbove(columnLayout, rows, all) : [],
  };
};

/** Adds a part to a group of the same kind and edges, on any page; for runs with more evidence than their columns. */
function addToSimilarGroup(groups: RowGroup[], part: GroupPart): void {
  const own = groups.find(
    ({ parts: [first], columnLayout, headings }) =>
      first?.kind === part.kind &&
      areSameHeadings(headings, part.headings) &&
      haveSamePattern(first, part) &&
      haveSameEdges(columnLayout, part.columnLayout),
  );
  if (own === undefined) groups.push({ parts: [part], columnLayout: part.columnLayout, headings: part.headings });
  else {
    own.parts.push(part);
    if (own.headings.length === 0) own.headings = part.headings;
  }
}

function haveSamePattern({ kind, rows: [a] }: GroupPart, { rows: [b] }: GroupPart): boolean {
  return kind !== "pattern" || (a !== undefined && b !== undefined && linePattern(a) === linePattern(b));
}

/** Joins groups at the same edges as sum-verified rows to these: sections whose total is wrong or not printed. */
function joinSumVerifiedGroups(groups: RowGroup[], verified: readonly RowGroup[]): RowGroup[] {
  return groups.filter((group) => {
    const own = verified.find(
      ({ parts: [first], columnLayout, headings }) =>
        first?.kind === "sum-verified" &&
        columnLayout.columns.length === 2 &&
        group.parts.every(({ kind }) => kind === "lines") &&
        areSameHeadings(headings, group.headings) &&
        haveSameEdges(columnLayout, group.columnLayout),
    );
    own?.parts.push(...group.parts);
    return own === undefined;
  });
}

/** Drops taxes, discounts and fees from label-value pairs, unless nothing else remains. */
function dropCharges(group: RowGroup): void {
  const own = group.parts.filter(({ kind, columnLayout }) => kind === "lines" && columnLayout.columns.length === 2);
  const rows = withoutCharges(
    own.map(({ rows }) => rows),
    ({ cells }) => cells[0]?.text ?? "",
  );
  if (rows.every(({ length }) => length === 0)) return;
  for (const [at, part] of own.entries()) part.rows = rows[at] ?? [];
}

/** Finds the row groups of a document, in its order. @param sets record sets that sums prove */
export function findRowGroups(printed: CandidateRows, sets: readonly RecordSet[]): PageRows {
  const isLine = ({ table, level }: CandidateRow): boolean => table === undefined && level === undefined;
  const carded = joinCards(printed, isLine);
  const { candidates: described, groups: sumVerified } = findSummedRows(carded.candidates, sets);
  const verified = new Set([...sumVerified.flat(), ...carded.groups.flatMap((group) => group.rows)]);
  const groups: RowGroup[] = [];
  const free = described.all.filter((row) => !verified.has(row));
  for (const part of tableParts(free).filter(({ rows }) => rows.length > 0)) addToContinuedGroup(groups, part);
  const candidates = joinSplitRows(described, verified, recentGroupsByPage(groups));
  const left = adoptLines(
    groups,
    candidates.all.filter((row) => row.table === undefined && !verified.has(row)),
  );
  const wide = findSummedWideRows(candidates, sets, new Set(left));
  const wideRows = new Set(wide.flat());
  const runs = findRowRuns(left.filter((row) => !wideRows.has(row))).map((run) =>
    makePart(run.kind, run.rows, candidates.all),
  );
  const fresh: RowGroup[] = [];
  for (const part of runs) {
    if (part.kind === "lines") addToContinuedGroup(groups, part);
    else if (part.kind === "items" || part.kind === "keys") addToContinuedGroup(fresh, part);
    else addToSimilarGroup(fresh, part);
  }
  const taken = new Set([...wideRows, ...runs.flatMap((run) => run.rows)]);
  adoptLines(
    groups,
    left.filter((row) => !taken.has(row) && row.level === undefined),
  );
  for (const rows of [...sumVerified, ...wide])
    addToSimilarGroup(fresh, makePart("sum-verified", rows, candidates.all));
  for (const { rows: own, headings } of carded.groups)
    fresh.push({
      parts: [{ kind: "cards", rows: own, columnLayout: columnLayoutOf(own), headings }],
      columnLayout: columnLayoutOf(own),
      headings,
    });
  const all = [...joinSumVerifiedGroups(groups, fresh), ...fresh];
  for (const group of all) dropCharges(group);
  for (const group of all) group.parts.sort((a, b) => firstOrder(a) - firstOrder(b));
  return { candidates, groups: all.filter(({ parts }) => parts.some((part) => part.rows.length > 0)) };
}
