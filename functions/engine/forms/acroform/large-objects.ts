/** Refuses files with an object beyond all measure: the library that reads forms makes a hundred bytes of each of its. */
import { UnprocessableEntity } from "../../../ports/errors.ts";

/** Most bytes of an object besides its stream, about ten times as many as the largest known one has. */
const MAX_OBJECT_BYTES = 2_000_000;
const BEGINNING = " obj";
const STREAM = "stream";

/** @throws UnprocessableEntity: an object is larger than any real file has, its stream not counted */
export function refuseLargeObjects(bytes: Uint8Array): void {
  if (bytes.length <= MAX_OBJECT_BYTES) return;
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // Both are searched for once: a file has many objects, and may have no stream.
  let stream = file.indexOf(STREAM);
  for (let at = file.indexOf(BEGINNING); at !== -1; ) {
    const next = file.indexOf("endobj", at);
    const end = next === -1 ? file.length : next;
    while (stream !== -1 && stream < at) stream = file.indexOf(STREAM, stream + STREAM.length);
    const contentEnd = stream === -1 ? end : Math.min(end, stream);
    if (contentEnd - at > MAX_OBJECT_BYTES) {
      throw new UnprocessableEntity(
        `The PDF is damaged: one of its objects has more than ${MAX_OBJECT_BYTES / 1e6} MB; print it to a new PDF and send that`,
      );
    }
    at = file.indexOf(BEGINNING, end);
  }
}
