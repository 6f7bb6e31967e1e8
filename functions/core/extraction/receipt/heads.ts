/** Which sets of rows a list may be about, where none of its items tells: by what heads their columns, else by their kinds. */
import { labelKey, splitName } from "../formats/text.ts";
import { meaningOf } from "../meaning.ts";
import type { Field } from "../schema.ts";
import { fieldsOf } from "../tabular/items.ts";
import { meaningsOfName } from "../vocabulary.ts";
import { namesCharge } from "./addends.ts";
import { type DataList, nameOf } from "./lists.ts";
import { candidatesOf, type RowSet } from "./sets.ts";
import type { Unit } from "./units.ts";

/** Of a list's fields, so many must be headed. */
const ENOUGH = 0.5;
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

/** Share of a list's fields that head columns of each set. */
function headedShares(list: DataList, sets: readonly RowSet[]): Map<RowSet, number> {
  const wanted = extracted(list).map(headOf);
  return new Map(
    sets.map((set) => {
      const heads = set.heads.map((head) => ({
        key: labelKey(head),
        concepts: meaningsOfName(splitName(head), true).map(({ concept }) => concept),
      }));
      const headed = wanted.filter(({ keys, concept }) =>
        heads.some(({ key, concepts }) => keys.has(key) || (concept !== null && concepts.includes(concept))),
      ).length;
      return [set, headed < Math.min(2, wanted.length) || headed === 0 ? 0 : headed / wanted.length];
    }),
  );
}

/** Whether a set without headings has a column for every field, and of values where values are wanted. */
function fitsKinds(list: DataList, set: RowSet): boolean {
  const fields = extracted(list);
  if (set.heads.length > 0 || fields.length < 2) return false;
  const { columns } = set.frame;
  const values = columns.filter(({ kind }) => kind === "number" || kind === "date").length;
  const wanted = fields.filter(({ type, format }) => type === "number" || type === "integer" || format === "date");
  const rows = set.parts.reduce((sum, part) => sum + candidatesOf(set, part).length, 0);
  return rows >= FEWEST_ROWS && columns.length >= fields.length && wanted.length > 0 && values >= wanted.length;
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
