import { JOB_SENTENCES, JobFailure } from "../../ports/errors.ts";
import type { Organization } from "../organizations/organization.ts";

/** Loads a file of an operation's material. @throws JobFailure (no text) when it is missing */
export async function loadBlob(org: Organization, key: string | undefined): Promise<Uint8Array> {
  const bytes = key === undefined ? undefined : await org.blobs.get(key);
  if (bytes === undefined) throw new JobFailure(JOB_SENTENCES.noText);
  return bytes;
}

/** Loads a file of an operation's material that may be missing. */
export const findBlob = async (org: Organization, key: string | undefined): Promise<Uint8Array | undefined> =>
  key === undefined ? undefined : org.blobs.get(key);
