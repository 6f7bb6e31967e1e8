/** Requests that start work on a job. */
import { parseAnswer } from "./answers.ts";
import type { Connection } from "./http.ts";
import type { WorkOptions } from "./options.ts";

/** Posts JSON under an idempotency key, so that a retry starts nothing twice. @returns the parsed answer */
export async function postWork<T>(
  connection: Connection,
  path: string,
  body: Record<string, unknown>,
  options: WorkOptions,
): Promise<T> {
  const answer = await connection.send({
    method: "POST",
    path,
    body: { content: JSON.stringify(body), type: "application/json" },
    idempotencyKey: options.idempotencyKey ?? crypto.randomUUID(),
    signal: options.signal,
  });
  return parseAnswer<T>(answer);
}
