import { SheafError, SheafUnreachable, SheafWaitTimeout } from "../index.ts";
import { paintFor } from "./colors.ts";
import { EXIT_CODES, Interrupted, type Io, UsageError } from "./io.ts";

/** Refusals that a script acts on; all others are `failed`. */
const CODES_BY_STATUS: Readonly<Record<number, number>> = {
  402: EXIT_CODES.paymentRequired,
  404: EXIT_CODES.notFound,
};

/** Prints an error to standard error. @returns the exit code @throws any other error, which is a defect */
export function report(io: Io, error: unknown): number {
  const say = (line: string): void => io.stderr.write(`${line}\n`);
  const title = paintFor(io.stderr, io.env).red("error:");
  if (error instanceof UsageError) {
    say(`${title} ${error.message}`);
    return EXIT_CODES.usage;
  }
  if (error instanceof Interrupted) {
    say(error.message);
    return error.exitCode;
  }
  if (error instanceof SheafWaitTimeout) {
    say(error.message);
    return EXIT_CODES.timedOut;
  }
  if (error instanceof SheafUnreachable) {
    say(`Sheaf is not reachable at ${error.apiUrl}: ${error.reason}`);
    say("Start it here with `npx sheaf serve`, or say where it is with --api-url or SHEAF_API_URL.");
    return EXIT_CODES.unreachable;
  }
  if (error instanceof SheafError) {
    say(`${title} ${error.message}`);
    for (const { path, message } of error.errors) say(`  ${path}: ${message}`);
    for (const line of adviceFor(error)) say(line);
    if (error.requestId !== undefined) say(`request id: ${error.requestId}`);
    return CODES_BY_STATUS[error.status] ?? EXIT_CODES.failed;
  }
  throw error;
}

function adviceFor({ status, body, retryAfter }: SheafError): string[] {
  if (status === 401) return ["Give a key that the service knows with --token or SHEAF_TOKEN."];
  const checkout = body?.checkout_url;
  if (status === 402 && typeof checkout === "string") return [`Buy tokens at ${checkout}`];
  if (retryAfter !== undefined) return [`Try again in ${Math.ceil(retryAfter)} s.`];
  return [];
}
