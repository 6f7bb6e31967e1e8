/** Assigns row groups to the lists of a result, and rows to their items. */

import { type CandidateRow, rowText } from "../structure/records/candidate-rows.ts";
import { namesCharge } from "../structure/records/charges.ts";
import { rowsAtKnownIndents } from "../structure/records/column-headings.ts";
import { textsByColumn } from "../structure/records/column-layout.ts";
import { isLabelValuePairs, itemRowsOf } from "../structure/records/group-item-rows.ts";
import { isProvenBySums } from "../structure/records/record-set.ts";
import type { GroupPart, RowGroup } from "../structure/records/row-group-types.ts";
import { labelKey } from "../values/label-words.ts";
import { fullyHeadedGroups, groupsByHeadings, onlyGroup } from "./header-matching.ts";
import { type DataList, type ListItem, listName } from "./result-lists.ts";

/**
 * A group belongs to a list if it has headings for all fields, if this share of the list's placed items stands in it …
 */
const MIN_SHARE_OF_LIST = 0.5;
/** … or if this share of the group's rows, and at least this many, are the list's. */
const MIN_SHARE_OF_GROUP = 0.3;
const MIN_ROWS_IN_GROUP = 3;
/**
 * A few labels with amounts and nothing above them are often sums of the document: a larger share must be the list's.
 */
const MIN_SHARE_OF_PAIRS = 0.5;
/** More label-value pairs of one shape are no sums. */
const MIN_PAIRS_THAT_ARE_NO_SUMS = 10;
/** Minimum share of a line's text that an item must have to be the whole line. */
const MIN_LINE_TEXT_SHARE = 0.5;
/** A key column stays one if this share of the matched rows fills it, given enough matched rows. */
const NEARLY_ALL_SHARE = 0.9;
const MIN_MATCHED_ROWS = 3;

export interface RowAssignment {
  /** The lists that each group belongs to. */
  listsByGroup: Map<RowGroup, DataList[]>;
  /** By list, the row that each item stands on. */
  places: Map<DataList, Map<ListItem, number>>;
  /** Rows that an item stands on. */
  matched: Map<number, ListItem>;
  /** Texts of the matched rows. */
  matchedTexts: Set<string>;
  /** Items that stand on no row. */
  unmatchedItems: Map<DataList, ListItem[]>;
  repeated: Map<DataList, ListItem[]>;
  groupsOf(list: DataList): RowGroup[];
  partOf(order: number): GroupPart | undefined;
  rowAt(order: number): CandidateRow | undefined;
  /** The rows of a part that may be items of its lists. */
  itemRows(part: GroupPart): CandidateRow[];
  /** The list of most of a part's matched rows. */
  ownerOf(part: GroupPart, lists: readonly DataList[]): DataList | undefined;
}

const headingsKey = ({ headings }: RowGroup): string => headings.map(labelKey).join("|");

/** The items on a block of lines are whole lines: each has about as much text as its line. */
function areWholeLines(group: RowGroup, places: ReadonlyMap<ListItem, number>): boolean {
  const texts = new Map(group.parts.flatMap(({ records }) => records.map((row) => [row.order, rowText(row)] as const)));
  const shares = [...places].flatMap(([item, order]) => {
    const text = texts.get(order);
    const said = item.leaves.reduce((sum, { value }) => sum + String(value).length, 0);
    return text === undefined ? [] : [said / text.length];
  });
  const lines = shares.filter((share) => share >= MIN_LINE_TEXT_SHARE && share <= 1 / NEARLY_ALL_SHARE).length;
  return shares.length >= MIN_ROWS_IN_GROUP && lines >= NEARLY_ALL_SHARE * shares.length;
}

const countWords = (row: CandidateRow): number => row.words.length;
const countFigures = (row: CandidateRow): number => row.words.filter(({ text }) => /\d/.test(text)).length;

/**
 * Lines of a block that have as many words and figures as the shortest items: excludes one-word titles between them.
 */
function linesLikeItems(rows: readonly CandidateRow[], items: readonly CandidateRow[]): CandidateRow[] {
  if (items.length === 0) return [...rows];
  const fewest = (count: (row: CandidateRow) => number): number =>
    items.reduce((least, row) => Math.min(least, count(row)), Number.POSITIVE_INFINITY);
  const [words, figures] = [fewest(countWords), fewest(countFigures)];
  return rows.filter((row) => countWords(row) >= words && countFigures(row) >= figures);
}

function assignLists(
  groups: readonly RowGroup[],
  lists: readonly DataList[],
  places: ReadonlyMap<DataList, ReadonlyMap<ListItem, number>>,
  groupOf: ReadonlyMap<number, RowGroup>,
): Map<RowGroup, DataList[]> {
  const listsByGroup = new Map<RowGroup, DataList[]>();
  const addList = (group: RowGroup, list: DataList): void => {
    const own = listsByGroup.get(group) ?? [];
    if (!own.includes(list)) listsByGroup.set(group, [...own, list]);
  };
  const sizes = new Map(
    groups.map((group) => [group, group.parts.reduce((sum, { records }) => sum + records.length, 0)]),
  );
  for (const list of lists) {
    const counts = new Map<RowGroup, number>();
    let placed = 0;
    const charges = namesCharge(listName(list));
    for (const order of new Set(places.get(list)?.values())) {
      const group = groupOf.get(order);
      placed += 1;
      if (group !== undefined) counts.set(group, (counts.get(group) ?? 0) + 1);
    }
    const own = places.get(list) ?? new Map<ListItem, number>();
    const whole = new Set(fullyHeadedGroups(list, groups));
    for (const [group, count] of counts) {
      const size = sizes.get(group) ?? 0;
      const half = count >= MIN_SHARE_OF_PAIRS * size;
      if (
        isLabelValuePairs(group) &&
        !half &&
        (charges || (count < 2 && group.headings.length === 0 && size < MIN_PAIRS_THAT_ARE_NO_SUMS))
      )
        continue;
      if (group.parts[0]?.evidence === "block" && !areWholeLines(group, own)) continue;
      // Discounts and fees stand among the rows they apply to.
      if (isProvenBySums(group.parts[0]?.evidence) && charges) continue;
      const most = whole.has(group) || (count >= MIN_SHARE_OF_LIST * placed && (count >= 2 || placed === 1));
      if (most || (count >= MIN_ROWS_IN_GROUP && count >= MIN_SHARE_OF_GROUP * size)) addList(group, list);
    }
  }
  // Sections with the same headings are one list, whatever their column widths.
  const alikeHeaded = Map.groupBy(groups, headingsKey);
  for (const [group, own] of [...listsByGroup])
    for (const other of group.headings.length < 2 ? [] : (alikeHeaded.get(headingsKey(group)) ?? []))
      if (!listsByGroup.has(other)) for (const list of own) addList(other, list);
  const free = groups.filter((group) => !listsByGroup.has(group));
  for (const list of lists) {
    // Headings decide where the rows of the items do not.
    if ([...listsByGroup.values()].some((own) => own.includes(list))) continue;
    const placed = (places.get(list)?.size ?? 0) > 0;
    const headed = list.scalars ? [] : groupsByHeadings(list, free, placed);
    const own = headed.length > 0 || list.items.length > 0 ? headed : onlyGroup(lists, groups);
    for (const group of own) addList(group, list);
  }
  return listsByGroup;
}

/** The key columns of a group that nearly all of its matched rows fill. */
function filledKeyColumns(group: RowGroup, matched: ReadonlyMap<number, ListItem>): number[] {
  const own = group.parts.flatMap(({ records }) => records.filter(({ order }) => matched.has(order)));
  const { keyColumns } = group.columnLayout;
  if (own.length < MIN_MATCHED_ROWS) return keyColumns;
  const filled = own.map((row) => textsByColumn(group.columnLayout, row).texts);
  const kept = keyColumns.filter(
    (column) => filled.filter((texts) => texts.has(column)).length >= NEARLY_ALL_SHARE * own.length,
  );
  return kept.length === 0 ? keyColumns : kept;
}

/** The rows of a part that may be items, by the rows that items stand on. */
function findItemRows(
  group: RowGroup,
  part: GroupPart,
  keyColumns: readonly number[],
  onRows: ReadonlyMap<number, ListItem>,
): CandidateRow[] {
  const hasItem = ({ order }: CandidateRow): boolean => onRows.has(order);
  let rows = itemRowsOf(group, part, keyColumns);
  if (part.evidence === "block") rows = linesLikeItems(rows, part.records.filter(hasItem));
  if (!isLabelValuePairs(group)) return rows;
  const all = group.parts.flatMap(({ records }) => records);
  return [...rowsAtKnownIndents(rows, all, all.filter(hasItem))];
}

/** Assigns groups to lists; no row is matched yet. */
export function createRowAssignment(
  groups: readonly RowGroup[],
  lists: readonly DataList[],
  places: Map<DataList, Map<ListItem, number>>,
): RowAssignment {
  const parts = new Map<number, { group: RowGroup; part: GroupPart; row: CandidateRow }>();
  for (const group of groups)
    for (const part of group.parts) for (const row of part.records) parts.set(row.order, { group, part, row });
  const groupOf = new Map([...parts].map(([order, { group }]) => [order, group]));
  const listsByGroup = assignLists(groups, lists, places, groupOf);
  const known = new Map<GroupPart, CandidateRow[]>();
  const keyColumnsByGroup = new Map<RowGroup, number[]>();
  const groupByPart = new Map(groups.flatMap((group) => group.parts.map((part) => [part, group] as const)));
  const onRows = new Map([...places].flatMap(([, own]) => [...own].map(([item, order]) => [order, item] as const)));
  const matched = new Map<number, ListItem>();
  const listOf = new Map(lists.flatMap((list) => list.items.map((item) => [item, list] as const)));
  return {
    listsByGroup,
    places,
    matched,
    matchedTexts: new Set(),
    unmatchedItems: new Map(),
    repeated: new Map(),
    groupsOf: (list) => [...listsByGroup].filter(([, own]) => own.includes(list)).map(([group]) => group),
    partOf: (order) => parts.get(order)?.part,
    rowAt: (order) => parts.get(order)?.row,
    itemRows(part) {
      const group = groupByPart.get(part);
      const rows = known.get(part);
      if (rows !== undefined || group === undefined) return rows ?? [];
      const keyColumns = keyColumnsByGroup.get(group) ?? filledKeyColumns(group, onRows);
      keyColumnsByGroup.set(group, keyColumns);
      const found = findItemRows(group, part, keyColumns, onRows);
      known.set(part, found);
      return found;
    },
    ownerOf(part, own) {
      const counts = new Map<DataList, number>();
      for (const { order } of part.records) {
        const item = matched.get(order);
        const list = item === undefined ? undefined : listOf.get(item);
        if (list !== undefined && own.includes(list)) counts.set(list, (counts.get(list) ?? 0) + 1);
      }
      return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
    },
  };
}

/** Marks a row as matched by an item. */
export function matchRow(assignment: RowAssignment, order: number, item: ListItem): void {
  assignment.matched.set(order, item);
  const row = assignment.rowAt(order);
  if (row !== undefined) assignment.matchedTexts.add(rowText(row));
}
