/**
 * What organizations entrust to the service and it needs again in clear: signing secrets, keys of others. At rest it is
 * sealed by AES-256-GCM under a key derived from the server key (HKDF-SHA-256, RFC 5869), so that a copy of the records
 * alone gives nothing away. What is sealed for one purpose opens for no other.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

export interface Vault {
  seal(text: string, purpose: string): Promise<string>;
  /** @throws Error when it was sealed under another server key or for another purpose, or was changed */
  open(sealed: string, purpose: string): Promise<string>;
}

const ALGORITHM = "aes-256-gcm";
const VERSION = "v1.";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const keyOf = (serverKey: Uint8Array): Buffer =>
  Buffer.from(hkdfSync("sha256", serverKey, new Uint8Array(), "sheaf vault", 32));

/** @param serverKey the key that API keys are hashed under */
export function openVault(serverKey: () => Promise<Uint8Array>): Vault {
  return {
    async seal(text, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, keyOf(await serverKey()), nonce).setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return VERSION + sealed.toString("base64url");
    },
    async open(sealed, purpose) {
      if (!sealed.startsWith(VERSION)) throw new Error("This was not sealed here");
      const bytes = Buffer.from(sealed.slice(VERSION.length), "base64url");
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const options = { authTagLength: TAG_BYTES };
      const decipher = createDecipheriv(ALGORITHM, keyOf(await serverKey()), nonce, options)
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = [decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()];
      return Buffer.concat(text).toString("utf8");
    },
  };
}

/** The vault of one organization: nothing that another one sealed opens here. */
export const organizationVault = (vault: Vault, organizationId: number): Vault => ({
  seal: (text, purpose) => vault.seal(text, `org/${organizationId}/${purpose}`),
  open: (sealed, purpose) => vault.open(sealed, `org/${organizationId}/${purpose}`),
});
