/**
 * One blob in one file: its content, then a trailer with its facts.
 *
 *   content | JSON {v, size, contentType, etag, lastModified} | length of the JSON, 4 bytes big-endian | magic, 8 bytes
 *
 * One rename makes content and facts visible together, so neither can be older than the other. The facts are at the end
 * because size and hash are known only then, and so that ranges and streams read the content at its own offsets.
 */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Readable } from "node:stream";
import type { BlobHead, ByteRange } from "../../ports/blobs.ts";

const MAGIC = Buffer.from("sheafb1\n", "latin1");
const FOOTER_BYTES = 4 + MAGIC.length;
/** Upper bound of a trailer: 255 characters of type, doubled by JSON's escapes, and about 180 for the rest. */
const MAX_TRAILER_BYTES = 1024;
/** Bytes hashed and written at a time. */
const CHUNK_BYTES = 1 << 20;

export type BlobFacts = Omit<BlobHead, "key">;

/** A blob open for reading; later writes and deletions do not change it. */
export interface OpenBlob {
  readonly head: BlobHead;
  /** The blob's bytes within the range; none for a range past its end. */
  read(range?: ByteRange): Promise<Buffer>;
  /** The same bytes as a stream; closes the blob at its end. */
  stream(range?: ByteRange): Promise<Readable>;
  close(): Promise<void>;
}

async function* chunksOf(body: Uint8Array | Readable): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) {
    for (let at = 0; at < body.length; at += CHUNK_BYTES) yield body.subarray(at, at + CHUNK_BYTES);
    return;
  }
  for await (const chunk of body) yield typeof chunk === "string" ? Buffer.from(chunk, "utf8") : chunk;
}

async function writeFully(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await handle.write(bytes, written, bytes.length - written)).bytesWritten;
  }
}

/**
 * Writes a whole blob to a new file.
 * @param path a name without readers; the caller makes the file visible, or removes it when this fails
 */
export async function writeBlobFile(
  path: string,
  body: Uint8Array | Readable,
  facts: Pick<BlobFacts, "contentType" | "lastModified">,
): Promise<{ etag: string; size: number }> {
  const handle = await open(path, "wx", 0o600);
  try {
    const hash = createHash("sha256");
    let size = 0;
    // One chunk is kept back, to be written with the trailer.
    let last: Uint8Array = Buffer.alloc(0);
    for await (const chunk of chunksOf(body)) {
      if (last.length > 0) await writeFully(handle, last);
      hash.update(chunk);
      size += chunk.length;
      last = chunk;
    }
    const etag = hash.digest("hex");
    const trailer = Buffer.from(JSON.stringify({ v: 1, size, ...facts, etag }), "utf8");
    const length = Buffer.alloc(4);
    length.writeUInt32BE(trailer.length);
    await writeFully(handle, Buffer.concat([last, trailer, length, MAGIC]));
    return { etag, size };
  } finally {
    await handle.close();
  }
}

async function readFully(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let read = 0; read < length; ) {
    const { bytesRead } = await handle.read(bytes, read, length - read, position + read);
    if (bytesRead === 0) throw new Error("A stored file is shorter than it was");
    read += bytesRead;
  }
  return bytes;
}

/** @throws Error when the file does not end in a matching trailer; no crash of this service leaves such a file */
async function readFacts(handle: FileHandle): Promise<BlobFacts> {
  const { size: fileSize } = await handle.stat();
  const tail = await readFully(
    handle,
    Math.max(0, fileSize - MAX_TRAILER_BYTES),
    Math.min(fileSize, MAX_TRAILER_BYTES),
  );
  const footer = tail.length - FOOTER_BYTES;
  if (footer < 0 || !tail.subarray(footer + 4).equals(MAGIC)) throw new Error("A stored file has no trailer");
  const length = tail.readUInt32BE(footer);
  if (length > footer) throw new Error("A stored file has a damaged trailer");
  const facts = JSON.parse(tail.toString("utf8", footer - length, footer)) as BlobFacts;
  if (facts.size + length + FOOTER_BYTES !== fileSize) throw new Error("A stored file does not have its size");
  return { size: facts.size, contentType: facts.contentType, etag: facts.etag, lastModified: facts.lastModified };
}

/** First byte and byte count of a range within `size` bytes. */
function clip(range: ByteRange | undefined, size: number): { start: number; count: number } {
  const start = Math.min(range?.start ?? 0, size);
  const end = Math.min(range?.end ?? size - 1, size - 1);
  return { start, count: Math.max(0, end - start + 1) };
}

/** @returns undefined when the file does not exist */
export async function openBlobFile(path: string, key: string): Promise<OpenBlob | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(path, constants.O_RDONLY);
  } catch (error) {
    if (isErrno(error, "ENOENT", "ENOTDIR", "ENAMETOOLONG")) return undefined;
    throw error;
  }
  try {
    const head = { key, ...(await readFacts(handle)) };
    return {
      head,
      read: (range) => {
        const { start, count } = clip(range, head.size);
        return readFully(handle, start, count);
      },
      async stream(range) {
        const { start, count } = clip(range, head.size);
        if (count > 0) return handle.createReadStream({ start, end: start + count - 1, highWaterMark: 256 * 1024 });
        await handle.close();
        return Readable.from([]);
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** True for an error of the operating system with one of these codes. */
export const isErrno = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && "code" in error && codes.some((code) => code === error.code);
