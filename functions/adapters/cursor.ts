/** Opaque cursors: the last position of a page, bound to its listing. */
import { createHash } from "node:crypto";
import { BadRequest } from "../ports/errors.ts";

const DIGEST_BYTES = 16;
const FOREIGN_CURSOR_SENTENCE = "The cursor does not belong to this listing; start again without it";

/** Every parameter that decides the content and the order of a listing, except its page size. */
export type ListingIdentity = readonly (string | boolean | null)[];

const digestOf = (listing: ListingIdentity): Buffer =>
  createHash("sha256").update(JSON.stringify(listing)).digest().subarray(0, DIGEST_BYTES);

/** @param position the last key of the page, well-formed Unicode @returns base64url */
export function sealCursor(listing: ListingIdentity, position: string): string {
  return Buffer.concat([digestOf(listing), Buffer.from(position, "utf8")]).toString("base64url");
}

/**
 * The binding prevents mistakes, not forgery: the caller must still enforce the bounds of its listing.
 * @returns the position @throws BadRequest unless the cursor belongs to this listing
 */
export function openCursor(listing: ListingIdentity, cursor: string): string {
  const bytes = Buffer.from(cursor, "base64url");
  const position = bytes.subarray(DIGEST_BYTES);
  const own = position.length > 0 && digestOf(listing).equals(bytes.subarray(0, DIGEST_BYTES));
  if (!own || bytes.toString("base64url") !== cursor) throw new BadRequest(FOREIGN_CURSOR_SENTENCE);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(position);
  } catch (cause) {
    throw new BadRequest(FOREIGN_CURSOR_SENTENCE, { cause });
  }
}
