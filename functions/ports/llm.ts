/**
 * A language model: messages in, an answer out. The driver owns the wire format, the retries and the circuit breaker;
 * its callers write the prompts and judge the answers.
 */
import type { Json } from "./json.ts";
import type { WorkLimits } from "./limits.ts";

/** Model tiers, as requests name them (`llm`); a deployment binds each to a model. */
export const LLM_TIERS = ["NANO", "MINI", "DEFAULT", "HIGH"] as const;
export type LlmTier = (typeof LLM_TIERS)[number];

/** A picture for a model that takes pictures. */
export interface ModelImage {
  mimeType: "image/png" | "image/jpeg";
  bytes: Uint8Array;
}

/** A tool call that the model asked for. */
export interface ToolCall {
  id: string;
  name: string;
  /** As the model wrote them; may not be valid JSON. */
  argumentsText: string;
}

export type ModelMessage =
  | { role: "system"; text: string }
  | { role: "user"; text: string; images?: ModelImage[] }
  | { role: "assistant"; text: string; toolCalls?: ToolCall[] }
  | { role: "tool"; toolCallId: string; text: string };

/** A tool offered to the model; tools only read. */
export interface ModelTool {
  name: string;
  description: string;
  parameters: Json;
}

/** The required form of the answer. `schema`: limited to the JSON Schema keywords that structured outputs support. */
export type AnswerFormat = { kind: "text" } | { kind: "json"; name: string; schema?: Json };

/** Fewest tokens of an answer that a call asks for: shorter ones are cut off before they say anything. */
export const MIN_ANSWER_TOKENS = 64;
/** Most tokens of an answer that a caller may ask for: what large models write at once. */
export const MAX_ANSWER_TOKENS = 32_000;

export interface ModelRequest {
  tier: LlmTier;
  messages: ModelMessage[];
  format: AnswerFormat;
  tools?: ModelTool[];
  /** Most tokens of the answer. */
  maxTokens?: number;
  /** 0 unless given. */
  temperature?: number;
  /** Passed to models that support it. */
  reasoningEffort?: string;
}

export interface TokenCount {
  prompt: number;
  completion: number;
  total: number;
}

export interface ModelAnswer {
  text: string;
  toolCalls: ToolCall[];
  /** `length`: cut off at the token limit; `refusal`: the model declined, and `text` says why. */
  finish: "stop" | "length" | "tool-calls" | "refusal";
  /** The server's name of the model. */
  model: string;
  /** Tokens of this answer and of earlier attempts that the server counted. Estimated where the server reports none. */
  tokens: TokenCount;
  /** Attempts, this one included. */
  attempts: number;
}

/** Properties of a tier's model. */
export interface ModelFacts {
  model: string;
  /** Most tokens of prompt and answer together. */
  contextTokens: number;
  /** Most tokens of an answer. */
  answerTokens: number;
  takesImages: boolean;
  /** For usage events: `openai:gpt-…`, or `provider:{id}` for an organization's own provider. */
  providerKey: string;
}

export interface LanguageModel {
  /** @throws ServiceUnavailable when the tier is bound to no model */
  facts(tier: LlmTier): ModelFacts;
  /**
   * Asks for one answer; retries included, it ends before the deadline.
   * @throws JobFailure `Processing failed: AI service unavailable` when the server is unreachable, stays too busy,
   * answers unreadably, or its circuit breaker is open; JobFailure with a sentence of its own when the request is too
   * long for the model, or the deployment's key or model name is refused
   */
  answer(request: ModelRequest, limits: WorkLimits): Promise<ModelAnswer>;
}
