/** Tells requests that CloudFront forwards from all others: they carry a secret. */
import { createHash, timingSafeEqual } from "node:crypto";

/** An HTTP API's question to its authorizer, payload format 2.0; `identitySource` holds the secret header's value. */
export interface AuthorizerEvent {
  identitySource?: readonly string[] | null;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** @param readSecret reads the secret; a failure of it refuses the request */
export const makeEdgeGuard =
  (readSecret: () => Promise<string>) =>
  async ({ identitySource }: AuthorizerEvent): Promise<{ isAuthorized: boolean }> => {
    const given = identitySource?.[0] ?? "";
    if (given === "") return { isAuthorized: false };
    return { isAuthorized: timingSafeEqual(digest(given), digest(await readSecret())) };
  };
