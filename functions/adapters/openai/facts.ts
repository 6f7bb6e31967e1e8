/** What is known of models by their names, for those whose operator does not say more. */
import type { ModelFacts } from "../../ports/llm.ts";

type KnownFacts = Omit<ModelFacts, "model" | "providerKey"> & {
  /** Thinks before it answers: takes no temperature, and its limit counts the thoughts too. */
  reasons: boolean;
};

const facts = (contextTokens: number, answerTokens: number, kind: "text" | "images", reasons = false): KnownFacts => ({
  contextTokens,
  answerTokens,
  takesImages: kind === "images",
  reasons,
});

/**
 * The first that fits. Figures as OpenAI published them of its models, by general knowledge; where members of
 * a family differ, the least. Families newer than that are in the package's list of names, which tells no figures: of
 * those only what the least of the known ones has is taken for granted.
 */
const KNOWN: readonly (readonly [name: RegExp, facts: KnownFacts])[] = [
  [/^gpt-oss/, facts(131_072, 32_768, "text")],
  [/^gpt-[5-9][\d.]*-chat/, facts(128_000, 16_384, "images")],
  [/^gpt-5(\.[12])?(-(mini|nano|pro|codex|\d{4})|$)/, facts(400_000, 128_000, "images", true)],
  [/^gpt-[5-9]/, facts(128_000, 16_384, "images", true)],
  [/^o3-mini/, facts(200_000, 100_000, "text", true)],
  [/^o1-(mini|preview)/, facts(128_000, 32_768, "text", true)],
  [/^o[134]\b/, facts(200_000, 100_000, "images", true)],
  [/^gpt-4\.1/, facts(1_047_576, 32_768, "images")],
  [/^gpt-4o(-mini)?-(audio|search)/, facts(128_000, 16_384, "text")],
  [/^gpt-4o-2024-05-13/, facts(128_000, 4_096, "images")],
  [/^(chat)?gpt-4o/, facts(128_000, 16_384, "images")],
  [/^gpt-4-turbo(?!-preview)/, facts(128_000, 4_096, "images")],
  [/^gpt-4-(turbo-preview|0125|1106|vision)/, facts(128_000, 4_096, "text")],
  [/^gpt-4-32k/, facts(32_768, 4_096, "text")],
  [/^gpt-4/, facts(8_192, 4_096, "text")],
  [/^gpt-3\.5-turbo-(0301|0613)/, facts(4_096, 2_048, "text")],
  [/^gpt-3\.5/, facts(16_385, 4_096, "text")],
];

/**
 * Of a model that nobody knows: what nearly every model in use has at least. A server may still be set to less: then its
 * operator says so (`LLM_MODEL_FACTS`), for some servers cut a prompt that is too long without a word.
 */
const UNKNOWN = facts(32_768, 4_096, "text");

/** Facts by a model's name, also where a gateway's path stands before it (`openai/gpt-4o`) or a fine-tuned one's `ft:`. */
export function knownFacts(model: string): KnownFacts {
  const name = model.slice(model.lastIndexOf("/") + 1).replace(/^ft:/, "");
  return KNOWN.find(([pattern]) => pattern.test(name))?.[1] ?? UNKNOWN;
}
