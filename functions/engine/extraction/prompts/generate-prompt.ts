/** Prompts of generative tasks: texts about a document and its extracted data. */
import type { Fence, PagedText, Prompt } from "./fence.ts";

const CITATIONS =
  "Where a statement rests on the document, cite the page right behind it as [p. 3], several as [p. 3, 7]. Cite only pages that are shown and that say so.";

interface GenerateInput {
  fence: Fence;
  /** The task, in the account owner's words. */
  wish: string;
  /** The data as JSON text; empty without data. */
  data: string;
}

const dataBlock = ({ fence, data }: GenerateInput): string[] =>
  data === "" ? [] : [fence.block("data that was extracted from the document", data)];

const promptOf = (id: string, { fence }: GenerateInput, text: readonly string[]): Prompt => ({
  id,
  messages: [
    {
      role: "system",
      text: ["You answer questions about documents and write texts about them, from what they say.", fence.rule].join(
        "\n",
      ),
    },
    { role: "user", text: text.join("\n") },
  ],
});

/** The task over the whole document. */
export const generatePrompt = (input: GenerateInput & { pages: readonly PagedText[] }): Prompt =>
  promptOf("generate.v1", input, [
    input.fence.pages(input.pages),
    ...dataBlock(input),
    "",
    "The task, in the words of the person who sent the document:",
    input.wish,
    "",
    "Keep to what the document and the data say; where they do not say what the task asks for, say so.",
    CITATIONS,
  ]);

/** Notes on a part of a long document. */
export const notesPrompt = (input: GenerateInput & { pages: readonly PagedText[]; pageCount: number }): Prompt =>
  promptOf("generate-notes.v1", input, [
    input.fence.pages(input.pages),
    "",
    `These are ${input.pages.length} of the document's ${input.pageCount} pages. A task is to be done from all of them together:`,
    input.wish,
    "",
    "Do not do the task yet. Note down briefly everything on these pages that it needs, with names, numbers and dates as they are printed. Where there is nothing, answer with the word NOTHING.",
    CITATIONS,
  ]);

/** The task over the notes of all parts. */
export const fromNotesPrompt = (input: GenerateInput & { notes: string; pageCount: number }): Prompt =>
  promptOf("generate-from-notes.v1", input, [
    input.fence.block(`notes on the document's ${input.pageCount} pages`, input.notes),
    ...dataBlock(input),
    "",
    "The task, in the words of the person who sent the document:",
    input.wish,
    "",
    "Keep to what the notes and the data say; where they do not say what the task asks for, say so. Keep the citations of pages, written as [p. 3].",
  ]);
