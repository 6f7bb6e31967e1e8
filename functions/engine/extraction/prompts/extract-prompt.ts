/** Prompts that take data out of a document: the whole at once, a group of fields, the rows of some pages. */
import type { ModelImage } from "../../../ports/llm.ts";
import type { Fence, PagedText, Prompt } from "./fence.ts";
import { dateRule, JSON_RULE, schemaRule, VALUE_RULES, wishRule } from "./prompt-words.ts";

/** What all of them say. */
export interface ExtractInput {
  fence: Fence;
  pages: readonly PagedText[];
  findings: string;
  /** Pictures of pages whose text was recognised, with their numbers. */
  pictures: readonly { number: number; image: ModelImage }[];
  schema: unknown;
  wrapped: boolean;
  prompt?: string;
  date?: string;
}

const ROLE = "You extract data from documents.";

const pictureRule = (pictures: ExtractInput["pictures"]): string[] =>
  pictures.length === 0
    ? []
    : [
        `The pictures show, in this order, the pages ${pictures.map(({ number }) => number).join(", ")}. Where a picture and the recognised text differ, trust the picture.`,
      ];

function write(id: string, input: ExtractInput, task: readonly string[]): Prompt {
  const { fence, pages, findings, pictures, schema, wrapped, prompt, date } = input;
  const images = pictures.map(({ image }) => image);
  const text = [
    fence.pages(pages, findings),
    "",
    ...task,
    ...wishRule(prompt),
    schemaRule(schema, wrapped),
    ...pictureRule(pictures),
    JSON_RULE,
  ].join("\n");
  return {
    id,
    messages: [
      { role: "system", text: [ROLE, fence.rule, VALUE_RULES, ...dateRule(date)].join("\n") },
      { role: "user", text, ...(images.length > 0 ? { images } : {}) },
    ],
  };
}

/** What the planning step said, which it has from the document. */
const aboutRule = ({ fence, about }: { fence: Fence; about: string }): string[] =>
  about === "" ? [] : [fence.block("kind of document", about)];

/** Everything in one pass. */
export const simplePrompt = (input: ExtractInput): Prompt =>
  write("simple.v1", input, ["Extract the data that the schema describes from the document above."]);

/** @param about what planning told of the document, such as `invoice in de` */
export const fieldsPrompt = (input: ExtractInput & { names: readonly string[]; about: string }): Prompt =>
  write("fields.v1", input, [...aboutRule(input), `Extract these fields and no others: ${input.names.join(", ")}.`]);

/** @param own the pages whose rows are wanted; a page before them is shown for what goes on from it */
export const rowsPrompt = (input: ExtractInput & { name: string; own: readonly number[]; about: string }): Prompt =>
  write("rows.v1", input, [
    ...aboutRule(input),
    `Extract the rows of the list "${input.name}" that begin on the pages ${input.own.join(", ")}, every one of them, each with the number of the page on which it begins.`,
    "Rows that begin on another page are not wanted; headers, subtotals and totals are no rows unless the schema asks for them.",
  ]);
