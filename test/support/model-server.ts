/**
 * A server of the chat-completions protocol in the test's own process. A script decides the reply to each request:
 *
 *     await using server = await startModelServer([fail(500), answerJson({ total: 12 })]);
 *     openOpenAi({ baseUrl: server.url, … });
 *
 * or, for conversations, `startModelServer((request) => request.system.includes("plan") ? answerJson(…) : …)`.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleepFor } from "node:timers/promises";

interface SeenImage {
  mimeType: string;
  bytes: Uint8Array;
}

/** A received request, with the parts that tests look for. */
export interface SeenRequest {
  /** From 0. */
  index: number;
  method: string;
  path: string;
  headers: Record<string, string | undefined>;
  /** The parsed body; an empty object when it was not a JSON object. */
  body: Record<string, unknown>;
  /** The messages of a role, joined by blank lines. */
  system: string;
  user: string;
  /** Images of all messages. */
  images: SeenImage[];
  /** The schema in `response_format`; undefined without structured outputs. */
  schema: unknown;
}

interface SeenTool {
  name: string;
  /** Text is sent as it is, so that it may be malformed JSON. */
  arguments: unknown;
  id?: string;
}

/** Members of a completion besides its message. */
export interface Extras {
  model?: string;
  /** Null: the server does not count. */
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens?: number } | null;
  headers?: Record<string, string>;
}

interface Wire {
  status: number;
  /** Text is sent as it is. */
  body: unknown;
  headers?: Record<string, string>;
}

/** A whole answer, or one that breaks off or crawls. */
export type ModelReply =
  | (Wire & { kind: "whole" })
  /** The connection ends after this number of bytes of the body; 0: before the headers. */
  | { kind: "cut"; bytes: number; reply: Wire }
  /** For every byte of the body. */
  | { kind: "slow"; millisecondsPerByte: number; reply: Wire }
  /** No answer at all. */
  | { kind: "silent" };

/** Replies in order, the last one repeated; or a function of each request. */
export type ModelScript = ModelReply[] | ((request: SeenRequest) => ModelReply | Promise<ModelReply>);

export interface ModelServer extends AsyncDisposable {
  /** The base URL for clients. */
  url: string;
  requests: SeenRequest[];
  /** Sets the script of the next requests; a list starts at its first reply. */
  play(script: ModelScript): void;
  close(): Promise<void>;
}

const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

type Message = Record<string, unknown>;

function completion(message: Message, finish: string, { model = "server-model", usage = USAGE, headers }: Extras) {
  return {
    kind: "whole" as const,
    status: 200,
    body: {
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1_767_225_600,
      model,
      choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finish }],
      ...(usage === null ? {} : { usage }),
    },
    ...(headers === undefined ? {} : { headers }),
  };
}

type Whole = Extract<ModelReply, { kind: "whole" }>;

export const answerText = (text: string, extras: Extras = {}): Whole => completion({ content: text }, "stop", extras);

export const answerJson = (value: unknown, extras?: Extras): Whole => answerText(JSON.stringify(value), extras);

/** An answer truncated by the limit of tokens. */
export const truncated = (text: string | null, extras: Extras = {}): Whole =>
  completion({ content: text }, "length", extras);

/** An answer in which the model refuses. */
export const refusal = (text: string, extras: Extras = {}): Whole =>
  completion({ content: null, refusal: text }, "stop", extras);

/** An answer stopped by a filter of the server. */
export const filtered = (text: string, extras: Extras = {}): Whole =>
  completion({ content: text }, "content_filter", extras);

export const callTools = (tools: SeenTool[], extras: Extras = {}): Whole =>
  completion(
    {
      content: null,
      tool_calls: tools.map(({ id, name, arguments: given }, index) => ({
        id: id ?? `call_${index + 1}`,
        type: "function",
        function: { name, arguments: typeof given === "string" ? given : JSON.stringify(given) },
      })),
    },
    "tool_calls",
    extras,
  );

/** Any body with the status 200; text is sent as it is. */
export const answerBody = (body: unknown): Whole => ({ kind: "whole", status: 200, body });

/** An error. The default body is OpenAI's; text is sent as it is. */
export const fail = (status: number, body?: unknown, headers?: Record<string, string>): Whole => ({
  kind: "whole",
  status,
  body: body ?? apiError(`The server answers ${status}`),
  ...(headers === undefined ? {} : { headers }),
});

/** The body of an error in OpenAI's form. */
export const apiError = (message: string, more: { type?: string; param?: string; code?: string } = {}) => ({
  error: { message, type: more.type ?? "invalid_request_error", param: more.param ?? null, code: more.code ?? null },
});

/** The connection ends after this number of bytes of the answer's body; 0: before the headers. */
export const cutAfter = (
  bytes: number,
  reply: Whole = answerText("an answer that never arrives whole"),
): ModelReply => ({
  kind: "cut",
  bytes,
  reply,
});

/** Every byte of the answer's body takes this time. */
export const slowly = (millisecondsPerByte: number, reply: Whole = answerText("slow")): ModelReply => ({
  kind: "slow",
  millisecondsPerByte,
  reply,
});

/** No answer at all. */
export const silence = (): ModelReply => ({ kind: "silent" });

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

interface Part {
  text?: string;
  image_url?: { url: string };
}

const partsOf = (message: Message): Part[] =>
  Array.isArray(message.content) ? (message.content as Part[]) : [{ text: String(message.content ?? "") }];

function imagesOf(messages: Message[]): SeenImage[] {
  return messages.flatMap(partsOf).flatMap(({ image_url }) => {
    const found = /^data:([^;]+);base64,(.*)$/s.exec(image_url?.url ?? "");
    return found === null
      ? []
      : [{ mimeType: found[1] ?? "", bytes: new Uint8Array(Buffer.from(found[2] ?? "", "base64")) }];
  });
}

async function read(request: IncomingMessage): Promise<Omit<SeenRequest, "index">> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  let body: Record<string, unknown> = {};
  try {
    const parsed: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    if (isRecord(parsed)) body = parsed;
  } catch {
    // An empty body tells the test that it was not JSON.
  }
  const messages = Array.isArray(body.messages) ? (body.messages as Message[]) : [];
  const textOf = (role: string): string =>
    messages
      .filter((message) => message.role === role)
      .flatMap(partsOf)
      .flatMap(({ text }) => text ?? [])
      .join("\n\n");
  const format = isRecord(body.response_format) ? body.response_format.json_schema : undefined;
  return {
    method: request.method ?? "",
    path: request.url ?? "",
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    body,
    system: textOf("system"),
    user: textOf("user"),
    images: imagesOf(messages),
    schema: isRecord(format) ? format.schema : undefined,
  };
}

async function send(response: ServerResponse, reply: ModelReply): Promise<void> {
  if (reply.kind === "silent") return;
  const wire = reply.kind === "whole" ? reply : reply.reply;
  const bytes = Buffer.from(typeof wire.body === "string" ? wire.body : JSON.stringify(wire.body));
  if (reply.kind === "cut" && reply.bytes <= 0) {
    response.destroy();
    return;
  }
  response.writeHead(wire.status, {
    "content-type": typeof wire.body === "string" ? "text/plain" : "application/json",
    "content-length": bytes.length,
    ...wire.headers,
  });
  if (reply.kind === "whole") response.end(bytes);
  else if (reply.kind === "cut") response.write(bytes.subarray(0, reply.bytes), () => response.destroy());
  else {
    for (const byte of bytes) {
      if (response.destroyed) return;
      response.write(Buffer.of(byte));
      await sleepFor(reply.millisecondsPerByte);
    }
    response.end();
  }
}

/** Starts it on a free port of loopback. */
export async function startModelServer(script: ModelScript = [answerText("ok")]): Promise<ModelServer> {
  const requests: SeenRequest[] = [];
  let current = script;
  let played = 0;
  const decide = async (request: SeenRequest): Promise<ModelReply> => {
    if (typeof current === "function") return current(request);
    const reply = current[Math.min(played, current.length - 1)];
    played += 1;
    return reply ?? fail(500, apiError("the script is empty"));
  };
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = { ...(await read(incoming)), index: requests.length };
    requests.push(request);
    await send(response, await decide(request));
  };
  const server = createServer((incoming, response) => {
    // A throwing script is a broken server; a caller that went away does not matter.
    answer(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    play(next) {
      current = next;
      played = 0;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
