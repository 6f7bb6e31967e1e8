/**
 * Validation of data against a user's schema: Ajv, drafts 7 and 2020-12, with the formats of ajv-formats. Schemas are
 * untrusted: patterns are matched in bounded time, references stay inside the schema. Run it under a time limit.
 */
import {
  Ajv,
  type ErrorObject,
  type KeywordDefinition,
  type Options,
  type SchemaValidateFunction,
  type ValidateFunction,
} from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { JobFailure } from "../../ports/errors.ts";
import { isObject, type Json } from "../../ports/json.ts";
import { boundedPattern } from "./bounded-regex.ts";
import { canonicalText } from "./json-text.ts";
import { PatternError } from "./regex-syntax.ts";
import { costFault } from "./schema-cost.ts";
import { patternFault } from "./schema-fault.ts";
import { referenceFault } from "./schema-references.ts";

export type SchemaError = ErrorObject;

export interface Validator {
  /** The compiled schema: the errors' `schema` and `parentSchema` are parts of it. */
  schema: Json;
  /** All errors; none for valid data. @throws JobFailure when the check itself fails */
  check(data: Json): SchemaError[];
}

/** Longest value that is tested for a format: not all expressions of formats are linear. */
const MAX_FORMATTED_CHARS = 4_096;
/** Formats of content of any length. */
const CONTENT_FORMATS = new Set(["byte", "binary", "password"]);

const failure = (fault: string): JobFailure => new JobFailure(`Processing failed: The schema ${fault}`);
const patternFailure = (pattern: string, error: PatternError): JobFailure => failure(patternFault(pattern, error));

/** Ajv's interface to a regular expression engine; `toString` identifies equal patterns. */
function makePattern(source: string): { test(text: string): boolean; toString(): string } {
  try {
    const pattern = boundedPattern(source);
    return {
      test: (text) => {
        try {
          return pattern.test(text);
        } catch (error) {
          throw error instanceof PatternError ? patternFailure(source, error) : error;
        }
      },
      toString: () => source,
    };
  } catch (error) {
    throw error instanceof PatternError ? patternFailure(source, error) : error;
  }
}

const OPTIONS: Options = {
  strict: false,
  allErrors: true,
  // Errors carry their schema.
  verbose: true,
  // A property named `constructor` exists only when the data has it.
  ownProperties: true,
  validateSchema: false,
  inlineRefs: false,
  logger: false,
  code: { regExp: Object.assign((source: string) => makePattern(source), { code: "boundedPattern" }) },
};

type Format = (text: string) => boolean;

function formatTest(definition: (typeof fullFormats)["date"]): Format | undefined {
  if (definition instanceof RegExp) return (text) => definition.test(text);
  if (typeof definition === "function") return (text) => definition(text) === true;
  if (typeof definition !== "object" || definition === null || !("validate" in definition)) return undefined;
  const { validate, type } = definition;
  if (type === "number") return undefined;
  if (validate instanceof RegExp) return (text) => validate.test(text);
  return typeof validate === "function" ? (text) => (validate as Format)(text) === true : undefined;
}

function addFormats(ajv: Ajv): Ajv {
  for (const [name, definition] of Object.entries(fullFormats)) {
    const test = formatTest(definition);
    if (test === undefined || CONTENT_FORMATS.has(name)) ajv.addFormat(name, definition);
    else ajv.addFormat(name, (text: string) => text.length <= MAX_FORMATTED_CHARS && test(text));
  }
  return ajv;
}

/** Compares items by their canonical text: in linear time, and safe for members named like methods of objects. */
const uniqueItems: SchemaValidateFunction = (wanted: boolean, items: Json[]) => {
  const seen = new Map<string, number>();
  for (const [i, item] of wanted ? items.entries() : []) {
    const text = canonicalText(item);
    const j = seen.get(text);
    if (j !== undefined) {
      uniqueItems.errors = [
        { keyword: "uniqueItems", message: `must not have equal items (${j} and ${i} are)`, params: { i, j } },
      ];
      return false;
    }
    seen.set(text, i);
  }
  return true;
};

function withOwnKeywords(ajv: Ajv): Ajv {
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({ keyword: "uniqueItems", type: "array", schemaType: "boolean", errors: true, validate: uniqueItems });
  return addFormats(ajv);
}

/** Keywords of draft 2020-12 that Ajv's class for draft 7 takes as a vocabulary; `minContains` covers `maxContains`. */
const LATER_KEYWORDS = ["dependentRequired", "dependentSchemas", "minContains"];
let laterKeywords: KeywordDefinition[] | undefined;

const definitionsOf = (ajv: Ajv, names: readonly string[]): KeywordDefinition[] =>
  names.map((name) => ajv.getKeyword(name)).filter((definition) => typeof definition === "object");

/** Keywords that only Ajv's class for draft 2020-12 supports. */
const LATEST_ONLY_KEYWORDS = [
  "prefixItems",
  "unevaluatedProperties",
  "unevaluatedItems",
  "$dynamicRef",
  "$dynamicAnchor",
];

/** The schema has a keyword that only draft 2020-12 supports. */
function needsLatest(schema: Json): boolean {
  const open: Json[] = [schema];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    if (isObject(value) && LATEST_ONLY_KEYWORDS.some((keyword) => Object.hasOwn(value, keyword))) return true;
    for (const member of Object.values(value)) open.push(member);
  }
  return false;
}

/**
 * Ajv for a schema's draft. Its class for draft 2020-12, which tracks evaluated members, makes code that throws for some
 * schemas: only schemas that need it get it; the others get that draft's keywords as a vocabulary.
 */
function ajvFor(schema: Json): Ajv {
  const named = isObject(schema) && typeof schema.$schema === "string" ? schema.$schema : "";
  if (named.includes("draft-07")) return new Ajv({ ...OPTIONS, meta: false });
  if (needsLatest(schema)) return new Ajv2020({ ...OPTIONS, meta: false });
  const ajv = new Ajv({ ...OPTIONS, meta: false, next: true });
  laterKeywords ??= definitionsOf(new Ajv2020({ ...OPTIONS, meta: false }), LATER_KEYWORDS);
  return ajv.addVocabulary(laterKeywords);
}

/** Removes `$schema`, so that Ajv does not look up an unknown draft. */
function withoutDraft(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const { $schema: _, ...rest } = schema;
  return rest;
}

function compileFault(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  const reference = /can't resolve reference (\S{1,200})/.exec(message)?.[1];
  if (reference !== undefined) return referenceFault(reference);
  return error instanceof RangeError ? "nests or combines too much to be checked" : "cannot be used for checking";
}

/** Validators used last, by the schema's text: one run compiles the same schema several times. */
const recentValidators = new Map<string, Validator>();
const MAX_RECENT_VALIDATORS = 8;
const MAX_CACHED_SCHEMA_CHARS = 200_000;

/**
 * Compiles a user's schema, or returns its cached validator.
 * @param schema known to be JSON Schema
 * @throws JobFailure with one sentence about a schema that cannot be used
 */
export function compileSchema(schema: Json): Validator {
  const text = JSON.stringify(schema);
  const validator = recentValidators.get(text) ?? makeValidator(schema);
  if (text.length > MAX_CACHED_SCHEMA_CHARS) return validator;
  recentValidators.delete(text);
  recentValidators.set(text, validator);
  const [oldest] = recentValidators.keys();
  if (recentValidators.size > MAX_RECENT_VALIDATORS && oldest !== undefined) recentValidators.delete(oldest);
  return validator;
}

function makeValidator(schema: Json): Validator {
  const fault = costFault(schema);
  if (fault !== undefined) throw failure(fault);
  const compiled = withoutDraft(schema);
  let validate: ValidateFunction;
  try {
    validate = withOwnKeywords(ajvFor(schema)).compile(isObject(compiled) ? compiled : compiled === true);
  } catch (error) {
    throw error instanceof JobFailure ? error : failure(compileFault(error));
  }
  return {
    schema: compiled,
    check(data) {
      try {
        return validate(data) === true ? [] : [...(validate.errors ?? [])];
      } catch (error) {
        if (error instanceof JobFailure) throw error;
        const deep = error instanceof RangeError;
        throw failure(deep ? "refers to itself too often to be checked" : "cannot be used to check this answer");
      }
    },
  };
}
