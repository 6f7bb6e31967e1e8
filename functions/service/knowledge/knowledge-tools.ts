/** Knowledge bases as tools of a run. */
import { BadRequest, JobFailure, NotFound } from "../../ports/errors.ts";
import { isObject, type Json } from "../../ports/json.ts";
import type { ReadOnlyTool, ToolRequest } from "../../ports/tools.ts";
import type { Organization } from "../organizations/organization.ts";
import { loadKnowledgeBase } from "./knowledge-bases.ts";
import { type FoundPassage, searchKnowledgeBase } from "./search-passages.ts";

/** Characters of a finding that a model is given; passages that do not fit are left out whole. */
const MAX_FINDING_CHARS = 20_000;
export const TOOL_NAME = "search_knowledge_base";

/** The finding as JSON: as many whole passages as fit, the best first. */
export function findingOf(found: readonly FoundPassage[]): string {
  let shown = found.length;
  const textOf = (): string => JSON.stringify(found.slice(0, shown));
  while (shown > 1 && textOf().length > MAX_FINDING_CHARS) shown -= 1;
  return textOf();
}

/** The passages of a finding; none of another text. */
export function passagesOf(finding: string): FoundPassage[] {
  try {
    const found: unknown = JSON.parse(finding);
    return Array.isArray(found) ? (found as FoundPassage[]) : [];
  } catch {
    return [];
  }
}

function searchTool(org: Organization, { caseId, topK }: ToolRequest, name: string, title: string): ReadOnlyTool {
  return {
    tool: {
      name,
      description:
        `Searches the documents of the knowledge base "${title}" for words, and returns the ${topK} nearest passages as ` +
        "JSON, each with its document, page, box and headings. They are not part of the document at hand.",
      parameters: {
        type: "object",
        properties: { query: { type: "string", description: "The words to look for" } },
        required: ["query"],
        additionalProperties: false,
      },
    },
    async run(args: Json) {
      const query = isObject(args) ? args.query : undefined;
      if (typeof query !== "string" || query.trim() === "") throw new BadRequest("query must be a text with words");
      return findingOf(await searchKnowledgeBase(org, caseId, query, topK));
    },
  };
}

/**
 * The tools of a run, in the order of the requests; a deployment may have others in their place.
 * @throws JobFailure for a knowledge base that no longer exists
 */
export async function openTools(org: Organization, requests: readonly ToolRequest[]): Promise<ReadOnlyTool[]> {
  if (org.engines.tools !== undefined) return org.engines.tools.open(org.id, requests);
  return Promise.all(
    requests.map(async (request, at) => {
      // The first has the plain name; models call tools by unique ones.
      const name = at === 0 ? TOOL_NAME : `${TOOL_NAME}_${at + 1}`;
      try {
        return searchTool(org, request, name, (await loadKnowledgeBase(org, request.caseId)).name);
      } catch (error) {
        if (!(error instanceof NotFound)) throw error;
        throw new JobFailure(`Processing failed: The knowledge base ${request.caseId} no longer exists`);
      }
    }),
  );
}
