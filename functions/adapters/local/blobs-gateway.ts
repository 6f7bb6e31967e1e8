/** HTTP handler for presigned requests on one machine, in place of S3. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ByteRange } from "../../ports/blobs.ts";
import type { Clock } from "../../ports/clock.ts";
import { RequestTimeout } from "../../ports/errors.ts";
import { attachment } from "../../ports/http.ts";
import { arriving, BODY_SILENCE_MS } from "./arriving-body.ts";
import type { LocalBlobs } from "./blobs.ts";
import { isErrno } from "./blobs-file.ts";
import { BLOB_PATH, type BlobPresign, type PresignedClaims, verifyPresigned } from "./blobs-presign.ts";
import { askForBody } from "./exchange.ts";
import { sendAnswer } from "./send-answer.ts";

/** Handles its own paths; returns false for any other path, without side effects. */
export type BlobGateway = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

function refuse(request: IncomingMessage, response: ServerResponse, statusCode: number, message: string): void {
  const body = JSON.stringify({ message, status: statusCode });
  sendAnswer(request, response, {
    statusCode,
    headers: { "content-type": "application/json" },
    body,
    isBase64Encoded: false,
  });
}

/**
 * Parses a Range header with one range (RFC 9110, section 14).
 * @returns undefined for no header, several ranges or an invalid one: the whole blob is answered;
 *   `unsatisfiable` when it starts past the end
 */
export function parseRange(
  header: string | undefined,
  size: number,
): Required<ByteRange> | "unsatisfiable" | undefined {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "") {
    const count = Math.min(Number(last), size);
    return count === 0 ? "unsatisfiable" : { start: size - count, end: size - 1 };
  }
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return undefined;
  return start >= size ? "unsatisfiable" : { start, end };
}

async function answerGet(
  blobs: LocalBlobs,
  claims: PresignedClaims,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const blob = await blobs.open(claims.key);
  if (blob === undefined) return refuse(request, response, 404, "There is no such file");
  const { size, contentType, etag, lastModified } = blob.head;
  const ifRange = request.headers["if-range"];
  const current = ifRange === undefined || ifRange === `"${etag}"`;
  const range = current ? parseRange(request.headers.range, size) : undefined;
  if (range === "unsatisfiable") {
    await blob.close();
    response.setHeader("content-range", `bytes */${size}`);
    return refuse(request, response, 416, "The range starts past the end of the file");
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  response.writeHead(range ? 206 : 200, {
    "content-type": contentType,
    "content-length": end - start + 1,
    "content-disposition": attachment(claims.name),
    "accept-ranges": "bytes",
    ...(range ? { "content-range": `bytes ${start}-${end}/${size}` } : {}),
    etag: `"${etag}"`,
    "last-modified": new Date(lastModified).toUTCString(),
    "cache-control": "private, no-store",
    "x-content-type-options": "nosniff",
  });
  try {
    await pipeline(await blob.stream(range), response);
  } catch (error) {
    // The answer is half sent; only a broken connection tells the client that it is incomplete.
    response.destroy();
    if (!isErrno(error, "ERR_STREAM_PREMATURE_CLOSE", "ECONNRESET", "EPIPE")) throw error;
  }
}

/** A body whose length differs from the signed one. */
class WrongLength extends Error {}

async function* exactly(request: IncomingMessage, size: number, silenceMs: number): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const piece of arriving(request, silenceMs)) {
    sent += piece.length;
    if (sent > size) break;
    yield piece;
  }
  if (sent !== size) throw new WrongLength("The body does not have the signed length");
}

async function answerPut(
  blobs: LocalBlobs,
  { key, type, size }: PresignedClaims,
  request: IncomingMessage,
  response: ServerResponse,
  silenceMs: number,
): Promise<void> {
  if (size === undefined || request.headers["content-length"] !== String(size)) {
    return refuse(request, response, 403, `This address takes exactly ${size} bytes; send their Content-Length`);
  }
  if (type === undefined || request.headers["content-type"] !== type) {
    return refuse(request, response, 403, `This address takes the Content-Type ${type}`);
  }
  askForBody(request, response);
  try {
    const { etag } = await blobs.put(key, Readable.from(exactly(request, size, silenceMs)), { contentType: type });
    response.writeHead(200, { etag: `"${etag}"`, "content-length": 0 });
    response.end();
  } catch (error) {
    if (error instanceof WrongLength) return refuse(request, response, 403, "The body is not as long as was signed");
    if (error instanceof RequestTimeout) return refuse(request, response, 408, error.message);
    // The client disconnected: nothing was stored, and nobody receives an answer.
    if (request.destroyed && !request.complete) return void response.destroy();
    throw error;
  }
}

/**
 * @param presigner the presigner that the blobs were opened with
 * @param silenceMs longest silence within a body, in milliseconds
 * @returns a handler for the service's HTTP front. It throws errors for the front to log, and to answer as a plain 500
 *   when no answer has begun
 */
export function createBlobGateway(
  blobs: LocalBlobs,
  presigner: BlobPresign,
  clock: Pick<Clock, "now">,
  silenceMs = BODY_SILENCE_MS,
): BlobGateway {
  return async (request, response) => {
    const url = request.url ?? "";
    if (!url.startsWith(BLOB_PATH)) return false;
    const { method } = request;
    if (method !== "GET" && method !== "PUT") {
      response.setHeader("allow", "GET, PUT");
      refuse(request, response, 405, "A presigned address takes GET or PUT");
      return true;
    }
    const verified = verifyPresigned(presigner.secret, method, url.slice(BLOB_PATH.length), clock.now());
    if ("refused" in verified) refuse(request, response, 403, verified.refused);
    else if (method === "GET") await answerGet(blobs, verified.claims, request, response);
    else await answerPut(blobs, verified.claims, request, response, silenceMs);
    return true;
  };
}
