/** Conditions of a pipeline's nodes. There are no numeric operators: a `validate` node sorts numbers into buckets. */
import type { Json } from "./json.ts";
import { type Referring, wireOf } from "./pipeline-references.ts";

declare const CONDITION: unique symbol;

/** A condition on values of a run, for `when`. */
export interface Condition {
  /** Exists for the compiler only. */
  readonly [CONDITION]: true;
}

const condition = (operator: string, operands: Json): Condition => ({ [operator]: operands }) as unknown as Condition;
const all = (conditions: readonly Condition[]): Json => conditions as unknown as Json;

/** True when both are equal; false when a path finds nothing. */
export const eq = <T>(left: Referring<T>, right: NoInfer<T> | Referring<NoInfer<T>> | null): Condition =>
  condition("eq", wireOf([left, right]));

/** True when both differ; false when a path finds nothing. */
export const ne = <T>(left: Referring<T>, right: NoInfer<T> | Referring<NoInfer<T>> | null): Condition =>
  condition("ne", wireOf([left, right]));

/** True when the run has the value. */
export const exists = (value: Referring<unknown>): Condition => condition("exists", wireOf(value));

export const and = (...conditions: Condition[]): Condition => condition("and", all(conditions));
export const or = (...conditions: Condition[]): Condition => condition("or", all(conditions));
export const not = (one: Condition): Condition => condition("not", one as unknown as Json);
