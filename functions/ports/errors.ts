/**
 * The service's errors. Every error that a caller or a job may see is an AppError; any other is a defect and
 * reaches the caller as a plain 500. The mapping to HTTP is in functions/api/http/reply.ts and nowhere else.
 */

/** Error kinds of the answer's body, as the specification names them. */
export const ERROR_KINDS = [
  "BadRequest",
  "Unauthorized",
  "PaymentRequired",
  "Forbidden",
  "NotFound",
  "MethodNotAllowed",
  "RequestTimeout",
  "Conflict",
  "PayloadTooLarge",
  "UnsupportedMediaType",
  "MisdirectedRequest",
  "UnprocessableEntity",
  "TooManyRequests",
  "RequestHeaderFieldsTooLarge",
  "InternalServerError",
  "BadGateway",
  "ServiceUnavailable",
  "InsufficientStorage",
] as const;
export type ErrorKind = (typeof ERROR_KINDS)[number];

/** Kinds of errors caused by the service or by another one that it calls. */
const SERVICE_KINDS: ReadonlySet<ErrorKind> = new Set([
  "InternalServerError",
  "BadGateway",
  "ServiceUnavailable",
  "InsufficientStorage",
]);

/** An invalid member of a request body or query: a JSON Pointer and a sentence. */
export interface MemberFault {
  path: string;
  message: string;
}

export interface AppErrorOptions {
  /** Every invalid member of the request. */
  errors?: MemberFault[];
  /** Seconds until a retry makes sense; becomes `Retry-After`. */
  retryAfter?: number;
  /** Further members of the answer's body (used by the 402 body). */
  extra?: Record<string, unknown>;
  cause?: unknown;
}

/**
 * An error whose message may be shown to the caller: it names the problem and the remedy, and nothing internal. State
 * machines match errors by name and a bundler renames classes, so each class states its name.
 */
export class AppError extends Error {
  static override readonly name: string = "AppError";
  readonly kind: ErrorKind;
  /** True when the same call may succeed later. */
  readonly retryable: boolean;
  readonly errors: MemberFault[] | undefined;
  readonly retryAfter: number | undefined;
  readonly extra: Record<string, unknown> | undefined;

  constructor(kind: ErrorKind, message: string, options: AppErrorOptions = {}, retryable = false) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.kind = kind;
    this.retryable = retryable;
    this.errors = options.errors;
    this.retryAfter = options.retryAfter;
    this.extra = options.extra;
  }

  /** True when the request is at fault: repeating it fails again. */
  get refusesRequest(): boolean {
    return !SERVICE_KINDS.has(this.kind);
  }
}

export class BadRequest extends AppError {
  static override readonly name = "BadRequest";
  constructor(message: string, options?: AppErrorOptions) {
    super("BadRequest", message, options);
  }
}

export class Unauthorized extends AppError {
  static override readonly name: string = "Unauthorized";
  constructor(message: string, options?: AppErrorOptions) {
    super("Unauthorized", message, options);
  }
}

export class PaymentRequired extends AppError {
  static override readonly name = "PaymentRequired";
  constructor(message: string, options?: AppErrorOptions) {
    super("PaymentRequired", message, options);
  }
}

export class Forbidden extends AppError {
  static override readonly name = "Forbidden";
  constructor(message: string, options?: AppErrorOptions) {
    super("Forbidden", message, options);
  }
}

export class NotFound extends AppError {
  static override readonly name = "NotFound";
  constructor(message: string, options?: AppErrorOptions) {
    super("NotFound", message, options);
  }
}

/** The path has other methods only. */
export class MethodNotAllowed extends AppError {
  static override readonly name = "MethodNotAllowed";
  /** The methods of the path; become `Allow`. */
  readonly allowed: readonly string[];

  constructor(message: string, allowed: readonly string[]) {
    super("MethodNotAllowed", message);
    this.allowed = allowed;
  }
}

/** The client took too long to send its request. */
export class RequestTimeout extends AppError {
  static override readonly name = "RequestTimeout";
  constructor(message: string, options?: AppErrorOptions) {
    super("RequestTimeout", message, options, true);
  }
}

/** The request names a host that this service does not answer for. */
export class MisdirectedRequest extends AppError {
  static override readonly name = "MisdirectedRequest";
  constructor(message: string, options?: AppErrorOptions) {
    super("MisdirectedRequest", message, options);
  }
}

export class Conflict extends AppError {
  static override readonly name: string = "Conflict";
  constructor(message: string, options?: AppErrorOptions) {
    super("Conflict", message, options);
  }
}

export class PayloadTooLarge extends AppError {
  static override readonly name = "PayloadTooLarge";
  constructor(message: string, options?: AppErrorOptions) {
    super("PayloadTooLarge", message, options);
  }
}

export class UnsupportedMediaType extends AppError {
  static override readonly name = "UnsupportedMediaType";
  constructor(message: string, options?: AppErrorOptions) {
    super("UnsupportedMediaType", message, options);
  }
}

export class UnprocessableEntity extends AppError {
  static override readonly name = "UnprocessableEntity";
  constructor(message: string, options?: AppErrorOptions) {
    super("UnprocessableEntity", message, options);
  }
}

export class TooManyRequests extends AppError {
  static override readonly name = "TooManyRequests";
  constructor(message: string, options?: AppErrorOptions) {
    super("TooManyRequests", message, options, true);
  }
}

export class ServiceUnavailable extends AppError {
  static override readonly name: string = "ServiceUnavailable";
  constructor(message: string, options?: AppErrorOptions) {
    super("ServiceUnavailable", message, options, true);
  }
}

/** No room is left to keep what was sent. */
export class InsufficientStorage extends AppError {
  static override readonly name = "InsufficientStorage";
  constructor(message: string, options?: AppErrorOptions) {
    super("InsufficientStorage", message, options, true);
  }
}

/**
 * A state machine that was made is missing: removed meanwhile, or not yet visible everywhere. Making it again helps.
 */
export class MachineMissing extends ServiceUnavailable {
  static override readonly name = "MachineMissing";
}

/**
 * A condition of a Records or Blobs write did not hold: another write came first, or the key is (not) present.
 * `failed` lists the positions of the operations whose condition failed, in the order given to `transact`.
 */
export class ConditionFailed extends AppError {
  static override readonly name = "ConditionFailed";
  readonly failed: number[];
  constructor(message: string, failed: number[] = []) {
    super("Conflict", message, {}, true);
    this.failed = failed;
  }
}

/** Two writers met, and this one gave way: nothing of its request was written. */
export class ConcurrentModification extends Conflict {
  static override readonly name: string = "ConcurrentModification";

  /** @param what was changed by another, such as "the job" */
  constructor(what: string, options?: AppErrorOptions) {
    super(
      `Concurrent modification: ${what} was changed by another request at the same time; look at it and try again`,
      options,
    );
  }
}

/** A request beyond the store's limits (DynamoDB's, which every driver enforces). A defect of the caller's code. */
export class StoreLimitExceeded extends AppError {
  static override readonly name = "StoreLimitExceeded";
  constructor(message: string) {
    super("InternalServerError", message);
  }
}

/** Sentences of failed jobs that the contract fixes word for word. */
export const JOB_SENTENCES = {
  unsupported: "Processing failed: Document format not supported",
  corrupted: "Processing failed: Document appears to be corrupted",
  password: "Processing failed: Document is password protected",
  wrongPassword: "Processing failed: The password does not open the document; process it again with the right one",
  /** The key that sealed the password is gone, or another one. */
  lostPassword:
    "Processing failed: The document's password can no longer be opened, because the service's key has changed; process the document again with its password",
  /** Encrypted by another security handler than the standard one for passwords. */
  encrypted:
    "Processing failed: The document is encrypted in a way that cannot be undone here (for certificates, or by a product of its own); save it without encryption",
  noText: "Processing failed: Text extraction failed",
  noModel: "Processing failed: AI service unavailable",
} as const;

/** The sentence of a run that exceeded its time. `seconds`: the limit in force (300 unless configured). */
export const timeoutSentence = (seconds: number): string => `Processing timeout after ${seconds} seconds`;

/** The failure of a job's run: `message` is the sentence that the job's `error` shows. Final unless `retryable`. */
export class JobFailure extends AppError {
  static override readonly name = "JobFailure";
  /** The run's tokens are used up: work that a result can do without is left out then. */
  readonly tokensUsedUp: boolean;

  constructor(sentence: string, options: AppErrorOptions & { retryable?: boolean; tokensUsedUp?: boolean } = {}) {
    super("UnprocessableEntity", sentence, options, options.retryable ?? false);
    this.tokensUsedUp = options.tokensUsedUp ?? false;
  }
}
