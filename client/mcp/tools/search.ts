import * as z from "zod";
import type { Session } from "../context.ts";
import type { Tool } from "./define-tool.ts";

/** Longest question in characters, as the service has it. */
const MAX_QUESTION_CHARACTERS = 4000;
/** Most passages, as the service has it. */
const MAX_PASSAGES = 50;

const input = {
  caseId: z.int().min(1).describe("The knowledge base; `knowledge_bases` lists them"),
  question: z.string().min(1).max(MAX_QUESTION_CHARACTERS),
  topK: z.int().min(1).max(MAX_PASSAGES).default(5).describe("Most passages"),
};

const output = z.object({
  passages: z.array(
    z.object({
      documentId: z.string(),
      filename: z.string(),
      page: z.number().describe("From 1"),
      box: z
        .object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() })
        .describe("Inches from the page's top left corner"),
      headings: z.array(z.string()),
      text: z.string(),
      score: z.number().describe("Comparable within one search; larger is better"),
    }),
  ),
});

/** Finds passages of a knowledge base. */
export const searchTool = ({ client }: Session): Tool<typeof input> => ({
  name: "search",
  title: "Search a knowledge base",
  description:
    "Finds the passages of a knowledge base's documents that are nearest to a question, each with its document, page and box. No passages means that nothing was found.",
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: true },
  async run({ caseId, question, topK }, { mcpReq: { signal } }) {
    const found = await client.knowledgeBases.search(caseId, question, { topK, signal });
    const passages = found.map(({ documentId, filename, pageNumber, bbox, headings, text, score }) => ({
      documentId,
      filename,
      page: pageNumber,
      box: bbox,
      headings,
      text,
      score,
    }));
    const summary = passages.length === 0 ? "Nothing was found." : `${passages.length} passages, the nearest first.`;
    return {
      content: [{ type: "text", text: `${summary}\n${JSON.stringify({ passages })}` }],
      structuredContent: { passages },
    };
  },
});
