/** The model of a deployment, as its environment binds it. */
import * as z from "zod";
import type { LlmTier, ModelFacts } from "../functions/ports/llm.ts";
import { ConfigError } from "./api-keys.ts";

/** What the driver is opened with. */
export interface ModelConfig {
  apiKey: string;
  baseUrl?: string;
  models: Record<LlmTier, string | null>;
  facts: Record<string, Partial<Omit<ModelFacts, "model">>>;
}

const factsShape = z.record(
  z.string(),
  z.strictObject({
    contextTokens: z.int().min(1000).exactOptional(),
    answerTokens: z.int().min(256).exactOptional(),
    takesImages: z.boolean().exactOptional(),
  }),
);

const textOf = (value: string | undefined): string | undefined => (value?.trim() ? value.trim() : undefined);

function parseFacts(text: string | undefined): ModelConfig["facts"] {
  if (text === undefined) return {};
  try {
    return factsShape.parse(JSON.parse(text));
  } catch {
    throw new ConfigError(
      'LLM_MODEL_FACTS must be JSON like {"my-model":{"contextTokens":131072,"answerTokens":8192,"takesImages":false}}',
    );
  }
}

/**
 * `OPENAI_API_KEY` turns a model on, `OPENAI_BASE_URL` says where it is, `LLM_MODEL_DEFAULT` which, and
 * `LLM_MODEL_NANO|MINI|HIGH` which one the other tiers are bound to.
 * @returns null when there is none @throws ConfigError for settings that cannot be used together
 */
export function parseModel(env: Record<string, string | undefined>): ModelConfig | null {
  const apiKey = textOf(env.OPENAI_API_KEY);
  const named = textOf(env.LLM_MODEL_DEFAULT);
  const baseUrl = textOf(env.OPENAI_BASE_URL);
  if (apiKey === undefined) {
    if (named === undefined && baseUrl === undefined) return null;
    throw new ConfigError("OPENAI_API_KEY is not set; a server that needs none takes any text, such as 'none'");
  }
  if (named === undefined) {
    throw new ConfigError("LLM_MODEL_DEFAULT is not set; name the model that extracts, as its server names it");
  }
  const tier = (name: string): string => textOf(env[`LLM_MODEL_${name}`]) ?? named;
  return {
    apiKey,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    models: { DEFAULT: named, NANO: tier("NANO"), MINI: tier("MINI"), HIGH: tier("HIGH") },
    facts: parseFacts(textOf(env.LLM_MODEL_FACTS)),
  };
}
