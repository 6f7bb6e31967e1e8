import { isObject, type Json, own } from "../../ports/json.ts";
import { pointTo } from "../schema/json-pointer.ts";
import type { Issue } from "./issue.ts";

/** Confidence that a missing field is an error when another extractor found a value, and when it is required. */
const FOUND_ELSEWHERE_CONFIDENCE = 0.85;
const REQUIRED_CONFIDENCE = 0.7;
const MAX_SCHEMA_DEPTH = 12;
const MAX_MISSING_FIELDS = 200;

const isEmpty = (value: Json | undefined): boolean => value === undefined || value === null || value === "";

/**
 * Issues of fields without a value.
 * @param second another extractor's value at this place; undefined inside of lists, whose rows do not correspond
 */
export function missingFields(schema: Json | undefined, result: Json, second: Json | undefined): Issue[] {
  const issues: Issue[] = [];
  const visit = (
    shape: Json | undefined,
    value: Json,
    other: Json | undefined,
    pointer: string,
    depth: number,
  ): void => {
    if (!isObject(shape) || depth > MAX_SCHEMA_DEPTH || issues.length >= MAX_MISSING_FIELDS) return;
    if (Array.isArray(value)) {
      for (const [at, item] of value.entries()) visit(shape.items, item, undefined, `${pointer}/${at}`, depth + 1);
      return;
    }
    if (!isObject(shape.properties) || !isObject(value)) return;
    const required = new Set(Array.isArray(shape.required) ? shape.required : []);
    for (const [name, member] of Object.entries(shape.properties)) {
      const given = own(value, name);
      const seen = isObject(other) ? own(other, name) : undefined;
      const at = pointTo(pointer, name);
      if (!isEmpty(given)) visit(member, given ?? null, seen, at, depth + 1);
      else if (required.has(name) || !(isEmpty(seen) || typeof seen === "object")) {
        issues.push(issueOf(at, required.has(name), seen));
      }
    }
  };
  visit(schema, result, second, "", 0);
  return issues;
}

function issueOf(pointer: string, required: boolean, seen: Json | undefined): Issue {
  const known =
    isEmpty(seen) || typeof seen === "object" ? "" : ` The document seems to state ${JSON.stringify(seen)}.`;
  return {
    pointer,
    kind: "missing-field",
    issue: `${required ? "A required field" : "A field"} has no value.${known}`,
    confidence:
      known === "" ? REQUIRED_CONFIDENCE : required ? FOUND_ELSEWHERE_CONFIDENCE : FOUND_ELSEWHERE_CONFIDENCE / 2,
    suggestion: "Look whether the document states it, and describe in the schema where it stands.",
    detail:
      known === "" ? "No other reading of the document found one either." : "Another reading of the document found it.",
  };
}
