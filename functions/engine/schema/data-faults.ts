/** Faults of data against its schema, in words for users. */
import { pointTo } from "./json-pointer.ts";
import type { SchemaError } from "./validator.ts";

/** A value that breaks the schema, or a missing one. */
export interface DataFault {
  /** JSON Pointer into the model's answer as it came. */
  pointer: string;
  message: string;
}

const MAX_MESSAGE_CHARS = 300;
const MAX_LISTED_CHOICES = 10;

/** Pointer of the faulty value; for a required or forbidden member, of the member. */
export function placeOf(error: SchemaError): string {
  const { missingProperty, additionalProperty, unevaluatedProperty, propertyName } = error.params as Record<
    string,
    unknown
  >;
  const name = missingProperty ?? additionalProperty ?? unevaluatedProperty ?? error.propertyName ?? propertyName;
  return typeof name === "string" ? pointTo(error.instancePath, name) : error.instancePath;
}

/** Keywords about missing values: taking a value out does not repair them. */
const MISSING_VALUE_KEYWORDS = new Set([
  "required",
  "dependentRequired",
  "dependencies",
  "minItems",
  "minProperties",
  "contains",
]);

/** Something is missing, rather than wrong. */
export const isLack = ({ keyword }: SchemaError): boolean => MISSING_VALUE_KEYWORDS.has(keyword);

/** Ajv's message in plain words, with its parameters. */
export function messageOf({ keyword, message, params, propertyName }: SchemaError): string {
  const given = params as Record<string, unknown>;
  const words = (): string => {
    if (keyword === "required" || keyword === "dependentRequired" || keyword === "dependencies") return "is required";
    if (keyword === "additionalProperties" || keyword === "unevaluatedProperties") return "must not be there";
    if (propertyName !== undefined) return `must not have this name: it ${message ?? "is not allowed"}`;
    if (keyword === "anyOf" || keyword === "oneOf") return "fits none of the alternatives, or too many of them";
    if (keyword === "not") return "is what the schema rules out";
    if (keyword === "if") return "does not fit what follows from its condition";
    if (keyword === "enum" && Array.isArray(given.allowedValues)) {
      const listed = given.allowedValues.slice(0, MAX_LISTED_CHOICES).map((value) => JSON.stringify(value));
      return `must be one of ${listed.join(", ")}${given.allowedValues.length > MAX_LISTED_CHOICES ? ", …" : ""}`;
    }
    if (keyword === "const") return `must be ${JSON.stringify(given.allowedValue)}`;
    if (keyword === "type") return `must be ${String(given.type).replaceAll(",", " or ")}`;
    return message?.replace(" NOT ", " not ") ?? "does not fit the schema";
  };
  const text = words();
  return text.length > MAX_MESSAGE_CHARS ? `${text.slice(0, MAX_MESSAGE_CHARS)}…` : text;
}
