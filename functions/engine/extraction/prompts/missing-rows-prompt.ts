/** The prompt for rows that the page shows and an answer lacks. */
import type { ModelImage } from "../../../ports/llm.ts";
import type { Fence, PagedText, Prompt } from "./fence.ts";
import { beforeRule, dateRule, JSON_RULE, schemaRule, VALUE_RULES, wishRule } from "./prompt-words.ts";

interface MissingRowsInput {
  fence: Fence;
  pages: readonly PagedText[];
  pictures: readonly { number: number; image: ModelImage }[];
  /** Schema of the answer. */
  schema: unknown;
  /** Name of the list. */
  name: string;
  /** Numbered from 1; the text as printed. */
  rows: readonly { line: number; page: number; text: string }[];
  /** Sentences that restrict the wanted rows. */
  only: readonly string[];
  /** Number of the list's rows. */
  returned: number;
  prompt?: string;
  date?: string;
  /** Text before the pages, as context. */
  before?: string;
}

export function missingRowsPrompt(input: MissingRowsInput): Prompt {
  const { fence, pages, pictures, schema, name, rows, only, returned, prompt, date, before } = input;
  const images = pictures.map(({ image }) => image);
  const listed = rows.map(({ line, page, text }) => `${line}. page ${page}: ${text}`).join("\n");
  const text = [
    fence.pages(pages),
    "",
    ...beforeRule(fence, before),
    `The list "${name}" was extracted from the document above, and these rows of its pages are not in it:`,
    fence.block("rows that are missing", listed),
    "Extract every one of them, each with its number as `line`. Give null as the row of a line that is no row of the list, such as a heading, a sum or a remark; give nothing for other rows.",
    ...(only.length > 0
      ? [
          `Not all rows of the list are wanted, and it has ${returned} already. Give those that fit what is said of them, and null as the row of every line that does not:`,
          ...only,
        ]
      : []),
    ...wishRule(prompt),
    schemaRule(schema, false),
    ...(pictures.length > 0 ? [`The pictures show the pages ${pictures.map(({ number }) => number).join(", ")}.`] : []),
    JSON_RULE,
  ].join("\n");
  return {
    id: before === undefined ? "missing-rows.v1" : "missing-rows-after.v1",
    messages: [
      {
        role: "system",
        text: ["You complete data that was extracted from documents.", fence.rule, VALUE_RULES, ...dateRule(date)].join(
          "\n",
        ),
      },
      { role: "user", text, ...(images.length > 0 ? { images } : {}) },
    ],
  };
}
