/** A figure in a few sentences of a model. */
import { figurePrompt } from "../../engine/extraction/prompts/describe-prompt.ts";
import type { ModelImage } from "../../ports/llm.ts";
import type { ModelCalls } from "./model-calls.ts";

/** Tokens and characters of a description. */
const FIGURE_TOKENS = 600;

const LONGEST_DESCRIPTION = 2_000;

/** Characters of a figure's surroundings that are shown. */
const LONGEST_CONTEXT = 4_000;

/**
 * Describes a figure in a few sentences.
 * @param figure `text`: what is printed in it and around it; empty strings for what there is not
 * @returns null where the run's model takes no pictures, or says nothing
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
    caption: caption.slice(0, LONGEST_CONTEXT),
    text: text.slice(0, LONGEST_CONTEXT),
  });
  const answer = await calls.ask(prompt, { kind: "text" }, { maxTokens: FIGURE_TOKENS });
  const said = answer.text.trim().replace(/\s+/g, " ");
  const cut = answer.finish === "length" || said.length > LONGEST_DESCRIPTION;
  if (said === "") return null;
  return cut ? `${said.slice(0, LONGEST_DESCRIPTION).trimEnd()}…` : said;
}
