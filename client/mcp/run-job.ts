/** Uploads a document, starts its run and waits for it. */
import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import { type ProcessingJob, type SheafClient, SheafError, SheafWaitTimeout, type UploadAnswer } from "../index.ts";
import { progressOf, type Session } from "./context.ts";
import { type DocumentInput, type NamedBytes, readInput } from "./document-input.ts";
import { outcomeOf } from "./outcome.ts";

/** A request in the cloud may have about 4.5 MB in all; a larger document is uploaded by itself. */
const MAX_REQUEST_DOCUMENT_BYTES = 4_000_000;
/** The longest time that ending a job whose caller is gone may take. */
const CLEANUP_LIMIT_MS = 5_000;

/** Ends what was begun for a caller; a failure leaves the job to the service, which keeps it like any other. */
async function cleanUp(call: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const signal = AbortSignal.timeout(CLEANUP_LIMIT_MS);
  await call(signal).catch((error) => {
    if (!(error instanceof SheafError) && !signal.aborted) throw error;
  });
}

function upload(client: SheafClient, { bytes, ...names }: NamedBytes, signal: AbortSignal): Promise<UploadAnswer> {
  const options = { ...names, signal };
  const isLarge = bytes.length > MAX_REQUEST_DOCUMENT_BYTES;
  return isLarge ? client.uploadDirect(bytes, options) : client.upload(bytes, options);
}

function positionOf({ status, progress }: ProcessingJob): string {
  if (progress === undefined) return status;
  return `${status}, ${progress.phase ?? "work"} ${progress.done} of ${progress.total}`;
}

/** Waits for a job, and tells its caller how far it is. @returns the job, which still runs when the time is over */
export async function waitFor(
  client: SheafClient,
  guid: string,
  waitSeconds: number,
  context: ServerContext,
): Promise<ProcessingJob> {
  const tell = progressOf(context);
  const { signal } = context.mcpReq;
  if (waitSeconds === 0) return client.status(guid, { signal });
  try {
    return await client.wait(guid, {
      timeoutSeconds: waitSeconds,
      signal,
      ...(tell === undefined ? {} : { onProgress: (job, seconds) => tell(seconds, positionOf(job)) }),
    });
  } catch (error) {
    if (!(error instanceof SheafWaitTimeout)) throw error;
    return error.job ?? client.status(guid, { signal });
  }
}

/**
 * The whole of `process` and `ocr`. A caller that cancels cancels the job with it.
 * @param start starts the run over the stored document
 */
export async function runJob(
  session: Session,
  input: DocumentInput & { waitSeconds: number },
  context: ServerContext,
  start: (guid: string, signal: AbortSignal) => Promise<UploadAnswer>,
): Promise<CallToolResult> {
  const { client } = session;
  const { signal } = context.mcpReq;
  const { guid } = await upload(client, await readInput(session, input), signal);
  try {
    await start(guid, signal);
  } catch (error) {
    await cleanUp((limit) => client.deleteJob(guid, { signal: limit }));
    throw error;
  }
  try {
    const job = await waitFor(client, guid, input.waitSeconds, context);
    return await outcomeOf(client, job, signal);
  } catch (error) {
    if (signal.aborted) await cleanUp((limit) => client.cancel(guid, { signal: limit }));
    throw error;
  }
}
