/**
 * Faults of the machine under the service: a full disk, no free file handle, no memory, a disk that fails. They pass by
 * themselves or by an operator's hand, so work that meets one is tried again, and a caller learns what is the matter.
 */
import { AppError, InsufficientStorage, ServiceUnavailable } from "./errors.ts";

/** Seconds until a retry makes sense: handles come free as soon as requests end. */
const RETRY_AFTER_SECONDS = 5;
/** Seconds until a retry makes sense where an operator has to act. */
const OPERATOR_SECONDS = 60;
/** Causes that are searched for a code. */
const MAX_CAUSES = 8;

const FULL = "The service has no room left on its disk; try again when its operator has made some";
const NO_HANDLES = "The service has no file handle free at the moment; try again in a few seconds";
const NO_MEMORY = "The service has no memory free at the moment; try again in a few seconds";
const READ_ONLY = "The service cannot write to its disk; its operator has to look after it";
const BROKEN_DISK = "The disk of the service reports an error; its operator has to look after it";

const full = (cause: unknown) => new InsufficientStorage(FULL, { cause, retryAfter: OPERATOR_SECONDS });
const busy = (message: string) => (cause: unknown) =>
  new ServiceUnavailable(message, { cause, retryAfter: RETRY_AFTER_SECONDS });
const unusable = (message: string) => (cause: unknown) =>
  new ServiceUnavailable(message, { cause, retryAfter: OPERATOR_SECONDS });

/** Codes of the operating system (errno(3)), as Node.js reports them in `code`. */
const FAULTS: Readonly<Record<string, (cause: unknown) => AppError>> = {
  ENOSPC: full,
  EDQUOT: full,
  EMFILE: busy(NO_HANDLES),
  ENFILE: busy(NO_HANDLES),
  ENOBUFS: busy(NO_HANDLES),
  ENOMEM: busy(NO_MEMORY),
  EROFS: unusable(READ_ONLY),
  EIO: unusable(BROKEN_DISK),
};

/** An error of the operating system; drivers translate the codes of their libraries to it. */
export class MachineError extends Error {
  override name = "MachineError";
  readonly code: string;

  /** @param code errno's name, such as ENOSPC */
  constructor(code: string, cause: unknown) {
    super(`The machine reports ${code}`, { cause });
    this.code = code;
  }
}

/** The code of an error, or of one of its causes: `ENOSPC`, `ERR_SQLITE_ERROR`. Undefined without one. */
export function errorCode(error: unknown): string | undefined {
  let at = error;
  for (let depth = 0; depth < MAX_CAUSES && at instanceof Error; depth += 1) {
    if ("code" in at && typeof at.code === "string" && /^[A-Z][A-Z0-9_]{1,40}$/.test(at.code)) return at.code;
    at = at.cause;
  }
  return undefined;
}

/**
 * The error that a caller or a step sees for a fault of the machine, which may be the cause of an internal error.
 * @returns undefined for any other error
 */
export function machineFault(error: unknown): AppError | undefined {
  if (error instanceof AppError && error.kind !== "InternalServerError") return undefined;
  const code = errorCode(error);
  return code !== undefined && Object.hasOwn(FAULTS, code) ? FAULTS[code]?.(error) : undefined;
}

/** True for a failure that may pass: the same work may succeed later. */
export const isTransient = (error: unknown): boolean =>
  machineFault(error) !== undefined || (error instanceof AppError && error.retryable);
