/** What calls take beside their content. */
import type { Json, UploadCommand } from "./types.ts";

export type Document = Uint8Array | Blob;

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

/** For calls that create work: with the same key and the same request the service does it once. Default: a new UUID. */
export interface WorkOptions extends CallOptions {
  idempotencyKey?: string | undefined;
}

export interface UploadOptions extends WorkOptions {
  /** Default: a File's own name. */
  fileName?: string | undefined;
  /** Default: a Blob's own type; without either the service looks at the content alone. */
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
  /** Draws the places on it that the run's values were read from; a 404 when `sourceLocations` was not asked for. */
  locations?: boolean | undefined;
  /** Only these values, and what stands below them: JSON Pointers, `*` being any one index or member. Needs `locations`. */
  pointers?: readonly string[] | undefined;
}
