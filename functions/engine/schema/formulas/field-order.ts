/** The order in which calculated fields are computed: each after the calculated fields that its formula names. */
import type { FaultList } from "../../../ports/member-faults.ts";
import type { Formula } from "./formula-syntax.ts";

/** A list's items, in a field's path. */
export const ITEMS = "*";
/** Names of a circle in its sentence. */
const MAX_SHOWN_FIELDS = 10;

export interface CalculatedField {
  /** Property names, ITEMS for the items of a list. */
  path: string[];
  /** JSON Pointer of the formula in the user's schema. */
  pointer: string;
  formula: Formula;
  /** The fields that the formula names, each once. */
  references: readonly (readonly string[])[];
  /** The types of the property, without null; empty: any. */
  types: readonly string[];
}

/** A property of the data with calculated fields in it, or one itself. References are resolved from scope to scope. */
class Scope {
  readonly parent: Scope | undefined;
  readonly inner = new Map<string, Scope>();
  /** The calculated field here. */
  field: CalculatedField | undefined;
  readonly #resolved = new Map<string, CalculatedField | undefined>();

  constructor(parent?: Scope) {
    this.parent = parent;
  }

  enter(name: string): Scope {
    let scope = this.inner.get(name);
    if (scope === undefined) {
      scope = new Scope(this);
      this.inner.set(name, scope);
    }
    return scope;
  }

  /** The calculated field that a reference means: the innermost scope that has it wins. Resolved once a scope. */
  resolve(reference: readonly string[]): CalculatedField | undefined {
    const key = reference.join(".");
    if (this.#resolved.has(key)) return this.#resolved.get(key);
    let found: CalculatedField | undefined;
    for (let scope: Scope | undefined = this; scope !== undefined && found === undefined; scope = scope.parent) {
      found = scope.#descend(reference);
    }
    this.#resolved.set(key, found);
    return found;
  }

  #descend(reference: readonly string[]): CalculatedField | undefined {
    let at: Scope | undefined = this;
    for (const name of reference) {
      at = at.inner.get(name);
      if (at === undefined) return undefined;
    }
    return at.field;
  }
}

const propertyNames = (path: readonly string[]): string[] => path.filter((name) => name !== ITEMS);

/** The scope around each field. */
function scopesOf(fields: readonly CalculatedField[]): ReadonlyMap<CalculatedField, Scope> {
  const root = new Scope();
  return new Map(
    fields.map((field) => {
      let scope = root;
      for (const name of propertyNames(field.path)) scope = scope.enter(name);
      scope.field = field;
      return [field, scope.parent ?? root];
    }),
  );
}

function circleSentence(circle: readonly CalculatedField[]): string {
  const names = circle.map(({ path }) => propertyNames(path).join("."));
  const [first = ""] = names;
  const shown = names.length > MAX_SHOWN_FIELDS ? [...names.slice(0, MAX_SHOWN_FIELDS), "…"] : names;
  return `the formulas need each other: ${[...shown, first].join(" → ")}`;
}

/** Sorts fields by their dependencies. @param faults gets the circles */
export function sortByDependency(fields: readonly CalculatedField[], faults: FaultList): CalculatedField[] {
  const scopes = scopesOf(fields);
  const ordered: CalculatedField[] = [];
  const state = new Map<CalculatedField, "open" | "done">();
  const above: CalculatedField[] = [];
  const visit = (field: CalculatedField): void => {
    if (state.get(field) === "done") return;
    if (state.get(field) === "open") {
      if (!faults.isFull) faults.add(field.pointer, circleSentence(above.slice(above.lastIndexOf(field))));
      return;
    }
    state.set(field, "open");
    above.push(field);
    for (const reference of field.references) {
      const needed = scopes.get(field)?.resolve(reference);
      if (needed !== undefined) visit(needed);
    }
    above.pop();
    state.set(field, "done");
    ordered.push(field);
  };
  for (const field of fields) visit(field);
  return ordered;
}
