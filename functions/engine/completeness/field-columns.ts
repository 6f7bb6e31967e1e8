/**
 * The column of a row group that each field of a list is read from, learnt from matched rows; and rows that the schema
 * excludes.
 */

import { fieldsOf } from "../extraction/rules/items/item-lists.ts";
import type { Conventions } from "../extraction/rules/value-reader.ts";
import { matchChoice } from "../extraction/rules/value-reader.ts";
import type { SourceLocations } from "../layout/source-locations.ts";
import { escapeStep } from "../schema/json-pointer.ts";
import type { Field } from "../schema/schema-shape.ts";
import { type CandidateRow, type CandidateRows, wordEdges } from "../structure/records/candidate-rows.ts";
import { type ColumnLayout, columnAt, textsByColumn } from "../structure/records/column-layout.ts";
import { parseNumber } from "../values/numbers.ts";
import { wordPlaceOf } from "./item-places.ts";
import type { DataList, ListItem } from "./result-lists.ts";

/** Share of a field's values that must stand in its column. */
const MIN_COLUMN_VOTE_SHARE = 0.8;

/** Columns of fields, by field path (list positions as `*`). */
export function fieldColumns(
  items: readonly (readonly [ListItem, number])[],
  columnLayout: ColumnLayout,
  sources: SourceLocations,
  candidates: CandidateRows,
): Map<string, number> {
  const votes = new Map<string, Map<number, number>>();
  for (const [item, order] of items) {
    for (const { pointer, path } of item.leaves) {
      const place = wordPlaceOf(pointer, sources, candidates);
      const row = place?.order === order ? candidates.all[order] : undefined;
      const word = row?.words.find(({ index }) => index === place?.word);
      const column = row && word && columnAt(columnLayout, wordEdges(row, word));
      if (column === undefined) continue;
      const own = votes.get(path) ?? new Map<number, number>();
      own.set(column, (own.get(column) ?? 0) + 1);
      votes.set(path, own);
    }
  }
  const columns = new Map<string, number>();
  for (const [path, own] of votes) {
    const total = [...own.values()].reduce((sum, count) => sum + count, 0);
    const [best] = [...own].sort(([, a], [, b]) => b - a);
    if (best !== undefined && best[1] >= MIN_COLUMN_VOTE_SHARE * total) columns.set(path, best[0]);
  }
  return columns;
}

/** The fields of a list's items by path, in the notation of leaves. */
export function fieldPaths({ path, shape }: DataList): Map<string, Field> {
  if (shape === null) return new Map();
  const depth = shape.path.length;
  const fields = fieldsOf(shape.item);
  return new Map(
    fields.map((field) => [[`${path}/*`, ...field.path.slice(depth).map(escapeStep)].join("/"), field] as const),
  );
}

/** Bounds that every sensible value keeps, such as a quantity above 0, are no restriction. */
const isBounded = ({ minimum, maximum }: Field): boolean => minimum > 1 || Number.isFinite(maximum);
const choicesOf = ({ choices, constant }: Field): string[] =>
  (constant === null ? (choices ?? []) : [constant]).map(String);
const restrictsValues = (field: Field): boolean => isBounded(field) || choicesOf(field).length > 0;

/** The schema restricts the items' values, so that it may exclude rows of the page. */
export const restrictsItemValues = (list: DataList): boolean => [...fieldPaths(list).values()].some(restrictsValues);

/**
 * Makes a test whether the schema excludes a row: its cell in the column of a field with bounds or choices holds
 * another value.
 */
export function schemaExclusionTest(
  list: DataList,
  columnLayout: ColumnLayout,
  columns: ReadonlyMap<string, number>,
  { notation }: Pick<Conventions, "notation">,
): (row: CandidateRow) => boolean {
  const rules = [...fieldPaths(list)].flatMap(([path, field]) => {
    const column = columns.get(path);
    return column === undefined || !restrictsValues(field) ? [] : [{ field, column }];
  });
  if (rules.length === 0) return () => false;
  return (row) => {
    const { texts } = textsByColumn(columnLayout, row);
    return rules.some(({ field, column }) => {
      const text = texts.get(column);
      if (text === undefined) return false;
      const choices = choicesOf(field);
      if (choices.length > 0 && !choices.some((choice) => matchChoice(text, choice) !== null)) return true;
      const value = isBounded(field) ? parseNumber(text, notation) : null;
      return value !== null && (value < field.minimum || value > field.maximum);
    });
  };
}
