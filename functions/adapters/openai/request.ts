/** Converts a request of the port to a body of the chat-completions protocol. */
import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { AnswerFormat, ModelImage, ModelMessage, ModelRequest } from "../../ports/llm.ts";
import type { Abilities } from "./abilities.ts";

/** Constant: with it and without temperature, servers that support it repeat the same answer. */
const SEED = 1;

const dataUrl = ({ mimeType, bytes }: ModelImage): string =>
  `data:${mimeType};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")}`;

function toMessage(message: ModelMessage): ChatCompletionMessageParam {
  if (message.role === "system") return { role: "system", content: message.text };
  if (message.role === "tool") return { role: "tool", tool_call_id: message.toolCallId, content: message.text };
  if (message.role === "user") {
    const { text, images = [] } = message;
    if (images.length === 0) return { role: "user", content: text };
    // Pages hold small print; at low detail they are scaled to 512 pixels.
    const pictures = images.map((image) => ({
      type: "image_url" as const,
      image_url: { url: dataUrl(image), detail: "high" as const },
    }));
    return { role: "user", content: [{ type: "text", text }, ...pictures] };
  }
  const calls = message.toolCalls ?? [];
  if (calls.length === 0) return { role: "assistant", content: message.text };
  return {
    role: "assistant",
    content: message.text === "" ? null : message.text,
    tool_calls: calls.map(({ id, name, argumentsText }) => ({
      id,
      type: "function",
      function: { name, arguments: argumentsText },
    })),
  };
}

/** Messages of a request, built once for all attempts, because pictures are large. */
export const toMessages = (messages: readonly ModelMessage[]): ChatCompletionMessageParam[] => messages.map(toMessage);

type ResponseFormat = NonNullable<ChatCompletionCreateParamsNonStreaming["response_format"]>;

function responseFormat(format: AnswerFormat, abilities: Abilities): ResponseFormat | undefined {
  if (format.kind === "text") return undefined;
  if (format.schema !== undefined && abilities.schema) {
    // The protocol's names have at most 64 letters, digits, _ and -.
    const name = format.name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "answer";
    const schema = format.schema as Record<string, unknown>;
    return { type: "json_schema", json_schema: { name, schema, strict: true } };
  }
  return abilities.object ? { type: "json_object" } : undefined;
}

/** The schema as text. JSON mode requires the word JSON somewhere in the messages. */
function instruction(format: AnswerFormat): string {
  const only = "Answer with one JSON value and nothing else: no explanation, no code fence.";
  if (format.kind === "text" || format.schema === undefined) return only;
  return `${only} It must be valid against this JSON Schema:\n${JSON.stringify(format.schema)}`;
}

/** Adds text to the first system message: some servers take only one, and only at the start. */
function withInstruction(messages: ChatCompletionMessageParam[], text: string): ChatCompletionMessageParam[] {
  const [first, ...others] = messages;
  if (first?.role !== "system") return [{ role: "system", content: text }, ...messages];
  return [{ role: "system", content: `${first.content}\n\n${text}` }, ...others];
}

/** @param answerTokens most tokens of the model's answer */
export function toParams(
  request: ModelRequest,
  messages: ChatCompletionMessageParam[],
  about: { model: string; answerTokens: number; abilities: Abilities },
): ChatCompletionCreateParamsNonStreaming {
  const { model, answerTokens, abilities } = about;
  const { format, tools = [], maxTokens, temperature = 0, reasoningEffort } = request;
  const wanted = responseFormat(format, abilities);
  const told = format.kind === "text" || wanted?.type === "json_schema";
  const limit = maxTokens === undefined ? undefined : Math.max(1, Math.min(maxTokens, answerTokens));
  return {
    model,
    messages: told ? messages : withInstruction(messages, instruction(format)),
    ...(wanted === undefined ? {} : { response_format: wanted }),
    ...(abilities.temperature ? { temperature } : {}),
    ...(abilities.seed ? { seed: SEED } : {}),
    ...(limit === undefined || abilities.limit === "none" ? {} : { [abilities.limit]: limit }),
    ...(reasoningEffort !== undefined && abilities.effort
      ? { reasoning_effort: reasoningEffort as NonNullable<ChatCompletionCreateParamsNonStreaming["reasoning_effort"]> }
      : {}),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: "function" as const,
            function: { name, description, parameters: parameters as Record<string, unknown> },
          })),
        }),
  };
}
