/**
 * Keys of the tests' own organizations. `node test/cloud/keys.ts` prints new ones for a deployment: the text for its
 * secret of API keys, and the sets for SHEAF_E2E_KEYS.
 */
import { randomBytes } from "node:crypto";
import { KEY_SETS } from "../support/key-sets.ts";
import { type KeySet, namedKeys } from "../support/keys.ts";

/** Each set has two organizations of its own. */
export const makeKeys = (sets: number, firstOrganization = 1): KeySet[] =>
  Array.from({ length: sets }, (_, index) => {
    const [one = "", reader = "", two = ""] = Array.from({ length: 3 }, () => randomBytes(16).toString("hex"));
    return { organizationId: firstOrganization + 2 * index, one, reader, two };
  });

/** Far from the ids of real organizations. */
const FIRST_SMOKE_ORGANIZATION = 900_001;

if (import.meta.main) {
  const sets = makeKeys(KEY_SETS, FIRST_SMOKE_ORGANIZATION);
  process.stdout.write(`${JSON.stringify({ secret: namedKeys(sets), sets })}\n`);
}
