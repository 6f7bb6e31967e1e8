/**
 * Groups the candidate rows that may be items of one list, from the pages alone: tables over all their pages, and runs
 * of similar lines.
 */

import type { CandidateRow, CandidateRows } from "./candidate-rows.ts";
import { joinCards } from "./card-groups.ts";
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
import { areasOf, isProvenBySums, type RecordEvidence, type RecordSet } from "./record-set.ts";
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

const partOf = (evidence: RecordEvidence, records: CandidateRow[], headings: string[] = []): GroupPart => ({
  evidence,
  areas: areasOf(records),
  headings,
  records,
  columnLayout: columnLayoutOf(records),
});

const groupOf = (part: GroupPart): RowGroup => ({
  parts: [part],
  columnLayout: part.columnLayout,
  headings: part.headings,
});

/** The rows of one fit the columns of the other; the smaller is compared with the larger. */
function continuesGroup(a: GroupPart | RowGroup, b: GroupPart): boolean {
  if (Math.abs(a.columnLayout.columns.length - b.columnLayout.columns.length) > MAX_COLUMN_COUNT_DIFFERENCE)
    return false;
  const [larger, smaller] = a.columnLayout.rowCount >= b.columnLayout.rowCount ? [a, b] : [b, a];
  const candidates =
    "parts" in smaller ? smaller.parts.slice(-MAX_RECENT_GROUPS).flatMap((part) => part.records) : smaller.records;
  const rows = candidates.filter((row) => isFullRow(larger.columnLayout, row) && !isSumRow(cellTexts(row)));
  const fitting = rows.filter((row) => fitsColumns(larger.columnLayout, row)).length;
  return isDistinctive(larger.columnLayout) && rows.length > 0 && fitting >= CONTINUING_ROW_SHARE * rows.length;
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
    const [heads, body] = [true, undefined].map((header) => own.filter((row) => row.header === header));
    return { headings: (heads ?? []).flatMap(cellTexts), rows: body ?? [] };
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
    return partOf("table", rows, again ? cellTexts(first) : cut);
  });
}

/**
 * Adds a part to the group that it continues, the most recently extended group first; keeps groups in the order of
 * their last extension.
 */
function addToContinuedGroup(groups: RowGroup[], part: GroupPart): void {
  const { evidence } = part;
  const alone = evidence === "items" || evidence === "keys";
  const recent = groups.slice(-MAX_RECENT_GROUPS);
  const own = recent.findLast((group) =>
    alone
      ? group.parts[0]?.evidence === evidence && continuesItemsOfPage(group, part)
      : group.parts[0]?.evidence !== "items" &&
        areSameHeadings(group.headings, part.headings) &&
        continuesGroup(group, part) &&
        mayFollow(group, part),
  );
  if (own === undefined) {
    groups.push(groupOf(part));
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
  const [first] = part.records;
  if ((headings.length === 0) === (part.headings.length === 0) || first === undefined) return true;
  if ((parts[0]?.records[0]?.order ?? 0) > first.order) return false;
  return parts.some(({ records }) => {
    const last = records.at(-1);
    if (last === undefined || last.order > first.order) return false;
    return (
      first.page - last.page <= 1 &&
      (hasValueColumn(columnLayout) || first.order - last.order <= MAX_LINES_BETWEEN_PARTS)
    );
  });
}

/** The part continues list items of the same level from the page before. */
function continuesItemsOfPage(group: RowGroup, part: GroupPart): boolean {
  const [before, after] = [group.parts.at(-1)?.records.at(-1), part.records[0]];
  return before !== undefined && after !== undefined && before.level === after.level && after.page === before.page + 1;
}

/** By page, the most recent groups with rows on it or on its neighbours. */
function recentGroupsByPage(groups: readonly RowGroup[]): Map<number, RowGroup[]> {
  const near = new Map<number, RowGroup[]>();
  for (const group of groups) {
    const pages = new Set(group.parts.flatMap(({ areas }) => areas.flatMap(({ page }) => [page - 1, page, page + 1])));
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
    for (const own of pages.values()) group.parts.push({ ...partOf("lines", own), columnLayout: group.columnLayout });
  return left;
}

const firstOrder = ({ records }: GroupPart): number => records[0]?.order ?? 0;

/** A part with the headings right above it. @param all the rows of the pages */
function headedPart(evidence: RecordEvidence, rows: CandidateRow[], all: readonly CandidateRow[]): GroupPart {
  const part = partOf(evidence, rows);
  const isHeaded = evidence === "lines" || isProvenBySums(evidence);
  return isHeaded ? { ...part, headings: headingsAbove(part.columnLayout, rows, all) } : part;
}

/** Adds a part to a group of the same kind and edges, on any page; for runs with more evidence than their columns. */
function addToSimilarGroup(groups: RowGroup[], part: GroupPart): void {
  const own = groups.find(
    ({ parts: [first], columnLayout, headings }) =>
      first?.evidence === part.evidence &&
      areSameHeadings(headings, part.headings) &&
      haveSamePattern(first, part) &&
      haveSameEdges(columnLayout, part.columnLayout),
  );
  if (own === undefined) groups.push(groupOf(part));
  else {
    own.parts.push(part);
    if (own.headings.length === 0) own.headings = part.headings;
  }
}

function haveSamePattern({ evidence, records: [a] }: GroupPart, { records: [b] }: GroupPart): boolean {
  return evidence !== "pattern" || (a !== undefined && b !== undefined && linePattern(a) === linePattern(b));
}

/** Joins groups at the same edges as rows that sums prove to these: sections whose total is wrong or not printed. */
function joinSections(groups: RowGroup[], verified: readonly RowGroup[]): RowGroup[] {
  return groups.filter((group) => {
    const own = verified.find(
      ({ parts: [first], columnLayout, headings }) =>
        isProvenBySums(first?.evidence) &&
        columnLayout.columns.length === 2 &&
        group.parts.every(({ evidence }) => evidence === "lines") &&
        areSameHeadings(headings, group.headings) &&
        haveSameEdges(columnLayout, group.columnLayout),
    );
    own?.parts.push(...group.parts);
    return own === undefined;
  });
}

/** Drops taxes, discounts and fees from label-value pairs, unless nothing else remains. */
function dropCharges(group: RowGroup): void {
  const own = group.parts.filter(
    ({ evidence, columnLayout }) => evidence === "lines" && columnLayout.columns.length === 2,
  );
  const rows = withoutCharges(
    own.map(({ records }) => records),
    ({ cells }) => cells[0]?.text ?? "",
  );
  if (rows.every(({ length }) => length === 0)) return;
  for (const [at, part] of own.entries()) part.records = rows[at] ?? [];
}

/** Finds the row groups of a document, in its order. @param sets record sets that sums prove */
export function findRowGroups(printed: CandidateRows, sets: readonly RecordSet[]): PageRows {
  const isLine = ({ table, level }: CandidateRow): boolean => table === undefined && level === undefined;
  const carded = joinCards(printed, isLine);
  const { candidates: described, groups: proven } = findSummedRows(carded.candidates, sets);
  const verified = new Set([...proven.flatMap(({ rows }) => rows), ...carded.groups.flatMap((group) => group.rows)]);
  const groups: RowGroup[] = [];
  const free = described.all.filter((row) => !verified.has(row));
  for (const part of tableParts(free).filter(({ records }) => records.length > 0)) addToContinuedGroup(groups, part);
  const candidates = joinSplitRows(described, verified, recentGroupsByPage(groups));
  const left = adoptLines(
    groups,
    candidates.all.filter((row) => row.table === undefined && !verified.has(row)),
  );
  const wide = findSummedWideRows(candidates, sets, new Set(left));
  const wideRows = new Set(wide.flatMap(({ rows }) => rows));
  const runs = findRowRuns(left.filter((row) => !wideRows.has(row))).map((run) =>
    headedPart(run.evidence, run.rows, candidates.all),
  );
  const fresh: RowGroup[] = [];
  for (const part of runs) {
    if (part.evidence === "lines") addToContinuedGroup(groups, part);
    else if (part.evidence === "items" || part.evidence === "keys") addToContinuedGroup(fresh, part);
    else addToSimilarGroup(fresh, part);
  }
  const taken = new Set([...wideRows, ...runs.flatMap(({ records }) => records)]);
  adoptLines(
    groups,
    left.filter((row) => !taken.has(row) && row.level === undefined),
  );
  for (const { evidence, rows } of [...proven, ...wide])
    addToSimilarGroup(fresh, headedPart(evidence, rows, candidates.all));
  fresh.push(...carded.groups.map(({ rows, headings }) => groupOf(partOf("cards", rows, headings))));
  const all = [...joinSections(groups, fresh), ...fresh];
  for (const group of all) dropCharges(group);
  for (const group of all) group.parts.sort((a, b) => firstOrder(a) - firstOrder(b));
  return { candidates, groups: all.filter(({ parts }) => parts.some(({ records }) => records.length > 0)) };
}
