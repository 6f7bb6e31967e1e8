/**
 * Writes a blob to S3: one request up to 8 MB, multipart above. S3 shows an object only when it is whole, multipart
 * included. A failed upload removes its parts; parts that a crash leaves are invisible until the bucket's rule for
 * incomplete uploads (AbortIncompleteMultipartUpload) removes them.
 */
import { Readable } from "node:stream";
import { HeadObjectCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { ConditionFailed } from "../../ports/errors.ts";
import { statusOf, wasSentAgain } from "./service-errors.ts";

/** S3 allows 10,000 parts, so blobs of up to 80 GB. */
const PART_BYTES = 8 * 1024 * 1024;
/** Concurrent part uploads; with the part being read, they bound the memory of a large blob. */
const MAX_CONCURRENT_PARTS = 4;
/** Most attempts of a write that collides with deletions of the same key. */
const MAX_CONFLICT_ATTEMPTS = 5;

/** Target of a blob and the facts known before its content. */
export interface UploadTarget {
  bucket: string;
  key: string;
  contentType: string;
  ifAbsent: boolean;
  /** Identifies this write, so that after a lost answer the driver recognises its own blob. */
  writer: string;
}

interface Written {
  etag: string;
  size: number;
}

/** An error of the caller's source, as opposed to an error of S3. */
export class SourceFailure extends Error {
  /** The error that the source threw. */
  readonly error: unknown;
  constructor(error: unknown) {
    super("The source of a blob failed", { cause: error });
    this.error = error;
  }
}

/** The caller's stream: counts the bytes read and keeps its failure. */
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

/** The object at the key; undefined when there is none. */
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
 * Interprets a refused write. 412: an object exists; after a lost answer it may be our own blob. 404: the upload's
 * parts
 * are gone, also possible after a lost answer. 409: a deletion came in between (S3's "Conditional writes").
 * @returns the ETag when the blob was written after all; undefined when the write may be sent again
 * @throws ConditionFailed @throws the error itself for any other failure
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
  for (let attempt = 1; attempt <= MAX_CONFLICT_ATTEMPTS; attempt++) {
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
  // Avoids sending a body that the last request would refuse.
  if (target.ifAbsent && (await headOf(client, target)) !== undefined) throw alreadyThere();
  const upload = new Upload({
    client,
    params: { ...parametersOf(target), Body: body },
    partSize: PART_BYTES,
    queueSize: MAX_CONCURRENT_PARTS,
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
    // Throw the first error, not one of removing the parts.
    throw source.failure ?? error;
  }
}

/**
 * Writes a whole blob. The same content gets the same parts and ETag, as bytes or as a stream.
 * @throws SourceFailure @throws ConditionFailed when `ifAbsent` and an object exists @throws errors of the SDK
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
