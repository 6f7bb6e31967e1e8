/**
 * Request and answer of an API Gateway HTTP API, payload format 2.0. The HTTP server on one machine makes the same.
 * Source: AWS, "Working with AWS Lambda proxy integrations for HTTP APIs".
 */
import type { Readable } from "node:stream";

export interface HttpEvent {
  version: "2.0";
  /** `POST /document/process/{guid}`, or `$default` for a request that matches no route. */
  routeKey: string;
  rawPath: string;
  rawQueryString: string;
  /** Lower-case names; several values joined by commas. */
  headers: Record<string, string | undefined>;
  queryStringParameters?: Record<string, string | undefined>;
  pathParameters?: Record<string, string | undefined>;
  requestContext: {
    requestId: string;
    http: { method: string; path: string; sourceIp: string };
    timeEpoch: number;
  };
  body?: string;
  isBase64Encoded: boolean;
  /** The body's bytes, where they are received from an exchange; `body` is then absent. */
  bytes?: Uint8Array;
  /** The open exchange, where a request is served before its body has come; absent in the cloud. */
  exchange?: Exchange;
}

/** The open exchange with a client whose headers have come, and whose body is still to come. */
export interface Exchange {
  /**
   * Counts the request to its group, an organization, until it is answered; call it once, before `receive`.
   * @throws TooManyRequests when the group has too many requests at once
   */
  admit(group: string): void;
  /**
   * Receives the body; empty when there is none.
   * @param limit the most bytes, and the error for more of them
   * @throws the error of `limit`; RequestTimeout for a client that stops sending; TooManyRequests or ServiceUnavailable
   *   while other bodies fill the memory for bodies
   */
  receive(limit: { bytes: number; tooLarge(): Error }): Promise<Uint8Array>;
}

export interface HttpAnswer {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
  isBase64Encoded: boolean;
  /** The body of a long answer over an open exchange; `body` is then empty. `Content-Length` tells its bytes. */
  stream?: Readable;
}

/** The answer with its whole body in `body`, as UTF-8 text. */
export async function wholeAnswer({ stream, ...answer }: HttpAnswer): Promise<HttpAnswer> {
  if (stream === undefined) return answer;
  const { "Content-Length": _, ...headers } = answer.headers;
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return { ...answer, headers, body: Buffer.concat(parts).toString("utf8") };
}

export type HttpHandler = (event: HttpEvent) => Promise<HttpAnswer>;

/** The body's bytes as sent. */
export function bodyBytes({ bytes, body = "", isBase64Encoded }: HttpEvent): Buffer {
  if (bytes === undefined) return Buffer.from(body, isBase64Encoded ? "base64" : "utf8");
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** The body's length in bytes as sent, computed without decoding it. */
export function bodyLength({ bytes, body = "", isBase64Encoded }: HttpEvent): number {
  return bytes?.length ?? Buffer.byteLength(body, isBase64Encoded ? "base64" : "utf8");
}

/**
 * The Content-Disposition of a file to save (RFC 6266): its name in ASCII for old clients, and in full as `filename*`
 * (RFC 8187) where it has other characters.
 */
export function attachment(fileName: string | undefined): string {
  if (fileName === undefined) return "attachment";
  const name = fileName.toWellFormed().replace(/[\p{Cc}/\\]/gu, "_");
  const ascii = name.replace(/[^\x20-\x7e]|["%]/gu, "_");
  if (ascii === name) return `attachment; filename="${name}"`;
  const full = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${full}`;
}
