/** The documents of cases, with their summaries. */
import * as z from "zod";
import { BadRequest, NotFound } from "../ports/errors.ts";
import { IMAGE_TYPES, OFFICE_TYPES, PDF, PLAIN_TEXT, TEXT_TYPES } from "../ports/media-types.ts";
import { addCaseDocument } from "../service/cases/add-document.ts";
import { listCaseDocuments, listSummaries, loadCaseDocument, loadSummary } from "../service/cases/case-documents.ts";
import { MAX_CASE_DOCUMENTS } from "../service/cases/case-places.ts";
import type { SummaryRecord } from "../service/cases/case-records.ts";
import { deleteCaseDocument } from "../service/lifecycle/delete-case.ts";
import { sourceKey } from "../service/runs/job-records.ts";
import { SecretText } from "../service/runs/secret-text.ts";
import { documentReply, fileNameOfDocument } from "./case-replies.ts";
import type { Multipart } from "./http/multipart.ts";
import { json, ok } from "./http/reply.ts";
import { route } from "./http/route.ts";
import { CaseDocument, CaseDocumentPage, CaseSummary, caseDocumentParams, caseParams } from "./schemas/cases.ts";
import { integerParameter } from "./schemas/common.ts";
import { documentPart, passwordPart, UPLOAD_ERRORS } from "./submission.ts";

const TAG = "Cases";
/** Most bytes of a document's metadata as JSON: a page of 200 documents stays below the 6 MB of an answer. */
const MAX_METADATA_BYTES = 16_000;
/** Types of files; what is read as another one is a text, such as a web page, which no browser is to open. */
const FILE_TYPES: ReadonlySet<string> = new Set([PDF, ...OFFICE_TYPES, ...IMAGE_TYPES, ...TEXT_TYPES]);
/** Parts of an upload that are no metadata; a password would be kept there in clear. */
const OTHER_PARTS: ReadonlySet<string> = new Set(["document", "password"]);
const PAGE_SIZE = 20;

const DOCUMENT_ID = "019aa5c0-7d1e-7cc0-8a55-5f2f5a0f9d11";
const DOCUMENT_EXAMPLE = {
  id: 31,
  caseId: 7,
  organizationId: 1,
  documentId: DOCUMENT_ID,
  filename: "report.pdf",
  contentType: "application/pdf",
  sizeBytes: 48_211,
  blobPath: `cases/7/documents/${DOCUMENT_ID}`,
  metadata: { source: "mail" },
  processingStatus: "PENDING",
  processingJobId: DOCUMENT_ID,
  createdAt: "2026-01-31T10:00:00.000Z",
  updatedAt: "2026-01-31T10:00:00.000Z",
};
const SUMMARY_EXAMPLE = {
  documentId: DOCUMENT_ID,
  filename: "report.pdf",
  summary: {
    document_type: "invoice",
    title: "Invoice",
    summary: "Invoice of 1 page: Invoice.",
    key_facts: ["Invoice number: 2026-114"],
  },
};

export const documents = route({
  method: "GET",
  path: "/cases/{caseId}/documents",
  scope: "read",
  tag: TAG,
  summary: "A page of a case's documents, in the order of their uploads",
  params: caseParams,
  query: z.object({
    page: integerParameter(0, 1_000_000).optional(),
    size: integerParameter(1, MAX_CASE_DOCUMENTS).optional(),
  }),
  errors: [400, 404],
  replies: { 200: { description: "The page; the first one is 0", schema: CaseDocumentPage } },
  async run({ params: { caseId }, query: { page = 0, size = PAGE_SIZE } }, { org }) {
    const found = await listCaseDocuments(org, caseId, { page, size });
    return ok({
      content: found.documents.map((one) => documentReply(org, one)),
      pageable: { orderBy: [], number: page, size, mode: "OFFSET", sort: { orderBy: [] } },
      pageNumber: page,
      offset: page * size,
      size,
      empty: found.documents.length === 0,
      numberOfElements: found.documents.length,
      totalSize: found.total,
      totalPages: Math.ceil(found.total / size),
    });
  },
});

/** The text parts of an upload. @throws BadRequest when they are too long */
function metadataOf(multipart: Multipart): Record<string, string | string[]> {
  const metadata = multipart.texts(OTHER_PARTS);
  if (Buffer.byteLength(JSON.stringify(metadata)) <= MAX_METADATA_BYTES) return metadata;
  const most = MAX_METADATA_BYTES.toLocaleString("en-US");
  throw new BadRequest(`The metadata of a document has at most ${most} bytes as JSON; send less beside the document`);
}

export const uploadDocument = route({
  method: "POST",
  path: "/cases/{caseId}/documents",
  scope: "write",
  weight: 2,
  tag: TAG,
  summary: "Put a document into a case",
  description:
    "Every other text part becomes a member of `metadata`, several of one name a list, but for `password`, which opens an encrypted PDF and is not kept. " +
    "A job reads the document and makes its summary: `processingJobId` names it, and `processingStatus` says how far it is. " +
    "The job is the document's own: POST /document/process/{guid} with `documentId` processes it without another upload. " +
    `409 \`Case document limit reached: ${MAX_CASE_DOCUMENTS}\` for a full case. For larger files see POST /document/upload-url with \`caseId\`.`,
  idempotent: true,
  params: caseParams,
  body: { kind: "multipart", parts: { document: documentPart, password: passwordPart } },
  errors: [...UPLOAD_ERRORS, 404, 409],
  replies: {
    201: { description: "The document", makes: "caseDocument", schema: CaseDocument, example: DOCUMENT_EXAMPLE },
  },
  async run({ params: { caseId }, multipart, newGuid }, { org }) {
    const file = multipart.document();
    const { password } = multipart.password();
    const added = await addCaseDocument(org, caseId, {
      guid: newGuid,
      file,
      fileName: file.fileName ?? null,
      metadata: metadataOf(multipart),
      ...(password === undefined ? {} : { password: new SecretText(password) }),
    });
    return json(201, documentReply(org, added));
  },
});

export const readDocument = route({
  method: "GET",
  path: "/cases/{caseId}/documents/{documentId}",
  scope: "read",
  tag: TAG,
  summary: "A document of a case",
  params: caseDocumentParams,
  errors: [404],
  replies: { 200: { description: "The document", schema: CaseDocument, example: DOCUMENT_EXAMPLE } },
  async run({ params: { caseId, documentId } }, { org }) {
    return ok(documentReply(org, await loadCaseDocument(org, caseId, documentId)));
  },
});

export const removeDocument = route({
  method: "DELETE",
  path: "/cases/{caseId}/documents/{documentId}",
  scope: "write",
  tag: TAG,
  summary: "Delete a document of a case",
  description: "With its job and all that was made of it; its place is free at once.",
  params: caseDocumentParams,
  errors: [404, 409],
  replies: { 204: { description: "It is gone" } },
  async run({ params: { caseId, documentId } }, { org }) {
    await deleteCaseDocument(org, caseId, documentId);
    return { kind: "empty" };
  },
});

export const download = route({
  method: "GET",
  path: "/cases/{caseId}/documents/{documentId}/download",
  scope: "read",
  tag: TAG,
  summary: "The file of a document, as it was uploaded",
  params: caseDocumentParams,
  errors: [404],
  replies: { 200: { description: "The file, of its own type", contentTypes: [...FILE_TYPES] } },
  async run({ params: { caseId, documentId } }, { org }) {
    const { document, state } = await loadCaseDocument(org, caseId, documentId);
    const type = state.contentType ?? document.contentType;
    const blob = { key: sourceKey(documentId), contentType: FILE_TYPES.has(type) ? type : PLAIN_TEXT };
    if ((await org.blobs.head(blob.key)) === undefined) throw new NotFound("The document's file is not there yet");
    return { kind: "blob", status: 200, blob, fileName: fileNameOfDocument(document) };
  },
});

const summaryReply = ({ documentId, summary, ...rest }: SummaryRecord) => ({
  documentId,
  filename: fileNameOfDocument(rest),
  summary,
});

export const summary = route({
  method: "GET",
  path: "/cases/{caseId}/documents/{documentId}/summary",
  scope: "read",
  tag: TAG,
  summary: "What a document says, in short",
  description: "404 until the document was read, and for one that could not be.",
  params: caseDocumentParams,
  errors: [404],
  replies: { 200: { description: "The summary", schema: CaseSummary, example: SUMMARY_EXAMPLE } },
  async run({ params: { caseId, documentId } }, { org }) {
    return ok(summaryReply(await loadSummary(org, caseId, documentId)));
  },
});

export const summaries = route({
  method: "GET",
  path: "/cases/{caseId}/summaries",
  scope: "read",
  tag: TAG,
  summary: "The summaries of a case's documents",
  description: "In the order of their uploads; documents without a summary are left out.",
  params: caseParams,
  errors: [404],
  replies: { 200: { description: "All of them", schema: z.array(CaseSummary), example: [SUMMARY_EXAMPLE] } },
  async run({ params: { caseId } }, { org }) {
    return ok((await listSummaries(org, caseId)).map(summaryReply));
  },
});

export const caseDocumentRoutes = [
  documents,
  uploadDocument,
  readDocument,
  removeDocument,
  download,
  summary,
  summaries,
];
