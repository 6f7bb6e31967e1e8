/** The model of a deployment, from its environment. */
import * as z from "zod";
import type { LlmTier, ModelFacts } from "../functions/ports/llm.ts";
import { ConfigError } from "./api-keys.ts";

/** The options of the model's driver. */
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
 * Reads the model's settings: `OPENAI_API_KEY` turns a model on, `OPENAI_BASE_URL` is its address, `LLM_MODEL_DEFAULT`
 * its name, and `LLM_MODEL_NANO|MINI|HIGH` are the names of the other tiers.
 * @returns null without a model @throws ConfigError for inconsistent settings
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
