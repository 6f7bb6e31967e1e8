/**
 * The members that the public clients read of each answer, from their recorded requests and answers: members that must
 * exist (possibly null), and objects that must be absent instead of null.
 */
import { expect } from "vitest";

const JOB_MEMBERS = [
  "status",
  "guid",
  "jobType",
  "organizationId",
  "dependencyStatus",
  "jobMode",
  "isBatch",
  "totalDocs",
  "completedDocs",
  "failedDocs",
  "maxConcurrency",
  "nextDocIndex",
  "inProgressDocs",
  // Releases 1.11.0 to 1.12.1 refuse a job without it.
  "operationStatusVersion",
];

export const REQUIRED_MEMBERS = {
  upload: ["guid", "status"],
  job: JOB_MEMBERS,
  page: ["content", "pageable", "pageNumber", "offset", "size", "empty", "numberOfElements", "totalSize", "totalPages"],
  pageable: ["orderBy", "number", "size", "mode", "sort"],
  order: ["ignoreCase", "direction", "property", "ascending"],
  progress: ["done", "total", "failed"],
  jobDeletion: ["jobsDeleted", "errors"],
  quality: ["version", "provider", "requestedOcrMode", "effectiveOcrMode", "escalatedToPremium", "warnings"],
  layout: ["version", "provider", "contentLength", "pages"],
  layoutPage: ["pageNumber", "spans"],
  configuration: ["name", "organizationId", "storagePath"],
  command: [],
  word: ["id", "content", "span", "polygon"],
  dependencies: ["guid", "dependencyStatus"],
  pipeline: ["nodes", "warnings"],
  node: ["id", "status", "warnings"],
  batch: ["jobGuid", "maxConcurrency"],
  batchUpload: ["jobGuid", "index", "totalDocuments"],
  batchSchedule: ["jobGuid", "scheduled", "status"],
  operation: ["jobGuid", "operationType", "status", "message"],
  operationList: ["parentJobGuid", "operations", "totalOperations"],
  operationEntry: ["jobGuid", "operationType", "status", "createdAt", "updatedAt"],
  operationResult: [
    ...["jobGuid", "parentJobGuid", "operationType", "status", "createdAt", "updatedAt", "resultAvailable"],
  ],
  template: ["name"],
  templateField: ["name", "type", "flags", "options"],
  // Releases 1.11.0 to 1.12.1 refuse a case without the last one.
  case: ["organizationId", "name", "isKnowledgeBase", "embeddingMetadataVersion"],
  caseDocument: ["caseId", "organizationId", "documentId", "filename", "blobPath", "processingStatus"],
  summary: ["documentId", "filename"],
  llmProvider: ["id", "name", "apiUrl", "modelType", "kwargs", "status"],
  ocrProvider: ["id", "name", "endpoint", "modelId", "features", "status"],
  binding: ["key"],
} as const satisfies Record<string, readonly string[]>;

const NEVER_NULL = ["mapReduceStatus", "pipeline", "progress", "parentJob", "organization", "credential"];
const NEVER_NULL_IN_COMMANDS = ["ocr", "llm", "extractionMode", "mapReduce", "sourceLocationGranularity"];

/** Asserts that a record has the clients' form. */
export function expectRecord(kind: keyof typeof REQUIRED_MEMBERS, record: Record<string, unknown>): void {
  for (const member of REQUIRED_MEMBERS[kind]) expect(record, `${kind}.${member}`).toHaveProperty(member);
  const never = kind === "command" ? NEVER_NULL_IN_COMMANDS : NEVER_NULL;
  for (const member of never) expect(record[member], `${kind}.${member}`).not.toBeNull();
  for (const member of ["createdAt", "updatedAt"]) {
    if (member in record) expect(Number.isNaN(Date.parse(String(record[member]))), `${kind}.${member}`).toBe(false);
  }
}
