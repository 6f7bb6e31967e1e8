/** What S3 refuses, and what no driver of Blobs takes: checked before anything is read or written. */

import type { ByteRange } from "../ports/blobs.ts";
import { StoreLimitExceeded } from "../ports/errors.ts";

/** Bytes of UTF-8. */
const KEY_BYTES = 1024;
const PREFIX_BYTES = 1024;
/** Seven days. */
const LONGEST_SECONDS = 7 * 24 * 60 * 60;

/** A page's longest, and what it is without a limit. */
export const PAGE_BLOBS = 1000;
/** The type of a blob that was written without one. */
export const DEFAULT_TYPE = "application/octet-stream";

/** Why a key is none; undefined for one that every driver takes. */
export function faultOfBlobKey(key: string): string | undefined {
  if (!key.isWellFormed()) return "A blob's key holds half a surrogate pair";
  if (Buffer.byteLength(key, "utf8") > KEY_BYTES) return `A blob's key is longer than ${KEY_BYTES} bytes`;
  const odd = key.split("/").some((segment) => segment === "" || segment === "." || segment === "..");
  return odd ? "A blob's key has an empty segment, or one of dots" : undefined;
}

/** @throws StoreLimitExceeded for an empty or overlong key and for empty, `.` and `..` segments */
export function checkBlobKey(key: string): void {
  const fault = faultOfBlobKey(key);
  if (fault !== undefined) throw new StoreLimitExceeded(fault);
}

/** @throws StoreLimitExceeded for a type that a header could not carry */
export function checkContentType(contentType: string): void {
  if (!/^[\x20-\x7e]{1,255}$/.test(contentType)) {
    throw new StoreLimitExceeded("A blob's content type is 1 to 255 printable ASCII characters");
  }
}

/** @throws StoreLimitExceeded for a range that counts backwards or not in whole bytes */
export function checkRange(range: ByteRange | undefined): void {
  const { start, end = Number.MAX_SAFE_INTEGER } = range ?? { start: 0 };
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new StoreLimitExceeded("A range goes from a byte to the same or a later one");
  }
}

/** @throws StoreLimitExceeded for a malformed or overlong prefix, and for a limit that is not 1 to 1,000 */
export function checkListing(prefix: string, limit: number): void {
  if (!prefix.isWellFormed() || Buffer.byteLength(prefix, "utf8") > PREFIX_BYTES) {
    throw new StoreLimitExceeded(`A prefix is well-formed text of at most ${PREFIX_BYTES} bytes`);
  }
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_BLOBS) {
    throw new StoreLimitExceeded(`A listing's limit is 1 to ${PAGE_BLOBS}`);
  }
}

/** @throws StoreLimitExceeded for a length that no body has */
export function checkSize(size: number): void {
  if (!Number.isSafeInteger(size) || size < 0) {
    throw new StoreLimitExceeded("A blob's size is a whole number of bytes");
  }
}

/** @throws StoreLimitExceeded for a time that is not 1 second to 7 days */
export function checkExpiresIn(seconds: number): void {
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > LONGEST_SECONDS) {
    throw new StoreLimitExceeded(`A presigned request lasts 1 to ${LONGEST_SECONDS} seconds`);
  }
}
