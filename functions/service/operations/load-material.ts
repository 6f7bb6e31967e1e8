import { JOB_SENTENCES, JobFailure } from "../../ports/errors.ts";
import type { Organization } from "../organizations/organization.ts";

/** A file that an operation works on. @throws JobFailure (no text) when there is none, or it is gone */
export async function loadBlob(org: Organization, key: string | undefined): Promise<Uint8Array> {
  const bytes = key === undefined ? undefined : await org.blobs.get(key);
  if (bytes === undefined) throw new JobFailure(JOB_SENTENCES.noText);
  return bytes;
}

/** The same where it may be missing. */
export const findBlob = async (org: Organization, key: string | undefined): Promise<Uint8Array | undefined> =>
  key === undefined ? undefined : org.blobs.get(key);
