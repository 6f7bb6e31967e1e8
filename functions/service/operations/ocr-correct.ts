/** The operation ocr-correct: recognised text corrected page by page, with a map back to the words on the page. */

import { correctPrompt } from "../../engine/extraction/prompts/correct-prompt.ts";
import { parameterReaderOf, SOURCE_MAPS } from "../../engine/nodes/parameter-specs.ts";
import type { SourceMapMode } from "../../engine/ocr/correction/correct-document.ts";
import { correctPagesTask } from "../../engine/tasks/correct-pages.ts";
import { pagesToCorrectTask } from "../../engine/tasks/pages-to-correct.ts";
import { Conflict } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";
import { estimateTokens } from "../../ports/llm-tokens.ts";
import type { ModelCalls } from "../extraction/model-calls.ts";
import { modelOf } from "../organizations/engines.ts";
import { loadBlob } from "./load-material.ts";
import type { Operation } from "./operation.ts";

/** Growth of a corrected page over the original, as a factor and in further tokens. */
const MAX_GROWTH_FACTOR = 1.3;
const GROWTH_MARGIN_TOKENS = 100;

/**
 * Asks a model for a correction of each page. A page that is too long for it, or whose answer was cut off, has no
 * proposal: it is corrected by the dictionary.
 * @param instructions further instructions of the user
 */
export async function proposeCorrections(
  pages: readonly { number: number; text: string }[],
  calls: ModelCalls,
  instructions?: string,
): Promise<Record<number, string>> {
  const proposals: Record<number, string> = {};
  for (const { number, text } of pages) {
    if (text.trim() === "") continue;
    const prompt = correctPrompt({
      fence: calls.fence(),
      number,
      text,
      ...(instructions === undefined ? {} : { wish: instructions }),
    });
    const maxTokens = Math.ceil(estimateTokens(text) * MAX_GROWTH_FACTOR) + GROWTH_MARGIN_TOKENS;
    if (calls.roomFor(prompt) < maxTokens) continue;
    const answer = await calls.ask(prompt, { kind: "text" }, { maxTokens });
    if (answer.finish !== "length" && answer.text.trim() !== "") proposals[number] = answer.text;
  }
  return proposals;
}

export const ocrCorrect: Operation = {
  type: "ocr-correct",
  summary: "recognised text corrected (mode correction, scope pagewise, sourceMap preserve, compress or none)",
  read: parameterReaderOf("ocr-correct"),
  require({ guid, layoutKey }) {
    if (layoutKey === undefined) throw new Conflict(`Job ${guid} has no text of its document; process it first`);
  },
  async run({ org, material, deadline, tier, ask }, parameters) {
    const { documents } = org.engines;
    const layout = await loadBlob(org, material.layoutKey);
    const pages = ask === null ? [] : await documents.run(pagesToCorrectTask, { layout }, { deadline });
    const proposals = ask === null || pages.length === 0 ? {} : await ask((calls) => proposeCorrections(pages, calls));
    const mode = SOURCE_MAPS.find((one) => one === parameters.sourceMap) ?? "preserve";
    const corrected = await documents.run(
      correctPagesTask,
      { layout, proposals, sourceMap: mode satisfies SourceMapMode },
      { deadline },
    );
    const engine = pages.length === 0 ? "offline" : (modelOf(org.engines, tier)?.facts(tier).model ?? "offline");
    return { result: corrected as unknown as Json, engine };
  },
};
