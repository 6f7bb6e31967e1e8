/** Replies of routes, and the only mapping of errors to HTTP. */
import { isUtf8 } from "node:buffer";
import {
  AppError,
  ConcurrentModification,
  ConditionFailed,
  type ErrorKind,
  MethodNotAllowed,
} from "../../ports/errors.ts";
import { attachment, type HttpAnswer, type HttpEvent } from "../../ports/http.ts";
import { machineFault } from "../../ports/machine-faults.ts";
import type { StoredAnswer } from "../../service/runs/run-results.ts";

export type Reply =
  | { kind: "json"; status: number; body: unknown; headers?: Record<string, string> }
  | {
      kind: "bytes";
      status: number;
      body: Uint8Array;
      contentType: string;
      fileName?: string;
      headers?: Record<string, string>;
    }
  | { kind: "blob"; status: number; blob: StoredAnswer; fileName?: string; headers?: Record<string, string> }
  | { kind: "empty" };

/** The header that names a file to save; none without a name. */
export const dispositionOf = ({ fileName }: { fileName?: string }): Record<string, string> =>
  fileName === undefined ? {} : { "Content-Disposition": attachment(fileName) };

export const json = (status: number, body: unknown, headers?: Record<string, string>): Reply => ({
  kind: "json",
  status,
  body,
  ...(headers ? { headers } : {}),
});
export const ok = (body: unknown): Reply => json(200, body);

/** Marks the answer of an earlier request with the same Idempotency-Key. */
export const REPLAYED_HEADER_NAME = "Idempotency-Replayed";

const SECURITY_HEADERS = { "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store" };

/** @param reply any reply but a blob, which runRoute reads first */
export function toAnswer(reply: Exclude<Reply, { kind: "blob" }>): HttpAnswer {
  switch (reply.kind) {
    case "empty":
      return { statusCode: 204, headers: { ...SECURITY_HEADERS }, body: "", isBase64Encoded: false };
    case "json":
      return {
        statusCode: reply.status,
        headers: { "Content-Type": "application/json", ...SECURITY_HEADERS, ...reply.headers },
        body: JSON.stringify(reply.body),
        isBase64Encoded: false,
      };
    case "bytes": {
      // A document that a caller has uploaded may be text in any encoding.
      const textual = /^(text\/|application\/(json|jsonl))/.test(reply.contentType) && isUtf8(reply.body);
      return {
        statusCode: reply.status,
        headers: { "Content-Type": reply.contentType, ...SECURITY_HEADERS, ...dispositionOf(reply), ...reply.headers },
        body: Buffer.from(reply.body).toString(textual ? "utf8" : "base64"),
        isBase64Encoded: !textual,
      };
    }
  }
}

/** HTTP status of each kind of error; the only such table. */
export const HTTP_STATUSES: Readonly<Record<ErrorKind, number>> = {
  BadRequest: 400,
  Unauthorized: 401,
  PaymentRequired: 402,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  RequestTimeout: 408,
  Conflict: 409,
  PayloadTooLarge: 413,
  UnsupportedMediaType: 415,
  MisdirectedRequest: 421,
  UnprocessableEntity: 422,
  TooManyRequests: 429,
  RequestHeaderFieldsTooLarge: 431,
  InternalServerError: 500,
  BadGateway: 502,
  ServiceUnavailable: 503,
  InsufficientStorage: 507,
};

/** The error that callers see: a fault of the machine as such, and a lost race without the store's words. */
function callersError(thrown: unknown): unknown {
  if (thrown instanceof ConditionFailed) return new ConcurrentModification("the resource", { cause: thrown });
  return machineFault(thrown) ?? thrown;
}

/** The HTTP status of an error's answer. */
export function statusOf(thrown: unknown): number {
  const error = callersError(thrown);
  return HTTP_STATUSES[error instanceof AppError ? error.kind : "InternalServerError"];
}

/**
 * The specification's error body. For anything but an AppError and a fault of the machine it reveals only that an error
 * happened.
 */
export function errorAnswer(thrown: unknown, event: HttpEvent, now: number): HttpAnswer {
  const error = callersError(thrown);
  const known = error instanceof AppError;
  const kind = known ? error.kind : "InternalServerError";
  const status = HTTP_STATUSES[kind];
  const message =
    known && kind !== "InternalServerError"
      ? error.message
      : "The service made an error; try again, and report the request's id";
  const body = {
    message,
    status,
    timestamp: new Date(now).toISOString(),
    path: event.rawPath,
    error: kind,
    ...(known && error.errors ? { errors: error.errors } : {}),
    ...(known && error.extra ? error.extra : {}),
    ...(kind === "PaymentRequired" ? { request_id: event.requestContext.requestId } : {}),
    ...(known && kind === "TooManyRequests" && error.retryAfter !== undefined ? { retryAfter: error.retryAfter } : {}),
  };
  const headers: Record<string, string> = { "Content-Type": "application/json", ...SECURITY_HEADERS };
  if (known && error.retryAfter !== undefined) headers["Retry-After"] = String(error.retryAfter);
  if (error instanceof MethodNotAllowed) headers.Allow = error.allowed.join(", ");
  if (kind === "Unauthorized") headers["WWW-Authenticate"] = "Bearer";
  return { statusCode: status, headers, body: JSON.stringify(body), isBase64Encoded: false };
}
