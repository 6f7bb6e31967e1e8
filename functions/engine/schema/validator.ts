/**
 * Whether data fits a user's schema: Ajv, both drafts, with the formats of ajv-formats. A schema is a stranger's: its
 * patterns are matched in bounded time, its references stay inside it. To be run where its time is bounded too.
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
import { canonical } from "./json-text.ts";
import { PatternError } from "./regex-syntax.ts";
import { costFault } from "./schema-cost.ts";
import { patternFault, referenceFault } from "./schema-fault.ts";

export type SchemaError = ErrorObject;

export interface Validator {
  /** As it was compiled: what the errors' `schema` and `parentSchema` are parts of. */
  schema: Json;
  /** Every error; none for data that fits. @throws JobFailure when it cannot be told */
  check(data: Json): SchemaError[];
}

/** Characters of a value that is held against a format, whose expressions are not all linear. */
const LONGEST_FORMATTED = 4_096;
/** Formats that are content rather than a shape, of any length. */
const CONTENT_FORMATS = new Set(["byte", "binary", "password"]);

const failure = (fault: string): JobFailure => new JobFailure(`Processing failed: The schema ${fault}`);
const patternFailure = (pattern: string, error: PatternError): JobFailure => failure(patternFault(pattern, error));

/** Ajv's way to other regular expressions; the text of the pattern tells equal ones. */
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
  // Errors tell their schema.
  verbose: true,
  // A property named `constructor` is there only where the data has it.
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
    else ajv.addFormat(name, (text: string) => text.length <= LONGEST_FORMATTED && test(text));
  }
  return ajv;
}

/** Equal items by their texts: in linear time, and also where items have members named like methods of objects. */
const uniqueItems: SchemaValidateFunction = (wanted: boolean, items: Json[]) => {
  const seen = new Map<string, number>();
  for (const [i, item] of wanted ? items.entries() : []) {
    const text = canonical(item);
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

function withOurs(ajv: Ajv): Ajv {
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({ keyword: "uniqueItems", type: "array", schemaType: "boolean", errors: true, validate: uniqueItems });
  return addFormats(ajv);
}

/** The last stands for the greatest number too. */
const LATER_KEYWORDS = ["dependentRequired", "dependentSchemas", "minContains"];
let laterKeywords: KeywordDefinition[] | undefined;

const definitionsOf = (ajv: Ajv, names: readonly string[]): KeywordDefinition[] =>
  names.map((name) => ajv.getKeyword(name)).filter((definition) => typeof definition === "object");

const LATEST_ONLY = ["prefixItems", "unevaluatedProperties", "unevaluatedItems", "$dynamicRef", "$dynamicAnchor"];

/** Whether a keyword of the later draft stands anywhere. */
function needsLatest(schema: Json): boolean {
  const open: Json[] = [schema];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== "object" || value === null) continue;
    if (isObject(value) && LATEST_ONLY.some((keyword) => Object.hasOwn(value, keyword))) return true;
    for (const member of Object.values(value)) open.push(member);
  }
  return false;
}

/**
 * Ajv for a schema's draft. Its class for the later one, which keeps account of what was evaluated, makes code that
 * throws for some schemas: it serves only those that need it, and a vocabulary has the other keywords of that draft.
 */
function ajvFor(schema: Json): Ajv {
  const named = isObject(schema) && typeof schema.$schema === "string" ? schema.$schema : "";
  if (named.includes("draft-07")) return new Ajv({ ...OPTIONS, meta: false });
  if (needsLatest(schema)) return new Ajv2020({ ...OPTIONS, meta: false });
  const ajv = new Ajv({ ...OPTIONS, meta: false, next: true });
  laterKeywords ??= definitionsOf(new Ajv2020({ ...OPTIONS, meta: false }), LATER_KEYWORDS);
  return ajv.addVocabulary(laterKeywords);
}

/** The draft is chosen by us: an unknown $schema must not be looked up. */
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

/** Schemas that were used last, by their text: one run asks several times for the same. */
const recent = new Map<string, Validator>();
const MOST_RECENT = 8;
const LONGEST_RECENT = 200_000;

/**
 * @param schema a user's, already found to be JSON Schema
 * @throws JobFailure with one sentence about the schema where it cannot be used
 */
export function compileSchema(schema: Json): Validator {
  const text = JSON.stringify(schema);
  const validator = recent.get(text) ?? makeValidator(schema);
  if (text.length > LONGEST_RECENT) return validator;
  recent.delete(text);
  recent.set(text, validator);
  const [oldest] = recent.keys();
  if (recent.size > MOST_RECENT && oldest !== undefined) recent.delete(oldest);
  return validator;
}

function makeValidator(schema: Json): Validator {
  const fault = costFault(schema);
  if (fault !== undefined) throw failure(fault);
  const compiled = withoutDraft(schema);
  let validate: ValidateFunction;
  try {
    validate = withOurs(ajvFor(schema)).compile(isObject(compiled) ? compiled : compiled === true);
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
