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

/** First and last byte, both inclusive; without `end`, to the end of the file. */
export interface ByteRange {
  start: number;
  end?: number;
}

/** A request that a client may send without an API key, until `expiresAt` (ISO 8601). */
export interface PresignedRequest {
  url: string;
  method: "GET" | "PUT";
  headers: Record<string, string>;
  expiresAt: string;
}

export interface PutOptions {
  contentType?: string;
  ifAbsent?: boolean;
  /**
   * Resolve when the blob can be read, which is before it is sure to outlast a power failure: for files that can be made
   * again, until `keep`.
   */
  later?: boolean;
}

/** Files by key (`a/b/c`, no empty, `.` or `..` segment). A write is atomic, also across a crash. */
export interface Blobs {
  /** @returns undefined for a key without a blob */
  get(key: string, range?: ByteRange): Promise<Uint8Array | undefined>;
  stream(key: string, range?: ByteRange): Promise<Readable | undefined>;
  head(key: string): Promise<BlobHead | undefined>;
  /** @throws ConditionFailed with `ifAbsent` for a key that has a blob */
  put(key: string, body: Uint8Array | Readable, options?: PutOptions): Promise<{ etag: string; size: number }>;
  /** Resolves when all blobs below a prefix that were put `later` outlast a power failure. */
  keep(prefix: string): Promise<void>;
  /** False when a blob that was put `later`, and not kept, is missing or damaged since a power failure. */
  isWhole(key: string): Promise<boolean>;
  /** Blobs below a prefix, keys in byte order. `limit` 1 to 1,000, default 1,000. */
  list(prefix: string, options?: { limit?: number; cursor?: string }): Promise<{ blobs: BlobHead[]; cursor?: string }>;
  /** Deleting a missing blob succeeds. */
  delete(key: string): Promise<void>;
  presignGet(key: string, options: { expiresInSeconds: number; fileName?: string }): Promise<PresignedRequest>;
  /** The PUT takes exactly this length and type; any other is refused. */
  presignPut(
    key: string,
    options: { expiresInSeconds: number; contentType: string; size: number },
  ): Promise<PresignedRequest>;
}
