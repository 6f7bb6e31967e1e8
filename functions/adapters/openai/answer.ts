/** Parses a server's answer without trusting its shape. */
import { isObject } from "../../ports/json.ts";
import type { AnswerFormat, ModelAnswer, ToolCall } from "../../ports/llm.ts";
import { type Failure, failureOf } from "./failure-reasons.ts";
import { usageOf } from "./usage.ts";
import { memberOf, parseJson, stringOf } from "./wire.ts";

/** An answer without the facts of the call. `tokens` is absent when the server does not count. */
export type ReadAnswer = Omit<ModelAnswer, "attempts" | "tokens"> & Partial<Pick<ModelAnswer, "tokens">>;

/** The text of a refusal without one. */
export const WITHHELD_TEXT = "The AI service withheld the answer because of its content filter";

const MAX_NAME_CHARACTERS = 200;

/** Text, or the joined text parts; undefined when there is none. */
function contentOf(content: unknown): string | undefined {
  if (!Array.isArray(content)) return stringOf(content);
  return content.map((part) => stringOf(memberOf(part, "text")) ?? "").join("");
}

function toolCallsOf(message: Record<string, unknown>): ToolCall[] {
  const calls: unknown[] = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  return calls.flatMap((call, index) => {
    const name = stringOf(memberOf(memberOf(call, "function"), "name"));
    if (name === undefined) return [];
    const given = memberOf(memberOf(call, "function"), "arguments");
    // Some servers send the arguments as an object, and no id.
    const argumentsText = stringOf(given) ?? JSON.stringify(given ?? {});
    return [{ id: stringOf(memberOf(call, "id")) ?? `call-${index + 1}`, name, argumentsText }];
  });
}

/** Unwraps a JSON answer from the thoughts and the code fence that models add when the server does not enforce JSON. */
function unwrap(text: string): string {
  const end = text.trimStart().startsWith("<think>") ? text.indexOf("</think>") : -1;
  const inner = (end < 0 ? text : text.slice(end + "</think>".length)).trim();
  const fence = /^```(?:json)?[ \t]*\r?\n/i.exec(inner)?.[0];
  if (fence === undefined || !inner.endsWith("```") || inner.length < fence.length + 3) return end < 0 ? text : inner;
  return inner.slice(fence.length, -3).trim();
}

function statusIn(error: unknown): number {
  const status = Number(memberOf(error, "code") ?? memberOf(error, "status"));
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : 502;
}

/**
 * Parses the body of an answer with status 200.
 * @returns the answer, or a failure: the one that a gateway put into the body, or an unreadable answer
 */
export function readAnswer(
  body: string,
  about: { model: string; format: AnswerFormat },
): { answer: ReadAnswer } | { failure: Failure } {
  const completion = parseJson(body);
  const tokens = usageOf(completion);
  const counted = tokens === undefined ? {} : { tokens };
  const choices = memberOf(completion, "choices");
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = memberOf(choice, "message");
  const error = memberOf(completion, "error") ?? memberOf(choice, "error");
  if (error !== undefined && error !== null) return { failure: failureOf(statusIn(error), completion) };
  if (!isObject(message)) return { failure: { reason: "unreadable", ...counted } };

  const reason = stringOf(memberOf(choice, "finish_reason"));
  const toolCalls = toolCallsOf(message);
  const text = contentOf(message.content);
  const model = (stringOf(memberOf(completion, "model")) || about.model).slice(0, MAX_NAME_CHARACTERS);
  const refusal = stringOf(message.refusal);
  const answered = (rest: Pick<ReadAnswer, "text" | "toolCalls" | "finish">) => ({
    answer: { ...rest, model, ...counted },
  });
  if (refusal !== undefined && refusal !== "") return answered({ text: refusal, toolCalls: [], finish: "refusal" });
  // Text written before the filter stopped it is not the answer.
  if (reason === "content_filter") return answered({ text: WITHHELD_TEXT, toolCalls: [], finish: "refusal" });
  if (reason === "length") return answered({ text: text ?? "", toolCalls: [], finish: "length" });
  if (toolCalls.length > 0) return answered({ text: text ?? "", toolCalls, finish: "tool-calls" });
  if (text === undefined) return { failure: { reason: "unreadable", ...counted } };
  return answered({ text: about.format.kind === "json" ? unwrap(text) : text, toolCalls, finish: "stop" });
}
