/**
 * Limits of lists as a model states them beside the data: of which list it gave some of the rows only, and the words of
 * the request that ask for it. They are read here and checked where rows are counted.
 */
import { isObject, type Json, own } from "../../../ports/json.ts";
import type { Shape } from "../../schema/schema-shape.ts";

/** A limit as stated, unchecked; without a count and pages, rows of some kind. */
export interface StatedLimit {
  /** The list, as a JSON Pointer into the data. */
  list: string;
  /** Greatest number of rows. */
  count?: number;
  /** First and last page; the last is null for the end of the document. */
  pages?: [number, number | null];
  /** Words of the request that ask for the limit. */
  reason: string;
}

/** A row of the pages that a model declared to be in no list; other parts of the document know it by page and text. */
export interface RejectedRow {
  /** Index in the layout that the model was given. */
  order: number;
  page: number;
  text: string;
}

/** A model's statement about the rows that its answer lacks. */
export interface RowStatements {
  stated?: StatedLimit[];
  declined?: RejectedRow[];
}

/** Members of a wrapped answer; a schema with one of them as a property is asked without limits. */
export const RESULT_MEMBER = "result";
export const LIMITS_MEMBER = "limits";

const MAX_STATED_LIMITS = 50;
const MAX_REASON_CHARACTERS = 1_000;

const nullable = (type: string): Json => ({ type: [type, "null"] });

/** The strict form of stated limits. */
export const LIMITS_SCHEMA: Json = {
  type: "array",
  items: {
    type: "object",
    properties: {
      list: { type: "string", description: "JSON Pointer of the list in the data" },
      limit: {
        type: "object",
        properties: {
          count: nullable("integer"),
          first_page: nullable("integer"),
          last_page: nullable("integer"),
          criterion: nullable("string"),
        },
        required: ["count", "first_page", "last_page", "criterion"],
        additionalProperties: false,
      },
      reason: { type: "string", description: "The words that ask for the limit, copied exactly" },
    },
    required: ["list", "limit", "reason"],
    additionalProperties: false,
  },
};

/** A list of rows can be in the schema's data. */
const holdsList = (shape: Shape): boolean =>
  shape.kind === "list" ||
  (shape.kind === "object" &&
    ((shape.open && shape.members.length === 0) || shape.members.some((member) => holdsList(member.shape))));

const describesList = (shape: Shape): boolean =>
  shape.kind === "list"
    ? shape.description !== "" || describesList(shape.item)
    : shape.kind === "object" && shape.members.some((member) => describesList(member.shape));

/**
 * The answer is to state limits: it may have lists, and the prompt or a description may limit them.
 * @param schema of the data
 */
export function asksForLimits(schema: Json, shape: Shape, prompt: string | undefined): boolean {
  const about = isObject(schema) ? own(schema, "description") : undefined;
  const names = shape.kind === "object" ? shape.members.map(({ name }) => name) : [];
  if (names.includes(RESULT_MEMBER) || names.includes(LIMITS_MEMBER) || !holdsList(shape)) return false;
  return prompt !== undefined || typeof about === "string" || describesList(shape);
}

const positive = (value: Json | undefined): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;

/** Reads stated limits; whatever has another form is left out. */
export function readStatedLimits(given: Json | undefined): StatedLimit[] {
  return (Array.isArray(given) ? given : []).slice(0, MAX_STATED_LIMITS).flatMap((one): StatedLimit[] => {
    if (!isObject(one)) return [];
    const [list, limit, reason] = [own(one, "list"), own(one, "limit"), own(one, "reason")];
    if (typeof list !== "string" || typeof reason !== "string" || !isObject(limit)) return [];
    const count = positive(own(limit, "count"));
    const from = positive(own(limit, "first_page"));
    return [
      {
        list,
        reason: reason.slice(0, MAX_REASON_CHARACTERS),
        ...(count === undefined ? {} : { count }),
        ...(from === undefined ? {} : { pages: [from, positive(own(limit, "last_page")) ?? null] }),
      },
    ];
  });
}
