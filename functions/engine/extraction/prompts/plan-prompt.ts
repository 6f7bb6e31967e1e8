/** The prompt of the planning step: type and language of the document, and the pages of each group of fields. */
import type { Fence, PagedText, Prompt } from "./fence.ts";
import { JSON_RULE, wishRule } from "./prompt-words.ts";

/** Schema of the planning step's answer. */
export const PLAN_ANSWER = {
  type: "object",
  properties: {
    document_type: { type: ["string", "null"] },
    language: { type: ["string", "null"], description: "ISO 639-1" },
    groups: {
      type: "array",
      items: {
        type: "object",
        properties: { id: { type: "string" }, pages: { type: "array", items: { type: "integer" } } },
        required: ["id", "pages"],
        additionalProperties: false,
      },
    },
  },
  required: ["document_type", "language", "groups"],
  additionalProperties: false,
};

/** Most characters of a page's beginning. */
export const MAX_PAGE_BEGINNING_CHARACTERS = 600;

interface PlanInput {
  fence: Fence;
  /** The beginning of each page. */
  pages: readonly PagedText[];
  groups: readonly { id: string; names: readonly string[] }[];
  prompt?: string;
}

export function planPrompt({ fence, pages, groups, prompt }: PlanInput): Prompt {
  const listed = groups.map(({ id, names }) => `${id}: ${names.join(", ")}`);
  const text = [
    fence.pages(pages),
    "",
    "Above stands the beginning of each page of a document. Say what kind of document it is and in which language it is written.",
    "Then say for each of these groups of fields on which pages its values stand, the likely ones included:",
    ...listed,
    ...wishRule(prompt),
    'The answer: {"document_type": text or null, "language": ISO 639-1 code or null, "groups": [{"id": …, "pages": [numbers]}]}.',
    JSON_RULE,
  ];
  return {
    id: "plan.v1",
    messages: [
      { role: "system", text: ["You plan how data is taken out of documents.", fence.rule].join("\n") },
      { role: "user", text: text.join("\n") },
    ],
  };
}
