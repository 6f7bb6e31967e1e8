/** Prompts that check an answer: values that the page does not print, data that breaks its schema, answers without JSON. */
import type { ModelImage, ModelMessage } from "../../../ports/llm.ts";
import type { Fence, PagedText, Prompt } from "./fence.ts";
import { JSON_RULE, schemaRule } from "./prompt-words.ts";

const CORRECTIONS_RULE =
  'The answer: {"corrections": [{"pointer": as given, "stated": whether the document states it, "value": the value as JSON text, such as "12.5", "\\"text\\"" or "null"}]}.';

interface VerifyInput {
  fence: Fence;
  pages: readonly PagedText[];
  pictures: readonly { number: number; image: ModelImage }[];
  doubts: readonly { pointer: string; value: unknown }[];
}

/** Asks about values whose words the text does not have. */
export function verifyPrompt({ fence, pages, pictures, doubts }: VerifyInput): Prompt {
  const images = pictures.map(({ image }) => image);
  const text = [
    fence.pages(pages),
    "",
    "These values were extracted from the document above, and its text does not have them as they are. Look at each again: is it stated, in other words or worked out from what is stated, or is it not?",
    fence.block("values", JSON.stringify(doubts)),
    ...(pictures.length > 0 ? [`The pictures show the pages ${pictures.map(({ number }) => number).join(", ")}.`] : []),
    "Answer for every pointer: stated with the right value, or not stated with null. Never invent one.",
    CORRECTIONS_RULE,
    JSON_RULE,
  ].join("\n");
  return {
    id: "verify.v1",
    messages: [
      { role: "system", text: ["You check data that was extracted from documents.", fence.rule].join("\n") },
      { role: "user", text, ...(images.length > 0 ? { images } : {}) },
    ],
  };
}

interface RepairInput {
  fence: Fence;
  pages: readonly PagedText[];
  schema: unknown;
  wrapped: boolean;
  /** The data as JSON text; only the faulty values when the data is too long to be answered again. */
  data: string;
  faults: readonly { pointer: string; message: string }[];
  /** Ask for the whole data instead of corrections. */
  whole: boolean;
}

/** Asks to repair data that breaks its schema. */
export function repairPrompt({ fence, pages, schema, wrapped, data, faults, whole }: RepairInput): Prompt {
  const text = [
    fence.pages(pages),
    "",
    whole
      ? "This data was extracted from the document above, and does not fit its schema:"
      : "These values were extracted from the document above, and do not fit the schema of the data:",
    fence.block("data", data),
    schemaRule(schema, wrapped && whole),
    "What is wrong, by JSON Pointer:",
    fence.block(
      "faults",
      faults.map(({ pointer, message }) => `${pointer === "" ? "/" : pointer}: ${message}`).join("\n"),
    ),
    "Correct what is wrong from the document and leave all else as it is. A value that the document does not state must not be invented to fit: give null.",
    whole ? "Answer with the whole corrected data." : CORRECTIONS_RULE,
    JSON_RULE,
  ].join("\n");
  return {
    id: "repair.v1",
    messages: [
      { role: "system", text: ["You correct data that was extracted from documents.", fence.rule].join("\n") },
      { role: "user", text },
    ],
  };
}

/** Asks again after an answer without JSON. @param before the messages so far */
export const againPrompt = (before: readonly ModelMessage[], answer: string): Prompt => ({
  id: "again.v1",
  messages: [
    ...before,
    { role: "assistant", text: answer },
    { role: "user", text: `This is not the JSON that was asked for. ${JSON_RULE} Begin with { and end with }.` },
  ],
});
