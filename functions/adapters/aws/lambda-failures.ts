/** Lambda's own error types for functions that it ended ("Lambda runtime errors", Developer Guide). */

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
 * Translates a Cause that a machine caught: a function's end by memory or time becomes the error that one of our steps
 * would throw; any other Cause is unchanged.
 * @param sentences sentences of the job's error for each end
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
