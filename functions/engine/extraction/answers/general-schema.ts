import type { Json } from "../../../ports/json.ts";

const text = (description: string): Json => ({ type: ["string", "null"], description });

/** The general result's schema; the offline extractor returns the same form. */
export const GENERAL_SCHEMA: Json = {
  type: "object",
  properties: {
    document_type: text("What kind of document it is, in English and lower case, such as invoice or bank statement"),
    language: text("Language of the text, ISO 639-1"),
    key_values: {
      type: "object",
      description:
        "Every labelled value outside of tables: the label as printed without its colon, the value as printed",
      additionalProperties: { type: ["string", "number", "boolean", "null"] },
    },
    tables: {
      type: "array",
      description: "Every table in the order of the document, its header row first",
      items: {
        type: "object",
        properties: {
          page: { type: "integer", description: "Number of the page on which it begins" },
          rows: {
            type: "array",
            items: { type: "array", items: { type: ["string", "number", "boolean", "null"] } },
          },
        },
        required: ["page", "rows"],
        additionalProperties: false,
      },
    },
  },
  required: ["document_type", "language", "key_values", "tables"],
  additionalProperties: false,
};
