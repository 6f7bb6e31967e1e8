/** The leaves of any JSON result, each with its names and its schema. */
import type { Json } from "../../ports/json.ts";
import { pointTo } from "./json-pointer.ts";
import type { Field, ScalarType, Shape } from "./schema-shape.ts";

type Scalar = string | number | boolean;

/** A value to be located on the page. */
export interface Leaf {
  pointer: string;
  value: Scalar;
  field: Field;
  /** Names that lead to it, without list positions: all cells of a column share it. */
  path: string;
  /** Pointer of the object or list that contains it. */
  parent: string;
  /** Its list, and its item's index among all items of such lists; null outside of lists. */
  item: { list: string; at: number } | null;
}

interface ResultLeaves {
  values: Leaf[];
  /** Leaves that cannot be located, with the reason. */
  unlocatable: { pointer: string; reason: string }[];
}

interface Visit {
  value: Json;
  pointer: string;
  parent: string;
  names: readonly string[];
  path: string;
  shape: Shape | null;
  item: Leaf["item"];
}

const isScalar = (value: Json): value is Scalar => value !== null && typeof value !== "object";

/** Names above a value that may describe it. */
const MAX_PARENT_NAMES = 4;

const typeOf = (value: Scalar): ScalarType =>
  typeof value === "number" ? "number" : typeof value === "boolean" ? "boolean" : "string";

/** A member whose label another member has: `Date (2)` beside `Date`. */
const REPEATED_LABEL = /^(.+) \(\d{1,6}\)$/;

/** The label of a member without a schema. @param labels names of all members */
function labelOf(name: string, labels: ReadonlySet<string>): string {
  const [, label = name] = REPEATED_LABEL.exec(name) ?? [];
  return labels.has(label) ? label : name;
}

/** The field of a value without a schema. */
function plainField(value: Scalar, names: readonly string[], inItems: boolean): Field {
  return {
    name: names.at(-1) ?? "",
    path: [...names],
    title: "",
    description: "",
    type: typeOf(value),
    format: null,
    choices: null,
    constant: null,
    pattern: null,
    minLength: 0,
    maxLength: Number.POSITIVE_INFINITY,
    minimum: Number.NEGATIVE_INFINITY,
    maximum: Number.POSITIVE_INFINITY,
    calculated: false,
    inItems,
  };
}

const memberOf = (shape: Shape | null, name: string): Shape | null =>
  shape?.kind === "object" ? (shape.members.find((member) => member.name === name)?.shape ?? null) : null;

class LeafWalk {
  readonly values: Leaf[] = [];
  readonly unlocatable: ResultLeaves["unlocatable"] = [];
  readonly #calculated: ReadonlySet<string>;
  /** Number of items of each list so far, over all its instances. */
  readonly #items = new Map<string, number>();
  /** Fields by path: a schema's object may be visited once for every row. */
  readonly #fields = new Map<string, Field>();
  /** A stack instead of recursion: hostile data may be nested deeper than the call stack. */
  readonly #open: Visit[] = [];

  constructor(calculated: ReadonlySet<string>) {
    this.#calculated = calculated;
  }

  run(value: Json, shape: Shape | null): ResultLeaves {
    this.#open.push({ value, pointer: "", parent: "", names: [], path: "", shape, item: null });
    for (let visit = this.#open.pop(); visit !== undefined; visit = this.#open.pop()) this.#visit(visit);
    return { values: this.values, unlocatable: this.unlocatable };
  }

  #visit(visit: Visit): void {
    const { value, pointer } = visit;
    if (value === null) this.unlocatable.push({ pointer, reason: "null-value" });
    else if (isScalar(value)) this.#leaf(value, visit);
    else if (Object.keys(value).length === 0) this.unlocatable.push({ pointer, reason: "empty" });
    else if (Array.isArray(value)) this.#list(value, visit);
    else this.#members(value, visit);
  }

  #leaf(value: Scalar, visit: Visit): void {
    const { pointer, path, parent, item, shape } = visit;
    const field = shape?.kind === "scalar" ? shape.field : this.#plain(value, visit);
    if (field.calculated || this.#calculated.has(pointer)) this.unlocatable.push({ pointer, reason: "derived" });
    else if (typeof value === "string" && value.trim() === "") this.unlocatable.push({ pointer, reason: "empty" });
    else this.values.push({ pointer, value, field, path, parent, item });
  }

  #plain(value: Scalar, { names, path, item }: Visit): Field {
    const key = `${typeof value} ${path}`;
    const known = this.#fields.get(key) ?? plainField(value, names, item !== null);
    this.#fields.set(key, known);
    return known;
  }

  #list(value: Json[], visit: Visit): void {
    const { pointer, names, shape, item } = visit;
    const inner = shape?.kind === "list" ? shape.item : null;
    // A row given as a list: its cells are told apart by their indexes.
    const isRow = item !== null && visit.path.endsWith("/*");
    const list = `${visit.path}/*`;
    const first = this.#items.get(list) ?? 0;
    if (!isRow) this.#items.set(list, first + value.length);
    for (let at = value.length - 1; at >= 0; at -= 1) {
      this.#open.push({
        value: value[at] ?? null,
        pointer: pointTo(pointer, at),
        parent: pointer,
        names,
        path: isRow ? `${visit.path}/${at}` : list,
        shape: inner,
        item: isRow ? item : { list, at: first + at },
      });
    }
  }

  #members(value: { [member: string]: Json }, visit: Visit): void {
    const { pointer, path, item } = visit;
    const members = Object.entries(value);
    const labels = new Set(Object.keys(value));
    // In reverse, so that the first member is popped first.
    for (const [name, member] of members.reverse()) {
      this.#open.push({
        value: member,
        pointer: pointTo(pointer, name),
        parent: pointer,
        names: [...visit.names.slice(1 - MAX_PARENT_NAMES), visit.shape === null ? labelOf(name, labels) : name],
        path: pointTo(path, name),
        shape: memberOf(visit.shape, name),
        item,
      });
    }
  }
}

/**
 * Lists the leaves of a result in its order: scalars, and empty objects and lists, which stand nowhere.
 * @param calculated pointers of values that formulas filled
 */
export const leavesOf = (data: Json, shape: Shape | null, calculated: ReadonlySet<string>): ResultLeaves =>
  new LeafWalk(calculated).run(data, shape);
