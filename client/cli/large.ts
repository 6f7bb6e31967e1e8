import type { Document, SheafClient, UploadAnswer, UploadOptions } from "../index.ts";
import type { ConnectionArguments } from "./connection.ts";
import type { Io } from "./io.ts";
import { startOrDiscard } from "./start-work.ts";

/** A request in the cloud may have about 4.5 MB in all; a larger document is uploaded by itself. */
const MAX_REQUEST_DOCUMENT_BYTES = 4_000_000;

/** True for a document that needs an upload of its own. */
export const isLarge = ({ bytes }: { bytes: Uint8Array }): boolean => bytes.length > MAX_REQUEST_DOCUMENT_BYTES;

/**
 * Sends a large document and starts its run. Deletes the document when its run is not started.
 * @param start starts the run
 */
export async function sendLarge(
  io: Io,
  client: SheafClient,
  args: ConnectionArguments,
  { bytes, ...options }: UploadOptions & { bytes: Document },
  start: (guid: string) => Promise<UploadAnswer>,
): Promise<UploadAnswer> {
  const { guid } = await client.uploadDirect(bytes, options);
  return startOrDiscard(io, client, guid, args, () => start(guid));
}
