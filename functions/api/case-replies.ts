/** Cases and their documents as the API shows them. */
import type { ReadCaseDocument } from "../service/cases/case-documents.ts";
import type { CaseRecord } from "../service/cases/case-records.ts";
import type { Organization } from "../service/organizations/organization.ts";

/** Name of a document that was uploaded without one. */
const UNNAMED = "document";

/** The name that a document is shown and saved under. */
export const fileNameOfDocument = ({ fileName }: { fileName: string | null }): string => fileName ?? UNNAMED;

/** The record of a document; its job has the document's own id. */
export function documentReply(org: Organization, { document, state }: ReadCaseDocument): Record<string, unknown> {
  const { id, caseId, documentId, sizeBytes, metadata, createdAt } = document;
  return {
    id,
    caseId,
    organizationId: org.id,
    documentId,
    filename: fileNameOfDocument(document),
    contentType: state.contentType ?? document.contentType,
    sizeBytes,
    blobPath: `cases/${caseId}/documents/${documentId}`,
    metadata,
    processingStatus: state.status,
    processingJobId: documentId,
    createdAt,
    updatedAt: state.updatedAt,
  };
}

/** Releases of a client fail on a case without this number; the service knows one version. */
const EMBEDDING_METADATA_VERSION = 1;
/** A case as the API shows it. */
export const caseReply = (org: Organization, record: CaseRecord) => {
  const { id, userId, name, description, isKnowledgeBase, createdAt, updatedAt } = record;
  const facts = { id, organizationId: org.id, userId, name, description, isKnowledgeBase };
  return { ...facts, embeddingMetadataVersion: EMBEDDING_METADATA_VERSION, createdAt, updatedAt };
};

/** A case as examples show it. */
export const CASE_EXAMPLE = {
  id: 7,
  organizationId: 1,
  userId: "3f2a9c1b",
  name: "Claim 2026-114",
  description: null,
  isKnowledgeBase: false,
  embeddingMetadataVersion: EMBEDDING_METADATA_VERSION,
  createdAt: "2026-01-31T10:00:00.000Z",
  updatedAt: "2026-01-31T10:00:00.000Z",
};
