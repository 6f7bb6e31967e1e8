/** Knowledge bases: cases whose documents are searched. */
import * as z from "zod";
import {
  demoteCase,
  listKnowledgeBases,
  loadKnowledgeBase,
  promoteCase,
} from "../service/knowledge/knowledge-bases.ts";
import { DEFAULT_SEARCH_HITS, MAX_SEARCH_HITS } from "../service/knowledge/search-limits.ts";
import { searchKnowledgeBase } from "../service/knowledge/search-passages.ts";
import { CASE_EXAMPLE, caseReply, fileNameOfDocument } from "./case-replies.ts";
import { json, ok } from "./http/reply.ts";
import { route } from "./http/route.ts";
import { Case, caseParams } from "./schemas/cases.ts";
import { integerParameter } from "./schemas/common.ts";
import { FoundPassages, Promotion, Question } from "./schemas/knowledge-bases.ts";

const TAG = "Knowledge bases";
const EXAMPLE = { ...CASE_EXAMPLE, name: "Contracts", isKnowledgeBase: true };

export const list = route({
  method: "GET",
  path: "/knowledge-bases",
  scope: "read",
  tag: TAG,
  summary: "The cases that are knowledge bases, by id",
  replies: { 200: { description: "All of them", schema: z.array(Case), example: [EXAMPLE] } },
  async run(_input, { org }) {
    return ok((await listKnowledgeBases(org)).map((one) => caseReply(org, one)));
  },
});

export const promote = route({
  method: "POST",
  path: "/knowledge-bases",
  scope: "write",
  tag: TAG,
  summary: "Make a case a knowledge base",
  description:
    "Its documents can be searched a moment later, and so can those that come later, once they are read. Repeating it has no effect.",
  body: { kind: "json", schema: Promotion, required: true, examples: { case: { caseId: 7 } } },
  errors: [400, 404, 409],
  replies: { 201: { description: "The case", schema: Case, example: EXAMPLE } },
  async run({ body: { caseId } }, { org }) {
    return json(201, caseReply(org, await promoteCase(org, caseId)));
  },
});

export const read = route({
  method: "GET",
  path: "/knowledge-bases/{caseId}",
  scope: "read",
  tag: TAG,
  summary: "A knowledge base",
  params: caseParams,
  errors: [404],
  replies: { 200: { description: "The case", schema: Case, example: EXAMPLE } },
  async run({ params: { caseId } }, { org }) {
    return ok(caseReply(org, await loadKnowledgeBase(org, caseId)));
  },
});

export const demote = route({
  method: "DELETE",
  path: "/knowledge-bases/{caseId}",
  scope: "write",
  tag: TAG,
  summary: "Make a knowledge base a plain case again",
  description: "It is no longer searched; the case and its documents stay.",
  params: caseParams,
  errors: [404, 409],
  replies: { 204: { description: "It is a plain case" } },
  async run({ params: { caseId } }, { org }) {
    await demoteCase(org, caseId);
    return { kind: "empty" };
  },
});

export const search = route({
  method: "GET",
  path: "/knowledge-bases/{caseId}/search",
  scope: "read",
  tag: TAG,
  summary: "The passages nearest to a question",
  description:
    "Passages are pieces of running text up to 1,000 characters that no heading parts, and tables. They are ranked by BM25 over their words and headings.",
  params: caseParams,
  query: z.object({ q: Question, topK: integerParameter(1, MAX_SEARCH_HITS).optional() }),
  errors: [400, 404],
  replies: {
    200: {
      description: "The best first; none where no word is found",
      schema: FoundPassages,
      example: [
        {
          documentId: "019ab3f0-6a51-7cc2-9d1e-0b6f5e0c8a11",
          filename: "contract.pdf",
          pageNumber: 3,
          bbox: { left: 1, top: 2.1, right: 7.4, bottom: 2.9 },
          text: "Term\nEither party may end this contract with three months' notice.",
          score: 7.2154,
          headings: ["Contract", "Term"],
        },
      ],
    },
  },
  async run({ params: { caseId }, query: { q, topK = DEFAULT_SEARCH_HITS } }, { org }) {
    const found = await searchKnowledgeBase(org, caseId, q, topK);
    return ok(
      found.map(({ caseId: _, filename, ...passage }) => ({
        ...passage,
        filename: fileNameOfDocument({ fileName: filename }),
      })),
    );
  },
});

export const knowledgeRoutes = [list, promote, read, demote, search];
