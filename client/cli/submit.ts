import type { SheafClient, UploadAnswer } from "../index.ts";
import { waitCommand } from "./connection.ts";
import type { LocalDocument } from "./document.ts";
import { EXIT_CODES, type Io } from "./io.ts";
import { type OutcomeOptions, printJson, waitAndPrint } from "./outcome.ts";
import { startWork } from "./start-work.ts";

export interface SubmitOptions extends OutcomeOptions {
  wait: boolean;
}

/**
 * Starts a document's run, then waits for it or prints `{guid, status}`.
 * @param start uploads the document and starts its run; a signal aborts its calls
 * @returns the exit code
 */
export async function submit(
  io: Io,
  client: SheafClient,
  { bytes, fileName = "standard input", mimeType }: LocalDocument,
  start: (signal: AbortSignal) => Promise<UploadAnswer>,
  args: SubmitOptions,
): Promise<number> {
  const { guid, status } = await startWork(io, "GET /job/list", start);
  io.stderr.write(`job ${guid}: ${fileName}, ${bytes.length} bytes, ${mimeType}\n`);
  if (args.wait) return waitAndPrint(io, client, guid, args);
  await printJson(io, JSON.stringify({ guid, status }));
  io.stderr.write(`Wait for it with: ${waitCommand(args, guid)}\n`);
  // The run was started all the same; a script still learns of Ctrl-C.
  io.signal.throwIfAborted();
  return EXIT_CODES.success;
}
