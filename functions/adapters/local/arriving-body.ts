/** Reads what a client sends, and gives up on one that stops sending. */
import type { IncomingMessage } from "node:http";
import { BadRequest, RequestTimeout } from "../../ports/errors.ts";

/** Longest silence within a body, in milliseconds. A client on a bad line sends again within this time. */
export const BODY_SILENCE_MS = 5_000;

/** Resolves when there may be something to read. @throws RequestTimeout, BadRequest */
function readable(request: IncomingMessage, silenceMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      clearTimeout(timer);
      request.off("readable", onReadable).off("end", onReadable).off("close", onClose).off("error", onClose);
      if (error === undefined) resolve();
      else reject(error);
    };
    const onReadable = (): void => settle();
    const onClose = (): void => settle(new BadRequest("The connection was closed before the whole body had come"));
    const timer = setTimeout(
      () =>
        settle(new RequestTimeout(`The body stopped: nothing came for ${silenceMs / 1000} s; send the request again`)),
      silenceMs,
    );
    request.on("readable", onReadable).on("end", onReadable).on("close", onClose).on("error", onClose);
    if (request.destroyed) onClose();
  });
}

/**
 * The pieces of a body as they come. The time that the reader takes between them does not count as silence. The request
 * stays open after an error, for its answer.
 * @throws RequestTimeout after a silence; BadRequest when the connection ends before the body
 */
export async function* arriving(request: IncomingMessage, silenceMs: number): AsyncGenerator<Buffer> {
  for (;;) {
    const piece: Buffer | null = request.read();
    if (piece !== null) yield piece;
    else if (request.readableEnded) return;
    else await readable(request, silenceMs);
  }
}

/** A first size for bodies of unknown length; doubled when it is full. */
const FIRST_BYTES = 64 * 1024;

/**
 * Reads a body into one buffer: many small pieces must not cost more memory than their bytes.
 * @param length the body's length where the client has told it
 * @throws the error of `limit`; RequestTimeout and BadRequest as `arriving`
 */
export async function readBody(
  request: IncomingMessage,
  length: number | undefined,
  limit: { bytes: number; tooLarge(): Error },
  silenceMs: number,
): Promise<Buffer> {
  let body = Buffer.allocUnsafeSlow(length ?? Math.min(FIRST_BYTES, limit.bytes));
  let size = 0;
  for await (const piece of arriving(request, silenceMs)) {
    if (size + piece.length > limit.bytes) throw limit.tooLarge();
    if (size + piece.length > body.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(limit.bytes, Math.max(2 * body.length, size + piece.length)));
      body.copy(larger, 0, 0, size);
      body = larger;
    }
    piece.copy(body, size);
    size += piece.length;
  }
  return body.subarray(0, size);
}
