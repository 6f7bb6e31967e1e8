/** Documents in requests. */
import { jsonBody } from "./answers.ts";
import { postWork } from "./calls.ts";
import { SheafError } from "./errors.ts";
import type { Connection } from "./http.ts";
import { blobOf, type FormPart, multipart } from "./multipart.ts";
import type { Document, UploadFilesOptions, UploadOptions, WorkOptions } from "./options.ts";
import type { UploadAnswer, UploadTicket } from "./types.ts";

/** A request in the cloud may have about 4.5 MB in all; a larger document goes to the file store by itself. */
const MAX_REQUEST_DOCUMENT_BYTES = 4_000_000;

/** True for a document that a request does not hold everywhere. */
export const isLarge = (document: Document): boolean =>
  (document instanceof Blob ? document.size : document.length) > MAX_REQUEST_DOCUMENT_BYTES;

/** The declared name and type of a document. */
export function declarationOf(
  document: Document,
  { fileName, mimeType }: UploadOptions,
): { fileName: string; contentType: string } {
  const ownName = document instanceof File ? document.name : undefined;
  const ownType = document instanceof Blob && document.type !== "" ? document.type : undefined;
  // The service takes `omitted` for no name, and `application/octet-stream` for no declared type.
  return { fileName: fileName ?? ownName ?? "omitted", contentType: mimeType ?? ownType ?? "application/octet-stream" };
}

/** The form part of a document. */
export const documentPart = (document: Document, options: UploadOptions): FormPart => ({
  name: "document",
  value: document,
  ...declarationOf(document, options),
});

/** The form of a call that uploads and processes at once. */
export function uploadForm(document: Document, options: UploadFilesOptions): { content: Blob; type: string } {
  const { prompt, schema, metadata } = options;
  const parts = [documentPart(document, options)];
  if (prompt !== undefined) parts.push({ name: "prompt", value: prompt });
  if (schema !== undefined) {
    parts.push({ name: "schema", value: typeof schema === "string" ? schema : JSON.stringify(schema) });
  }
  if (metadata !== undefined) parts.push({ name: "metadata", value: JSON.stringify(metadata) });
  return multipart(parts);
}

/** A document whose upload has an address of its own. `caseId`: of the case that it belongs to. */
export interface AnnouncedDocument {
  fileName?: string | undefined;
  mimeType: string;
  size: number;
  caseId?: number | undefined;
}

/** Creates a job without its document, and asks for the address of the upload. */
export const announce = (
  connection: Connection,
  document: AnnouncedDocument,
  options?: WorkOptions,
): Promise<UploadTicket> => postWork(connection, "/document/upload-url", jsonBody(document), options);

/** Sends a document to the file store itself. @returns its job, which is PENDING */
export async function sendToStore(
  connection: Connection,
  document: Document,
  { caseId, ...options }: UploadOptions & { caseId?: number | undefined },
): Promise<UploadAnswer> {
  const { fileName, contentType } = declarationOf(document, options);
  const content = document instanceof Blob ? document : blobOf([document]);
  const announced = { fileName, mimeType: contentType, size: content.size, caseId };
  const { guid, uploadUrl, method, headers } = await announce(connection, announced, options);
  const body = { content, type: contentType };
  try {
    await connection.send({ method, path: new URL(uploadUrl), headers, body, signal: options.signal });
  } catch (error) {
    // Under the caller's key it may be an earlier call's address, which has expired: the next call tells what is missing.
    const isEarlier = options.idempotencyKey !== undefined && error instanceof SheafError && error.status === 403;
    if (!isEarlier) throw error;
  }
  return { guid, status: "PENDING" };
}
