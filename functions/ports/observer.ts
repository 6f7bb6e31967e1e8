/** What the service tells its operators: structured log lines and counts. Never document text, keys or values. */

export type LogLevel = "debug" | "info" | "warn" | "error";

/** Identifiers and counts only. */
export type LogFields = Record<string, string | number | boolean | null | undefined>;

export interface Observer {
  log(level: LogLevel, message: string, fields?: LogFields): void;
  /** A counter, named in snake_case, with few labels of few values. */
  count(metric: string, labels?: Record<string, string>, by?: number): void;
  /** A duration in seconds. */
  time(metric: string, labels: Record<string, string>, seconds: number): void;
}

/** For tests and commands that have nobody to tell. */
export const silentObserver: Observer = { log() {}, count() {}, time() {} };

/** The name and class of an error for a log line; its message only when it is one of ours, which holds no content. */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error };
  const at = error.stack
    ?.split("\n")
    .find((line) => line.trimStart().startsWith("at "))
    ?.trim();
  return { error: error.name, at };
}
