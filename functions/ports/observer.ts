/** Structured log lines and metrics for the operators. Never document text, keys or values. */

import { errorCode } from "./machine-faults.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";

/** Identifiers and counts only. */
export type LogFields = Record<string, string | number | boolean | null | undefined>;

export interface Observer {
  log(level: LogLevel, message: string, fields?: LogFields): void;
  /** Adds to a counter, named in snake_case, with few labels of few values. */
  count(metric: string, labels?: Record<string, string>, by?: number): void;
  /** Records a duration in seconds. */
  time(metric: string, labels: Record<string, string>, seconds: number): void;
}

/** Discards everything; for tests and commands. */
export const silentObserver: Observer = { log() {}, count() {}, time() {} };

/**
 * An error's name, code and place for a log line; never its message, which may hold content. The code is that of the
 * error or of its nearest cause with one, such as ENOSPC.
 */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error };
  const at = error.stack
    ?.split("\n")
    .find((line) => line.trimStart().startsWith("at "))
    ?.trim();
  const code = errorCode(error);
  return { error: error.name, ...(code === undefined ? {} : { code }), at };
}
