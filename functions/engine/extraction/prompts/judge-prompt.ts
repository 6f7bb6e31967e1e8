/** The prompt to check extracted data, with the findings of automatic checks. */
import type { Fence, PagedText, Prompt } from "./fence.ts";
import { JSON_RULE } from "./prompt-words.ts";

interface JudgeInput {
  fence: Fence;
  pages: readonly PagedText[];
  pageCount: number;
  /** The data as JSON text. */
  data: string;
  /** Findings of checks, one per line; may be empty. */
  evidence: string;
  /** The caller's focus. */
  focus: readonly string[];
}

export const judgePrompt = ({ fence, pages, pageCount, data, evidence, focus }: JudgeInput): Prompt => ({
  id: "judge.v1",
  messages: [
    { role: "system", text: ["You check data that was extracted from documents.", fence.rule].join("\n") },
    {
      role: "user",
      text: [
        fence.pages(pages),
        "",
        ...(pages.length < pageCount
          ? [`The document has ${pageCount} pages; ${pages.length} of them are shown.`]
          : []),
        "This data was extracted from the document:",
        fence.block("data", data),
        ...(evidence === "" ? [] : ["Automatic checks say of it:", fence.block("checks", evidence)]),
        ...(focus.length === 0 ? [] : [`Look at this above all: ${focus.join("; ")}`]),
        "Name every value that the document states otherwise, or does not state, and everything that is missing; say of what the checks name whether you see it too. Name nothing that is right.",
        'The answer: {"issues": [{"field": such as "total" or "lines[2].amount", "issue": one sentence, "confidence": 0 to 1, "suggestion": one sentence}]}; an empty list where all is right.',
        JSON_RULE,
      ].join("\n"),
    },
  ],
});
