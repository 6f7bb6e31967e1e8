/** Cases: folders of documents that the service keeps and summarises. */
import { jsonBody, pathSegment } from "./answers.ts";
import { change, postWork, read, remove } from "./calls.ts";
import { documentPart, isLarge, sendToStore } from "./documents.ts";
import type { Connection } from "./http.ts";
import type { Json } from "./json.ts";
import { type FormPart, multipart } from "./multipart.ts";
import type { CallOptions, Document, UploadOptions, WorkOptions } from "./options.ts";

/** Times are ISO 8601, UTC. */
export interface Case {
  id: number;
  organizationId: number;
  userId: string;
  name: string;
  description: string | null;
  isKnowledgeBase: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface CaseDocument {
  id: number;
  caseId: number;
  organizationId: number;
  /** GUID; also that of its job, for `process`, `wait` and `result`. */
  documentId: string;
  filename: string;
  contentType: string;
  sizeBytes: number;
  blobPath: string;
  metadata: { [name: string]: Json };
  processingStatus: "PENDING" | "PROCESSING" | "COMPLETED" | "FAILED";
  processingJobId: string;
  createdAt: string;
  updatedAt: string;
}

export interface CaseDocumentPage {
  content: CaseDocument[];
  pageNumber: number;
  size: number;
  totalSize: number;
  totalPages: number;
}

export interface DocumentSummary {
  documentId: string;
  filename: string;
  summary: { document_type: string; title: string; summary: string; key_facts: string[] };
}

export interface CaseUploadOptions extends UploadOptions {
  /** Each becomes a member of the document's metadata. */
  metadata?: Readonly<Record<string, string>> | undefined;
  /** Opens an encrypted PDF; it is not kept. */
  password?: string | undefined;
}

const CASES_PATH = "/cases";
const casePath = (caseId: number): string => `${CASES_PATH}/${caseId}`;
const documentPath = (caseId: number, documentId: string): string =>
  `${casePath(caseId)}/documents/${pathSegment(documentId)}`;

/** Methods throw as SheafClient's do. */
export class CaseCalls {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** All cases, by id. */
  list(options?: CallOptions): Promise<Case[]> {
    return read(this.#connection, CASES_PATH, options);
  }

  create(wish: { name: string; description?: string | undefined }, options?: WorkOptions): Promise<Case> {
    return postWork(this.#connection, CASES_PATH, jsonBody(wish), options);
  }

  get(caseId: number, options?: CallOptions): Promise<Case> {
    return read(this.#connection, casePath(caseId), options);
  }

  /** Changes a case. With the `updatedAt` that was read, a 409 when it was changed since. */
  update(
    caseId: number,
    wish: { name: string; description?: string | undefined; updatedAt?: string | undefined },
    options?: CallOptions,
  ): Promise<Case> {
    return change(this.#connection, "PUT", casePath(caseId), options, jsonBody(wish));
  }

  /** Deletes a case with its documents. */
  remove(caseId: number, options?: CallOptions): Promise<void> {
    return remove(this.#connection, casePath(caseId), options);
  }

  /**
   * Puts a document into a case. One above 4 MB goes to the file store by itself, unless it has metadata or a password:
   * those need a request that holds it, which is too large for the cloud.
   */
  async upload(
    caseId: number,
    document: Document,
    { metadata = {}, password, ...options }: CaseUploadOptions = {},
  ): Promise<CaseDocument> {
    if (isLarge(document) && password === undefined && Object.keys(metadata).length === 0) {
      const { guid } = await sendToStore(this.#connection, document, { ...options, caseId });
      return this.document(caseId, guid, { signal: options.signal });
    }
    const texts = { ...metadata, ...(password === undefined ? {} : { password }) };
    const parts = Object.entries(texts).map(([name, value]): FormPart => ({ name, value }));
    const body = multipart([documentPart(document, options), ...parts]);
    return postWork(this.#connection, `${casePath(caseId)}/documents`, body, options);
  }

  /** A page of the documents, in the order of their uploads. @param query `page` from 0 */
  documents(
    caseId: number,
    { page, size, signal }: CallOptions & { page?: number | undefined; size?: number | undefined } = {},
  ): Promise<CaseDocumentPage> {
    return read(this.#connection, `${casePath(caseId)}/documents`, { signal }, { page, size });
  }

  document(caseId: number, documentId: string, options?: CallOptions): Promise<CaseDocument> {
    return read(this.#connection, documentPath(caseId, documentId), options);
  }

  removeDocument(caseId: number, documentId: string, options?: CallOptions): Promise<void> {
    return remove(this.#connection, documentPath(caseId, documentId), options);
  }

  /** The file as it was uploaded. */
  async download(
    caseId: number,
    documentId: string,
    { signal }: CallOptions = {},
  ): Promise<{ bytes: Uint8Array; contentType: string }> {
    const path = `${documentPath(caseId, documentId)}/download`;
    const { bytes, contentType } = await this.#connection.send({ method: "GET", path, signal });
    return { bytes, contentType };
  }

  /** A 404 until the document was read. */
  summary(caseId: number, documentId: string, options?: CallOptions): Promise<DocumentSummary> {
    return read(this.#connection, `${documentPath(caseId, documentId)}/summary`, options);
  }

  /** The summaries of all documents that have one. */
  summaries(caseId: number, options?: CallOptions): Promise<DocumentSummary[]> {
    return read(this.#connection, `${casePath(caseId)}/summaries`, options);
  }
}
