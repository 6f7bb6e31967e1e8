/** Which sets of rows a list may be about, where none of its items tells: by what heads their columns, else by their kinds. */

import { meaningOf } from "../extraction/rules/field-meaning.ts";
import { fieldsOf } from "../extraction/rules/items/item-lists.ts";
import type { Field } from "../schema/schema-shape.ts";
import { labelKey, splitName } from "../values/text-folding.ts";
import { meaningsOfName } from "../values/vocabulary/vocabulary.ts";
import type { CandidateRow } from "./candidate-rows.ts";
import { itemRowsOf } from "./group-item-rows.ts";
import { type DataList, listName } from "./result-lists.ts";
import type { GroupPart, RowGroup } from "./row-group-types.ts";
import { namesCharge } from "./sum-verified-rows.ts";

/** Of a list's fields, so many must be headed. */
const MIN_HEADED_FIELD_SHARE = 0.5;
/** Rows of the one set of a document that is taken for the one list that is wanted. */
const MIN_ROWS_OF_ONLY_GROUP = 4;
/** Rows of a table that is taken for a list's by its kinds alone. */
const MIN_ROWS_MATCHED_BY_KIND = 3;

interface FieldLabels {
  keys: Set<string>;
  concept: string | null;
}

/** What heads a field's column. */
function labelsOfField(field: Field): FieldLabels {
  const meaning = meaningOf(field);
  const keys = [...meaning.ownKeys.map(({ key }) => key), labelKey(splitName(field.name).join(" "))];
  return { keys: new Set(keys.filter((key) => key !== "")), concept: meaning.concept };
}

const extractedFields = ({ shape }: DataList): Field[] =>
  shape === null ? [] : fieldsOf(shape.item).filter(({ calculated }) => !calculated);

/** Rows that are told by signs or numbers, and mean something one by one. */
const SELF_DESCRIBING_KINDS: ReadonlySet<GroupPart["kind"]> = new Set(["items", "keys", "pattern", "cards"]);

const countItemRows = (group: RowGroup): number =>
  group.parts.reduce((sum, part) => sum + itemRowsOf(group, part).length, 0);

const labelsOfList = (list: DataList): FieldLabels[] => extractedFields(list).map(labelsOfField);

/** How many of a list's fields head the columns of a set. */
function countHeadedFields(wanted: readonly FieldLabels[], headings: readonly string[]): number {
  const said = headings.map((head) => ({
    key: labelKey(head),
    concepts: meaningsOfName(splitName(head), true).map(({ concept }) => concept),
  }));
  return wanted.filter(({ keys, concept }) =>
    said.some(({ key, concepts }) => keys.has(key) || (concept !== null && concepts.includes(concept))),
  ).length;
}

/** Share of a list's fields that head columns of each set. */
function headedFieldShares(list: DataList, groups: readonly RowGroup[]): Map<RowGroup, number> {
  const wanted = labelsOfList(list);
  return new Map(
    groups.map((group) => {
      const headed = countHeadedFields(wanted, group.headings);
      return [group, headed < Math.min(2, wanted.length) || headed === 0 ? 0 : headed / wanted.length];
    }),
  );
}

/** The sets with their headings: where all rows are words, the first one heads the others if a list's fields are called so. */
export function addWordHeadings(groups: readonly RowGroup[], lists: readonly DataList[]): RowGroup[] {
  const wanted = lists.flatMap(labelsOfList);
  return groups.map((group) => {
    const first = group.parts[0]?.kind === "words" && group.headings.length === 0 ? group.parts[0].rows[0] : undefined;
    const headings = first?.cells.map(({ text }) => text) ?? [];
    return countHeadedFields(wanted, headings) > 0 ? { ...group, headings } : group;
  });
}

/** Whether a set with no other headings than a list's has a column for every field, and of values where values are wanted. */
function fitsFieldKinds(list: DataList, group: RowGroup): boolean {
  const fields = extractedFields(list);
  const named = group.headings.length === 0 || countHeadedFields(labelsOfList(list), group.headings) > 0;
  if (!named || fields.length < 2 || group.columnLayout.columns.length < fields.length) return false;
  const { columns } = group.columnLayout;
  // What differs from row to row may be a value in all of them.
  const values = columns.filter(({ kind }) => kind !== "text" && kind !== "code").length;
  const wanted = fields.filter(({ type, format }) => type === "number" || type === "integer" || format === "date");
  return countItemRows(group) >= MIN_ROWS_MATCHED_BY_KIND && columns.length >= fields.length && values >= wanted.length;
}

/** Whether a list may be the one that a printed total is the sum of: taxes and discounts are put on that. */
const mayBeSummedList = (list: DataList): boolean =>
  !namesCharge(listName(list)) &&
  extractedFields(list).length >= 2 &&
  extractedFields(list).some(({ type }) => type === "number");

/** The sets that have all of a list's fields for headings. */
export function fullyHeadedGroups(list: DataList, groups: readonly RowGroup[]): RowGroup[] {
  const rated = headedFieldShares(list, groups);
  return groups.filter((group) => (rated.get(group) ?? 0) >= 1);
}

/** Their rows. */
export const rowsOfFullyHeadedGroups = (list: DataList, groups: readonly RowGroup[]): CandidateRow[] =>
  fullyHeadedGroups(list, groups).flatMap((group) => group.parts.flatMap((part) => itemRowsOf(group, part)));

/**
 * The sets that a list is about whose items' rows do not tell; none where it cannot be told.
 * @param placed whether some of its items stand on rows: then kinds say no more than these
 */
export function groupsByHeadings(list: DataList, groups: readonly RowGroup[], placed: boolean): RowGroup[] {
  const rated = headedFieldShares(list, groups);
  const best = Math.max(0, ...rated.values());
  if (best >= MIN_HEADED_FIELD_SHARE) return groups.filter((group) => (rated.get(group) ?? 0) >= best - 1e-9);
  if (placed) return [];
  const proven = mayBeSummedList(list) ? groups.filter(({ parts }) => parts[0]?.kind === "sum-verified") : [];
  const fitting = groups.filter((group) => fitsFieldKinds(list, group));
  return [proven, fitting].find(({ length }) => length === 1) ?? [];
}

/** The one set of a document for the one list that is wanted of it, where nothing else tells: what else should it be? */
export function onlyGroup(lists: readonly DataList[], groups: readonly RowGroup[]): RowGroup[] {
  const long = groups.filter((group) => countItemRows(group) >= MIN_ROWS_OF_ONLY_GROUP);
  const [group] = long;
  const told = group !== undefined && long.length === 1 && SELF_DESCRIBING_KINDS.has(group.parts[0]?.kind ?? "table");
  return told && lists.length === 1 ? long : [];
}
