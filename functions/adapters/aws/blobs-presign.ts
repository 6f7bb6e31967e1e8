/** Requests to S3 that need no key of their own: signed in the query (Signature Version 4, "query parameters"). */
import { GetObjectCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import type { PresignedRequest } from "../../ports/blobs.ts";
import type { Clock } from "../../ports/clock.ts";
import { attachment } from "../../ports/http.ts";

/**
 * A client that signs as another one does, but leaves checksums out of what is signed: the body of a PUT is not there
 * yet, and the checksum of an empty one would refuse every other.
 */
function withoutChecksums(client: S3Client): S3Client {
  const config: S3Client["config"] = {
    ...client.config,
    requestChecksumCalculation: async () => "WHEN_REQUIRED",
    responseChecksumValidation: async () => "WHEN_REQUIRED",
  };
  // Not a new client: those take settings as a user gives them, and these are resolved already.
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

  /** A GET whose answer is an attachment, in nobody's cache. */
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

  /** A PUT of exactly so many bytes of exactly this type: both headers are signed. */
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
      // The length is signed anyway; the type only when it is named.
      signableHeaders: new Set(["content-type"]),
    });
    return { url, method: "PUT", headers: { "content-type": contentType }, expiresAt };
  }

  #times(expiresInSeconds: number): { now: Date; expiresAt: string } {
    const seconds = Math.floor(this.#clock.now() / 1000);
    return { now: new Date(seconds * 1000), expiresAt: new Date((seconds + expiresInSeconds) * 1000).toISOString() };
  }
}
