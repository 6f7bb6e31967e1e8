/** Filled documents that are too large for an answer's body: they are stored until their address has expired. */
import type { Organization } from "../organizations/organization.ts";
import { enqueue } from "../queue/enqueue.ts";

/** Seconds from the answer to the deletion; an address is valid for fewer. */
const LIFETIME_SECONDS = 900;

const filledFile = (guid: string): string => `templates/filled/${guid}`;

/** Stores a filled document for a while. @returns its key */
export async function storeFilled(org: Organization, bytes: Uint8Array, contentType: string): Promise<string> {
  const guid = org.engines.clock.guid();
  const key = filledFile(guid);
  // Before the file is there, so that it is deleted whatever happens next.
  await enqueue(org, { kind: "delete-filled", guid }, LIFETIME_SECONDS);
  await org.blobs.put(key, bytes, { contentType });
  return key;
}

export async function deleteFilled(org: Organization, guid: string): Promise<void> {
  await org.blobs.delete(filledFile(guid));
}
