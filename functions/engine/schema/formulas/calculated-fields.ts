/**
 * Calculated fields of a user's schema: properties with a formula (`x-docudevs`, or `x-calculated`) are taken out of what
 * is extracted and worked out afterwards, those first that others need. A field that a formula names is looked for
 * beside the formula's own property, then further out; through a list it means the values of all items.
 */

import type { MemberFault } from "../../../ports/errors.ts";
import { isObject, type Json, type JsonObject } from "../../../ports/json.ts";
import { pointTo } from "../json-pointer.ts";
import { evaluateFormula } from "./evaluate-formula.ts";
import { type Formula, FormulaError, parseFormula, referencesOf } from "./formula-syntax.ts";

/** A list's items, in a field's path. */
const ITEMS = "*";
/** Schemas are walked so deep, and so many fields are found. */
const DEEPEST = 32;
const MOST_FIELDS = 1000;
/** Definitions that refer to each other would be walked without end. */
const MOST_STEPS = 20_000;
/** Keywords whose values are data, not schemas. */
const LITERAL = new Set(["const", "default", "enum", "examples"]);

interface CalculatedField {
  /** Property names, ITEMS for the items of a list. */
  path: string[];
  /** Of the property's schema in the user's. */
  pointer: string;
  formula: Formula;
  type: string | undefined;
}

/** What a schema says about calculated fields. */
export interface CalculatedFields {
  /** The same schema without them. */
  schema: Json;
  /** In the order in which they are worked out. */
  fields: CalculatedField[];
}

/** What a property says of its formula; undefined for an ordinary one. */
function markOf(schema: Json | undefined): { mark: JsonObject; name: string } | undefined {
  if (!isObject(schema)) return undefined;
  for (const name of ["x-docudevs", "x-calculated"]) {
    const mark = schema[name];
    if (!isObject(mark)) continue;
    if (name === "x-calculated" || mark.fieldType === "calculated") return { mark, name };
  }
  return undefined;
}

/** Whether a property is filled by a formula. */
export const isCalculated = (schema: Json | undefined): boolean => markOf(schema) !== undefined;

/** The same schema without its calculated properties, wherever they stand, definitions included. */
function strip(schema: Json, depth: number): Json {
  if (Array.isArray(schema)) return schema.map((member) => strip(member, depth + 1));
  if (!isObject(schema) || depth > DEEPEST) return schema;
  const out: JsonObject = Object.fromEntries(
    Object.entries(schema).map(([name, member]) => [name, LITERAL.has(name) ? member : strip(member, depth + 1)]),
  );
  const { properties, required } = schema;
  if (!isObject(properties)) return out;
  const kept = Object.entries(properties).filter(([, property]) => !isCalculated(property));
  out.properties = Object.fromEntries(kept.map(([name, property]) => [name, strip(property, depth + 1)]));
  if (!Array.isArray(required)) return out;
  const names = new Set(Object.keys(properties).filter((name) => isCalculated(properties[name])));
  out.required = required.filter((name) => typeof name !== "string" || !names.has(name));
  return out;
}

/** The same schema with its calculated properties as ordinary ones, which are extracted. */
export function withoutFormulas(schema: Json, depth = 0): Json {
  if (Array.isArray(schema)) return schema.map((member) => withoutFormulas(member, depth + 1));
  if (!isObject(schema) || depth > DEEPEST) return schema;
  const marked = isCalculated(schema);
  const kept = Object.entries(schema).filter(
    ([name]) => !(marked && (name === "x-docudevs" || name === "x-calculated")),
  );
  return Object.fromEntries(
    kept.map(([name, member]) => [name, LITERAL.has(name) ? member : withoutFormulas(member, depth + 1)]),
  );
}

/** Finds the calculated properties of a schema by the paths that data has, references within the schema followed. */
class Walk {
  readonly fields: CalculatedField[] = [];
  readonly faults: MemberFault[] = [];
  readonly #root: Json;
  #steps = 0;

  constructor(root: Json) {
    this.#root = root;
  }

  visit(schema: Json | undefined, path: readonly string[], pointer: string, depth: number): void {
    this.#steps += 1;
    if (!isObject(schema) || depth > DEEPEST || this.#steps > MOST_STEPS) return;
    if (typeof schema.$ref === "string") {
      this.visit(at(this.#root, schema.$ref), path, schema.$ref.replace(/^#/, ""), depth + 1);
    }
    if (isObject(schema.properties)) {
      for (const [name, property] of Object.entries(schema.properties)) {
        const inner = pointTo(`${pointer}/properties`, name);
        const marked = markOf(property);
        if (marked === undefined) this.visit(property, [...path, name], inner, depth + 1);
        else this.#add([...path, name], inner, property as JsonObject, marked);
      }
    }
    this.visit(schema.items, [...path, ITEMS], `${pointer}/items`, depth + 1);
    for (const name of ["allOf", "anyOf", "oneOf"]) {
      const members = schema[name];
      if (!Array.isArray(members)) continue;
      for (const [index, member] of members.entries())
        this.visit(member, path, `${pointer}/${name}/${index}`, depth + 1);
    }
  }

  #add(
    path: string[],
    pointer: string,
    property: JsonObject,
    { mark, name }: { mark: JsonObject; name: string },
  ): void {
    const { formula } = mark;
    const expression = isObject(formula) ? formula.expression : (formula ?? mark.expression);
    const here = `${pointer}/${name}/formula`;
    if (typeof expression !== "string" || expression.trim() === "") {
      this.#fault(here, "must have an expression");
      return;
    }
    if (isObject(formula) && formula.lang !== undefined && String(formula.lang).toLowerCase() !== "excel") {
      this.#fault(`${here}/lang`, "must be excel");
      return;
    }
    if (this.fields.length === MOST_FIELDS) {
      this.#fault(here, `a schema has at most ${MOST_FIELDS} calculated fields`);
      return;
    }
    try {
      const type = Array.isArray(property.type) ? property.type.find((one) => one !== "null") : property.type;
      const formulaOf = parseFormula(expression);
      this.fields.push({ path, pointer: here, formula: formulaOf, type: typeof type === "string" ? type : undefined });
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error;
      this.#fault(`${here}/expression`, error.message);
    }
  }

  /** A definition that is used twice has its faults once. */
  #fault(path: string, message: string): void {
    if (!this.faults.some((fault) => fault.path === path)) this.faults.push({ path, message });
  }
}

/** What `#/a/b` means in a schema. */
function at(root: Json, reference: string): Json | undefined {
  if (!/^#(\/|$)/.test(reference)) return undefined;
  let value: Json | undefined = root;
  for (const part of reference.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

const withoutItems = (path: readonly string[]): string[] => path.filter((name) => name !== ITEMS);

/** The calculated field that a reference means, looked for from the inside out. */
function referred(field: CalculatedField, reference: readonly string[], byPath: Map<string, CalculatedField>) {
  for (let length = field.path.length - 1; length >= 0; length -= 1) {
    const scope = field.path.slice(0, length);
    const found = byPath.get(JSON.stringify([...withoutItems(scope), ...reference]));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Those first that others need. @param faults gets the cycles */
function inOrder(fields: readonly CalculatedField[], faults: MemberFault[]): CalculatedField[] {
  const byPath = new Map(fields.map((field) => [JSON.stringify(withoutItems(field.path)), field]));
  const ordered: CalculatedField[] = [];
  const state = new Map<CalculatedField, "open" | "done">();
  const visit = (field: CalculatedField, above: readonly CalculatedField[]): void => {
    if (state.get(field) === "done") return;
    if (state.get(field) === "open") {
      const cycle = [...above.slice(above.indexOf(field)), field].map(({ path }) => withoutItems(path).join("."));
      faults.push({ path: field.pointer, message: `the formulas need each other: ${cycle.join(" → ")}` });
      return;
    }
    state.set(field, "open");
    for (const reference of referencesOf(field.formula)) {
      const needed = referred(field, reference, byPath);
      if (needed !== undefined) visit(needed, [...above, field]);
    }
    state.set(field, "done");
    ordered.push(field);
  };
  for (const field of fields) visit(field, []);
  return ordered;
}

/** Takes the calculated fields out of a schema. @returns every fault of its formulas, cycles among them, where there are any */
export function readCalculatedFields(schema: Json): CalculatedFields | { faults: MemberFault[] } {
  const walk = new Walk(schema);
  walk.visit(schema, [], "", 0);
  const fields = walk.faults.length === 0 ? inOrder(walk.fields, walk.faults) : [];
  return walk.faults.length > 0 ? { faults: walk.faults } : { schema: strip(schema, 0), fields };
}

/** An object of the data with those around it, the innermost last. */
type Chain = readonly JsonObject[];

function* containers(data: Json, path: readonly string[], chain: Chain, pointer: string): Generator<[Chain, string]> {
  const [name, ...rest] = path;
  if (name === undefined) return;
  if (name === ITEMS) {
    if (!Array.isArray(data)) return;
    for (const [at, item] of data.entries()) yield* containers(item, rest, chain, `${pointer}/${at}`);
    return;
  }
  if (!isObject(data)) return;
  const inner = [...chain, data];
  if (rest.length === 0) yield [inner, pointer];
  else if (Object.hasOwn(data, name)) {
    yield* containers(data[name] ?? null, rest, inner, pointTo(pointer, name));
  }
}

function descend(value: Json, path: readonly string[]): Json | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => descend(item, path) ?? null);
  return isObject(value) && Object.hasOwn(value, name) ? descend(value[name] ?? null, rest) : undefined;
}

function lookIn(chain: Chain, path: readonly string[]): Json | undefined {
  const [name = ""] = path;
  const scope = chain.findLast((object) => Object.hasOwn(object, name));
  return scope && descend(scope, path);
}

/** The value as the property's type wants it; null where it cannot be that. */
function asType(value: Json, type: string | undefined): Json {
  if (value === null || type === undefined) return value;
  if (type === "string") return String(value);
  if (type === "integer") return Number.isInteger(value) ? value : null;
  return typeof value === type ? value : null;
}

/**
 * Works out the calculated fields of some data, which is changed.
 * @returns JSON Pointers of the values that were put there
 */
export function fillCalculated(data: Json, { fields }: CalculatedFields): string[] {
  const filled: string[] = [];
  for (const { path, formula, type } of fields) {
    const name = path.at(-1) ?? "";
    for (const [chain, pointer] of containers(data, path, [], "")) {
      const target = chain.at(-1);
      if (target === undefined) continue;
      const value = asType(
        evaluateFormula(formula, (reference) => lookIn(chain, reference)),
        type,
      );
      Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
      filled.push(pointTo(pointer, name));
    }
  }
  return filled;
}
