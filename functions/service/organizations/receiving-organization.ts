/** An organization whose requests send files. */
import { Readable } from "node:stream";
import type { Organization } from "./organization.ts";

/**
 * The organization as a caller's request sees it: a file that it stores is one that was sent, and counts.
 * @throws Forbidden, from `put` and `presignPut`, over a quota
 */
export function receivingOrganization(org: Organization): Organization {
  const { blobs, storedFiles } = org;
  return {
    ...org,
    blobs: {
      ...blobs,
      async put(key, body, options) {
        // Streams are results and views.
        if (body instanceof Readable) return blobs.put(key, body, options);
        const giveBack = await storedFiles.take(key, body.length);
        try {
          return await blobs.put(key, body, options);
        } catch (error) {
          await giveBack?.().catch(() => undefined);
          throw error;
        }
      },
      async presignPut(key, options) {
        await storedFiles.take(key, options.size);
        return blobs.presignPut(key, options);
      },
    },
  };
}
