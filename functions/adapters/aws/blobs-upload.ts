/**
 * Writing a blob to S3: one request up to 8 MB, in parts above. S3 shows an object when it is whole, also one of parts;
 * the parts of an upload that fails are removed, and what a crash leaves of them is invisible until the bucket's rule
 * for incomplete uploads (AbortIncompleteMultipartUpload) removes it.
 */
import { Readable } from "node:stream";
import { HeadObjectCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { ConditionFailed } from "../../ports/errors.ts";
import { statusOf, wasSentAgain } from "./service-errors.ts";

/** S3 takes 10,000 parts: blobs of up to 80 GB. */
const PART_BYTES = 8 * 1024 * 1024;
/** Parts on their way at a time; with the one that is read, what a large blob takes of memory. */
const PARTS_AT_ONCE = 4;
/** How often a write is sent that deletions of the same key come in between of. */
const CONFLICT_TRIES = 5;

/** Where a blob goes, and what is known of it before its content. */
export interface UploadTarget {
  bucket: string;
  key: string;
  contentType: string;
  ifAbsent: boolean;
  /** Tells this write from every other: a lost answer must not make our own blob look like somebody else's. */
  writer: string;
}

interface Written {
  etag: string;
  size: number;
}

/** An error of the source that the caller gave, as opposed to one of S3. */
export class SourceFailure extends Error {
  /** What the source threw. */
  readonly error: unknown;
  constructor(error: unknown) {
    super("The source of a blob failed", { cause: error });
    this.error = error;
  }
}

/** The caller's stream: counts what is read, and remembers how it failed. */
class Source {
  size = 0;
  failure: SourceFailure | undefined;

  async *pieces(body: Readable): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of body) {
        const piece: Uint8Array = typeof chunk === "string" ? Buffer.from(chunk, "utf8") : chunk;
        this.size += piece.length;
        yield piece;
      }
    } catch (error) {
      this.failure = new SourceFailure(error);
      throw this.failure;
    }
  }
}

/** An ETag without its quotes. */
export const bareEtag = (etag: string | undefined): string => (etag ?? "").replace(/^"|"$/g, "");

const parametersOf = ({ bucket, key, contentType, ifAbsent, writer }: UploadTarget) => ({
  Bucket: bucket,
  Key: key,
  ContentType: contentType,
  Metadata: { writer },
  ...(ifAbsent ? { IfNoneMatch: "*" } : {}),
});

/** What is there now; undefined for nothing. */
async function headOf(
  client: S3Client,
  { bucket, key }: UploadTarget,
): Promise<{ etag: string; writer: string | undefined } | undefined> {
  try {
    const { ETag, Metadata } = await client.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
    return { etag: bareEtag(ETag), writer: Metadata?.writer };
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

const alreadyThere = () => new ConditionFailed("A file is there already");
const contended = () => new ConditionFailed("The same file is written and deleted by others at this moment");

/**
 * What a refused write means. 412: something is there, which after a lost answer can be our own blob. 404: the upload's
 * parts are gone, as they are after a lost answer too. 409: a deletion came in between (S3's "Conditional writes").
 * @returns the ETag when the blob was written after all, undefined when it may be sent again
 * @throws ConditionFailed @throws the error itself when it says none of these
 */
async function afterRefusal(client: S3Client, target: UploadTarget, error: unknown): Promise<string | undefined> {
  const status = statusOf(error);
  const conditional = target.ifAbsent && (status === 412 || status === 409);
  if (wasSentAgain(error) && (conditional || status === 404)) {
    const head = await headOf(client, target);
    if (head?.writer === target.writer) return head.etag;
  }
  if (!conditional) throw error;
  if (status === 412) throw alreadyThere();
  return undefined;
}

async function uploadWhole(client: S3Client, target: UploadTarget, bytes: Uint8Array): Promise<Written> {
  for (let attempt = 1; attempt <= CONFLICT_TRIES; attempt++) {
    try {
      const { ETag } = await client.send(new PutObjectCommand({ ...parametersOf(target), Body: bytes }));
      return { etag: bareEtag(ETag), size: bytes.length };
    } catch (error) {
      const etag = await afterRefusal(client, target, error);
      if (etag !== undefined) return { etag, size: bytes.length };
    }
  }
  throw contended();
}

/** @returns the ETag */
async function uploadParts(client: S3Client, target: UploadTarget, body: Uint8Array | Readable): Promise<string> {
  // Spares sending a body that the last request of the upload would refuse.
  if (target.ifAbsent && (await headOf(client, target)) !== undefined) throw alreadyThere();
  const upload = new Upload({
    client,
    params: { ...parametersOf(target), Body: body },
    partSize: PART_BYTES,
    queueSize: PARTS_AT_ONCE,
  });
  try {
    return bareEtag((await upload.done()).ETag);
  } catch (error) {
    const etag = await afterRefusal(client, target, error);
    if (etag === undefined) throw contended();
    return etag;
  }
}

async function uploadStream(client: S3Client, target: UploadTarget, body: Readable): Promise<Written> {
  const source = new Source();
  const pieces = source.pieces(body);
  const first: Uint8Array[] = [];
  while (source.size <= PART_BYTES) {
    const { done, value } = await pieces.next();
    if (done) return uploadWhole(client, target, Buffer.concat(first));
    first.push(value);
  }
  const all = Readable.from(
    (async function* () {
      yield* first.splice(0);
      yield* pieces;
    })(),
  );
  try {
    return { etag: await uploadParts(client, target, all), size: source.size };
  } catch (error) {
    // Not what removing the parts may have said after it.
    throw source.failure ?? error;
  }
}

/**
 * Writes a whole blob. The same content is split in the same way, given whole or as a stream, and gets the same ETag.
 * @throws SourceFailure @throws ConditionFailed when `ifAbsent` and something is there @throws what the SDK throws
 */
export async function uploadBlob(
  client: S3Client,
  target: UploadTarget,
  body: Uint8Array | Readable,
): Promise<Written> {
  if (body instanceof Readable) return uploadStream(client, target, body);
  if (body.length <= PART_BYTES) return uploadWhole(client, target, body);
  return { etag: await uploadParts(client, target, body), size: body.length };
}
