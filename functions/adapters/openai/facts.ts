/** Known facts of models by name, for operators who do not configure them. */
import type { ModelFacts } from "../../ports/llm.ts";

type KnownFacts = Omit<ModelFacts, "model" | "providerKey"> & {
  /** Reasons before it answers: takes no temperature, and its limit includes the reasoning tokens. */
  reasons: boolean;
};

const facts = (contextTokens: number, answerTokens: number, kind: "text" | "images", reasons = false): KnownFacts => ({
  contextTokens,
  answerTokens,
  takesImages: kind === "images",
  reasons,
});

/**
 * The first match counts. Figures as OpenAI published them, by general knowledge; the minimum where members of a family
 * differ. Newer families are in the package's list of names, which has no figures: they get the minimum of the known
 * ones.
 */
const KNOWN_FAMILIES: readonly (readonly [name: RegExp, facts: KnownFacts])[] = [
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
 * For unknown models: the minimum of nearly every model in use. A server may be set to less; then its operator
 * configures
 * it (`LLM_MODEL_FACTS`), because some servers truncate an overlong prompt silently.
 */
const UNKNOWN_MODEL_FACTS = facts(32_768, 4_096, "text");

/** Facts by a model's name, also behind a gateway's path (`openai/gpt-4o`) or the `ft:` of a fine-tuned model. */
export function knownFacts(model: string): KnownFacts {
  const name = model.slice(model.lastIndexOf("/") + 1).replace(/^ft:/, "");
  return KNOWN_FAMILIES.find(([pattern]) => pattern.test(name))?.[1] ?? UNKNOWN_MODEL_FACTS;
}
