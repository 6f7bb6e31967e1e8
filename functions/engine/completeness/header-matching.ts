/** Which sets of rows a list may be about, where none of its items tells: by what heads their columns, else by their kinds. */

import { meaningOf } from "../extraction/rules/field-meaning.ts";
import { fieldsOf } from "../extraction/rules/items/item-lists.ts";
import type { Field } from "../schema/schema-shape.ts";
import { labelKey, splitName } from "../values/text-folding.ts";
import { meaningsOfName } from "../values/vocabulary/vocabulary.ts";
import type { Unit } from "./candidate-rows.ts";
import { type DataList, nameOf } from "./result-lists.ts";
import type { Part, RowSet } from "./row-group-types.ts";
import { candidatesOf } from "./row-groups.ts";
import { namesCharge } from "./sum-verified-rows.ts";

/** Of a list's fields, so many must be headed. */
const ENOUGH = 0.5;
/** Rows of the one set of a document that is taken for the one list that is wanted. */
const FEWEST_ALONE = 4;
/** Rows of a table that is taken for a list's by its kinds alone. */
const FEWEST_ROWS = 3;

interface Wanted {
  keys: Set<string>;
  concept: string | null;
}

/** What heads a field's column. */
function headOf(field: Field): Wanted {
  const meaning = meaningOf(field);
  const keys = [...meaning.ownKeys.map(({ key }) => key), labelKey(splitName(field.name).join(" "))];
  return { keys: new Set(keys.filter((key) => key !== "")), concept: meaning.concept };
}

const extracted = ({ shape }: DataList): Field[] =>
  shape === null ? [] : fieldsOf(shape.item).filter(({ calculated }) => !calculated);

/** Rows that are told by signs or numbers, and mean something one by one. */
const TOLD: ReadonlySet<Part["kind"]> = new Set(["items", "keys", "pattern", "cards"]);

const candidatesIn = (set: RowSet): number => set.parts.reduce((sum, part) => sum + candidatesOf(set, part).length, 0);

const wantedOf = (list: DataList): Wanted[] => extracted(list).map(headOf);

/** How many of a list's fields head the columns of a set. */
function countHeaded(wanted: readonly Wanted[], heads: readonly string[]): number {
  const said = heads.map((head) => ({
    key: labelKey(head),
    concepts: meaningsOfName(splitName(head), true).map(({ concept }) => concept),
  }));
  return wanted.filter(({ keys, concept }) =>
    said.some(({ key, concepts }) => keys.has(key) || (concept !== null && concepts.includes(concept))),
  ).length;
}

/** Share of a list's fields that head columns of each set. */
function headedShares(list: DataList, sets: readonly RowSet[]): Map<RowSet, number> {
  const wanted = wantedOf(list);
  return new Map(
    sets.map((set) => {
      const headed = countHeaded(wanted, set.heads);
      return [set, headed < Math.min(2, wanted.length) || headed === 0 ? 0 : headed / wanted.length];
    }),
  );
}

/** The sets with their headings: where all rows are words, the first one heads the others if a list's fields are called so. */
export function nameHeads(sets: readonly RowSet[], lists: readonly DataList[]): RowSet[] {
  const wanted = lists.flatMap(wantedOf);
  return sets.map((set) => {
    const first = set.parts[0]?.kind === "words" && set.heads.length === 0 ? set.parts[0].units[0] : undefined;
    const heads = first?.cells.map(({ text }) => text) ?? [];
    return countHeaded(wanted, heads) > 0 ? { ...set, heads } : set;
  });
}

/** Whether a set with no other headings than a list's has a column for every field, and of values where values are wanted. */
function fitsKinds(list: DataList, set: RowSet): boolean {
  const fields = extracted(list);
  const named = set.heads.length === 0 || countHeaded(wantedOf(list), set.heads) > 0;
  if (!named || fields.length < 2 || set.frame.columns.length < fields.length) return false;
  const { columns } = set.frame;
  // What differs from row to row may be a value in all of them.
  const values = columns.filter(({ kind }) => kind !== "text" && kind !== "code").length;
  const wanted = fields.filter(({ type, format }) => type === "number" || type === "integer" || format === "date");
  return candidatesIn(set) >= FEWEST_ROWS && columns.length >= fields.length && values >= wanted.length;
}

/** Whether a list may be the one that a printed total is the sum of: taxes and discounts are put on that. */
const wantsAmounts = (list: DataList): boolean =>
  !namesCharge(nameOf(list)) && extracted(list).length >= 2 && extracted(list).some(({ type }) => type === "number");

/** The sets that have all of a list's fields for headings. */
export function headedWhole(list: DataList, sets: readonly RowSet[]): RowSet[] {
  const rated = headedShares(list, sets);
  return sets.filter((set) => (rated.get(set) ?? 0) >= 1);
}

/** Their rows. */
export const rowsHeaded = (list: DataList, sets: readonly RowSet[]): Unit[] =>
  headedWhole(list, sets).flatMap((set) => set.parts.flatMap((part) => candidatesOf(set, part)));

/**
 * The sets that a list is about whose items' rows do not tell; none where it cannot be told.
 * @param placed whether some of its items stand on rows: then kinds say no more than these
 */
export function headedSets(list: DataList, sets: readonly RowSet[], placed: boolean): RowSet[] {
  const rated = headedShares(list, sets);
  const best = Math.max(0, ...rated.values());
  if (best >= ENOUGH) return sets.filter((set) => (rated.get(set) ?? 0) >= best - 1e-9);
  if (placed) return [];
  const proven = wantsAmounts(list) ? sets.filter(({ parts }) => parts[0]?.kind === "addends") : [];
  const fitting = sets.filter((set) => fitsKinds(list, set));
  return [proven, fitting].find(({ length }) => length === 1) ?? [];
}

/** The one set of a document for the one list that is wanted of it, where nothing else tells: what else should it be? */
export function onlySet(lists: readonly DataList[], sets: readonly RowSet[]): RowSet[] {
  const long = sets.filter((set) => candidatesIn(set) >= FEWEST_ALONE);
  const [set] = long;
  const told = set !== undefined && long.length === 1 && TOLD.has(set.parts[0]?.kind ?? "table");
  return told && lists.length === 1 ? long : [];
}
