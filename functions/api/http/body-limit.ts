/** Limits of request bodies, as data that the front, every handler and the OpenAPI document read. */
import { PayloadTooLarge } from "../../ports/errors.ts";

/**
 * Most bytes of a JSON body, and of a text part of a form: the contract's 1 MB. Parsing that much takes some tens of
 * milliseconds of the API's thread.
 */
export const MAX_JSON_BYTES = 1_000_000;

/** Limits in bytes. A deployment may accept smaller requests than documents. */
export interface RequestLimits {
  maxDocumentBytes: number;
  maxRequestBytes: number;
}

/** A route, as far as its limit goes. */
export interface LimitedRoute {
  path: string;
  /** Most bytes of the body; Infinity: only the deployment's limit of a request holds. */
  bodyLimit: number;
}

/** The most bytes of a body that a route takes here: its own limit, or the deployment's where that is lower. */
export const bodyLimitOf = (
  { bodyLimit }: Pick<LimitedRoute, "bodyLimit">,
  { maxRequestBytes }: RequestLimits,
): number => Math.min(bodyLimit, maxRequestBytes);

const megabytes = (bytes: number): string => `${bytes / 1_000_000} MB (${bytes.toLocaleString("en-US")} bytes)`;

/** Error for a document over the limit. */
export const tooLarge = (limit: number): PayloadTooLarge =>
  new PayloadTooLarge(`The document is over ${megabytes(limit)}`);

/** Error for a text part over the limit. */
export const partTooLarge = (): PayloadTooLarge =>
  new PayloadTooLarge(`A text part of the form is over ${megabytes(MAX_JSON_BYTES)}; send a shorter one`);

/** True where a document too large for a request can be sent by POST /document/upload-url. */
export const hasUploadAddress = ({ path }: Pick<LimitedRoute, "path">): boolean => path.startsWith("/document/");

/** Error for a body over its route's limit. */
export const bodyTooLarge = (route: LimitedRoute, limits: RequestLimits): PayloadTooLarge =>
  route.bodyLimit > limits.maxRequestBytes
    ? requestTooLarge(route, limits)
    : new PayloadTooLarge(`The body is over ${megabytes(route.bodyLimit)}, the most that this call takes; send less`);

/** Error for a request over the limit. Where documents may be larger, its sentence says how to send them. */
function requestTooLarge(route: LimitedRoute, { maxRequestBytes, maxDocumentBytes }: RequestLimits): PayloadTooLarge {
  const over = `The request is over ${megabytes(maxRequestBytes)}`;
  if (!hasUploadAddress(route)) return new PayloadTooLarge(`${over}, the most that is taken here at once; send less`);
  if (maxRequestBytes > maxDocumentBytes) return new PayloadTooLarge(over);
  return new PayloadTooLarge(
    `${over}, the most that is taken here at once; send the document by POST /document/upload-url`,
  );
}
