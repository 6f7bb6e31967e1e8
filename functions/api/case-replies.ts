/** Documents of cases as the API shows them. */
import type { ReadCaseDocument } from "../service/cases/case-documents.ts";
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
