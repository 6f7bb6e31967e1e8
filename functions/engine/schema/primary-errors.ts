import { isObject, type Json, own } from "../../ports/json.ts";
import { isLack, placeOf } from "./data-faults.ts";
import { SchemaResolver } from "./schema-resolver.ts";
import type { SchemaError } from "./validator.ts";

const ALTERNATIVES = new Set(["anyOf", "oneOf"]);
/** At a member they tell which alternative was not meant, at the value itself that none of its kind was. */
const TELLING = new Set(["const", "enum", "type"]);
/** Schemas looked at to tell which alternative an error is of. */
const MOST_STEPS = 500_000;

const isWithin = (place: string, outer: string): boolean => place === outer || place.startsWith(`${outer}/`);

/** Tells which part of a combination an error comes from. Ajv does not, where the part is a reference. */
class Branches {
  readonly #resolver: SchemaResolver;
  readonly #reached = new Map<Json, Set<unknown>>();
  #steps = 0;

  constructor(root: Json) {
    this.#resolver = new SchemaResolver(root);
  }

  /** The errors of a combination's parts, part by part: they stand right before its own. */
  before(errors: readonly SchemaError[], at: number): SchemaError[][] {
    const composite = errors[at];
    if (composite === undefined) return [];
    const parts: Json[] = Array.isArray(composite.schema) ? composite.schema : [composite.schema];
    const branches = new Map<number, SchemaError[]>();
    for (let before = at - 1; before >= 0; before -= 1) {
      const error = errors[before];
      if (error === undefined || !isWithin(error.instancePath, composite.instancePath)) break;
      const part = parts.findIndex((one) => this.#reach(one).has(error.parentSchema));
      if (part >= 0) branches.set(part, [error, ...(branches.get(part) ?? [])]);
    }
    return [...branches.values()];
  }

  /** Every schema inside, also behind references. */
  #reach(schema: Json): Set<unknown> {
    const known = this.#reached.get(schema);
    if (known !== undefined) return known;
    const reached = new Set<unknown>();
    const open: Json[] = [schema];
    for (let value = open.pop(); value !== undefined && this.#steps < MOST_STEPS; value = open.pop()) {
      this.#steps += 1;
      if (typeof value !== "object" || value === null || reached.has(value)) continue;
      reached.add(value);
      const reference = isObject(value) ? own(value, "$ref") : undefined;
      const target = typeof reference === "string" ? this.#resolver.find(reference) : undefined;
      if (target !== undefined) open.push(target);
      for (const member of Object.values(value)) open.push(member);
    }
    this.#reached.set(schema, reached);
    return reached;
  }
}

/** The lower, the likelier an alternative was meant. */
function distance(errors: readonly SchemaError[], place: string): number {
  return errors.reduce((sum, error) => {
    if (placeOf(error) === place && !isLack(error)) return sum + 1_000;
    if (error.keyword === "const") return sum + 100;
    return sum + (TELLING.has(error.keyword) ? 2 : 1);
  }, 0);
}

/** Whether a condition's error is told by the errors of what follows from it. */
function isTold(errors: readonly SchemaError[], condition: SchemaError): boolean {
  return errors.some((error) => error !== condition && isWithin(error.instancePath, condition.instancePath));
}

/**
 * The errors that name what is to be mended. Each stands where something is wrong (`placeOf`), or is a lack.
 * @param errors all of them, in Ajv's order @param root the schema that was compiled
 */
export function blame(errors: readonly SchemaError[], root: Json): SchemaError[] {
  const branches = new Branches(root);
  const dropped = new Set<SchemaError>();
  for (const [at, error] of errors.entries()) {
    if (!ALTERNATIVES.has(error.keyword) && error.keyword !== "contains") continue;
    const parts = branches.before(errors, at).map((part) => part.filter((inner) => !dropped.has(inner)));
    if (error.keyword === "contains") {
      for (const inner of parts.flat()) dropped.add(inner);
      continue;
    }
    const [best] = parts
      .filter((part) => part.length > 0)
      .map((part) => ({ part, distance: distance(part, error.instancePath) }))
      .sort((a, b) => a.distance - b.distance);
    const meant = best !== undefined && best.distance < 1_000 ? best.part : undefined;
    for (const inner of parts.flat()) dropped.add(inner);
    if (meant === undefined) continue;
    for (const inner of meant) dropped.delete(inner);
    dropped.add(error);
  }
  const left = errors.filter((error) => !dropped.has(error));
  return left.filter((error) => error.keyword !== "if" || !isTold(left, error));
}
