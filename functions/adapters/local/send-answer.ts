/** Writes answers, to clients that still send too. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { pipeline } from "node:stream/promises";
import type { HttpAnswer } from "../../ports/http.ts";
import { hasBody } from "./exchange.ts";

/** Milliseconds during which a refused client's data is discarded: a reset would lose the answer. */
export const LINGER_MS = 2_000;

/** A text stays one: node:http sends it in one piece with the headers, which costs less than two. */
function bodyOf(answer: HttpAnswer): { body: Buffer | string; headers: Record<string, string> } {
  const body = answer.isBase64Encoded ? Buffer.from(answer.body, "base64") : answer.body;
  const empty = answer.statusCode === 204;
  const length = String(Buffer.byteLength(body));
  return { body, headers: empty ? answer.headers : { ...answer.headers, "Content-Length": length } };
}

/** Sends an answer at once. A connection whose request has not come whole is closed after it. */
export function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: HttpAnswer): void {
  const { body, headers } = bodyOf(answer);
  if (request.complete || !hasBody(request)) {
    response.writeHead(answer.statusCode, headers);
    response.end(request.method === "HEAD" || answer.statusCode === 204 ? undefined : body);
    return;
  }
  response.writeHead(answer.statusCode, { ...headers, Connection: "close" });
  response.write(body);
  const timer = setTimeout(() => response.end(), LINGER_MS);
  request.once("end", () => response.end());
  response.once("close", () => clearTimeout(timer));
  request.resume();
}

/**
 * Sends an answer, a long one as fast as the client takes it. A connection whose request has not come whole is closed
 * after it.
 * @throws when the client goes during a long answer, or its source fails
 */
export async function deliverAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: HttpAnswer,
): Promise<void> {
  const { statusCode, headers, stream } = answer;
  if (stream === undefined) return sendAnswer(request, response, answer);
  response.writeHead(statusCode, request.complete || !hasBody(request) ? headers : { ...headers, Connection: "close" });
  if (request.method !== "HEAD") return pipeline(stream, response);
  stream.destroy();
  response.end();
}

/** The last answer of a connection as HTTP, for one without a request that could be answered. */
export function answerText(answer: HttpAnswer): string {
  const { body, headers } = bodyOf(answer);
  const lines = Object.entries({ ...headers, Connection: "close" }).map(([name, value]) => `${name}: ${value}`);
  const status = `HTTP/1.1 ${answer.statusCode} ${STATUS_CODES[answer.statusCode] ?? ""}`;
  return `${[status, ...lines].join("\r\n")}\r\n\r\n${body.toString()}`;
}
