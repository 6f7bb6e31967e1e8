/** Requests and replies of the routes of knowledge bases. */
import * as z from "zod";
import { MAX_QUERY_CHARS, MAX_SEARCH_HITS } from "../../service/knowledge/search-limits.ts";
import { integer } from "./common.ts";

const profileFault = "must be a text of at most 100 characters";

export const Promotion = z.looseObject({
  caseId: integer("must be a case's id, or its digits", 1),
  profileType: z
    .string({ error: profileFault })
    .max(100, { error: profileFault })
    .optional()
    .describe("Taken and without effect: there is one kind of knowledge base"),
});

const queryFault = `must be a text of 1 to ${MAX_QUERY_CHARS.toLocaleString("en-US")} characters`;

/** The words to look for. */
export const Question = z
  .string({ error: queryFault })
  .min(1, { error: queryFault })
  .max(MAX_QUERY_CHARS, { error: queryFault });

export const FoundPassages = z
  .array(
    z
      .looseObject({
        documentId: z.string(),
        filename: z.string(),
        pageNumber: z.int().min(1),
        bbox: z
          .looseObject({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() })
          .describe("Inches from the top left corner of the page as shown"),
        text: z.string(),
        score: z.number().describe("BM25; comparable within one answer"),
        headings: z.array(z.string()).describe("The headings that the passage stands under, the document's first"),
        part: z
          .looseObject({ number: z.int().min(1), of: z.int().min(2) })
          .optional()
          .describe("Present for a part of a long table; its text repeats the table's header"),
      })
      .meta({ id: "FoundPassage" }),
  )
  .max(MAX_SEARCH_HITS);
