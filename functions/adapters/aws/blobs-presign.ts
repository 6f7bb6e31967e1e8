/** Presigned S3 requests (Signature Version 4, "query parameters"), which need no credentials of their own. */
import { GetObjectCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { PresignedRequest } from "../../ports/blobs.ts";
import type { Clock } from "../../ports/clock.ts";
import { attachment } from "../../ports/http.ts";

/**
 * A client that signs like another but leaves checksums out: the body of a presigned PUT does not exist yet, and the
 * checksum of an empty body would reject every other.
 */
function withoutChecksums(client: S3Client): S3Client {
  const config: S3Client["config"] = {
    ...client.config,
    requestChecksumCalculation: async () => "WHEN_REQUIRED",
    responseChecksumValidation: async () => "WHEN_REQUIRED",
  };
  // Not a new client: constructors take raw settings, and these are already resolved.
  return Object.create(client, { config: { value: config } });
}

export class Presigner {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #clock: Pick<Clock, "now">;

  constructor(client: S3Client, bucket: string, clock: Pick<Clock, "now">) {
    this.#client = withoutChecksums(client);
    this.#bucket = bucket;
    this.#clock = clock;
  }

  /** A GET that downloads as an attachment and is not cached. */
  async get(key: string, expiresInSeconds: number, fileName: string | undefined): Promise<PresignedRequest> {
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      ResponseContentDisposition: attachment(fileName),
      ResponseCacheControl: "private, no-store",
    });
    const { now, expiresAt } = this.#times(expiresInSeconds);
    const url = await getSignedUrl(this.#client, command, { expiresIn: expiresInSeconds, signingDate: now });
    return { url, method: "GET", headers: {}, expiresAt };
  }

  /** A PUT of exactly this size and content type; both headers are signed. */
  async put(key: string, expiresInSeconds: number, contentType: string, size: number): Promise<PresignedRequest> {
    const command = new PutObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      ContentType: contentType,
      ContentLength: size,
    });
    const { now, expiresAt } = this.#times(expiresInSeconds);
    const url = await getSignedUrl(this.#client, command, {
      expiresIn: expiresInSeconds,
      signingDate: now,
      // The length is always signed; the type only when listed.
      signableHeaders: new Set(["content-type"]),
    });
    return { url, method: "PUT", headers: { "content-type": contentType }, expiresAt };
  }

  #times(expiresInSeconds: number): { now: Date; expiresAt: string } {
    const seconds = Math.floor(this.#clock.now() / 1000);
    return { now: new Date(seconds * 1000), expiresAt: new Date((seconds + expiresInSeconds) * 1000).toISOString() };
  }
}
