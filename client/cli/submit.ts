import type { SheafClient, UploadAnswer } from "../index.ts";
import { waitCommand } from "./connection.ts";
import type { LocalDocument } from "./document.ts";
import { EXIT_CODES, type Io } from "./io.ts";
import { type OutcomeOptions, printJson, waitAndPrint } from "./outcome.ts";

export interface SubmitOptions extends OutcomeOptions {
  wait: boolean;
}

/**
 * Starts a document's run, then waits for it or prints `{guid, status}`.
 * @param start uploads the document and starts its run
 * @returns the exit code
 */
export async function submit(
  io: Io,
  client: SheafClient,
  { bytes, fileName = "standard input", mimeType }: LocalDocument,
  start: () => Promise<UploadAnswer>,
  args: SubmitOptions,
): Promise<number> {
  const { guid, status } = await start();
  io.stderr.write(`job ${guid}: ${fileName}, ${bytes.length} bytes, ${mimeType}\n`);
  if (args.wait) return waitAndPrint(io, client, guid, args);
  await printJson(io, JSON.stringify({ guid, status }));
  io.stderr.write(`Wait for it with: ${waitCommand(args, guid)}\n`);
  return EXIT_CODES.success;
}
