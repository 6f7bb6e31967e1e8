/** Blobs: files by key. Drivers: a folder on one machine, S3 on AWS. */
import type { Readable } from "node:stream";

export interface BlobHead {
  key: string;
  size: number;
  contentType: string;
  etag: string;
  /** ISO 8601, UTC. */
  lastModified: string;
}

/** First and last byte, both counted in; without `end`, to the end. */
export interface ByteRange {
  start: number;
  end?: number;
}

/** A request that a client may send without a key, until `expiresAt` (ISO 8601). */
export interface PresignedRequest {
  url: string;
  method: "GET" | "PUT";
  headers: Record<string, string>;
  expiresAt: string;
}

/** Files by key (`a/b/c`, no empty, `.` or `..` segment). A blob is there whole or not at all, also after a crash. */
export interface Blobs {
  /** @returns undefined when there is none */
  get(key: string, range?: ByteRange): Promise<Uint8Array | undefined>;
  stream(key: string, range?: ByteRange): Promise<Readable | undefined>;
  head(key: string): Promise<BlobHead | undefined>;
  /** @throws ConditionFailed when `ifAbsent` and something is there */
  put(
    key: string,
    body: Uint8Array | Readable,
    options?: { contentType?: string; ifAbsent?: boolean },
  ): Promise<{ etag: string; size: number }>;
  /** Keys in byte order below a prefix. `limit` 1 to 1,000, default 1,000. */
  list(prefix: string, options?: { limit?: number; cursor?: string }): Promise<{ blobs: BlobHead[]; cursor?: string }>;
  /** Deleting what is not there is success. */
  delete(key: string): Promise<void>;
  presignGet(key: string, options: { expiresInSeconds: number; fileName?: string }): Promise<PresignedRequest>;
  /** The PUT is bound to exactly this length and type; another is refused. */
  presignPut(
    key: string,
    options: { expiresInSeconds: number; contentType: string; size: number },
  ): Promise<PresignedRequest>;
}
