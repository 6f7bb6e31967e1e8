/**
 * Finds the row groups of a list whose items stand on no rows: by column headings, else by the kinds of the columns.
 */

import { meaningOf } from "../extraction/rules/field-meaning.ts";
import { fieldsOf } from "../extraction/rules/items/item-lists.ts";
import type { Field } from "../schema/schema-shape.ts";
import type { CandidateRow } from "../structure/records/candidate-rows.ts";
import { namesCharge } from "../structure/records/charges.ts";
import { itemRowsOf } from "../structure/records/group-item-rows.ts";
import { isProvenBySums, type RecordEvidence } from "../structure/records/record-set.ts";
import type { RowGroup } from "../structure/records/row-group-types.ts";
import { labelKey } from "../values/label-words.ts";
import { splitName } from "../values/text-folding.ts";
import { meaningsOfName } from "../values/vocabulary/vocabulary.ts";
import { type DataList, listName } from "./result-lists.ts";

/** Share of a list's fields that must have a heading. */
const MIN_HEADED_FIELD_SHARE = 0.5;
/** Minimum rows of a document's only group that is taken for the only requested list. */
const MIN_ROWS_OF_ONLY_GROUP = 4;
/** Minimum rows of a group that is taken for a list by its kinds alone. */
const MIN_ROWS_MATCHED_BY_KIND = 3;

interface FieldLabels {
  keys: Set<string>;
  concept: string | null;
}

/** The labels that may head a field's column. */
function labelsOfField(field: Field): FieldLabels {
  const meaning = meaningOf(field);
  const keys = [...meaning.ownKeys.map(({ key }) => key), labelKey(splitName(field.name).join(" "))];
  return { keys: new Set(keys.filter((key) => key !== "")), concept: meaning.concept };
}

const extractedFields = ({ shape }: DataList): Field[] =>
  shape === null ? [] : fieldsOf(shape.item).filter(({ calculated }) => !calculated);

/** Evidence of signs or numbers: each row means something by itself. */
const SELF_DESCRIBING: ReadonlySet<RecordEvidence | undefined> = new Set(["items", "keys", "pattern", "cards"]);

const countItemRows = (group: RowGroup): number =>
  group.parts.reduce((sum, part) => sum + itemRowsOf(group, part).length, 0);

const labelsOfList = (list: DataList): FieldLabels[] => extractedFields(list).map(labelsOfField);

/** Number of a list's fields that have a heading in a group. */
function countHeadedFields(wanted: readonly FieldLabels[], headings: readonly string[]): number {
  const said = headings.map((head) => ({
    key: labelKey(head),
    concepts: meaningsOfName(splitName(head), true).map(({ concept }) => concept),
  }));
  return wanted.filter(({ keys, concept }) =>
    said.some(({ key, concepts }) => keys.has(key) || (concept !== null && concepts.includes(concept))),
  ).length;
}

/** Share of a list's fields that have a heading, by group. */
function headedFieldShares(list: DataList, groups: readonly RowGroup[]): Map<RowGroup, number> {
  const wanted = labelsOfList(list);
  return new Map(
    groups.map((group) => {
      const headed = countHeadedFields(wanted, group.headings);
      return [group, headed < Math.min(2, wanted.length) || headed === 0 ? 0 : headed / wanted.length];
    }),
  );
}

/** Fields that a table's first column names, for its columns to be the records. */
const MIN_TURNED_FIELDS = 2;

/** The table names a list's fields down its first column: its columns are the records, and its rows are none. */
function isTurned({ parts, headings }: RowGroup, list: DataList): boolean {
  const wanted = labelsOfList(list);
  const [head = "", ...others] = headings;
  const down = parts.flatMap(({ records }) => records.slice(0, wanted.length).map(({ cells }) => cells[0]?.text ?? ""));
  const named = countHeadedFields(wanted, [head, ...down]);
  return named >= Math.max(MIN_TURNED_FIELDS, wanted.length / 2) && named > 1 + countHeadedFields(wanted, others);
}

/** Tables whose records are columns, by their indexes in the document. */
export const turnedTables = (groups: readonly RowGroup[], lists: readonly DataList[]): Set<number> =>
  new Set(
    groups
      .filter((group) => lists.some((list) => isTurned(group, list)))
      .flatMap(({ parts }) => parts.flatMap(({ records: [first] }) => first?.table ?? [])),
  );

/** The groups whose rows can be counted for the lists. */
export const countableGroups = (groups: readonly RowGroup[], lists: readonly DataList[]): RowGroup[] =>
  groups.filter((group) => !lists.some((list) => isTurned(group, list)));

/** Makes the first row of a group of words its headings if it holds a field's label. */
export function addWordHeadings(groups: readonly RowGroup[], lists: readonly DataList[]): RowGroup[] {
  const wanted = lists.flatMap(labelsOfList);
  return groups.map((group) => {
    const [part] = group.parts;
    const first = part?.evidence === "words" && group.headings.length === 0 ? part.records[0] : undefined;
    const headings = first?.cells.map(({ text }) => text) ?? [];
    return countHeadedFields(wanted, headings) > 0 ? { ...group, headings } : group;
  });
}

/**
 * A group without foreign headings has a column for every field, and enough value columns for the fields with values.
 */
function fitsFieldKinds(list: DataList, group: RowGroup): boolean {
  const fields = extractedFields(list);
  const named = group.headings.length === 0 || countHeadedFields(labelsOfList(list), group.headings) > 0;
  if (!named || fields.length < 2 || group.columnLayout.columns.length < fields.length) return false;
  const { columns } = group.columnLayout;
  // A column whose kinds differ may hold values in every row.
  const values = columns.filter(({ kind }) => kind !== "text" && kind !== "code").length;
  const wanted = fields.filter(({ type, format }) => type === "number" || type === "integer" || format === "date");
  return countItemRows(group) >= MIN_ROWS_MATCHED_BY_KIND && columns.length >= fields.length && values >= wanted.length;
}

/** The list may be the one that a printed total sums up: taxes and discounts come on top of it. */
const mayBeSummedList = (list: DataList): boolean =>
  !namesCharge(listName(list)) &&
  extractedFields(list).length >= 2 &&
  extractedFields(list).some(({ type }) => type === "number");

/** The groups in which every field of a list has a heading. */
export function fullyHeadedGroups(list: DataList, groups: readonly RowGroup[]): RowGroup[] {
  const rated = headedFieldShares(list, groups);
  return groups.filter((group) => (rated.get(group) ?? 0) >= 1);
}

/** The rows of fully headed groups. */
export const rowsOfFullyHeadedGroups = (list: DataList, groups: readonly RowGroup[]): CandidateRow[] =>
  fullyHeadedGroups(list, groups).flatMap((group) => group.parts.flatMap((part) => itemRowsOf(group, part)));

/**
 * The groups of a list whose items' rows do not determine them; empty if headings and kinds do not either.
 * @param placed some items stand on rows: then kinds say no more than these
 */
export function groupsByHeadings(list: DataList, groups: readonly RowGroup[], placed: boolean): RowGroup[] {
  const rated = headedFieldShares(list, groups);
  const best = Math.max(0, ...rated.values());
  if (best >= MIN_HEADED_FIELD_SHARE) return groups.filter((group) => (rated.get(group) ?? 0) >= best - 1e-9);
  if (placed) return [];
  const proven = mayBeSummedList(list) ? groups.filter(({ parts }) => isProvenBySums(parts[0]?.evidence)) : [];
  const fitting = groups.filter((group) => fitsFieldKinds(list, group));
  return [proven, fitting].find(({ length }) => length === 1) ?? [];
}

/** The only group of a document, for the only list of the request, where no other evidence exists. */
export function onlyGroup(lists: readonly DataList[], groups: readonly RowGroup[]): RowGroup[] {
  const long = groups.filter((group) => countItemRows(group) >= MIN_ROWS_OF_ONLY_GROUP);
  const [group] = long;
  const told = group !== undefined && long.length === 1 && SELF_DESCRIBING.has(group.parts[0]?.evidence);
  return told && lists.length === 1 ? long : [];
}
