/** The prompt to choose among a document's figures. */
import type { ModelImage } from "../../../ports/llm.ts";
import type { Fence, Prompt } from "./fence.ts";
import { JSON_RULE } from "./prompt-words.ts";

interface SelectInput {
  fence: Fence;
  wish: string;
  matchMode: "all" | "any";
  topK: number;
  figures: readonly { id: string; pageNumber: number; text: string }[];
  /** Pictures of some figures, by id. */
  pictures: readonly { id: string; image: ModelImage }[];
}

export function selectPrompt({ fence, wish, matchMode, topK, figures, pictures }: SelectInput): Prompt {
  const listed = figures.map(({ id, pageNumber, text }) => fence.block(`figure ${id} on page ${pageNumber}`, text));
  const shown = pictures.map(({ id }) => id).join(", ");
  const images = pictures.map(({ image }) => image);
  const text = [
    ...listed,
    "",
    ...(images.length > 0 ? [`The pictures show, in this order, the figures ${shown}.`] : []),
    "Choose the figures that fit this wish, in the words of the person who sent the document:",
    wish,
    matchMode === "all" ? "A figure must fit everything that is wished." : "A figure may fit a part of what is wished.",
    `Name at most ${topK}, the best first, and none that does not fit.`,
    'The answer: {"selected": [{"id": …, "score": 0 to 1, "reason": one sentence}]}.',
    JSON_RULE,
  ].join("\n");
  return {
    id: "select.v1",
    messages: [
      { role: "system", text: ["You choose figures of documents.", fence.rule].join("\n") },
      { role: "user", text, ...(images.length > 0 ? { images } : {}) },
    ],
  };
}
