/**
 * The completeness receipt: compares the rows of a result with the rows printed on the pages. Rows are counted without
 * a model, from tables, lines of one shape and keys in sequence.
 */

import type { Json } from "../../ports/json.ts";
import type { Layout } from "../../ports/layout.ts";
import type { StatedLimit } from "../extraction/answers/stated-limits.ts";
import type { RowLimit } from "../extraction/prompts/plain-limits.ts";
import type { Conventions } from "../extraction/rules/value-reader.ts";
import { lowerBound } from "../layout/binary-search.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import type { ParsedSchema } from "../schema/parsed-schema.ts";
import { type CandidateRow, type CandidateRows, rowText } from "../structure/records/candidate-rows.ts";
import { filledColumnsKey } from "../structure/records/group-item-rows.ts";
import { documentRows } from "../structure/records/page-rows.ts";
import type { GroupPart, PageRows, RowGroup } from "../structure/records/row-group-types.ts";
import type { FormatConventions } from "../values/format-conventions.ts";
import type { Notation } from "../values/numbers.ts";
import { fieldColumns, restrictsItemValues, schemaExclusionTest } from "./field-columns.ts";
import { isGeneralTableList, lostTablesReceipt } from "./general-tables.ts";
import { addWordHeadings, countableGroups, rowsOfFullyHeadedGroups, turnedTables } from "./header-matching.ts";
import { type KnownPlaces, moveToHeadedTables, placesFromEarlierLook, placesFromSources } from "./item-places.ts";
import type { ListReceipt, MissingRow } from "./list-receipt.ts";
import { itemsFitColumns } from "./reading-direction.ts";
import { type DataList, findLists, isEmpty, type ListItem } from "./result-lists.ts";
import { createRowAssignment, type RowAssignment } from "./row-assignment.ts";
import { doubtAbout } from "./row-doubts.ts";
import { limitsOfLists, missingWithinLimit, schemaLimit } from "./row-limits.ts";
import { matchRows } from "./row-matcher.ts";
import { placeUnmatchedItems } from "./unmatched-items.ts";

export interface ReconcileRequest {
  schema?: ParsedSchema;
  prompt?: string;
  /** Limits of lists as a model states them. */
  stated?: readonly StatedLimit[];
  /** Rows (`order`) that a model declared to be no rows of the list. */
  declined?: readonly number[];
  /** The data is the general result: the request has no schema. */
  general?: boolean;
}

/**
 * Finds the rows that a document prints.
 * @param notation number notation of the document's amounts
 * @param asked the result that rows are counted for: it tells whether lines side by side are one row or several
 */
export function findPageRows(
  layout: Layout,
  notation: Notation,
  asked?: { data: Json; schema?: ParsedSchema | undefined; order: Conventions["order"] },
): PageRows {
  const rows = documentRows(layout, notation);
  if (asked === undefined) return rows.acrossPage();
  const { data, schema, order } = asked;
  const lists = findLists(data, schema?.shape ?? null);
  const { sideBySide } = rows;
  if (sideBySide !== undefined && itemsFitColumns(lists, sideBySide, { notation, order })) return rows.downColumns();
  const turned = turnedTables(rows.acrossPage().groups, lists);
  return turned.size === 0 ? rows.acrossPage() : rows.turned(turned);
}

/** A part is a copy (a carbon, a summary) if this share of its rows is matched elsewhere and none of them here. */
const COPIED_ROW_SHARE = 0.8;
const MIN_COPIED_ROWS = 3;

function isCopyOfMatchedRows(part: GroupPart, assignment: RowAssignment): boolean {
  const rows = assignment.itemRows(part);
  if (rows.length < MIN_COPIED_ROWS || rows.some(({ order }) => assignment.matched.has(order))) return false;
  return rows.filter((row) => assignment.matchedTexts.has(rowText(row))).length >= COPIED_ROW_SHARE * rows.length;
}

/** Filled columns of the group's matched rows. */
function matchedColumnPatterns(group: RowGroup, assignment: RowAssignment): Set<string> {
  const matchedRows = group.parts.flatMap(({ records }) =>
    records.filter(({ order }) => assignment.matched.has(order)),
  );
  return new Set(matchedRows.map((row) => filledColumnsKey(group.columnLayout, row)));
}

/**
 * The declines that the page supports: a row with the same filled columns as matched rows is a row of the list,
 * whatever the model says.
 */
function credibleDeclines(group: RowGroup, assignment: RowAssignment, declined: readonly number[]): Set<number> {
  if (declined.length === 0) return new Set();
  const patterns = matchedColumnPatterns(group, assignment);
  const own = new Map(group.parts.flatMap(({ records }) => records.map((row) => [row.order, row] as const)));
  return new Set(
    declined.filter((order) => {
      const row = own.get(order);
      return row !== undefined && !patterns.has(filledColumnsKey(group.columnLayout, row));
    }),
  );
}

interface Reconciliation {
  candidates: CandidateRows;
  sources: SourceLocations;
  conventions: FormatConventions;
  assignment: RowAssignment;
  declined: readonly number[];
  /** Restrictions by list. */
  limits: ReadonlyMap<DataList, RowLimit>;
}

/** Stands in where an earlier reconciliation has located the items. */
const NO_SOURCES: SourceLocations = { version: 1, granularity: "word", pages: [], locations: {}, unresolved: [] };

/** Rows of a group that no item stands on, each with the list it belongs to. */
function unmatchedRows(
  group: RowGroup,
  lists: readonly DataList[],
  reconciliation: Reconciliation,
): [CandidateRow, DataList][] {
  const { assignment, sources, candidates, conventions } = reconciliation;
  const rules = new Map(
    lists.map((list) => {
      // Learning columns visits all items of each group: only needed where the schema excludes rows.
      const items = restrictsItemValues(list) ? [...(assignment.places.get(list) ?? [])] : [];
      return [
        list,
        schemaExclusionTest(
          list,
          group.columnLayout,
          fieldColumns(items, group.columnLayout, sources, candidates),
          conventions,
        ),
      ] as const;
    }),
  );
  const declined = credibleDeclines(group, assignment, reconciliation.declined);
  let [owner] = lists;
  return group.parts.flatMap((part) => {
    owner = assignment.ownerOf(part, lists) ?? owner;
    if (owner === undefined || isCopyOfMatchedRows(part, assignment)) return [];
    const own = owner;
    // Under a restriction, rows that look like matched rows may still be unwanted.
    const gone = reconciliation.limits.has(own) ? new Set(reconciliation.declined) : declined;
    return assignment
      .itemRows(part)
      .filter((row) => !assignment.matched.has(row.order) && !gone.has(row.order))
      .filter((row) => rules.get(own)?.(row) !== true)
      .map((row): [CandidateRow, DataList] => [row, own]);
  });
}

/** Pointer and index of a row's place in its list: behind the item printed before it. */
function insertionPoint(
  list: DataList,
  row: CandidateRow,
  anchors: readonly (readonly [ListItem, number])[],
  assignment: RowAssignment,
) {
  const next = lowerBound(anchors, ([, order]) => order, row.order);
  const [before, after] = [anchors[next - 1], anchors[next]];
  // The first row of a table on a page of its own belongs to the list that begins there.
  const joinsNext = after !== undefined && before !== undefined && after[0].list !== before[0].list;
  if (
    joinsNext &&
    assignment.partOf(after[1]) === assignment.partOf(row.order) &&
    assignment.partOf(before[1]) !== assignment.partOf(row.order)
  )
    return { list: after[0].list, at: after[0].index };
  if (before !== undefined) return { list: before[0].list, at: before[0].index + 1 };
  return after === undefined ? { list: list.lists[0] ?? "", at: 0 } : { list: after[0].list, at: after[0].index };
}

function listReceipt(list: DataList, openRows: readonly CandidateRow[], reconciliation: Reconciliation): ListReceipt {
  const { assignment, candidates, conventions } = reconciliation;
  const limit = reconciliation.limits.get(list) ?? schemaLimit(list, openRows.length);
  const repeated = new Set(assignment.repeated.get(list));
  const groups = assignment.groupsOf(list);
  const counted = groups.length > 0;
  const left = placeUnmatchedItems(list, openRows, assignment, conventions);
  const items = list.items.filter((item) => !repeated.has(item));
  const standing = items.filter((item) => isOnPage(item, counted, list, reconciliation));
  const anchors = [...(assignment.places.get(list) ?? [])].sort(([, a], [, b]) => a - b);
  const last = candidates.all.at(-1)?.page ?? 0;
  const rows =
    limit === undefined
      ? left
      : missingWithinLimit(limit, left, { have: anchors.map(([, order]) => order), returned: standing.length, last });
  const own = [...new Set(anchors.map(([, order]) => order))].flatMap((order) => candidates.all[order] ?? []);
  const isDecided = limit !== undefined || rows.length > 0 || reconciliation.declined.length > 0;
  const doubt = isDecided ? undefined : doubtAbout(own, groups, candidates, conventions.notation);
  return {
    path: list.path,
    counted: counted && doubt === undefined,
    ...(doubt === undefined ? {} : { doubt }),
    restricted: limit !== undefined,
    said: limit?.said ?? [],
    returned: standing.length,
    unplaced: items.length - standing.length,
    missing: rows.map((row): MissingRow => {
      const { order, page, shownBox: box } = row;
      return { order, page, box, text: rowText(row), ...insertionPoint(list, row, anchors, assignment) };
    }),
    repeated: [...repeated].map(({ pointer }) => pointer),
    empty: counted && !list.scalars ? items.flatMap(({ pointer, value }) => (isEmpty(value) ? [pointer] : [])) : [],
  };
}

/** An item stands on the page: on a row if rows are counted, else with any of its values. */
function isOnPage(item: ListItem, counted: boolean, list: DataList, { assignment, sources }: Reconciliation): boolean {
  if (assignment.places.get(list)?.has(item) === true) return true;
  if (counted) return false;
  return sources === NO_SOURCES
    ? !isEmpty(item.value)
    : item.leaves.some(({ pointer }) => Object.hasOwn(sources.locations, pointer));
}

/** Rows that an item stood on at an earlier reconciliation and none stands on now. */
const vacatedRows = ({ placed }: KnownPlaces, { matched }: RowAssignment): number[] =>
  placed.flatMap(([, order]) => (matched.has(order) ? [] : [order]));

/** Evidence for the places of items: locations of their values (of any granularity), or an earlier reconciliation. */
export type PlaceEvidence = { sources: SourceLocations } | { known: KnownPlaces };

/**
 * Compares the lists of a result with the rows of the pages.
 * @returns a receipt for each list of objects, and for lists of scalars whose rows are known; `placed`: pointers of the
 * items that stand on a row, with the row
 */
export function reconcile(
  rows: PageRows,
  data: Json,
  where: PlaceEvidence,
  conventions: FormatConventions,
  request: ReconcileRequest,
): { lists: ListReceipt[]; placed: [string, number][] } {
  const { candidates } = rows;
  const all = findLists(data, request.schema?.shape ?? null);
  const lists = request.general === true ? all.filter(isGeneralTableList) : all;
  const groups = countableGroups(addWordHeadings(rows.groups, lists), lists);
  const sources = "sources" in where ? where.sources : NO_SOURCES;
  const before = "known" in where ? where.known : undefined;
  const findPlaces = (list: DataList): Map<ListItem, number> => {
    if (before !== undefined) return placesFromEarlierLook(list, before, candidates, conventions);
    const found = placesFromSources(list, sources, candidates);
    moveToHeadedTables(list, found, rowsOfFullyHeadedGroups(list, groups), candidates, conventions);
    return found;
  };
  const places = new Map(lists.map((list) => [list, findPlaces(list)] as const));
  const assignment = createRowAssignment(groups, lists, places);
  matchRows(assignment, lists, conventions);
  const limits = limitsOfLists(
    lists,
    request,
    (list) => {
      const orders = [...(assignment.places.get(list)?.values() ?? [])];
      return { items: list.items.length, pages: orders.flatMap((order) => candidates.all[order]?.page ?? []) };
    },
    candidates.all.at(-1)?.page ?? 0,
  );
  const reconciliation = { candidates, sources, conventions, assignment, limits, declined: request.declined ?? [] };
  const openRows = new Map<DataList, CandidateRow[]>(lists.map((list) => [list, []]));
  const possible = before && new Set([...before.open, ...vacatedRows(before, assignment)]);
  for (const [group, own] of assignment.listsByGroup) {
    for (const [row, list] of unmatchedRows(group, own, reconciliation))
      if (possible?.has(row.order) !== false) openRows.get(list)?.push(row);
  }
  const receipts = lists
    .filter((list) => !list.scalars || assignment.groupsOf(list).length > 0)
    .map((list) => {
      const missing = (openRows.get(list) ?? []).sort((a, b) => a.order - b.order);
      return listReceipt(list, missing, reconciliation);
    });
  const isPossible = (order: number): boolean => possible?.has(order) !== false;
  if (request.general === true) receipts.push(...lostTablesReceipt(rows, assignment, sources, isPossible));
  const placed = [...assignment.places.values()].flatMap((own) =>
    [...own].map(([item, order]): [string, number] => [item.pointer, order]),
  );
  return { lists: receipts, placed };
}
