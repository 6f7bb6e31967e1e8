/** `when`: conditions over paths and literals. There are no numeric operators; a validate node makes buckets of numbers. */
import { createHash } from "node:crypto";
import { type Findings, isObject, type Json, pointTo, quote } from "./diagnostics.ts";
import { isPathText, type Path, parsePath, unescapeDollar } from "./paths.ts";

/** A path, or a value as its fact. */
export type Operand = Path | { readonly kind: "fact"; readonly text: string };

export type Condition =
  | { readonly kind: "eq" | "ne"; readonly left: Operand; readonly right: Operand }
  | { readonly kind: "exists"; readonly path: Path }
  | { readonly kind: "and" | "or"; readonly conditions: readonly Condition[] }
  | { readonly kind: "not"; readonly condition: Condition };

const OPERATORS = ["eq", "ne", "exists", "and", "or", "not"] as const;
const MAX_CONDITION_DEPTH = 16;
const MAX_CONDITION_PARTS = 200;

/** Longer texts stand in a machine's state as their hash. */
const MAX_FACT_CHARACTERS = 200;

/** JSON with its members sorted, so that equal values are equal texts. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`);
  return `{${members.join(",")}}`;
}

/** What a machine compares of a value: its canonical JSON, over 200 characters the SHA-256 of it. */
export function factOf(value: Json): string {
  const text = canonicalJson(value);
  return text.length <= MAX_FACT_CHARACTERS ? text : `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

const reportFault = (findings: Findings, code: string, path: string, message: string): undefined => {
  findings.fault(code, path, message);
  return undefined;
};

function readPath(value: Json, path: string, findings: Findings): Path | undefined {
  if (typeof value !== "string" || !isPathText(value)) {
    return reportFault(findings, "invalid-condition", path, "It must be a path such as $nodes.ID.result.member");
  }
  const read = parsePath(value);
  return typeof read === "string" ? reportFault(findings, "invalid-path", path, read) : read;
}

function readOperand(value: Json, path: string, findings: Findings): Operand | undefined {
  if (typeof value === "string" && isPathText(value)) return readPath(value, path, findings);
  return Object.freeze({ kind: "fact", text: factOf(typeof value === "string" ? unescapeDollar(value) : value) });
}

const NULL_FACT: Operand = Object.freeze({ kind: "fact", text: "null" });
/** Stands where there is a fault, so that what stands beside it is looked at all the same. */
const PLACEHOLDER_CONDITION: Condition = Object.freeze({ kind: "eq", left: NULL_FACT, right: NULL_FACT });

/** @returns undefined when it is none; what is wrong in it is told */
export function readCondition(value: Json, path: string, findings: Findings, depth = 0): Condition | undefined {
  const [operator, ...others] = isObject(value) ? Object.keys(value) : [];
  const kind = OPERATORS.find((one) => one === operator);
  if (!isObject(value) || kind === undefined || others.length > 0) {
    const got = operator === undefined || kind !== undefined ? "" : `; ${quote(operator)} is none of them`;
    return reportFault(findings, "invalid-condition", path, `A condition has one of ${OPERATORS.join(", ")}${got}`);
  }
  if (depth > MAX_CONDITION_DEPTH) {
    return reportFault(
      findings,
      "too-deep",
      path,
      `Conditions may be nested at most ${MAX_CONDITION_DEPTH} levels deep`,
    );
  }
  const inner = value[kind] ?? null;
  const at = pointTo(path, kind);
  if (kind === "exists") {
    const read = readPath(inner, at, findings);
    return read && Object.freeze({ kind, path: read });
  }
  if (kind === "not") {
    const condition = readCondition(inner, at, findings, depth + 1);
    return condition && Object.freeze({ kind, condition });
  }
  return kind === "eq" || kind === "ne"
    ? readComparison(kind, inner, at, findings)
    : readParts(kind, inner, at, findings, depth);
}

function readComparison(kind: "eq" | "ne", inner: Json, at: string, findings: Findings): Condition | undefined {
  if (!Array.isArray(inner) || inner.length !== 2) {
    return reportFault(findings, "invalid-condition", at, `${quote(kind)} compares a list of two, paths or values`);
  }
  const [left, right] = inner.map((value, index) => readOperand(value, pointTo(at, index), findings));
  return Object.freeze({ kind, left: left ?? NULL_FACT, right: right ?? NULL_FACT });
}

function readParts(
  kind: "and" | "or",
  inner: Json,
  at: string,
  findings: Findings,
  depth: number,
): Condition | undefined {
  if (!Array.isArray(inner) || inner.length === 0 || inner.length > MAX_CONDITION_PARTS) {
    return reportFault(
      findings,
      "invalid-condition",
      at,
      `${quote(kind)} has a list of 1 to ${MAX_CONDITION_PARTS} conditions`,
    );
  }
  const conditions = inner.map(
    (part, index) => readCondition(part, pointTo(at, index), findings, depth + 1) ?? PLACEHOLDER_CONDITION,
  );
  return Object.freeze({ kind, conditions: Object.freeze(conditions) });
}

/** Every path that a condition reads, with its place; `at` is the condition's. */
export function* referencesOf(condition: Condition, at: string): Generator<{ path: Path; place: string }> {
  const place = pointTo(at, condition.kind);
  if ("path" in condition) yield { path: condition.path, place };
  else if ("condition" in condition) yield* referencesOf(condition.condition, place);
  else if ("conditions" in condition) {
    for (const [index, part] of condition.conditions.entries()) yield* referencesOf(part, pointTo(place, index));
  } else {
    for (const [index, operand] of [condition.left, condition.right].entries()) {
      if (operand.kind === "path") yield { path: operand, place: pointTo(place, index) };
    }
  }
}

/** Every path that a condition reads. */
export function* pathsOf(condition: Condition): Generator<Path> {
  for (const { path } of referencesOf(condition, "")) yield path;
}

/** What a condition is whatever its paths give; undefined when that depends on them. */
export function constantOf(condition: Condition): boolean | undefined {
  switch (condition.kind) {
    case "exists":
      return undefined;
    case "not": {
      const inner = constantOf(condition.condition);
      return inner === undefined ? undefined : !inner;
    }
    case "and":
    case "or": {
      const parts = condition.conditions.map(constantOf);
      const deciding = condition.kind === "or";
      if (parts.includes(deciding)) return deciding;
      return parts.includes(undefined) ? undefined : !deciding;
    }
    default: {
      const { left, right } = condition;
      if (left.kind === "path" || right.kind === "path") return undefined;
      return (left.text === right.text) === (condition.kind === "eq");
    }
  }
}
