import type { Document, SheafClient, UploadAnswer, UploadOptions } from "../index.ts";
import { SheafError } from "../index.ts";

/** A request in the cloud may have about 4.5 MB in all; a larger document is uploaded by itself. */
const MAX_REQUEST_DOCUMENT_BYTES = 4_000_000;

/** True for a document that needs an upload of its own. */
export const isLarge = ({ bytes }: { bytes: Uint8Array }): boolean => bytes.length > MAX_REQUEST_DOCUMENT_BYTES;

/**
 * Sends a large document and starts its run. Deletes the document when its run is refused.
 * @param start starts the run
 */
export async function sendLarge(
  client: SheafClient,
  document: Document,
  options: UploadOptions,
  start: (guid: string) => Promise<UploadAnswer>,
): Promise<UploadAnswer> {
  const { guid } = await client.uploadDirect(document, options);
  try {
    return await start(guid);
  } catch (error) {
    const refused = error instanceof SheafError && error.status >= 400 && error.status < 500;
    // Report the refusal, not a failure to delete the document.
    if (refused) await client.deleteJob(guid).catch(() => undefined);
    throw error;
  }
}
