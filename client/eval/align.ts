import { isObject, type Json, type JsonObject } from "../json.ts";
import { bestPairs } from "./assignment.ts";
import type { AlignmentRule } from "./rules.ts";
import { isScalar, normalise, similarity } from "./values.ts";

/** Indices of paired entries; all other entries are unpaired. */
export type IndexPairs = [expected: number, got: number][];

/** Entries below this similarity are not paired. */
const MIN_PAIR_SIMILARITY = 0.3;
/** Up to this number of pairs all entries are compared with all. */
const MAX_COMPARED_PAIRS = 40_000;
/** A trait that more entries share does not tell them apart. */
const MAX_ENTRIES_PER_TRAIT = 50;

const membersOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
const memberOf = (value: Json | undefined, name: string): Json =>
  Object.hasOwn(membersOf(value), name) ? (membersOf(value)[name] ?? null) : null;

/** A canonical text: values that differ only in notation have the same one. */
function canonicalText(value: Json): string {
  if (typeof value === "number") return String(Number(value.toPrecision(12)));
  if (typeof value === "string") return JSON.stringify(normalise(value));
  if (isScalar(value)) return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalText(memberOf(value, name))}`).join()}}`;
}

/** The returned entry, reduced to the members of the expected one. */
const onlyMembers = (got: Json, names: readonly string[]): Json =>
  isScalar(got) || Array.isArray(got) ? got : Object.fromEntries(names.map((name) => [name, memberOf(got, name)]));

/** The similarity of two entries, 0 to 1: the mean over the members of the expected one. */
function entrySimilarity(expected: Json, got: Json): number {
  if (isScalar(expected)) return isScalar(got) ? similarity(expected, got) : 0;
  if (isScalar(got)) return 0;
  if (Array.isArray(expected)) return canonicalText(expected) === canonicalText(got) ? 1 : 0.5;
  const names = Object.keys(expected).filter((name) => memberOf(expected, name) !== null);
  if (names.length === 0) return Object.keys(membersOf(got)).length === 0 ? 1 : MIN_PAIR_SIMILARITY;
  const total = names.reduce((sum, name) => sum + entrySimilarity(memberOf(expected, name), memberOf(got, name)), 0);
  return total / names.length;
}

/** Pairs entries with equal keys, in order. */
function pairByKey(
  expected: Iterable<number>,
  got: Iterable<number>,
  expectedKey: (at: number) => string | undefined,
  gotKey: (at: number) => string | undefined,
): IndexPairs {
  const waiting = new Map<string, number[]>();
  for (const at of got) {
    const key = gotKey(at);
    if (key === undefined) continue;
    const list = waiting.get(key);
    if (list === undefined) waiting.set(key, [at]);
    else list.push(at);
  }
  for (const list of waiting.values()) list.reverse();
  return [...expected].flatMap((at): IndexPairs => {
    const key = expectedKey(at);
    const found = key === undefined ? undefined : waiting.get(key)?.pop();
    return found === undefined ? [] : [[at, found]];
  });
}

/** Pairs entries that are equal in all members of the expected one. */
function pairEqual(expected: readonly Json[], got: readonly Json[]): IndexPairs {
  const groups = Map.groupBy(expected.keys(), (at) => JSON.stringify(Object.keys(membersOf(expected[at])).sort()));
  const free = new Set(got.keys());
  return [...groups].flatMap(([names, places]): IndexPairs => {
    const spoken: string[] = JSON.parse(names);
    const pairs = pairByKey(
      places,
      free,
      (at) => canonicalText(expected[at] ?? null),
      (at) => canonicalText(onlyMembers(got[at] ?? null, spoken)),
    );
    for (const [, at] of pairs) free.delete(at);
    return pairs;
  });
}

/** Canonical members with values: the index of entries in long lists. */
const traitsOf = (entry: Json): string[] =>
  isScalar(entry)
    ? [canonicalText(entry)]
    : Object.entries(membersOf(entry)).flatMap(([name, value]) =>
        value === null ? [] : [`${name} ${canonicalText(value)}`],
      );

/** Pairs entries that share a rare trait, the most similar first. */
function pairByTraits(
  expected: readonly Json[],
  got: readonly Json[],
  left: readonly number[],
  right: readonly number[],
): IndexPairs {
  const having = new Map<string, number[]>();
  for (const at of right) {
    for (const trait of traitsOf(got[at] ?? null)) {
      const list = having.get(trait);
      if (list === undefined) having.set(trait, [at]);
      else list.push(at);
    }
  }
  const candidates = left.flatMap((at) => {
    const entry = expected[at] ?? null;
    const sharing = traitsOf(entry).flatMap((trait) => {
      const list = having.get(trait) ?? [];
      return list.length > MAX_ENTRIES_PER_TRAIT ? [] : list;
    });
    return [...new Set(sharing)].map((other) => ({ at, other, like: entrySimilarity(entry, got[other] ?? null) }));
  });
  candidates.sort((a, b) => b.like - a.like || Math.abs(a.at - a.other) - Math.abs(b.at - b.other));
  const [taken, used] = [new Set<number>(), new Set<number>()];
  return candidates.flatMap(({ at, other, like }): IndexPairs => {
    if (like < MIN_PAIR_SIMILARITY || taken.has(at) || used.has(other)) return [];
    taken.add(at);
    used.add(other);
    return [[at, other]];
  });
}

function pairMostSimilar(expected: readonly Json[], got: readonly Json[]): IndexPairs {
  const same = pairEqual(expected, got);
  const [taken, used] = [new Set(same.map(([at]) => at)), new Set(same.map(([, at]) => at))];
  const left = [...expected.keys()].filter((at) => !taken.has(at));
  const right = [...got.keys()].filter((at) => !used.has(at));
  if (left.length * right.length > MAX_COMPARED_PAIRS) return [...same, ...pairByTraits(expected, got, left, right)];
  const pairs = bestPairs(left.length, right.length, (i, j) => {
    const like = entrySimilarity(expected[left[i] ?? -1] ?? null, got[right[j] ?? -1] ?? null);
    return like < MIN_PAIR_SIMILARITY ? 0 : like;
  });
  return [...same, ...pairs.map(([i, j]): [number, number] => [left[i] ?? -1, right[j] ?? -1])];
}

const keyOf = (entry: Json | undefined, names: readonly string[]): string | undefined => {
  const values = names.map((name) => memberOf(entry, name));
  return values.includes(null) ? undefined : values.map((value) => normalise(String(value))).join("\u0000");
};

/** The pairs of two lists, in the order of the expected list. */
export function alignLists(expected: readonly Json[], got: readonly Json[], alignment: AlignmentRule): IndexPairs {
  let pairs: IndexPairs;
  if (alignment.align === "order") {
    pairs = Array.from({ length: Math.min(expected.length, got.length) }, (_, at) => [at, at]);
  } else if (alignment.align === "key") {
    const { key } = alignment;
    pairs = pairByKey(
      expected.keys(),
      got.keys(),
      (at) => keyOf(expected[at], key),
      (at) => keyOf(got[at], key),
    );
  } else pairs = pairMostSimilar(expected, got);
  return pairs.sort(([a], [b]) => a - b);
}
