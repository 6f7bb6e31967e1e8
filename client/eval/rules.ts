import { isObject, type Json, type JsonObject } from "../json.ts";
import { type DateOrder, dayOf, isExact, isNear, isNormalised, numberIn, type Scalar, similarity } from "./values.ts";

/** The comparison of a value with the expected one. */
export type ComparisonRule =
  | { compare: "exact" | "normalised" }
  | { compare: "number"; absolute?: number; relative?: number }
  | { compare: "date"; order?: DateOrder }
  | { compare: "fuzzy"; least: number };

/** The alignment of lists: entries with the same key, the most similar ones, or those at the same index. */
export type AlignmentRule = { align: "key"; key: string[] } | { align: "best" | "order" };

export type Rule = ComparisonRule | AlignmentRule | { compare: "ignore" };

/** A rule and its fields: a JSON Pointer in which `*` stands for any one part. The rule includes everything below. */
export interface PatternRule {
  pattern: string;
  rule: Rule;
}

/** Rules that are malformed. */
export class RuleFault extends Error {}

/** Default similarity from which a fuzzy value is right. */
export const DEFAULT_FUZZY_SIMILARITY = 0.8;

const asObject = (value: Json): JsonObject | undefined => (isObject(value) ? value : undefined);

function positiveNumber(value: Json | undefined, name: string, pattern: string, most = Infinity): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && value >= 0 && value <= most) return value;
  throw new RuleFault(
    `${name} of the rule ${pattern} must be a number from 0${most === Infinity ? "" : ` to ${most}`}`,
  );
}

function numberRule(members: JsonObject, pattern: string): ComparisonRule {
  const absolute = positiveNumber(members.tolerance, "tolerance", pattern);
  const relative = positiveNumber(members.relative, "relative", pattern);
  return {
    compare: "number",
    ...(absolute === undefined ? {} : { absolute }),
    ...(relative === undefined ? {} : { relative }),
  };
}

const MEMBERS_BY_COMPARISON: Record<string, readonly string[]> = {
  number: ["tolerance", "relative"],
  date: ["order"],
  fuzzy: ["least"],
};

function comparisonOf(members: JsonObject, pattern: string): Rule {
  const { compare, order } = members;
  const known = ["compare", ...(MEMBERS_BY_COMPARISON[String(compare)] ?? [])];
  const unknown = Object.keys(members).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new RuleFault(`The rule ${pattern} has no member ${unknown} here`);
  if (compare === "exact" || compare === "normalised" || compare === "ignore") return { compare };
  if (compare === "number") return numberRule(members, pattern);
  if (compare === "fuzzy")
    return { compare, least: positiveNumber(members.least, "least", pattern, 1) ?? DEFAULT_FUZZY_SIMILARITY };
  if (compare === "date") {
    if (order === undefined) return { compare };
    if (order === "dmy" || order === "mdy") return { compare, order };
    throw new RuleFault(`order of the rule ${pattern} must be dmy or mdy`);
  }
  throw new RuleFault(`The rule ${pattern} must compare by exact, normalised, number, date, fuzzy or ignore`);
}

function alignmentOf({ align, key }: JsonObject, pattern: string): Rule {
  if (align === "best" || align === "order") return { align };
  const keys = typeof key === "string" ? [key] : key;
  if (align !== "key") throw new RuleFault(`The rule ${pattern} must align by key, best or order`);
  if (Array.isArray(keys) && keys.length > 0 && keys.every((one) => typeof one === "string")) {
    return { align, key: keys };
  }
  throw new RuleFault(`The rule ${pattern} aligns by key, so its key must name the members that make it`);
}

/**
 * Parses rules: `{"/total": {"compare": "number", "tolerance": 0.005}, "/note": "ignore", "/lines": {"align": "key",
 * "key": "sku"}}`.
 * @throws RuleFault
 */
export function parseRules(value: Json): PatternRule[] {
  const rules = asObject(value);
  if (rules === undefined) throw new RuleFault("rules must be an object: patterns of JSON Pointers to rules");
  return Object.entries(rules).map(([pattern, written]) => {
    if (!pattern.startsWith("/")) throw new RuleFault(`The pattern ${JSON.stringify(pattern)} must begin with /`);
    const members = typeof written === "string" ? { compare: written } : asObject(written);
    if (members === undefined) throw new RuleFault(`The rule ${pattern} must be a name or an object`);
    const rule = "align" in members ? alignmentOf(members, pattern) : comparisonOf(members, pattern);
    return { pattern, rule };
  });
}

/** The number of parts that a pattern shares with a field or its ancestor, `*` counting slightly less; -1 for no match. */
function matchedParts(pattern: string, field: readonly string[]): number {
  const parts = pattern.split("/").slice(1);
  if (parts.length > field.length) return -1;
  let close = 0;
  for (const [at, part] of parts.entries()) {
    if (part !== "*" && part !== field[at]) return -1;
    close += part === "*" ? 1 : 1.01;
  }
  return close;
}

function mostSpecificRule<R extends Rule>(
  rules: readonly PatternRule[],
  field: readonly string[],
  takes: (rule: Rule) => rule is R,
  whole: boolean,
): R | undefined {
  let found: R | undefined;
  let most = -1;
  for (const { pattern, rule } of rules) {
    const close = matchedParts(pattern, field);
    if (!takes(rule) || close < 0 || close < most) continue;
    if (whole && pattern.split("/").length - 1 !== field.length) continue;
    [found, most] = [rule, close];
  }
  return found;
}

const isAlignment = (rule: Rule): rule is AlignmentRule => "align" in rule;
const isComparison = (rule: Rule): rule is ComparisonRule | { compare: "ignore" } => "compare" in rule;

/** The alignment of a list; the default is by similarity. @param field parts of its pointer, `*` for an index */
export const alignmentFor = (rules: readonly PatternRule[], field: readonly string[]): AlignmentRule =>
  mostSpecificRule(rules, field, isAlignment, true) ?? { align: "best" };

/** The comparison of a value. Without a rule numbers compare as numbers, everything else normalised. */
export function comparisonFor(
  rules: readonly PatternRule[],
  field: readonly string[],
  expected: Json | undefined,
): ComparisonRule | { compare: "ignore" } {
  const rule = mostSpecificRule(rules, field, isComparison, false);
  return rule ?? (typeof expected === "number" ? { compare: "number" } : { compare: "normalised" });
}

/** Applies a comparison. */
export function isRight(expected: Scalar, got: Scalar, comparison: ComparisonRule): boolean {
  switch (comparison.compare) {
    case "exact":
      return isExact(expected, got);
    case "normalised":
      return isNormalised(expected, got);
    case "fuzzy":
      return similarity(expected, got) >= comparison.least;
    case "number": {
      const [x, y] = [numberIn(expected), numberIn(got)];
      return x === undefined || y === undefined ? isNormalised(expected, got) : isNear(x, y, comparison);
    }
    case "date": {
      const [x, y] = [dayOf(expected, comparison.order), dayOf(got, comparison.order)];
      return x === undefined || y === undefined ? isExact(expected, got) : x === y;
    }
  }
}
