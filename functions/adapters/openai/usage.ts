/** Token counts: the server's, or estimates. */
import { isObject } from "../../ports/json.ts";
import type { ModelAnswer, ModelMessage, ModelRequest, TokenCount } from "../../ports/llm.ts";
import { estimateTokens, MAX_IMAGE_TOKENS } from "../../ports/llm-tokens.ts";
import { memberOf } from "./wire.ts";

export const NO_TOKENS: TokenCount = { prompt: 0, completion: 0, total: 0 };

/** Tokens of a message besides its text, for role and delimiters, in the chat formats of OpenAI's models 3 to 4. */
const MESSAGE_TOKENS = 4;

const countOf = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** Parses `usage` of a body, also of an error's; undefined when absent or implausible. */
export function usageOf(body: unknown): TokenCount | undefined {
  const usage = memberOf(body, "usage");
  if (!isObject(usage)) return undefined;
  const prompt = countOf(usage.prompt_tokens);
  const completion = countOf(usage.completion_tokens) ?? 0;
  if (prompt === undefined) return undefined;
  return { prompt, completion, total: Math.max(countOf(usage.total_tokens) ?? 0, prompt + completion) };
}

export const addTokens = (a: TokenCount, b: TokenCount): TokenCount => ({
  prompt: a.prompt + b.prompt,
  completion: a.completion + b.completion,
  total: a.total + b.total,
});

function messageTokens(message: ModelMessage): number {
  const images = message.role === "user" ? (message.images?.length ?? 0) * MAX_IMAGE_TOKENS : 0;
  const calls = message.role === "assistant" ? (message.toolCalls ?? []) : [];
  const called = calls.reduce((sum, call) => sum + estimateTokens(call.name) + estimateTokens(call.argumentsText), 0);
  return MESSAGE_TOKENS + estimateTokens(message.text) + images + called;
}

/** Estimates tokens for servers that do not count. */
export function estimateUsage(request: ModelRequest, answer: Pick<ModelAnswer, "text" | "toolCalls">): TokenCount {
  const schema = request.format.kind === "json" ? request.format.schema : undefined;
  const about = [schema, request.tools].filter((part) => part !== undefined).map((part) => JSON.stringify(part));
  const prompt =
    request.messages.reduce((sum, message) => sum + messageTokens(message), 0) +
    about.reduce((sum, text) => sum + estimateTokens(text), 0);
  const completion = messageTokens({ role: "assistant", ...answer });
  return { prompt, completion, total: prompt + completion };
}
