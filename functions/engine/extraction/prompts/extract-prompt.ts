/** Prompts that extract data from a document: all at once, a group of fields, or the rows of some pages. */
import type { ModelImage } from "../../../ports/llm.ts";
import type { AnswerSchema } from "../answers/answer-schema.ts";
import type { Fence, PagedText, Prompt } from "./fence.ts";
import { beforeRule, dateRule, JSON_RULE, schemaRule, VALUE_RULES, wishRule } from "./prompt-words.ts";

/** Input of all these prompts. */
export interface ExtractInput {
  fence: Fence;
  pages: readonly PagedText[];
  findings: string;
  /** Pictures of pages whose text was recognised, with their numbers. */
  pictures: readonly { number: number; image: ModelImage }[];
  schema: unknown;
  /** The answer's form. */
  answer: Pick<AnswerSchema, "wrapped" | "limits">;
  prompt?: string;
  date?: string;
  /** The pages are some of a longer document: the number of its pages. */
  partOf?: number;
  /** Text before the pages, as context. */
  before?: string;
}

const ROLE = "You extract data from documents.";

const pictureRule = (pictures: ExtractInput["pictures"]): string[] =>
  pictures.length === 0
    ? []
    : [
        `The pictures show, in this order, the pages ${pictures.map(({ number }) => number).join(", ")}. Where a picture and the recognised text differ, trust the picture.`,
      ];

/** Wordings of one prompt have names of their own. */
const nameOf = (id: string, { partOf, before, answer }: ExtractInput): string =>
  `${id}${partOf === undefined ? "" : "-pages"}${before === undefined ? "" : "-after"}${answer.limits ? "-limits" : ""}.v1`;

const LIMITS_RULE = [
  'Leave a row out of a list only where words of the sender, or a description in the schema, ask for some of its rows: a number of rows, rows of some pages, or rows of some kind. State each such list in "limits": {"list": its JSON Pointer in the data, "limit": {"count": the number of rows or null, "first_page" and "last_page": the pages or null, "criterion": the kind of rows or null}, "reason": the words that ask for it, copied exactly}.',
  'Where nothing asks for that, give every row, and [] for "limits". Formats, columns, headings and sums are no limits.',
];

/** Limits stand beside the data. */
const limitsRule = (id: string, { limits = false }: ExtractInput["answer"]): string[] =>
  limits
    ? [...LIMITS_RULE, ...(id === "rows" ? [] : ['The answer: {"result": the data, "limits": [the stated limits]}.'])]
    : [];

function promptOf(id: string, input: ExtractInput, task: readonly string[]): Prompt {
  const { fence, pages, findings, pictures, schema, answer, prompt, date, before } = input;
  const images = pictures.map(({ image }) => image);
  const text = [
    fence.pages(pages, findings),
    "",
    ...beforeRule(fence, before),
    ...task,
    ...wishRule(prompt),
    schemaRule(schema, answer.wrapped && !answer.limits),
    ...limitsRule(id, answer),
    ...pictureRule(pictures),
    JSON_RULE,
  ].join("\n");
  return {
    id: nameOf(id, input),
    messages: [
      { role: "system", text: [ROLE, fence.rule, VALUE_RULES, ...dateRule(date)].join("\n") },
      { role: "user", text, ...(images.length > 0 ? { images } : {}) },
    ],
  };
}

/** The planning step's answer; it comes from the document, so it is fenced. */
const aboutRule = ({ fence, about }: { fence: Fence; about: string }): string[] =>
  about === "" ? [] : [fence.block("kind of document", about)];

/** Some pages of a long document: other requests ask for the others. */
const partRule = ({ pages, partOf }: ExtractInput): string[] =>
  partOf === undefined
    ? []
    : [
        `The document has ${partOf} pages; above are only these: ${pages.map(({ number }) => number).join(", ")}. The others are asked for separately: give null, or an empty list, for what these pages do not state.`,
      ];

/** Everything in one pass. */
export const simplePrompt = (input: ExtractInput): Prompt =>
  promptOf("simple", input, [
    "Extract the data that the schema describes from the document above.",
    ...partRule(input),
  ]);

/** A group of fields. @param about the planning step's description, such as `invoice in de` */
export const fieldsPrompt = (input: ExtractInput & { names: readonly string[]; about: string }): Prompt =>
  promptOf("fields", input, [
    ...aboutRule(input),
    `Extract these fields and no others: ${input.names.join(", ")}.`,
    ...partRule(input),
  ]);

/** Rows of a list. @param own pages of the wanted rows; the page before is shown for rows that begin there */
export const rowsPrompt = (input: ExtractInput & { name: string; own: readonly number[]; about: string }): Prompt =>
  promptOf("rows", input, [
    ...aboutRule(input),
    `Extract the rows of the list "${input.name}" that begin on the pages ${input.own.join(", ")}, every one of them, each with the number of the page on which it begins.`,
    "Rows that begin on another page are not wanted; headers, subtotals and totals are no rows unless the schema asks for them.",
  ]);
