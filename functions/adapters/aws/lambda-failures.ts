/** How Lambda tells that it ended a function: by an error type of its own ("Lambda runtime errors", Developer Guide). */

export type LambdaEnd = "memory" | "deadline";

/**
 * @param type the `errorType` of a failed invocation @param message its `errorMessage`
 * @returns undefined for errors that the function's code threw
 */
export function lambdaEnd(type: unknown, message: unknown): LambdaEnd | undefined {
  const text = typeof message === "string" ? message : "";
  if (type === "Sandbox.Timedout" || /Task timed out after [\d.]+ seconds/.test(text)) return "deadline";
  if (type === "Runtime.OutOfMemory" || /signal: killed|heap out of memory/.test(text)) return "memory";
  return undefined;
}

/**
 * The Cause that a machine caught, with a function's end by memory or time as the error that a step of ours would have
 * thrown for it; any other Cause as it is.
 * @param sentences what the job's error says for each
 */
export function describeLambdaFailure(cause: string, sentences: Record<LambdaEnd, string>): string {
  let parsed: { errorType?: unknown; errorMessage?: unknown } | null;
  try {
    parsed = JSON.parse(cause);
  } catch {
    return cause;
  }
  const end = lambdaEnd(parsed?.errorType, parsed?.errorMessage);
  return end === undefined ? cause : JSON.stringify({ errorType: "JobFailure", errorMessage: sentences[end] });
}
