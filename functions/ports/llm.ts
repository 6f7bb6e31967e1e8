/**
 * A language model: messages in, an answer out. The driver owns the wire format, the retries and the circuit breaker;
 * its callers write the prompts and judge the answers.
 */
import type { Json } from "./json.ts";
import type { WorkLimits } from "./limits.ts";

/** The tiers of the wire (`llm`), each bound to a model by a deployment. */
export const LLM_TIERS = ["NANO", "MINI", "DEFAULT", "HIGH"] as const;
export type LlmTier = (typeof LLM_TIERS)[number];

/** A picture for a model that takes them. */
export interface ModelImage {
  mimeType: "image/png" | "image/jpeg";
  bytes: Uint8Array;
}

/** A tool that the model asked for. */
export interface ToolCall {
  id: string;
  name: string;
  /** As the model wrote them: text that may not be JSON. */
  argumentsText: string;
}

export type ModelMessage =
  | { role: "system"; text: string }
  | { role: "user"; text: string; images?: ModelImage[] }
  | { role: "assistant"; text: string; toolCalls?: ToolCall[] }
  | { role: "tool"; toolCallId: string; text: string };

/** A tool that the model may ask for; tools only read. */
export interface ModelTool {
  name: string;
  description: string;
  parameters: Json;
}

/** What the answer must look like. `schema`: in the part of JSON Schema that structured outputs take. */
export type AnswerFormat = { kind: "text" } | { kind: "json"; name: string; schema?: Json };

export interface ModelRequest {
  tier: LlmTier;
  messages: ModelMessage[];
  format: AnswerFormat;
  tools?: ModelTool[];
  /** Tokens that the answer may have. */
  maxTokens?: number;
  /** 0 unless given. */
  temperature?: number;
  /** Passed to models that take it. */
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
  /** `length`: cut off; `refusal`: the model would not, and `text` says why. */
  finish: "stop" | "length" | "tool-calls" | "refusal";
  /** As the server names it. */
  model: string;
  /** Of this answer and of the tries before it that the server counted. Estimated where the server does not tell. */
  tokens: TokenCount;
  /** Tries, this one included. */
  attempts: number;
}

/** What is known of the model of a tier. */
export interface ModelFacts {
  model: string;
  /** Tokens of prompt and answer together. */
  contextTokens: number;
  /** Tokens of the longest answer. */
  answerTokens: number;
  takesImages: boolean;
  /** For usage events: `openai:gpt-…`, or `provider:{id}` of an organization's own. */
  providerKey: string;
}

export interface LanguageModel {
  /** @throws ServiceUnavailable when the tier is bound to no model */
  facts(tier: LlmTier): ModelFacts;
  /**
   * One answer, tries included, none of which outlasts the deadline.
   * @throws JobFailure `Processing failed: AI service unavailable` when the server is not there, too busy for too long,
   * answers in no way that can be read, or is left alone after failing too often; JobFailure with a sentence of its own
   * when the request is too long for the model, or the deployment's key or model name is refused
   */
  answer(request: ModelRequest, limits: WorkLimits): Promise<ModelAnswer>;
}
