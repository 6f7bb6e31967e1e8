/** Options of calls besides their content. */

import type { Json } from "./json.ts";
import type { UploadCommand } from "./types.ts";

export type Document = Uint8Array | Blob;

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

/** For calls that create work: the service does it once for the same key and request. Default: a new UUID. */
export interface WorkOptions extends CallOptions {
  idempotencyKey?: string | undefined;
}

export interface UploadOptions extends WorkOptions {
  /** Default: a File's own name. */
  fileName?: string | undefined;
  /** Default: a Blob's own type; without any type the service detects it from the content. */
  mimeType?: string | undefined;
}

export interface UploadFilesOptions extends UploadOptions {
  prompt?: string | undefined;
  schema?: string | { [member: string]: Json } | undefined;
  metadata?: UploadCommand | undefined;
}

export interface RunOptions extends CallOptions {
  /** Number of an earlier run; default: the newest finished one. */
  run?: number | undefined;
}

export interface PageImageOptions extends RunOptions {
  /** Draws boxes around the run's values; a 404 when `sourceLocations` was not set. */
  locations?: boolean | undefined;
  /**
   * Only these values and their descendants: JSON Pointers, with `*` for any one index or member. Needs `locations`.
   */
  pointers?: readonly string[] | undefined;
  /** `office`: as LibreOffice shows the page, where the service has it; goes without `locations`. */
  rendered?: "office" | undefined;
}
