/** A part of a form. Without a `fileName` it is a field. */
export interface FormPart {
  name: string;
  value: string | Uint8Array | Blob;
  fileName?: string;
  contentType?: string;
}

/** Escapes quotes and line ends in a name as browsers do (WHATWG HTML, "multipart/form-data encoding algorithm"). */
const quoted = (name: string): string =>
  `"${name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22")}"`;

/** A Blob of texts and bytes. The DOM's types refuse bytes that may be shared with a worker; those are copied as well. */
export const blobOf = (pieces: readonly FormPart["value"][]): Blob =>
  new Blob(pieces as (string | Blob | Uint8Array<ArrayBuffer>)[]);

/**
 * A `multipart/form-data` body (RFC 7578) with stable bytes: a retry must match the hash that the service stores with
 * its idempotency key, but a FormData gets a new boundary with every request. Unlike FormData it also keeps the line
 * ends of texts.
 * @throws TypeError for a content type that would end its header line
 */
export function multipart(parts: FormPart[]): { content: Blob; type: string } {
  const boundary = `sheaf-${crypto.randomUUID()}`;
  const pieces: FormPart["value"][] = [];
  for (const { name, value, fileName, contentType } of parts) {
    if (contentType !== undefined && /[^\x20-\x7e]/.test(contentType)) {
      throw new TypeError(`A media type is needed, not ${JSON.stringify(contentType)}`);
    }
    const file = fileName === undefined ? "" : `; filename=${quoted(fileName)}`;
    const type = contentType === undefined ? "" : `\r\nContent-Type: ${contentType}`;
    pieces.push(`--${boundary}\r\nContent-Disposition: form-data; name=${quoted(name)}${file}${type}\r\n\r\n`);
    pieces.push(value, "\r\n");
  }
  pieces.push(`--${boundary}--\r\n`);
  return { content: blobOf(pieces), type: `multipart/form-data; boundary=${boundary}` };
}
