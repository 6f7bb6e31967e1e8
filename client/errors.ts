import type { Json, ProcessingJob } from "./types.ts";

/** One offending member of a request: a JSON Pointer and a sentence. */
export interface MemberFault {
  path: string;
  message: string;
}

export interface SheafErrorDetails {
  kind?: string | undefined;
  errors?: MemberFault[] | undefined;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  body?: { [member: string]: Json } | undefined;
  cause?: unknown;
}

/** The service said no, or said nothing: `message` is the service's own sentence wherever it sent one. */
export class SheafError extends Error {
  /** HTTP status of the answer; 0 when there was none. */
  readonly status: number;
  /** The short kind in the error body: `NotFound`, `Conflict` … */
  readonly kind: string | undefined;
  /** Every offending member, when the request itself was at fault. */
  readonly errors: MemberFault[];
  /** The service's name for the request, to be quoted to whoever runs it. */
  readonly requestId: string | undefined;
  /** Seconds after which the service says that trying again makes sense. */
  readonly retryAfter: number | undefined;
  /** The whole error body, where it was a JSON object (a 402's `balance` and `checkout_url`, for one). */
  readonly body: { [member: string]: Json } | undefined;

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

/** The caller's time for waiting was over before the job ended; the job goes on. Its `status` is 0. */
export class SheafWaitTimeout extends SheafError {
  readonly guid: string;
  /** The job as last seen; null when no answer came at all. */
  readonly job: ProcessingJob | null;

  constructor(guid: string, seconds: number, job: ProcessingJob | null) {
    super(0, `Job ${guid} was still ${job?.status ?? "without an answer"} after ${seconds} s`);
    this.guid = guid;
    this.job = job;
  }
}
