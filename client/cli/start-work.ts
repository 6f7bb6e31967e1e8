/** Calls that start work, whatever ends them: nothing that was begun is left without its GUID. */
import { type SheafClient, SheafError, SheafUnreachable } from "../index.ts";
import { type ConnectionArguments, waitCommand } from "./connection.ts";
import { Interrupted, type Io } from "./io.ts";

/** After Ctrl-C a call that starts work has this long to tell the GUID: an upload of 10 MB at 16 Mbit/s. */
const NAMING_GRACE_SECONDS = 5;
/** The longest time that the removal of work that was not started may take. */
const DISCARD_LIMIT_MS = 5_000;

/**
 * Runs a call that starts work. Ctrl-C does not cut it at once, so that its answer still tells the GUID.
 * @param place where the work is found when no answer comes, such as `GET /job/list`
 * @param start the call; its signal aborts some seconds after Ctrl-C
 * @throws the call's errors; Interrupted when nothing was sent, or when no answer came in time
 */
export async function startWork<T>(io: Io, place: string, start: (signal: AbortSignal) => Promise<T>): Promise<T> {
  io.signal.throwIfAborted();
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waitBriefly = (): void => {
    io.stderr.write(`Waiting up to ${NAMING_GRACE_SECONDS} s for the answer to what was sent\n`);
    timer = setTimeout(() => late.abort(io.signal.reason), NAMING_GRACE_SECONDS * 1000);
  };
  io.signal.addEventListener("abort", waitBriefly, { once: true });
  try {
    return await start(late.signal);
  } catch (error) {
    if (late.signal.aborted) io.stderr.write(`No answer came in time. If the work was begun, ${place} names it.\n`);
    throw error;
  } finally {
    clearTimeout(timer);
    io.signal.removeEventListener("abort", waitBriefly);
  }
}

/**
 * Runs what uploads to or starts a stored job. When it fails, the job is deleted, or its GUID is told with the command
 * that goes on.
 * @throws the errors of `start`
 */
export async function startOrDiscard<T>(
  io: Io,
  client: SheafClient,
  guid: string,
  args: ConnectionArguments,
  start: () => Promise<T>,
): Promise<T> {
  try {
    return await start();
  } catch (error) {
    // A service that is not reachable cannot delete either.
    const deleted = !(error instanceof SheafUnreachable) && (await discard(client, guid));
    if (!deleted) io.stderr.write(`Job ${guid} was stored; if it runs, go on with: ${waitCommand(args, guid)}\n`);
    else if (error instanceof Interrupted) io.stderr.write(`Job ${guid} was not started; it is deleted\n`);
    throw error;
  }
}

/** @returns false when the job could not be deleted, for example because it runs */
async function discard(client: SheafClient, guid: string): Promise<boolean> {
  const signal = AbortSignal.timeout(DISCARD_LIMIT_MS);
  try {
    await client.deleteJob(guid, { signal });
    return true;
  } catch (error) {
    if (error instanceof SheafError || signal.aborted) return false;
    throw error;
  }
}
