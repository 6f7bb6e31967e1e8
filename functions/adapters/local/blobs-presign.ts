/** Presigned requests for one blob, which need no API key: HMAC-SHA-256 signs every part. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { PresignedRequest } from "../../ports/blobs.ts";
import { checkExpiresIn } from "../blobs-limits.ts";

export interface BlobPresign {
  /** Signing key of at least 32 bytes. */
  secret: Uint8Array;
  /** The service's own address, such as `http://127.0.0.1:8080`; read for each presigned request. */
  baseUrl: () => string;
}

/** Path of presigned requests below the base address. */
export const BLOB_PATH = "/_blobs/";

/** The signed parts of a request. */
export interface PresignedClaims {
  key: string;
  method: "GET" | "PUT";
  /** Unix seconds. */
  expires: number;
  /** Content type of a PUT. */
  type?: string;
  size?: number;
  /** File name of a GET's download. */
  name?: string;
}

function sign(secret: Uint8Array, claims: PresignedClaims): Buffer {
  const { method, key, expires, type = null, size = null, name = null } = claims;
  return createHmac("sha256", secret)
    .update(JSON.stringify([1, method, key, expires, type, size, name]))
    .digest();
}

/** @throws StoreLimitExceeded for a time outside 1 second to 7 days */
export function presign(
  presigner: BlobPresign,
  claims: Omit<PresignedClaims, "expires">,
  now: number,
  expiresInSeconds: number,
): PresignedRequest {
  checkExpiresIn(expiresInSeconds);
  const signed: PresignedClaims = { ...claims, expires: Math.floor(now / 1000) + expiresInSeconds };
  const query = new URLSearchParams({ method: signed.method, expires: String(signed.expires) });
  if (signed.type !== undefined) query.set("type", signed.type);
  if (signed.size !== undefined) query.set("size", String(signed.size));
  if (signed.name !== undefined) query.set("name", signed.name);
  query.set("signature", sign(presigner.secret, signed).toString("base64url"));
  const path = signed.key.split("/").map(encodeURIComponent).join("/");
  return {
    url: `${presigner.baseUrl().replace(/\/$/, "")}${BLOB_PATH}${path}?${query}`,
    method: signed.method,
    headers: signed.type === undefined ? {} : { "content-type": signed.type },
    expiresAt: new Date(signed.expires * 1000).toISOString(),
  };
}

const wholeNumber = (text: string | null): number | undefined =>
  text !== null && /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : undefined;

function decodeKey(path: string): string | undefined {
  try {
    return path.split("/").map(decodeURIComponent).join("/");
  } catch {
    return undefined;
  }
}

/**
 * Verifies a presigned request.
 * @param method method of the request
 * @param target path and query as received, below BLOB_PATH
 * @returns the claims, or a sentence that says why they are invalid
 */
export function verifyPresigned(
  secret: Uint8Array,
  method: "GET" | "PUT",
  target: string,
  now: number,
): { claims: PresignedClaims } | { refused: string } {
  const [path = ""] = target.split("?", 1);
  const query = new URLSearchParams(target.slice(path.length + 1));
  const key = decodeKey(path);
  const expires = wholeNumber(query.get("expires"));
  if (key === undefined || expires === undefined) return { refused: "The address is not a presigned one" };
  const claims: PresignedClaims = { key, method, expires };
  const type = query.get("type");
  const size = wholeNumber(query.get("size"));
  const name = query.get("name");
  if (type !== null) claims.type = type;
  if (size !== undefined) claims.size = size;
  if (name !== null) claims.name = name;
  const given = Buffer.from(query.get("signature") ?? "", "base64url");
  const wanted = sign(secret, claims);
  const own = given.length === wanted.length && timingSafeEqual(given, wanted);
  if (!own || query.get("method") !== method) return { refused: `The address is not signed for this ${method}` };
  if (expires * 1000 <= now) return { refused: "The presigned address has expired" };
  return { claims };
}
