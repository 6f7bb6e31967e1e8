/** Guesses are no data: values below a confidence become null, and are listed as candidates instead. */

import type { Json } from "../../ports/json.ts";
import type { Candidate, SourceLocation, SourceLocations, UnresolvedLeaf } from "../layout/source-locations.ts";
import { stepsOf } from "../schema/json-pointer.ts";
import { leavesOf } from "../schema/result-leaves.ts";
import { overallConfidence } from "./overall-confidence.ts";

/**
 * Confidence from which a value that was read without a model is given, where a command names none: more likely right
 * than wrong. `npm run bench -- confidence` measures how far that holds.
 */
export const MIN_OFFLINE_CONFIDENCE = 0.5;

/** Reason of a value that is null because it is not sure enough. */
export const UNSURE = "unsure";

export interface WithheldResult {
  /** The given result, changed in place; null where it was one unsure value itself. */
  result: Json;
  sources: SourceLocations;
  /** Number of values that became null. */
  withheld: number;
}

const own = (value: Json | undefined, step: string): Json | undefined =>
  typeof value === "object" && value !== null && Object.hasOwn(value, step)
    ? (value as { [name: string]: Json })[step]
    : undefined;

/** Replaces the value at a pointer. @returns the old value; undefined, with nothing changed, where there is none */
export function replaceAt(root: { value: Json }, pointer: string, value: Json): Json | undefined {
  const steps = ["value", ...stepsOf(pointer)];
  const last = steps.pop() ?? "";
  let holder: Json | undefined = root;
  for (const step of steps) holder = own(holder, step);
  const before = own(holder, last);
  if (before === undefined || typeof holder !== "object" || holder === null) return undefined;
  // A plain assignment to a member named __proto__ would set the prototype.
  Object.defineProperty(holder, last, { value, writable: true, enumerable: true, configurable: true });
  return before;
}

const placeOf = ({ resolution, sourceRefs, pageAnchors }: SourceLocation): NonNullable<Candidate["place"]> => ({
  resolution,
  sourceRefs,
  pageAnchors,
});

/**
 * Withholds the values of a result whose confidence is below `minConfidence`. Values without a confidence (computed,
 * constant, given) stay.
 * @param result changed in place
 */
export function withholdUnsure(result: Json, sources: SourceLocations, minConfidence: number): WithheldResult {
  const root = { value: result };
  const locations: [string, SourceLocation][] = [];
  const unsure: UnresolvedLeaf[] = [];
  const withhold = (
    pointer: string,
    { confidence, evidence }: { confidence: number; evidence?: UnresolvedLeaf["evidence"] },
    place: Pick<Candidate, "place">,
  ): boolean => {
    if (confidence >= minConfidence) return false;
    const value = replaceAt(root, pointer, null);
    if (value === undefined || value === null) return false;
    const candidates = [{ value, ...place, confidence }];
    unsure.push({ pointer, reason: UNSURE, candidates, ...(evidence === undefined ? {} : { evidence }) });
    return true;
  };
  for (const [pointer, location] of Object.entries(sources.locations))
    if (!withhold(pointer, location, { place: placeOf(location) })) locations.push([pointer, location]);
  const unresolved = sources.unresolved.filter(
    ({ pointer, confidence, ...leaf }) => confidence === undefined || !withhold(pointer, { confidence, ...leaf }, {}),
  );
  return {
    result: root.value,
    sources: { ...sources, locations: Object.fromEntries(locations), unresolved: [...unresolved, ...unsure] },
    withheld: unsure.length,
  };
}

/** Numbers of values with and without a source location, and the overall confidence of the values that are given. */
export function factsOfGiven(
  result: Json,
  { locations, unresolved }: SourceLocations,
): { found: number; unresolved: number; confidence: number | null } {
  const missing = new Map(unresolved.map(({ pointer, confidence }) => [pointer, confidence]));
  const judged = leavesOf(result, null, new Set()).values.flatMap(({ pointer, path }) => {
    const location = Object.hasOwn(locations, pointer) ? locations[pointer] : undefined;
    const confidence = location?.confidence ?? missing.get(pointer);
    return confidence === undefined ? [] : [{ path, confidence }];
  });
  const overall = overallConfidence(judged);
  return {
    found: Object.keys(locations).length,
    unresolved: unresolved.length,
    confidence: overall === null ? null : Number(overall.toFixed(3)),
  };
}

/** The unsure values of a result. */
export const unsureLeaves = ({ unresolved }: SourceLocations): UnresolvedLeaf[] =>
  unresolved.filter(({ reason }) => reason === UNSURE);

/** The result with its unsure values, to locate them elsewhere. @param result changed in place */
export function withCandidates(result: Json, unsure: readonly UnresolvedLeaf[]): Json {
  const root = { value: result };
  for (const { pointer, candidates: [first] = [] } of unsure)
    if (first !== undefined) replaceAt(root, pointer, first.value);
  return root.value;
}

/** Source locations of a result with its unsure values: these are unresolved again, with the places found for them. */
export function keepUnsure(sources: SourceLocations, unsure: readonly UnresolvedLeaf[]): SourceLocations {
  const pointers = new Set(unsure.map(({ pointer }) => pointer));
  const relocated = unsure.map((leaf): UnresolvedLeaf => {
    const location = Object.hasOwn(sources.locations, leaf.pointer) ? sources.locations[leaf.pointer] : undefined;
    const candidates = (leaf.candidates ?? []).map(({ value, confidence }) => ({
      value,
      ...(location === undefined ? {} : { place: placeOf(location) }),
      confidence,
    }));
    return { ...leaf, candidates };
  });
  return {
    ...sources,
    locations: Object.fromEntries(Object.entries(sources.locations).filter(([pointer]) => !pointers.has(pointer))),
    unresolved: [...sources.unresolved.filter(({ pointer }) => !pointers.has(pointer)), ...relocated],
  };
}
