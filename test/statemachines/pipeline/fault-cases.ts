/** The notation of the tables of malformed definitions. */
import type { Json, JsonObject } from "../../support/oracle/scenario.ts";

export interface FaultCase {
  what: string;
  definition: Json;
  /** `code path` of all faults, sorted. */
  faults: string[];
}

export const FINAL: JsonObject = { id: "f", type: "final", output: 1 };
export const deep = (levels: number, inner: Json, wrap: (value: Json) => Json): Json =>
  levels === 0 ? inner : deep(levels - 1, wrap(inner), wrap);

export const whole = (what: string, definition: Json, ...faults: string[]): FaultCase => ({ what, definition, faults });
/** A definition with these members and a final node. */
export const top = (what: string, members: JsonObject, ...faults: string[]): FaultCase =>
  whole(what, { nodes: [FINAL], ...members }, ...faults);
/** A node before a final node. */
export const node = (what: string, own: JsonObject, ...faults: string[]): FaultCase =>
  whole(what, { nodes: [{ id: "a", ...own }, FINAL] }, ...faults);
export const extract = (what: string, own: JsonObject, ...faults: string[]): FaultCase =>
  node(what, { type: "extract", ...own }, ...faults);
export const when = (what: string, condition: Json, ...faults: string[]): FaultCase =>
  extract(what, { when: condition }, ...faults);
export const validate = (what: string, own: JsonObject, ...faults: string[]): FaultCase =>
  node(what, { type: "validate", validator: "bucket", input: 1, ...own }, ...faults);
export const transform = (what: string, own: JsonObject, ...faults: string[]): FaultCase =>
  node(what, { type: "transform", input: {}, ...own }, ...faults);
export const output = (what: string, value: Json, ...faults: string[]): FaultCase =>
  whole(what, { nodes: [{ id: "f", type: "final", output: value }] }, ...faults);
