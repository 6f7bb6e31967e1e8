/** Prompts that describe a figure or a document, and that write a schema. */
import type { ModelImage } from "../../../ports/llm.ts";
import type { Fence, PagedText, Prompt } from "./fence.ts";
import { JSON_RULE } from "./prompt-words.ts";

interface FigureInput {
  fence: Fence;
  image: ModelImage;
  /** Empty without one. */
  caption: string;
  /** Text in the figure and around it. */
  text: string;
}

export function figurePrompt({ fence, image, caption, text }: FigureInput): Prompt {
  return {
    id: "figure.v1",
    messages: [
      {
        role: "system",
        text: ["You describe figures of documents for people who cannot see them.", fence.rule].join("\n"),
      },
      {
        role: "user",
        text: [
          fence.block("caption", caption),
          fence.block("text in and around the figure", text),
          "Describe the picture in one to five sentences, in the language of its caption or text, in English where it has neither: what it shows and, for charts and diagrams, what can be read from it with numbers and units. Say only what can be seen; a logo, signature or ornament is named in a few words. Answer with the description alone.",
        ].join("\n"),
        images: [image],
      },
    ],
  };
}

const text = (description: string): Record<string, unknown> => ({ type: ["string", "null"], description });

export const ANALYZE_ANSWER = {
  type: "object",
  properties: {
    document_type: text("What kind of document it is, in English and lower case"),
    language: text("ISO 639-1"),
    suggested_prompt: text("An instruction that asks for the data most people want from such a document"),
    suggested_schema: text("A JSON Schema of that data, as JSON text"),
  },
  required: ["document_type", "language", "suggested_prompt", "suggested_schema"],
  additionalProperties: false,
};

const SCHEMA_RULES =
  'A JSON Schema as asked for here has the root {"type": "object", "properties": …}, names in snake_case, a description for every property, "format": "date" for dates, number for amounts, lists of objects for tables, and "required" only for what every such document states. It has no examples and no values of this document.';

interface AnalyzeInput {
  fence: Fence;
  pages: readonly PagedText[];
  pageCount: number;
}

const partRule = (shown: number, pageCount: number): string[] =>
  shown < pageCount ? [`The document has ${pageCount} pages; ${shown} of them are shown.`] : [];

export function analyzePrompt({ fence, pages, pageCount }: AnalyzeInput): Prompt {
  return {
    id: "analyze.v1",
    messages: [
      { role: "system", text: ["You find out what documents are and which data they hold.", fence.rule].join("\n") },
      {
        role: "user",
        text: [
          fence.pages(pages),
          "",
          ...partRule(pages.length, pageCount),
          "Say what kind of document this is, its language, and suggest a prompt and a JSON Schema for extracting data from documents like it.",
          SCHEMA_RULES,
          'The answer: {"document_type": …, "language": …, "suggested_prompt": …, "suggested_schema": the schema as JSON text}.',
          JSON_RULE,
        ].join("\n"),
      },
    ],
  };
}

export const SUMMARY_ANSWER = {
  type: "object",
  properties: {
    document_type: text("What kind of document it is, in English and lower case"),
    title: text("Its title as printed, or a short one"),
    summary: text("What it says, in two to five sentences"),
    key_facts: { type: "array", items: { type: "string" }, description: "Facts as short texts, each with its label" },
  },
  required: ["document_type", "title", "summary", "key_facts"],
  additionalProperties: false,
};

export function summaryPrompt({ fence, pages, pageCount }: AnalyzeInput): Prompt {
  return {
    id: "summary.v1",
    messages: [
      {
        role: "system",
        text: ["You summarise documents for people who look for the right one.", fence.rule].join("\n"),
      },
      {
        role: "user",
        text: [
          fence.pages(pages),
          "",
          ...partRule(pages.length, pageCount),
          'Say what kind of document this is, give its title, and summarise it in two to five sentences in its language. List up to 20 key facts (names, numbers, dates, amounts), each as "label: value" with the value as printed. State nothing that the document does not say.',
          'The answer: {"document_type": …, "title": …, "summary": …, "key_facts": […]}.',
          JSON_RULE,
        ].join("\n"),
      },
    ],
  };
}

export function schemaPrompt({
  fence,
  pages,
  pageCount,
  instructions,
}: AnalyzeInput & { instructions: string }): Prompt {
  return {
    id: "schema.v1",
    messages: [
      { role: "system", text: ["You write JSON Schemas for data in documents.", fence.rule].join("\n") },
      {
        role: "user",
        text: [
          fence.pages(pages),
          "",
          ...partRule(pages.length, pageCount),
          "Write the JSON Schema of the data that is to be extracted from documents like this one.",
          ...(instructions === "" ? [] : ["What is wanted, in the words of the person who sent it:", instructions]),
          SCHEMA_RULES,
          "Answer with the JSON Schema alone, as one JSON object.",
        ].join("\n"),
      },
    ],
  };
}

/** Asks again after an invalid schema. @param fault the rest of a sentence about it */
export const schemaAgainPrompt = (before: Prompt, answer: string, fault: string): Prompt => ({
  id: "schema-again.v1",
  messages: [
    ...before.messages,
    { role: "assistant", text: answer },
    {
      role: "user",
      text: `This is no JSON Schema that can be used: ${fault}. Answer with the corrected schema alone.`,
    },
  ],
});
