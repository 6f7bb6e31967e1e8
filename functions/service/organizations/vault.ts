/**
 * Secrets of organizations that the service needs in clear text, such as signing secrets. They are stored encrypted by
 * AES-256-GCM under a key derived from the server key (HKDF-SHA-256, RFC 5869), so that a copy of the records alone
 * reveals nothing. A secret sealed for one purpose does not open for another.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

export interface Vault {
  seal(text: string, purpose: string): Promise<string>;
  /** @throws Error for text sealed under another server key or for another purpose, or changed since */
  open(sealed: string, purpose: string): Promise<string>;
}

const ALGORITHM = "aes-256-gcm";
const VERSION_PREFIX = "v1.";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const deriveKey = (serverKey: Uint8Array, use: string): Buffer =>
  Buffer.from(hkdfSync("sha256", serverKey, new Uint8Array(), use, 32));

/** Identifies texts that may hold secrets. */
export type Fingerprint = (text: string) => Promise<string>;

/**
 * HMAC-SHA-256 under a key derived from the server key: equal for equal texts, and nobody without the key can try
 * guesses of the text on it.
 */
export const fingerprintUnder =
  (serverKey: () => Promise<Uint8Array>): Fingerprint =>
  async (text) =>
    createHmac("sha256", deriveKey(await serverKey(), "sheaf fingerprint"))
      .update(text)
      .digest("base64url");

/** Opens the vault. @param serverKey the key that API keys are hashed with */
export function openVault(serverKey: () => Promise<Uint8Array>): Vault {
  return {
    async seal(text, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, deriveKey(await serverKey(), "sheaf vault"), nonce).setAAD(
        Buffer.from(purpose),
      );
      const sealed = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return VERSION_PREFIX + sealed.toString("base64url");
    },
    async open(sealed, purpose) {
      if (!sealed.startsWith(VERSION_PREFIX)) throw new Error("This was not sealed here");
      const bytes = Buffer.from(sealed.slice(VERSION_PREFIX.length), "base64url");
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const options = { authTagLength: TAG_BYTES };
      const decipher = createDecipheriv(ALGORITHM, deriveKey(await serverKey(), "sheaf vault"), nonce, options)
        .setAAD(Buffer.from(purpose))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = [decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()];
      return Buffer.concat(text).toString("utf8");
    },
  };
}

/** The vault of one organization: it opens no secret of another one. */
export const organizationVault = (vault: Vault, organizationId: number): Vault => ({
  seal: (text, purpose) => vault.seal(text, `org/${organizationId}/${purpose}`),
  open: (sealed, purpose) => vault.open(sealed, `org/${organizationId}/${purpose}`),
});
