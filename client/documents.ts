/** Documents in requests. */
import { type FormPart, multipart } from "./multipart.ts";
import type { Document, UploadFilesOptions, UploadOptions } from "./options.ts";

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
