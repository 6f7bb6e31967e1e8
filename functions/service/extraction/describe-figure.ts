/** Description of a figure by a model. */
import { figurePrompt } from "../../engine/extraction/prompts/describe-prompt.ts";
import type { ModelImage } from "../../ports/llm.ts";
import type { ModelCalls } from "./model-calls.ts";

/** Most tokens, and most characters, of a description. */
const MAX_DESCRIPTION_TOKENS = 600;

const MAX_DESCRIPTION_CHARACTERS = 2_000;

/** Most characters of a figure's caption, and of the text around it, in the prompt. */
const MAX_CONTEXT_CHARACTERS = 4_000;

/**
 * Describes a figure in a few sentences.
 * @param figure `text`: the text in and around the figure; empty strings for a missing caption or text
 * @returns null when the model takes no pictures, or gives no text
 * @throws JobFailure as `ModelCalls.ask` does
 */
export async function describeFigure(
  calls: ModelCalls,
  figure: { image: ModelImage; caption: string; text: string },
): Promise<string | null> {
  if (!calls.facts.takesImages) return null;
  const { image, caption, text } = figure;
  const prompt = figurePrompt({
    fence: calls.fence(),
    image,
    caption: caption.slice(0, MAX_CONTEXT_CHARACTERS),
    text: text.slice(0, MAX_CONTEXT_CHARACTERS),
  });
  const answer = await calls.ask(prompt, { kind: "text" }, { maxTokens: MAX_DESCRIPTION_TOKENS });
  const description = answer.text.trim().replace(/\s+/g, " ");
  const cut = answer.finish === "length" || description.length > MAX_DESCRIPTION_CHARACTERS;
  if (description === "") return null;
  return cut ? `${description.slice(0, MAX_DESCRIPTION_CHARACTERS).trimEnd()}…` : description;
}
