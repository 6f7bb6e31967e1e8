import type { Document, SheafClient, UploadAnswer, UploadOptions } from "../index.ts";
import { SheafError } from "../index.ts";

/** In the cloud a request may have about 4.5 MB, its other parts included; a larger document goes by itself. */
const ONE_REQUEST_BYTES = 4_000_000;

/** Whether a document is sent by an address of its own. */
export const isLarge = ({ bytes }: { bytes: Uint8Array }): boolean => bytes.length > ONE_REQUEST_BYTES;

/**
 * Sends a large document and starts its run. A document whose run is refused does not stay behind.
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
    // The refusal is what its sender wants to hear, not that the document could not be deleted.
    if (refused) await client.deleteJob(guid).catch(() => undefined);
    throw error;
  }
}
