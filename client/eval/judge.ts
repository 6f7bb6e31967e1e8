import { isObject, type Json, type JsonObject } from "../json.ts";
import { alignLists } from "./align.ts";
import { alignmentFor, comparisonFor, isRight, type PatternRule } from "./rules.ts";
import { isEmpty, isExact, isNormalised, isScalar, type Scalar, similarity } from "./values.ts";

/**
 * `wrong`: a different value; `missing`: no value; `spurious`: a value where none is expected; `absent`: rightly no
 * value.
 */
type Verdict = "right" | "wrong" | "missing" | "spurious" | "absent";

export interface Judgement {
  /** JSON Pointer with `*` for every index, the same in all documents. */
  field: string;
  /** Pointer into the expected data; null for a value in the returned data only. */
  expectedAt: string | null;
  /** Pointer into the returned data. */
  gotAt: string | null;
  expected: Scalar;
  got: Scalar;
  verdict: Verdict;
  /** Equal to the letter, and equal once normalised. */
  exact: boolean;
  normalised: boolean;
  /** 0 to 1. */
  similarity: number;
}

/** A place in the data: the parts of its pointers. */
interface ValuePlace {
  field: readonly string[];
  expectedAt: readonly string[] | null;
  gotAt: readonly string[] | null;
}

/** A JSON Pointer. Source: RFC 6901. */
const jsonPointer = (parts: readonly string[]): string =>
  parts.map((part) => `/${part.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

const childPlace = (place: ValuePlace, field: string, expected: string | null, got: string | null): ValuePlace => ({
  field: [...place.field, field],
  expectedAt: expected === null || place.expectedAt === null ? null : [...place.expectedAt, expected],
  gotAt: got === null || place.gotAt === null ? null : [...place.gotAt, got],
});

class Judge {
  readonly judgements: Judgement[] = [];
  readonly #rules: readonly PatternRule[];

  constructor(rules: readonly PatternRule[]) {
    this.#rules = rules;
  }

  /** @param expected undefined: no value is allowed @param got undefined: nothing was returned */
  judge(expected: Json | undefined, got: Json | undefined, place: ValuePlace): void {
    if (comparisonFor(this.#rules, place.field, undefined).compare === "ignore") return;
    if (Array.isArray(expected)) this.#list(expected, got, place);
    else if (expected !== undefined && !isScalar(expected)) this.#members(expected, got, place);
    else if (got === undefined || isScalar(got)) this.#value(expected ?? null, got ?? null, place);
    else this.#instead(expected, got, place);
  }

  /** A list or an object in place of a single value or none. */
  #instead(expected: Scalar | undefined, got: Json[] | JsonObject, place: ValuePlace): void {
    if (!isEmpty(expected)) this.#value(expected ?? null, null, { ...place, gotAt: null });
    const parts = Array.isArray(got) ? [...got.entries()].map(([at, one]) => ["*", String(at), one] as const) : [];
    const members = Array.isArray(got) ? [] : Object.entries(got).map(([name, one]) => [name, name, one] as const);
    for (const [field, part, one] of [...parts, ...members]) {
      if (!isEmpty(one)) this.judge(undefined, one, childPlace(place, field, null, part));
    }
  }

  #value(expected: Scalar, got: Scalar, { field, expectedAt, gotAt }: ValuePlace): void {
    const comparison = comparisonFor(this.#rules, field, expected);
    if (comparison.compare === "ignore") return;
    const [none, nothing] = [isEmpty(expected), isEmpty(got)];
    let verdict: Verdict = isRight(expected, got, comparison) ? "right" : "wrong";
    if (none) verdict = nothing ? "absent" : "spurious";
    else if (nothing) verdict = "missing";
    this.judgements.push({
      field: jsonPointer(field),
      expectedAt: expectedAt === null ? null : jsonPointer(expectedAt),
      gotAt: gotAt === null || nothing ? null : jsonPointer(gotAt),
      expected,
      got,
      verdict,
      exact: none ? nothing : isExact(expected, got),
      normalised: none ? nothing : isNormalised(expected, got),
      similarity: similarity(expected, got),
    });
  }

  #members(expected: JsonObject, got: Json | undefined, place: ValuePlace): void {
    const members = isObject(got) ? got : undefined;
    // A member that is not in the expected data is not judged: its author made no statement about it.
    for (const [name, value] of Object.entries(expected)) {
      const other = members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
      this.judge(value, other, childPlace(place, name, name, name));
    }
    if (members === undefined && got !== undefined && !isEmpty(got))
      this.judge(undefined, got, { ...place, expectedAt: null });
  }

  #list(expected: readonly Json[], got: Json | undefined, place: ValuePlace): void {
    const entries = Array.isArray(got) ? got : [];
    if (!Array.isArray(got) && got !== undefined && !isEmpty(got)) {
      this.judge(undefined, got, { ...place, expectedAt: null });
    }
    const pairs = new Map(alignLists(expected, entries, alignmentFor(this.#rules, place.field)));
    const first = this.judgements.length;
    expected.forEach((entry, at) => {
      const other = pairs.get(at);
      const found = other === undefined ? undefined : entries[other];
      this.judge(entry, found, childPlace(place, "*", String(at), other === undefined ? null : String(other)));
    });
    // Members of spurious entries are judged only if an expected entry has them.
    const spoken = new Set(this.judgements.slice(first).map(({ field }) => field));
    const paired = new Set(pairs.values());
    const surplus = new Judge(this.#rules);
    entries.forEach((entry, at) => {
      if (!paired.has(at) && !isEmpty(entry)) surplus.judge(undefined, entry, childPlace(place, "*", null, String(at)));
    });
    for (const judgement of surplus.judgements) {
      if (expected.length === 0 || spoken.has(judgement.field)) this.judgements.push(judgement);
    }
  }
}

/**
 * Judges every value of the expected data. Null states that there is no value; an absent member is not judged; a list
 * is complete, so that an additional entry is spurious.
 * @param got undefined when a run gave no data: all values are missing
 */
export function judge(expected: Json, got: Json | undefined, rules: readonly PatternRule[] = []): Judgement[] {
  const one = new Judge(rules);
  one.judge(expected, got, { field: [], expectedAt: [], gotAt: [] });
  return one.judgements;
}
