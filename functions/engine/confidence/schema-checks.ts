/** Checks single values against the user's schema again: an extractor without a model may violate it. */
import { safePattern } from "../values/safe-patterns.ts";
import { type Check, failedCheck, type KnownLeaf, quoteValue } from "./check.ts";

/** Pattern tests for one result: each is bounded, but not cheap. */
const MAX_PATTERN_TRIES = 2_000;

class PatternTests {
  readonly #tests = new Map<string, ((text: string) => boolean) | null>();
  readonly #known = new Map<string, boolean>();
  #left = MAX_PATTERN_TRIES;

  /** @returns null if unknown */
  accepts(pattern: string, text: string): boolean | null {
    let test = this.#tests.get(pattern);
    if (test === undefined) {
      test = safePattern(pattern);
      this.#tests.set(pattern, test);
    }
    if (test === null) return null;
    const key = `${pattern.length} ${pattern} ${text}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#left === 0) return null;
    this.#left -= 1;
    const accepted = test(text);
    this.#known.set(key, accepted);
    return accepted;
  }
}

function typeFits(type: string, value: string | number | boolean): boolean {
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

function faultOf({ leaf: { field, value } }: KnownLeaf, patterns: PatternTests): [string, string] | null {
  if (field.choices !== null && !field.choices.includes(value))
    return ["schema-enum", `${quoteValue(value)} is none of the values that the schema allows.`];
  if (!typeFits(field.type, value) && field.choices === null)
    return ["schema-type", `${quoteValue(value)} is not of the type ${field.type} that the schema asks for.`];
  if (typeof value === "number" && (value < field.minimum || value > field.maximum))
    return ["schema-range", `${quoteValue(value)} is outside of the range that the schema allows.`];
  if (typeof value !== "string") return null;
  if (value.length < field.minLength || value.length > field.maxLength)
    return ["schema-length", `${quoteValue(value)} is shorter or longer than the schema allows.`];
  if (field.pattern !== null && patterns.accepts(field.pattern, value) === false)
    return ["schema-pattern", `${quoteValue(value)} does not match the schema's pattern.`];
  return null;
}

/** Reports violations only: values are expected to fit their schema. */
export function checkSchema(known: readonly KnownLeaf[]): Check[] {
  const patterns = new PatternTests();
  return known.flatMap((one) => {
    const fault = faultOf(one, patterns);
    return fault === null ? [] : [failedCheck(fault[0], "schema", [one.leaf.pointer], fault[1])];
  });
}
