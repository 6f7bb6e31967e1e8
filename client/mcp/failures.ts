/** Errors as answers of tools. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { SheafError, SheafUnreachable } from "../index.ts";
import { FileRefused } from "./local-files.ts";

/** The sentences of an error that a caller may see; undefined for a defect. */
export function sentencesOf(error: unknown): string[] | undefined {
  if (error instanceof FileRefused) return [error.message];
  if (error instanceof SheafUnreachable) {
    return [`${error.message}.`, "Is the service running? `sheaf serve` starts one on this machine."];
  }
  if (!(error instanceof SheafError)) return undefined;
  const { message, errors, status, retryAfter, requestId, body } = error;
  const checkout = body?.checkout_url;
  return [
    message,
    ...errors.map((fault) => `${fault.path}: ${fault.message}`),
    ...(status === 401 ? ["The key of this connection is not one of the service."] : []),
    ...(status === 402 && typeof checkout === "string" ? [`Tokens are sold at ${checkout}`] : []),
    ...(retryAfter === undefined ? [] : [`Try again in ${Math.ceil(retryAfter)} s.`]),
    ...(requestId === undefined ? [] : [`Request id: ${requestId}`]),
  ];
}

/** An answer that says that the tool did not do its work. */
export const failed = (...sentences: string[]): CallToolResult => ({
  content: [{ type: "text", text: sentences.join("\n") }],
  isError: true,
});

/**
 * Runs the work of a tool; errors of the service and of files become its answer.
 * @param signal aborted when the caller cancelled: its reason is thrown on, as nobody reads an answer
 * @param log gets defects, whose text no caller sees
 */
export async function answering(
  signal: AbortSignal,
  log: (line: string) => void,
  work: () => Promise<CallToolResult>,
): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) throw error;
    const sentences = sentencesOf(error);
    if (sentences !== undefined) return failed(...sentences);
    log(`A tool failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return failed("The tool failed for a reason of its own; the server's log has it");
  }
}
