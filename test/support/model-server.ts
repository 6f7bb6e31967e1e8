/**
 * A server of the chat-completions protocol in the test's own process. A script decides what each request gets:
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

/** A request as it came, and what tests mostly look for in it. */
export interface SeenRequest {
  /** From 0. */
  index: number;
  method: string;
  path: string;
  headers: Record<string, string | undefined>;
  /** The body, parsed; an empty object when it was no JSON object. */
  body: Record<string, unknown>;
  /** Texts of the messages of a role, joined by blank lines. */
  system: string;
  user: string;
  /** Of all messages. */
  images: SeenImage[];
  /** Of `response_format`; undefined without structured outputs. */
  schema: unknown;
}

interface SeenTool {
  name: string;
  /** Text stands for itself, so that it may be no JSON. */
  arguments: unknown;
  id?: string;
}

/** What a completion has besides its message. */
export interface Extras {
  model?: string;
  /** Null: the server does not count. */
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens?: number } | null;
  headers?: Record<string, string>;
}

interface Wire {
  status: number;
  /** Text stands for itself. */
  body: unknown;
  headers?: Record<string, string>;
}

/** A whole answer, or one that ends or crawls. */
export type ModelReply =
  | (Wire & { kind: "whole" })
  /** The connection ends after so many bytes of the body; 0: before the headers. */
  | { kind: "cut"; bytes: number; reply: Wire }
  /** Every byte of the body takes so long. */
  | { kind: "slow"; millisecondsPerByte: number; reply: Wire }
  /** Nothing ever comes. */
  | { kind: "silent" };

/** Replies in their order, the last one again and again; or what decides on each request. */
export type ModelScript = ModelReply[] | ((request: SeenRequest) => ModelReply | Promise<ModelReply>);

export interface ModelServer extends AsyncDisposable {
  /** To be given as the base URL. */
  url: string;
  requests: SeenRequest[];
  /** What the next requests get; replies of a list begin with its first. */
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

/** An answer that the limit of tokens cut off. */
export const truncated = (text: string | null, extras: Extras = {}): Whole =>
  completion({ content: text }, "length", extras);

/** The model would not. */
export const refusal = (text: string, extras: Extras = {}): Whole =>
  completion({ content: null, refusal: text }, "stop", extras);

/** A filter of the server stopped the answer. */
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

/** Any body with the status 200; text stands for itself. */
export const answerBody = (body: unknown): Whole => ({ kind: "whole", status: 200, body });

/** An error. Without a body, one as OpenAI makes it; text stands for itself. */
export const fail = (status: number, body?: unknown, headers?: Record<string, string>): Whole => ({
  kind: "whole",
  status,
  body: body ?? apiError(`The server answers ${status}`),
  ...(headers === undefined ? {} : { headers }),
});

/** The body of an error as OpenAI makes it. */
export const apiError = (message: string, more: { type?: string; param?: string; code?: string } = {}) => ({
  error: { message, type: more.type ?? "invalid_request_error", param: more.param ?? null, code: more.code ?? null },
});

/** The connection ends after so many bytes of the answer's body; 0: before the headers. */
export const cutAfter = (
  bytes: number,
  reply: Whole = answerText("an answer that never arrives whole"),
): ModelReply => ({
  kind: "cut",
  bytes,
  reply,
});

/** Every byte of the answer's body takes so long. */
export const slowly = (millisecondsPerByte: number, reply: Whole = answerText("slow")): ModelReply => ({
  kind: "slow",
  millisecondsPerByte,
  reply,
});

/** Nothing ever comes. */
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
    // A test sees from the empty body that it was no JSON.
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
    // A script that throws is a server that breaks; a caller that went away is none of ours.
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
