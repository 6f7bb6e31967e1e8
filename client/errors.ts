import type { JsonObject } from "./json.ts";
import type { ProcessingJob } from "./types.ts";

/** A fault of a member of a request: a JSON Pointer and a sentence. */
export interface MemberFault {
  path: string;
  message: string;
}

/** The short kind in an error body. A later service may have more. */
export type SheafErrorKind =
  | "BadRequest"
  | "Unauthorized"
  | "PaymentRequired"
  | "Forbidden"
  | "NotFound"
  | "MethodNotAllowed"
  | "Conflict"
  | "PayloadTooLarge"
  | "UnsupportedMediaType"
  | "UnprocessableEntity"
  | "TooManyRequests"
  | "InternalServerError"
  | "ServiceUnavailable"
  | "InsufficientStorage"
  | (string & {});

export interface SheafErrorDetails {
  kind?: string | undefined;
  errors?: MemberFault[] | undefined;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  body?: JsonObject | undefined;
  cause?: unknown;
}

/** The service refused a call or did not answer. `message` is the service's own sentence, if it sent one. */
export class SheafError extends Error {
  /** HTTP status of the answer; 0 without an answer. */
  readonly status: number;
  /** The short kind in the error body: `NotFound`, `Conflict` … */
  readonly kind: SheafErrorKind | undefined;
  /** All faults of the request itself. */
  readonly errors: MemberFault[];
  /** The service's id of the request, for its operator. */
  readonly requestId: string | undefined;
  /** Seconds after which the service suggests another try. */
  readonly retryAfter: number | undefined;
  /** The whole error body, if it was a JSON object (for example the `balance` and `checkout_url` of a 402). */
  readonly body: JsonObject | undefined;

  constructor(status: number, message: string, details: SheafErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.status = status;
    this.kind = details.kind;
    this.errors = details.errors ?? [];
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
    this.body = details.body;
  }
}

/** No answer came: nobody listens there, the connection broke, or the time was over. Its `status` is 0. */
export class SheafUnreachable extends SheafError {
  readonly apiUrl: string;
  /** In a few words: `connection refused`, `no answer within 60 s` … */
  readonly reason: string;
  readonly timedOut: boolean;

  constructor(apiUrl: string, reason: string, options: { timedOut?: boolean; cause?: unknown } = {}) {
    super(0, `No answer from ${apiUrl}: ${reason}`, { cause: options.cause });
    this.apiUrl = apiUrl;
    this.reason = reason;
    this.timedOut = options.timedOut ?? false;
  }
}

/** The caller's timeout ended before the job did; the job goes on. Its `status` is 0. */
export class SheafWaitTimeout extends SheafError {
  readonly guid: string;
  /** The job as last read; null when no answer came at all. */
  readonly job: ProcessingJob | null;

  constructor(guid: string, seconds: number, job: ProcessingJob | null) {
    super(0, `Job ${guid} was still ${job?.status ?? "without an answer"} after ${seconds} s`);
    this.guid = guid;
    this.job = job;
  }
}

/** The job has ended without a result: it FAILED or was CANCELLED. `message` is the job's own sentence; `status` is 0. */
export class SheafJobError extends SheafError {
  readonly guid: string;
  readonly job: ProcessingJob;

  constructor(job: ProcessingJob) {
    super(0, job.error ?? `Job ${job.guid} is ${job.status}`);
    this.guid = job.guid;
    this.job = job;
  }
}
