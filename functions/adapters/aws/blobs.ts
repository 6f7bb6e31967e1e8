/**
 * Blobs in one S3 bucket. S3 shows a blob whole or not at all, and a read after a write sees it.
 *
 * A blob's ETag is S3's own, without quotes: the only one that a presigned upload, a multipart blob and the header of a
 * presigned GET share. "Same content, same ETag" holds for buckets with S3's own encryption keys.
 *
 * The driver's role needs s3:GetObject, PutObject, DeleteObject, AbortMultipartUpload on the objects, and s3:ListBucket
 * on the bucket to list. The client retries (`retryMode`).
 */
import { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  NoSuchKey,
  type S3Client,
} from "@aws-sdk/client-s3";
import type { BlobHead, Blobs, ByteRange, PresignedRequest, PutOptions } from "../../ports/blobs.ts";
import type { Clock } from "../../ports/clock.ts";
import { ServiceUnavailable } from "../../ports/errors.ts";
import {
  checkBlobKey,
  checkContentType,
  checkExpiresIn,
  checkListing,
  checkRange,
  checkSize,
  DEFAULT_CONTENT_TYPE,
  faultOfBlobKey,
  MAX_PAGE_BLOBS,
} from "../blobs-limits.ts";
import { type ListingIdentity, openCursor, sealCursor } from "../cursor.ts";
import { Presigner } from "./blobs-presign.ts";
import { bareEtag, SourceFailure, uploadBlob } from "./blobs-upload.ts";
import { statusOf, toAppError } from "./service-errors.ts";

export interface S3BlobsOptions {
  client: S3Client;
  /** Signs presigned requests for the address at which clients reach S3; default: `client`. */
  presignClient?: S3Client;
  bucket: string;
  clock: Clock;
  /**
   * True when the role may not list the whole bucket: S3 then answers 403 for a missing key, to hide whether it exists.
   * Source: GetObject, "Permissions", Amazon S3 API Reference.
   */
  unlisted?: boolean;
}

const SERVICE_NAME = "The file store";
/** Concurrent HEAD requests for a page. */
const MAX_CONCURRENT_HEADS = 32;

const rangeHeader = ({ start, end }: ByteRange): string => `bytes=${start}-${end ?? ""}`;

/**
 * Wraps a body from S3 so that its failures are AppErrors. Closing it early closes the connection.
 * @param body stream of an answer, still unread
 */
function contentOf(body: Readable): Readable {
  // It may fail before anyone reads it; the later reader still gets the error.
  body.on("error", () => {});
  const pieces = async function* () {
    try {
      yield* body;
    } catch (cause) {
      throw new ServiceUnavailable("A file could not be read to its end; try again.", { cause });
    }
  };
  const content = Readable.from(pieces(), { objectMode: false });
  // A stream destroyed unread never enters the generator.
  content.once("close", () => body.destroy());
  return content;
}

/** Decodes keys of a listing with EncodingType url, in which spaces are plus signs. */
const decodeKey = (key: string): string => decodeURIComponent(key.replaceAll("+", " "));

class S3Blobs implements Blobs {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #clock: Clock;
  readonly #presigner: Presigner;
  readonly #unlisted: boolean;

  constructor({ client, presignClient, bucket, clock, unlisted = false }: S3BlobsOptions) {
    this.#unlisted = unlisted;
    this.#client = client;
    this.#bucket = bucket;
    this.#clock = clock;
    this.#presigner = new Presigner(presignClient ?? client, bucket, clock);
  }

  async get(key: string, range?: ByteRange): Promise<Uint8Array | undefined> {
    const content = await this.stream(key, range);
    return content && Buffer.concat(await content.toArray());
  }

  async stream(key: string, range?: ByteRange): Promise<Readable | undefined> {
    checkRange(range);
    checkBlobKey(key);
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      ...(range === undefined ? {} : { Range: rangeHeader(range) }),
    });
    try {
      const { Body } = await this.#client.send(command);
      return Body instanceof Readable ? contentOf(Body) : Readable.from([]);
    } catch (error) {
      if (error instanceof NoSuchKey || this.#isHidden(error)) return undefined;
      // The range starts past the end, as every range of an empty blob does.
      if (range !== undefined && statusOf(error) === 416) return Readable.from([]);
      throw toAppError(error, SERVICE_NAME);
    }
  }

  async head(key: string): Promise<BlobHead | undefined> {
    checkBlobKey(key);
    try {
      const head = await this.#client.send(new HeadObjectCommand({ Bucket: this.#bucket, Key: key }));
      return {
        key,
        size: head.ContentLength ?? 0,
        contentType: head.ContentType ?? DEFAULT_CONTENT_TYPE,
        etag: bareEtag(head.ETag),
        lastModified: (head.LastModified ?? new Date(0)).toISOString(),
      };
    } catch (error) {
      // An answer to HEAD has no body with details.
      if (statusOf(error) === 404 || this.#isHidden(error)) return undefined;
      throw toAppError(error, SERVICE_NAME);
    }
  }

  #isHidden(error: unknown): boolean {
    return this.#unlisted && statusOf(error) === 403;
  }

  async put(
    key: string,
    body: Uint8Array | Readable,
    options: PutOptions = {},
  ): Promise<{ etag: string; size: number }> {
    const { contentType = DEFAULT_CONTENT_TYPE, ifAbsent = false } = options;
    checkBlobKey(key);
    checkContentType(contentType);
    const target = { bucket: this.#bucket, key, contentType, ifAbsent, writer: this.#clock.guid() };
    try {
      return await uploadBlob(this.#client, target, body);
    } catch (error) {
      if (body instanceof Readable) body.destroy();
      throw error instanceof SourceFailure ? error.error : toAppError(error, SERVICE_NAME);
    }
  }

  /** S3 stores a file for good before it answers. */
  async keep(_prefix: string): Promise<void> {}

  async isWhole(_key: string): Promise<boolean> {
    return true;
  }

  async list(
    prefix: string,
    options: { limit?: number; cursor?: string } = {},
  ): Promise<{ blobs: BlobHead[]; cursor?: string }> {
    const { limit = MAX_PAGE_BLOBS, cursor } = options;
    checkListing(prefix, limit);
    const listing: ListingIdentity = ["blobs", prefix];
    const page = await this.#page(prefix, limit, cursor === undefined ? undefined : openCursor(listing, cursor));
    const blobs: BlobHead[] = [];
    for (let at = 0; at < page.keys.length; at += MAX_CONCURRENT_HEADS) {
      const some = page.keys.slice(at, at + MAX_CONCURRENT_HEADS).map((key) => this.head(key));
      // Skip blobs deleted meanwhile.
      for (const head of await Promise.all(some)) if (head !== undefined) blobs.push(head);
    }
    return page.last === undefined ? { blobs } : { blobs, cursor: sealCursor(listing, page.last) };
  }

  async delete(key: string): Promise<void> {
    checkBlobKey(key);
    try {
      await this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key }));
    } catch (error) {
      throw toAppError(error, SERVICE_NAME);
    }
  }

  async presignGet(
    key: string,
    { expiresInSeconds, fileName }: { expiresInSeconds: number; fileName?: string },
  ): Promise<PresignedRequest> {
    checkBlobKey(key);
    checkExpiresIn(expiresInSeconds);
    return this.#signed(this.#presigner.get(key, expiresInSeconds, fileName));
  }

  async presignPut(
    key: string,
    { expiresInSeconds, contentType, size }: { expiresInSeconds: number; contentType: string; size: number },
  ): Promise<PresignedRequest> {
    checkBlobKey(key);
    checkContentType(contentType);
    checkSize(size);
    checkExpiresIn(expiresInSeconds);
    return this.#signed(this.#presigner.put(key, expiresInSeconds, contentType, size));
  }

  async #signed(request: Promise<PresignedRequest>): Promise<PresignedRequest> {
    try {
      return await request;
    } catch (error) {
      throw toAppError(error, SERVICE_NAME);
    }
  }

  /**
   * Keys after a position, in S3's order: by their UTF-8 bytes.
   * @returns `last`, the last key that S3 showed, when more keys follow
   */
  async #page(prefix: string, limit: number, after: string | undefined): Promise<{ keys: string[]; last?: string }> {
    let continuation: string | undefined;
    for (;;) {
      const {
        Contents = [],
        IsTruncated,
        NextContinuationToken,
      } = await this.#listed(prefix, limit, after, continuation);
      const found = Contents.map(({ Key = "" }) => decodeKey(Key));
      // Skip objects of others whose names are not valid keys (a console's "folders").
      const keys = found.filter((key) => faultOfBlobKey(key) === undefined);
      const last = found.at(-1);
      if (IsTruncated && last !== undefined) return { keys, last };
      // S3 may scan a part of the bucket without finding a key.
      if (!IsTruncated || NextContinuationToken === undefined) return { keys };
      continuation = NextContinuationToken;
    }
  }

  async #listed(
    prefix: string,
    limit: number,
    after: string | undefined,
    continuation: string | undefined,
  ): Promise<ListObjectsV2CommandOutput> {
    const command = new ListObjectsV2Command({
      Bucket: this.#bucket,
      Prefix: prefix,
      MaxKeys: limit,
      EncodingType: "url",
      ...(after === undefined ? {} : { StartAfter: after }),
      ...(continuation === undefined ? {} : { ContinuationToken: continuation }),
    });
    try {
      return await this.#client.send(command);
    } catch (error) {
      throw toAppError(error, SERVICE_NAME);
    }
  }
}

/** Opens the blobs of an existing bucket. A permanent refusal of S3 is an AppError of status 500, for the log only. */
export function openS3Blobs(options: S3BlobsOptions): Blobs {
  return new S3Blobs(options);
}
