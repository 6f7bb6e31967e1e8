/** Shared parts of request schemas. `meta.openapi` is a part's schema in the OpenAPI document. */
import * as z from "zod";
import { PAGE_RANGES_PATTERN, readPageRanges } from "../../engine/values/page-ranges.ts";
import { digitsPattern, paddedPattern, wordsPattern } from "../../engine/values/text-patterns.ts";

/**
 * A comma-separated list of enumeration values in a query string; parsed to the listed spelling.
 * @param absent what an absent parameter means, in words
 */
export function enumerationList<const V extends readonly string[]>(values: V, absent?: string) {
  const one = enumeration(values);
  const pattern = `(?:${wordsPattern(values)})`;
  return z
    .string()
    .transform((text, context): V[number][] =>
      text.split(",").flatMap((part) => {
        const parsed = one.safeParse(part.trim());
        if (parsed.success) return [parsed.data];
        context.issues.push({ code: "custom", message: parsed.error.issues[0]?.message ?? "", input: part });
        return [];
      }),
    )
    .meta({
      openapi: {
        type: "string",
        pattern: `^ *${pattern} *(?:, *${pattern} *)*$`,
        description: `Some of ${values.join(", ")}, joined by commas${absent === undefined ? "" : `; ${absent} when absent`}`,
      },
    });
}

/** An enumeration on the wire; parsed to the listed spelling. */
export function enumeration<const V extends readonly string[]>(values: V) {
  const fold = (text: string): string => text.toUpperCase().replaceAll("-", "_");
  const byFolded = new Map<string, V[number]>(values.map((value) => [fold(value), value]));
  const message = `must be one of ${values.join(", ")}`;
  return z
    .string({ error: message })
    .transform((text, context): V[number] => {
      const value = byFolded.get(fold(text));
      if (value !== undefined) return value;
      context.issues.push({ code: "custom", message, input: text });
      return z.NEVER;
    })
    .meta({
      openapi: { type: "string", pattern: `^(?:${wordsPattern(values)})$`, description: `One of ${values.join(", ")}` },
    });
}

/**
 * An integer in a JSON body, which may come as a text of its digits.
 * @param minimum negative: any negative number down to the negative maximum
 */
export function integer(error: string, minimum: number, maximum: number = Number.MAX_SAFE_INTEGER) {
  const pattern = paddedPattern(`${minimum < 0 ? "-?" : ""}(?:${digitsPattern(Math.max(0, minimum), maximum)})`);
  const digits = new RegExp(pattern);
  const bounds = { minimum: minimum < 0 ? -maximum : minimum, maximum };
  return z
    .unknown()
    .transform((value, context): number => {
      const number = typeof value === "string" && digits.test(value) ? Number(value) : value;
      const fits = typeof number === "number" && Number.isSafeInteger(number);
      if (fits && number >= bounds.minimum && number <= maximum) return number;
      context.issues.push({ code: "custom", message: error, input: value });
      return z.NEVER;
    })
    .meta({
      openapi: {
        anyOf: [
          { type: "integer", ...bounds },
          { type: "string", pattern, description: "Its digits" },
        ],
      },
    });
}

/** An integer in a query string. */
export function integerParameter(minimum: number, maximum: number) {
  const message = `must be an integer from ${minimum} to ${maximum}`;
  return z
    .string()
    .transform((text, context) => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      if (value >= minimum && value <= maximum) return value;
      context.issues.push({ code: "custom", message, input: text });
      return z.NEVER;
    })
    .meta({ openapi: { type: "integer", minimum, maximum } });
}

const TRUE = new RegExp(`^(?:${wordsPattern(["true", "1", "yes"])})$`);
/** An empty value is false. */
const FALSE = new RegExp(`^(?:${wordsPattern(["false", "0", "no"])})?$`);

/** A boolean in a query string. */
export const flagParameter = () => {
  const message = "must be true or false";
  return z
    .string()
    .transform((text, context) => {
      if (TRUE.test(text)) return true;
      if (FALSE.test(text)) return false;
      context.issues.push({ code: "custom", message, input: text });
      return z.NEVER;
    })
    .meta({
      openapi: {
        anyOf: [
          { type: "boolean" },
          { type: "string", pattern: `${TRUE.source}|${FALSE.source}`, description: "Also 1 and 0, yes and no" },
        ],
      },
    });
};

/** An ISO 8601 time in a query string, parsed to UTC with milliseconds; a date alone is its midnight, UTC. */
export const timeParameter = () =>
  z
    .string()
    .transform((text, context) => {
      const time = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/.test(text)
        ? Date.parse(/T/.test(text) && !/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? `${text}Z` : text)
        : Number.NaN;
      if (!Number.isNaN(time)) return new Date(time).toISOString();
      context.issues.push({ code: "custom", message: "must be a time in ISO 8601", input: text });
      return z.NEVER;
    })
    .meta({ openapi: { type: "string", anyOf: [{ format: "date-time" }, { format: "date" }] } });

/** `1-3,7`: page numbers from 1 in a query string, parsed to a sorted list without duplicates. */
export const pageListParameter = () =>
  z
    .string()
    .transform((text, context) => {
      const pages = readPageRanges(text.split(","));
      if (pages !== undefined) return pages;
      context.issues.push({ code: "custom", message: "must name pages like 1-3,7", input: text });
      return z.NEVER;
    })
    .meta({
      openapi: {
        type: "string",
        pattern: PAGE_RANGES_PATTERN,
        description: "Page numbers from 1, such as 1-3,7",
      },
    });

/** Characters of an identifier that are read; none has so many, and the keys of a store have a limit. */
const MAX_IDENTIFIER_CHARS = 128;

/** An identifier in a path or a body. A malformed one is answered like an unknown one, with 404. */
export const identifier = (description: string) =>
  z
    .string()
    .transform((text) => text.slice(0, MAX_IDENTIFIER_CHARS))
    .meta({ openapi: { type: "string", description } });

/** A GUID, in any case. */
export const guidOf = (description: string) =>
  z
    .string()
    .transform((text) => text.slice(0, MAX_IDENTIFIER_CHARS).toLowerCase())
    .meta({ openapi: { type: "string", description } });

/** A part's schema in the OpenAPI document. */
export const openapiOf = (schema: z.ZodType): Record<string, unknown> =>
  (z.globalRegistry.get(schema) as { openapi?: Record<string, unknown> } | undefined)?.openapi ?? {};

/** The GUID in a path. */
export const guidParams = z.object({ guid: guidOf("The job's GUID") });

/** Number of the run; default: the newest finished one. */
export const runQuery = z.object({ run: integerParameter(1, 1_000_000).optional() });

/** Selects a run and one document of a batch; the index is ignored for other jobs. */
export const documentQuery = runQuery.extend({ batchIndex: integerParameter(0, 999_999).optional() });

const MEMBERS_WITH_OWN_NULLS = new Set(["schema", "pipeline", "fields", "inputs", "config"]);

/**
 * Removes members that are null, which in a request means absent. Members whose own content may hold meaningful nulls (a
 * JSON Schema, a pipeline) keep theirs. What holds no null is returned as it is: bodies may be large.
 */
export function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items: unknown[] = value.map(withoutNulls);
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  const given = value as Record<string, unknown>;
  // A copy costs more than parsing the body, so only a change makes one, of the members before it too.
  let changed: Map<string, unknown> | undefined;
  const names = Object.keys(given);
  names.forEach((name, at) => {
    const member = given[name];
    const kept = MEMBERS_WITH_OWN_NULLS.has(name) ? member : withoutNulls(member);
    if (member === null || kept !== member) changed ??= new Map(names.slice(0, at).map((one) => [one, given[one]]));
    if (member !== null) changed?.set(name, kept);
  });
  return changed === undefined ? value : Object.fromEntries(changed);
}

/** In the OpenAPI document: an object has all members of one of the groups. Null is absent. */
export const hasOneOf = (...groups: readonly (readonly string[])[]) => ({
  anyOf: groups.map((names) => ({
    required: [...names],
    properties: Object.fromEntries(names.map((name) => [name, { not: { type: "null" } }])),
  })),
});
