/** The prompt to correct the recognised text of a page. */
import type { Fence, Prompt } from "./fence.ts";

interface CorrectInput {
  fence: Fence;
  number: number;
  text: string;
  /** Further instructions, in the account owner's words. */
  wish?: string;
}

export const correctPrompt = ({ fence, number, text, wish }: CorrectInput): Prompt => ({
  id: "correct.v1",
  messages: [
    { role: "system", text: ["You correct text that was recognised in pictures of pages.", fence.rule].join("\n") },
    {
      role: "user",
      text: [
        fence.block(`page ${number}`, text),
        "",
        "Correct what recognition misread: letters and signs taken for others, words run together or torn apart. Change nothing else: no wording, no spelling of the author, no number unless it is plainly misread, no order of lines. Leave out nothing and add nothing.",
        ...(wish === undefined ? [] : ["The person who sent the document adds:", wish]),
        "Answer with the corrected text of the page alone, line by line as it is.",
      ].join("\n"),
    },
  ],
});
