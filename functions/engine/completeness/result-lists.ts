/** The lists of a result with their items, and the schema's lists that the result leaves empty. */
import { isObject, type Json } from "../../ports/json.ts";
import { pointTo } from "../schema/json-pointer.ts";
import type { Shape } from "../schema/schema-shape.ts";
import { isPlaceholder } from "../structure/records/cell-kinds.ts";
import { splitName } from "../values/text-folding.ts";

export interface ListItem {
  /** JSON Pointer. */
  pointer: string;
  /** Pointer of the list that contains it, and its index in that list. */
  list: string;
  index: number;
  value: Json;
  /** Its scalars, without those of inner lists. */
  leaves: { pointer: string; path: string; value: string | number | boolean }[];
}

/** All lists at one place of the schema: the `lines` of all sections are one. */
export interface DataList {
  /** Names that lead to it, list positions as `*`. */
  path: string;
  /** All its items are scalars. */
  scalars: boolean;
  items: ListItem[];
  /** Pointers of the lists, in the order of the result. */
  lists: string[];
  shape: (Shape & { kind: "list" }) | null;
}

/** The list's name in words; empty if the result itself is the list. */
export const listName = ({ path }: DataList): string =>
  splitName(
    path
      .split("/")
      .filter((step) => step !== "*")
      .at(-1) ?? "",
  ).join(" ");

/** The value consists of nulls and empty texts only. */
export const isEmpty = (value: Json): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.values(value).every(isEmpty));

/** The item holds placeholders only. Rows of all kinds print them, so they identify none. */
export const holdsOnlyPlaceholders = ({ leaves }: ListItem): boolean =>
  leaves.every(({ value }) => typeof value === "string" && isPlaceholder(value));

/** Values that an item needs to identify its row, in lists whose items have that many. */
const MIN_IDENTIFYING_VALUES = 2;

/** A text that names something; numbers and units stand on many rows. */
const NAMING_TEXT = /^(?=.*\p{L}).{4,}$/su;

/**
 * Makes a test whether an item has too few values to identify its row: placeholders only, or a single value that names
 * nothing or is shared, in a list whose other items have more.
 */
export function inconclusiveItemTest({ items }: DataList): (item: ListItem) => boolean {
  const mostLeaves = items.reduce((max, { leaves }) => Math.max(max, leaves.length), 0);
  const counts = new Map<string, number>();
  for (const { leaves } of items)
    if (leaves.length === 1) counts.set(String(leaves[0]?.value), (counts.get(String(leaves[0]?.value)) ?? 0) + 1);
  return (item) => {
    if (holdsOnlyPlaceholders(item)) return true;
    const [first, ...others] = item.leaves;
    if (others.length + 1 >= Math.min(MIN_IDENTIFYING_VALUES, mostLeaves)) return first === undefined;
    const value = first?.value;
    return !(typeof value === "string" && NAMING_TEXT.test(value) && counts.get(value) === 1);
  };
}

/** Deeper data is not searched for lists. */
const MAX_DEPTH = 32;

class ListWalk {
  readonly lists = new Map<string, DataList>();

  #list(path: string, shape: Shape | null): DataList {
    const known = this.lists.get(path);
    if (known !== undefined) return known;
    const list = { path, scalars: true, items: [], lists: [], shape: shape?.kind === "list" ? shape : null };
    this.lists.set(path, list);
    return list;
  }

  /** @param item the innermost item that contains the value */
  visit(value: Json, pointer: string, path: string, shape: Shape | null, item: ListItem | null, depth: number): void {
    if (depth > MAX_DEPTH) return;
    if (Array.isArray(value)) {
      // A row may be given as a list of its cells.
      if (item !== null && item.pointer === pointer) this.#cells(value, pointer, path, item);
      else this.#rows(value, pointer, path, shape, depth);
    } else if (isObject(value)) {
      const members = shape?.kind === "object" ? shape.members : [];
      for (const [name, member] of Object.entries(value)) {
        const inner = members.find((one) => one.name === name)?.shape ?? null;
        this.visit(member, pointTo(pointer, name), pointTo(path, name), inner, item, depth + 1);
      }
    } else if (value !== null && value !== "" && item !== null) item.leaves.push({ pointer, path, value });
  }

  #cells(value: readonly Json[], pointer: string, path: string, item: ListItem): void {
    for (const [at, cell] of value.entries())
      if (cell !== null && typeof cell !== "object" && cell !== "")
        item.leaves.push({ pointer: pointTo(pointer, at), path: pointTo(path, at), value: cell });
  }

  #rows(value: readonly Json[], pointer: string, path: string, shape: Shape | null, depth: number): void {
    const list = this.#list(path, shape);
    list.lists.push(pointer);
    const inner = shape?.kind === "list" ? shape.item : null;
    for (const [index, row] of value.entries()) {
      const item: ListItem = { pointer: pointTo(pointer, index), list: pointer, index, value: row, leaves: [] };
      if (typeof row === "object" && row !== null) list.scalars = false;
      list.items.push(item);
      this.visit(row, item.pointer, `${path}/*`, inner, item, depth + 1);
    }
  }

  /** Adds lists that the schema has and the result lacks or has empty; also lists inside of empty lists. */
  wanted(shape: Shape, pointer: string, inside: boolean): void {
    if (shape.kind === "object")
      for (const { name, shape: member } of shape.members) this.wanted(member, pointTo(pointer, name), inside);
    if (shape.kind !== "list") return;
    const list = this.#list(pointer, shape);
    if (list.items.length > 0) return;
    list.scalars = shape.item.kind !== "object";
    if (list.lists.length === 0 && !inside) list.lists.push(pointer);
    if (shape.item.kind === "object") this.wanted(shape.item, `${pointer}/*`, true);
  }
}

/**
 * Finds the lists whose rows can be counted. A list whose items contain lists of objects is left out: the rows of the
 * page are items of the inner lists.
 */
export function findLists(data: Json, shape: Shape | null): DataList[] {
  const walk = new ListWalk();
  walk.visit(data, "", "", shape, null, 0);
  if (shape !== null) walk.wanted(shape, "", false);
  const all = [...walk.lists.values()];
  const holds = (list: DataList): boolean =>
    all.some(
      (other) =>
        other.path.startsWith(`${list.path}/*/`) &&
        !other.scalars &&
        (other.items.length > 0 || list.items.length === 0),
    );
  return all.filter((list) => !holds(list));
}
