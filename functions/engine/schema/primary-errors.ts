import { isObject, type Json, own } from "../../ports/json.ts";
import { isLack, placeOf } from "./data-faults.ts";
import { SchemaResolver } from "./schema-resolver.ts";
import type { SchemaError } from "./validator.ts";

const ALTERNATIVE_KEYWORDS = new Set(["anyOf", "oneOf"]);
/** An error of these at a member rules its alternative out; at the value itself, all alternatives of that kind. */
const DISCRIMINATING_KEYWORDS = new Set(["const", "enum", "type"]);
/** Schemas visited to assign errors to alternatives. */
const MAX_VISITED_SCHEMAS = 500_000;
/** Distance of an alternative that the value itself breaks. */
const RULED_OUT = 1_000;
const WRONG_CONSTANT = 100;

const isWithin = (place: string, outer: string): boolean => place === outer || place.startsWith(`${outer}/`);

/** Assigns errors to the parts of a combination. Ajv's paths do not, when the part is a reference. */
class CombinationParts {
  readonly #resolver: SchemaResolver;
  readonly #schemasWithin = new Map<Json, Set<unknown>>();
  #visited = 0;

  constructor(root: Json) {
    this.#resolver = new SchemaResolver(root);
  }

  /** The errors of a combination's parts, part by part. Ajv lists them right before the combination's own error. */
  errorsBefore(errors: readonly SchemaError[], at: number): SchemaError[][] {
    const composite = errors[at];
    if (composite === undefined) return [];
    const parts: Json[] = Array.isArray(composite.schema) ? composite.schema : [composite.schema];
    const branches = new Map<number, SchemaError[]>();
    for (let before = at - 1; before >= 0; before -= 1) {
      const error = errors[before];
      if (error === undefined || !isWithin(error.instancePath, composite.instancePath)) break;
      const part = parts.findIndex((one) => this.#within(one).has(error.parentSchema));
      if (part >= 0) branches.set(part, [error, ...(branches.get(part) ?? [])]);
    }
    return [...branches.values()];
  }

  /** All schemas inside of one, also behind references. */
  #within(schema: Json): Set<unknown> {
    const known = this.#schemasWithin.get(schema);
    if (known !== undefined) return known;
    const reached = new Set<unknown>();
    const open: Json[] = [schema];
    for (let value = open.pop(); value !== undefined && this.#visited < MAX_VISITED_SCHEMAS; value = open.pop()) {
      this.#visited += 1;
      if (typeof value !== "object" || value === null || reached.has(value)) continue;
      reached.add(value);
      const reference = isObject(value) ? own(value, "$ref") : undefined;
      const target = typeof reference === "string" ? this.#resolver.find(reference) : undefined;
      if (target !== undefined) open.push(target);
      for (const member of Object.values(value)) open.push(member);
    }
    this.#schemasWithin.set(schema, reached);
    return reached;
  }
}

/** Distance of the data from an alternative; the nearest one was meant. */
function distance(errors: readonly SchemaError[], place: string): number {
  return errors.reduce((sum, error) => {
    if (placeOf(error) === place && !isLack(error)) return sum + RULED_OUT;
    if (error.keyword === "const") return sum + WRONG_CONSTANT;
    return sum + (DISCRIMINATING_KEYWORDS.has(error.keyword) ? 2 : 1);
  }, 0);
}

/** The errors of a condition's `then` or `else` are listed too. */
function hasConsequence(errors: readonly SchemaError[], condition: SchemaError): boolean {
  return errors.some((error) => error !== condition && isWithin(error.instancePath, condition.instancePath));
}

/**
 * The errors that name the cause: errors of alternatives that were not meant are left out.
 * @param errors all errors, in Ajv's order @param root the compiled schema
 */
export function primaryErrors(errors: readonly SchemaError[], root: Json): SchemaError[] {
  const combinations = new CombinationParts(root);
  const dropped = new Set<SchemaError>();
  for (const [at, error] of errors.entries()) {
    if (!ALTERNATIVE_KEYWORDS.has(error.keyword) && error.keyword !== "contains") continue;
    const parts = combinations.errorsBefore(errors, at).map((part) => part.filter((inner) => !dropped.has(inner)));
    if (error.keyword === "contains") {
      for (const inner of parts.flat()) dropped.add(inner);
      continue;
    }
    const [best] = parts
      .filter((part) => part.length > 0)
      .map((part) => ({ part, distance: distance(part, error.instancePath) }))
      .sort((a, b) => a.distance - b.distance);
    const meant = best !== undefined && best.distance < RULED_OUT ? best.part : undefined;
    for (const inner of parts.flat()) dropped.add(inner);
    if (meant === undefined) continue;
    for (const inner of meant) dropped.delete(inner);
    dropped.add(error);
  }
  const left = errors.filter((error) => !dropped.has(error));
  return left.filter((error) => error.keyword !== "if" || !hasConsequence(left, error));
}
