/** Sentences that several prompts share. */

import type { Fence } from "./fence.ts";

/** Rules for values, so that they can be found on the page again. */
export const VALUE_RULES = [
  "Take every value from the document. Where the document does not state a value, give null, or an empty list for a list; never guess, and never fill a field to please the schema.",
  "Give texts as they are printed, without labels; join words that a line's end cut in two.",
  "Give numbers as JSON numbers without currency and separators, dates as YYYY-MM-DD where the schema asks for a date; otherwise leave values as they are printed.",
  "Give the items of lists completely and in the order of the document: no row may be left out, summed up or repeated.",
].join("\n");

export const JSON_RULE = "Answer with one JSON object and nothing else: no explanation, no code fence.";

const wrappedRule = 'The data is no object itself: answer {"result": the data}.';

/** The schema in the prompt, for servers that do not enforce it. */
export const schemaRule = (schema: unknown, wrapped: boolean): string =>
  [`The data must fit this JSON Schema:`, JSON.stringify(schema), ...(wrapped ? [wrappedRule] : [])].join("\n");

/** The account owner's own words. */
export const wishRule = (prompt: string | undefined): string[] =>
  prompt === undefined ? [] : ["What is wanted, in the words of the person who sent the document:", prompt];

/** @param date `YYYY-MM-DD` */
export const dateRule = (date: string | undefined): string[] =>
  date === undefined ? [] : [`Today's date is ${date}.`];

/** Text before the pages of a request, which only helps to read them. */
export const beforeRule = (fence: Fence, before: string | undefined): string[] =>
  before === undefined
    ? []
    : [
        fence.block("text before these pages", before),
        "The text before these pages is context only: headings, columns, and lines that may go on. Extract nothing that stands in it alone.",
      ];
