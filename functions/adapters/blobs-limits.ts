/** S3's limits, enforced by every driver of Blobs before it reads or writes. */

import type { ByteRange } from "../ports/blobs.ts";
import { StoreLimitExceeded } from "../ports/errors.ts";

/** Bytes of UTF-8. */
const MAX_KEY_BYTES = 1024;
const MAX_PREFIX_BYTES = 1024;
/** Seven days, the longest a presigned request may be valid. */
const MAX_PRESIGN_SECONDS = 7 * 24 * 60 * 60;

/** Most blobs of a page, and the default. */
export const MAX_PAGE_BLOBS = 1000;
/** The content type of a blob written without one. */
export const DEFAULT_CONTENT_TYPE = "application/octet-stream";

/** The fault of an invalid key; undefined when every driver takes the key. */
export function faultOfBlobKey(key: string): string | undefined {
  if (!key.isWellFormed()) return "A blob's key holds half a surrogate pair";
  if (Buffer.byteLength(key, "utf8") > MAX_KEY_BYTES) return `A blob's key is longer than ${MAX_KEY_BYTES} bytes`;
  const odd = key.split("/").some((segment) => segment === "" || segment === "." || segment === "..");
  return odd ? "A blob's key has an empty segment, or one of dots" : undefined;
}

/** @throws StoreLimitExceeded for an empty or overlong key and for empty, `.` and `..` segments */
export function checkBlobKey(key: string): void {
  const fault = faultOfBlobKey(key);
  if (fault !== undefined) throw new StoreLimitExceeded(fault);
}

/** @throws StoreLimitExceeded for a type that an HTTP header cannot carry */
export function checkContentType(contentType: string): void {
  if (!/^[\x20-\x7e]{1,255}$/.test(contentType)) {
    throw new StoreLimitExceeded("A blob's content type is 1 to 255 printable ASCII characters");
  }
}

/** @throws StoreLimitExceeded for a range that is reversed or not in whole bytes */
export function checkRange(range: ByteRange | undefined): void {
  const { start, end = Number.MAX_SAFE_INTEGER } = range ?? { start: 0 };
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new StoreLimitExceeded("A range goes from a byte to the same or a later one");
  }
}

/** @throws StoreLimitExceeded for a malformed or overlong prefix, or a limit outside 1 to 1,000 */
export function checkListing(prefix: string, limit: number): void {
  if (!prefix.isWellFormed() || Buffer.byteLength(prefix, "utf8") > MAX_PREFIX_BYTES) {
    throw new StoreLimitExceeded(`A prefix is well-formed text of at most ${MAX_PREFIX_BYTES} bytes`);
  }
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_BLOBS) {
    throw new StoreLimitExceeded(`A listing's limit is 1 to ${MAX_PAGE_BLOBS}`);
  }
}

/** @throws StoreLimitExceeded unless the size is a length that a body can have */
export function checkSize(size: number): void {
  if (!Number.isSafeInteger(size) || size < 0) {
    throw new StoreLimitExceeded("A blob's size is a whole number of bytes");
  }
}

/** @throws StoreLimitExceeded for a time outside 1 second to 7 days */
export function checkExpiresIn(seconds: number): void {
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_PRESIGN_SECONDS) {
    throw new StoreLimitExceeded(`A presigned request lasts 1 to ${MAX_PRESIGN_SECONDS} seconds`);
  }
}
