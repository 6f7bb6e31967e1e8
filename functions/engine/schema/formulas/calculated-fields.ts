/**
 * Calculated fields of a user's schema: properties with a formula (`x-docudevs`, or `x-calculated`) are not extracted but
 * computed afterwards, in the order of their dependencies. A field in a formula is looked up beside the formula's own
 * property, then further out; through a list it means the values of all items.
 */

import type { MemberFault } from "../../../ports/errors.ts";
import { isObject, type Json, type JsonObject, setOwn } from "../../../ports/json.ts";
import { FaultList } from "../../../ports/member-faults.ts";
import { pointTo } from "../json-pointer.ts";
import { SchemaResolver } from "../schema-resolver.ts";
import { evaluateFormula } from "./evaluate-formula.ts";
import { type CalculatedField, ITEMS, sortByDependency } from "./field-order.ts";
import { type Formula, FormulaError, parseFormula, referencesOf } from "./formula-syntax.ts";

/** Ends the walk over definitions that refer to themselves. */
const MAX_DATA_DEPTH = 64;
const MAX_CALCULATED_FIELDS = 1000;
/** Ends the walk over definitions that refer to each other. */
const MAX_VISITED_SCHEMAS = 20_000;
/** Fields that all formulas name, each counted once a formula: each is looked up in the scopes around the formula. */
const MAX_FORMULA_REFERENCES = 10_000;
/** Keywords whose values are data, not schemas. */
const LITERAL_KEYWORDS = new Set(["const", "default", "enum", "examples"]);

/** A schema's calculated fields, and the rest of it. */
export interface CalculatedFields {
  /** Without the calculated fields. */
  schema: Json;
  /** In the order of computation. */
  fields: CalculatedField[];
}

/** The extension member that makes a property calculated; undefined for an ordinary property. */
function formulaMarkOf(schema: Json | undefined): { mark: JsonObject; name: string } | undefined {
  if (!isObject(schema)) return undefined;
  for (const name of ["x-docudevs", "x-calculated"]) {
    const mark = schema[name];
    if (!isObject(mark)) continue;
    if (name === "x-calculated" || mark.fieldType === "calculated") return { mark, name };
  }
  return undefined;
}

/** A formula fills the property. */
export const isCalculated = (schema: Json | undefined): boolean => formulaMarkOf(schema) !== undefined;

/** The schema without its calculated properties at any depth, also in definitions. Visits each place once. */
function removeCalculated(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(removeCalculated);
  if (!isObject(schema)) return schema;
  const { properties, required } = schema;
  const removed = new Set<Json>();
  const reduced: JsonObject = Object.fromEntries(
    Object.entries(schema).map(([name, member]) => {
      if (name !== "properties" || !isObject(member)) {
        return [name, LITERAL_KEYWORDS.has(name) ? member : removeCalculated(member)];
      }
      const kept = Object.entries(member).filter(([own, property]) => {
        if (!isCalculated(property)) return true;
        removed.add(own);
        return false;
      });
      return [name, Object.fromEntries(kept.map(([own, property]) => [own, removeCalculated(property)]))];
    }),
  );
  if (!isObject(properties) || !Array.isArray(required)) return reduced;
  reduced.required = required.filter((name) => !removed.has(name));
  return reduced;
}

/** The schema with its calculated properties as ordinary ones, to be extracted. */
export function withoutFormulas(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutFormulas);
  if (!isObject(schema)) return schema;
  const marked = isCalculated(schema);
  const kept = Object.entries(schema).filter(
    ([name]) => !(marked && (name === "x-docudevs" || name === "x-calculated")),
  );
  return Object.fromEntries(
    kept.map(([name, member]) => [name, LITERAL_KEYWORDS.has(name) ? member : withoutFormulas(member)]),
  );
}

/** True when a formula's mark stands anywhere in a schema: most have none, and are not walked along their references. */
function hasFormulas(schema: Json): boolean {
  const open: Json[] = [schema];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    if (isCalculated(value)) return true;
    for (const member of Object.values(value)) open.push(member);
  }
  return false;
}

/** An expression, parsed once however often its definition is used. */
interface ParsedFormula {
  formula: Formula;
  references: readonly (readonly string[])[];
}

/** Finds a schema's calculated properties, with their paths in the data. Follows references within the schema. */
class CalculatedFieldFinder {
  readonly fields: CalculatedField[] = [];
  readonly faults = new FaultList();
  readonly #resolver: SchemaResolver;
  readonly #parsed = new Map<string, ParsedFormula>();
  #visited = 0;
  #references = 0;

  constructor(root: Json) {
    this.#resolver = new SchemaResolver(root);
  }

  visit(schema: Json | undefined, path: readonly string[], pointer: string, depth: number): void {
    this.#visited += 1;
    if (!isObject(schema) || depth > MAX_DATA_DEPTH || this.#visited > MAX_VISITED_SCHEMAS) return;
    if (this.faults.isFull) return;
    if (typeof schema.$ref === "string" && /^#(\/|$)/.test(schema.$ref)) {
      this.visit(this.#resolver.find(schema.$ref), path, schema.$ref.slice(1), depth + 1);
    }
    if (isObject(schema.properties)) {
      for (const [name, property] of Object.entries(schema.properties)) {
        if (this.faults.isFull) return;
        const inner = pointTo(`${pointer}/properties`, name);
        const marked = formulaMarkOf(property);
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
    if (this.fields.length === MAX_CALCULATED_FIELDS) {
      this.#fault(here, `a schema has at most ${MAX_CALCULATED_FIELDS} calculated fields`);
      return;
    }
    try {
      const parsed = this.#parse(expression);
      this.#references += parsed.references.length;
      if (this.#references > MAX_FORMULA_REFERENCES) {
        this.#fault(
          here,
          `the formulas of a schema name at most ${MAX_FORMULA_REFERENCES.toLocaleString("en-US")} fields`,
        );
        return;
      }
      this.fields.push({ path, pointer: here, ...parsed, types: typesOf(property) });
    } catch (error) {
      if (!(error instanceof FormulaError)) throw error;
      this.#fault(`${here}/expression`, error.message);
    }
  }

  #parse(expression: string): ParsedFormula {
    let parsed = this.#parsed.get(expression);
    if (parsed === undefined) {
      const formula = parseFormula(expression);
      parsed = { formula, references: referencesOf(formula) };
      this.#parsed.set(expression, parsed);
    }
    return parsed;
  }

  /** Faults of a definition that is used twice are reported once. */
  #fault(path: string, message: string): void {
    this.faults.add(path, message);
  }
}

/** Takes the calculated fields out of a schema. @returns all faults of its formulas, cycles included, when there are any */
export function readCalculatedFields(schema: Json): CalculatedFields | { faults: MemberFault[] } {
  if (!hasFormulas(schema)) return { schema, fields: [] };
  const finder = new CalculatedFieldFinder(schema);
  finder.visit(schema, [], "", 0);
  const { faults } = finder;
  const fields = faults.isEmpty ? sortByDependency(finder.fields, faults) : [];
  return faults.isEmpty ? { schema: removeCalculated(schema), fields } : { faults: faults.all };
}

/** An object of the data with the objects around it, the innermost last. */
type ScopeChain = readonly JsonObject[];

/** The objects that hold the path's last property, with their pointers. */
function* holdersOf(
  data: Json,
  path: readonly string[],
  chain: ScopeChain,
  pointer: string,
): Generator<[ScopeChain, string]> {
  const [name, ...rest] = path;
  if (name === undefined) return;
  if (name === ITEMS) {
    if (!Array.isArray(data)) return;
    for (const [at, item] of data.entries()) yield* holdersOf(item, rest, chain, `${pointer}/${at}`);
    return;
  }
  if (!isObject(data)) return;
  const inner = [...chain, data];
  if (rest.length === 0) yield [inner, pointer];
  else if (Object.hasOwn(data, name)) {
    yield* holdersOf(data[name] ?? null, rest, inner, pointTo(pointer, name));
  }
}

function descend(value: Json, path: readonly string[]): Json | undefined {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => descend(item, path) ?? null);
  return isObject(value) && Object.hasOwn(value, name) ? descend(value[name] ?? null, rest) : undefined;
}

function lookUpInScopes(chain: ScopeChain, path: readonly string[]): Json | undefined {
  const [name = ""] = path;
  const scope = chain.findLast((object) => Object.hasOwn(object, name));
  return scope && descend(scope, path);
}

/** The types of a calculated property, without null. */
const typesOf = ({ type }: JsonObject): string[] =>
  (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string" && one !== "null") as string[];

const isOfType = (value: Json, type: string): boolean =>
  type === "integer" ? Number.isInteger(value) : typeof value === type;

/** The value in one of the property's types: as it is, or as text; null when it fits none. */
function asType(value: Json, types: readonly string[]): Json {
  if (value === null || types.length === 0 || types.some((type) => isOfType(value, type))) return value;
  return types.includes("string") ? String(value) : null;
}

/**
 * Computes the calculated fields of some data, in place.
 * @returns JSON Pointers of the computed values
 */
export function fillCalculated(data: Json, { fields }: CalculatedFields): string[] {
  const filled: string[] = [];
  for (const { path, formula, types } of fields) {
    const name = path.at(-1) ?? "";
    for (const [chain, pointer] of holdersOf(data, path, [], "")) {
      const target = chain.at(-1);
      if (target === undefined) continue;
      const value = asType(
        evaluateFormula(formula, (reference) => lookUpInScopes(chain, reference)),
        types,
      );
      setOwn(target, name, value);
      filled.push(pointTo(pointer, name));
    }
  }
  return filled;
}
