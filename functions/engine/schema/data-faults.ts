/** What is wrong with data, in words for whoever reads it. */
import { pointTo } from "./json-pointer.ts";
import type { SchemaError } from "./validator.ts";

/** A value that does not fit, or is missing. */
export interface DataFault {
  /** JSON Pointer into the model's answer, before anything was taken out of it. */
  pointer: string;
  message: string;
}

const LONGEST_MESSAGE = 300;
const MOST_NAMED = 10;

/** Where the error is: for what must or must not be there, the member itself. */
export function placeOf(error: SchemaError): string {
  const { missingProperty, additionalProperty, unevaluatedProperty, propertyName } = error.params as Record<
    string,
    unknown
  >;
  const name = missingProperty ?? additionalProperty ?? unevaluatedProperty ?? error.propertyName ?? propertyName;
  return typeof name === "string" ? pointTo(error.instancePath, name) : error.instancePath;
}

/** What is missing rather than wrong: nothing that stands there could be taken out to mend it. */
const LACKS = new Set(["required", "dependentRequired", "dependencies", "minItems", "minProperties", "contains"]);

export const isLack = ({ keyword }: SchemaError): boolean => LACKS.has(keyword);

/** Ajv's message, with what its parameters add. */
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
      const listed = given.allowedValues.slice(0, MOST_NAMED).map((value) => JSON.stringify(value));
      return `must be one of ${listed.join(", ")}${given.allowedValues.length > MOST_NAMED ? ", …" : ""}`;
    }
    if (keyword === "const") return `must be ${JSON.stringify(given.allowedValue)}`;
    if (keyword === "type") return `must be ${String(given.type).replaceAll(",", " or ")}`;
    return message?.replace(" NOT ", " not ") ?? "does not fit the schema";
  };
  const text = words();
  return text.length > LONGEST_MESSAGE ? `${text.slice(0, LONGEST_MESSAGE)}…` : text;
}
