/** Requests to a model for missing rows, grouped by neighbouring pages to fit one answer and one context. */

import { isObject, type Json, own } from "../../ports/json.ts";
import { estimateTokens } from "../../ports/llm-tokens.ts";
import { type AnswerSchema, toAnswerSchema } from "../extraction/answers/answer-schema.ts";
import { countFields, definitionsOf } from "../extraction/prompts/field-batches.ts";
import { typesOf } from "../schema/convert-scalar.ts";
import { unescapeStep } from "../schema/json-pointer.ts";
import type { ParsedSchema } from "../schema/parsed-schema.ts";
import type { ListReceipt, MissingRow } from "./list-receipt.ts";

export interface RowRequest {
  /** Unique in its round: `lines.3`. */
  id: string;
  /** Path of the list: names, list positions as `*`. */
  path: string;
  /** Schema of the answer. */
  schema: Json;
  answer: AnswerSchema;
  pages: number[];
  rows: MissingRow[];
  /** Sentences that restrict the wanted rows, of which the list has some. */
  said: string[];
  returned: number;
}

/** Capacity of a request and its answer. */
export interface RequestRoom {
  contextTokens: number;
  answerTokens: number;
  /** Rows per request. */
  rows: number;
}

/** Share of the longest answer that rows may fill, and share of the context that pages may fill. */
const MAX_ANSWER_FILL_SHARE = 0.5;
const MAX_CONTEXT_FILL_SHARE = 0.6;
/** Estimated tokens of a member's name with its punctuation, and of the row's number. */
const TOKENS_PER_MEMBER_NAME = 6;
const TOKENS_PER_ROW_NUMBER = 12;

/** The schema of a list's items; `{}` if the schema does not describe them. */
export function itemSchema({ json, resolver }: ParsedSchema, path: string): Json {
  let at: Json = json;
  const steps = path.split("/").slice(1);
  for (const step of [...steps, "*"]) {
    const flat = resolver.flat(at)?.schema;
    const options = flat === undefined ? [] : resolver.alternatives(flat);
    const kind = step === "*" ? "array" : "object";
    const fitting = options.find((option) => typesOf(option)?.has(kind) ?? true);
    if (fitting === undefined) return {};
    const name = unescapeStep(step);
    const properties = own(fitting, "properties");
    const next = step === "*" ? own(fitting, "items") : isObject(properties) ? own(properties, name) : undefined;
    if (next === undefined || Array.isArray(next)) return {};
    at = next;
  }
  return at;
}

function rowsSchema(schema: Json, item: Json): Json {
  return {
    ...definitionsOf(schema),
    type: "object",
    properties: {
      rows: {
        type: "array",
        items: {
          type: "object",
          properties: { line: { type: "integer", description: "Number of the missing row" }, row: item },
          required: ["line", "row"],
        },
      },
    },
    required: ["rows"],
  };
}

/** Splits rows, in order, into groups that fit one answer and one context. */
function groupRows(
  rows: readonly MissingRow[],
  tokensOf: (row: MissingRow) => number,
  pageTokens: ReadonlyMap<number, number>,
  room: RequestRoom,
): MissingRow[][] {
  const found: MissingRow[][] = [];
  let answer = 0;
  let context = 0;
  for (const row of rows) {
    const before = found.at(-1);
    const samePage = before?.at(-1)?.page === row.page;
    const page = samePage ? 0 : (pageTokens.get(row.page) ?? 0);
    const tokens = tokensOf(row);
    const full =
      before === undefined ||
      before.length >= room.rows ||
      answer + tokens > room.answerTokens * MAX_ANSWER_FILL_SHARE ||
      context + page + tokens > room.contextTokens * MAX_CONTEXT_FILL_SHARE;
    if (full) {
      found.push([]);
      answer = 0;
      context = samePage ? (pageTokens.get(row.page) ?? 0) : 0;
    }
    found.at(-1)?.push(row);
    answer += tokens;
    context += page + tokens;
  }
  return found;
}

/**
 * Requests for the missing rows of lists.
 * @param pageTokens estimated tokens of each page's text
 */
export function rowRequests(
  schema: ParsedSchema,
  lists: readonly ListReceipt[],
  pageTokens: ReadonlyMap<number, number>,
  room: RequestRoom,
): RowRequest[] {
  return lists.flatMap(({ path, said, returned, missing }) => {
    if (missing.length === 0) return [];
    const item = itemSchema(schema, path);
    const form = rowsSchema(schema.json, item);
    const answer = toAnswerSchema(form);
    const fields = countFields(schema.shapeOf(item));
    const tokensOf = ({ text }: MissingRow): number =>
      estimateTokens(text) + fields * TOKENS_PER_MEMBER_NAME + TOKENS_PER_ROW_NUMBER;
    return groupRows(missing, tokensOf, pageTokens, room).map(
      (rows, at): RowRequest => ({
        id: `${path.slice(1) || "rows"}.${at + 1}`,
        path,
        schema: form,
        answer,
        pages: [...new Set(rows.map(({ page }) => page))],
        rows,
        said,
        returned,
      }),
    );
  });
}
