/**
 * `when`: conditions over paths and literals. There are no numeric operators; a validate node sorts numbers into
 * buckets.
 */
import { createHash } from "node:crypto";
import { type Findings, isObject, type Json, pointTo, quote } from "./diagnostics.ts";
import { isPathText, type Path, parsePath, unescapeDollar } from "./paths.ts";

/** A path, or the fact of a literal. */
export type Operand = Path | { readonly kind: "fact"; readonly text: string };

export type Condition =
  | { readonly kind: "eq" | "ne"; readonly left: Operand; readonly right: Operand }
  | { readonly kind: "exists"; readonly path: Path }
  | { readonly kind: "and" | "or"; readonly conditions: readonly Condition[] }
  | { readonly kind: "not"; readonly condition: Condition };

const OPERATORS = ["eq", "ne", "exists", "and", "or", "not"] as const;
const MAX_CONDITION_DEPTH = 16;
const MAX_CONDITION_PARTS = 200;
/**
 * Conditions of a whole pipeline, each `eq`, `and` and so on counted while it is read: each becomes some 100 bytes of
 * the state machine, which has at most 1 MB.
 */
export const MAX_CONDITIONS = 2_000;

/** Longer facts are replaced by their hash in a machine's state. */
const MAX_FACT_CHARACTERS = 200;

/** JSON with sorted members: equal values give equal texts. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`);
  return `{${members.join(",")}}`;
}

/** The fact of a value, which machines compare: its canonical JSON, or the SHA-256 of that above 200 characters. */
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
/** Replaces a faulty condition, so that its siblings are still checked. */
const PLACEHOLDER_CONDITION: Condition = Object.freeze({ kind: "eq", left: NULL_FACT, right: NULL_FACT });

/** Reads the conditions of one pipeline; counts them. */
export class ConditionReader {
  readonly #findings: Findings;
  readonly #most: number;
  #count = 0;

  /** @param most conditions of the pipeline */
  constructor(findings: Findings, most = MAX_CONDITIONS) {
    this.#findings = findings;
    this.#most = most;
  }

  /** @returns undefined for a faulty condition; the faults are reported */
  read(value: Json, path: string, depth = 0): Condition | undefined {
    this.#count += 1;
    if (this.#count > this.#most) return this.#tooMany(path);
    const [operator, ...others] = isObject(value) ? Object.keys(value) : [];
    const kind = OPERATORS.find((one) => one === operator);
    if (!isObject(value) || kind === undefined || others.length > 0) {
      const got = operator === undefined || kind !== undefined ? "" : `; ${quote(operator)} is none of them`;
      return this.#fault("invalid-condition", path, `A condition has one of ${OPERATORS.join(", ")}${got}`);
    }
    if (depth > MAX_CONDITION_DEPTH) {
      return this.#fault("too-deep", path, `Conditions may be nested at most ${MAX_CONDITION_DEPTH} levels deep`);
    }
    const inner = value[kind] ?? null;
    const at = pointTo(path, kind);
    if (kind === "exists") {
      const read = readPath(inner, at, this.#findings);
      return read && Object.freeze({ kind, path: read });
    }
    if (kind === "not") {
      const condition = this.read(inner, at, depth + 1);
      return condition && Object.freeze({ kind, condition });
    }
    return kind === "eq" || kind === "ne" ? this.#comparison(kind, inner, at) : this.#parts(kind, inner, at, depth);
  }

  #fault(code: string, path: string, message: string): undefined {
    return reportFault(this.#findings, code, path, message);
  }

  /** Reports the first condition over the limit; those behind it are not read. */
  #tooMany(path: string): undefined {
    if (this.#count > this.#most + 1) return undefined;
    const most = this.#most.toLocaleString("en-US");
    return this.#fault("too-many", path, `A pipeline may have at most ${most} conditions; join or leave out some`);
  }

  #comparison(kind: "eq" | "ne", inner: Json, at: string): Condition | undefined {
    if (!Array.isArray(inner) || inner.length !== 2) {
      return this.#fault("invalid-condition", at, `${quote(kind)} compares a list of two, paths or values`);
    }
    const [left, right] = inner.map((value, index) => readOperand(value, pointTo(at, index), this.#findings));
    return Object.freeze({ kind, left: left ?? NULL_FACT, right: right ?? NULL_FACT });
  }

  #parts(kind: "and" | "or", inner: Json, at: string, depth: number): Condition | undefined {
    if (!Array.isArray(inner) || inner.length === 0 || inner.length > MAX_CONDITION_PARTS) {
      return this.#fault(
        "invalid-condition",
        at,
        `${quote(kind)} has a list of 1 to ${MAX_CONDITION_PARTS} conditions`,
      );
    }
    const conditions = inner.map(
      (part, index) => this.read(part, pointTo(at, index), depth + 1) ?? PLACEHOLDER_CONDITION,
    );
    return Object.freeze({ kind, conditions: Object.freeze(conditions) });
  }
}

/** All paths of a condition with their JSON Pointers. @param at the condition's pointer */
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

/** All paths of a condition. */
export function* pathsOf(condition: Condition): Generator<Path> {
  for (const { path } of referencesOf(condition, "")) yield path;
}

/** The value of a condition that does not depend on its paths; undefined when it does. */
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
