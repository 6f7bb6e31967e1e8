/** A server of the chat-completions protocol in the bench's own process: a function answers each request. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ModelRequest {
  /** Structured outputs only: the name of the answer's schema. */
  form: string | undefined;
  /** Texts of the user's messages. */
  user: string;
}

export interface ModelAnswer {
  text: string;
  /** The token limit cut it off. */
  cut: boolean;
}

export interface ModelServer extends AsyncDisposable {
  /** Base URL. */
  url: string;
  play(answer: (asked: ModelRequest) => ModelAnswer): void;
}

interface RequestBody {
  messages?: { role: string; content: string }[];
  response_format?: { json_schema?: { name?: string } };
}

const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

function completion({ text, cut }: ModelAnswer): string {
  const choice = { index: 0, message: { role: "assistant", content: text }, finish_reason: cut ? "length" : "stop" };
  const head = { id: "chatcmpl-1", object: "chat.completion", created: 1_767_225_600, model: "bench-model" };
  return JSON.stringify({ ...head, choices: [choice], usage: USAGE });
}

/** Starts the server on a free port of the loopback interface. */
export async function startModelServer(): Promise<ModelServer> {
  let current: (asked: ModelRequest) => ModelAnswer = () => ({ text: "", cut: false });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as RequestBody;
    const user = (body.messages ?? []).filter(({ role }) => role === "user").map(({ content }) => content);
    const said = current({ form: body.response_format?.json_schema?.name, user: user.join("\n") });
    response.writeHead(200, { "content-type": "application/json" }).end(completion(said));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    play(answer) {
      current = answer;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
