/** Requests and replies of the routes of cases. */
import * as z from "zod";
import { MAX_CASE_DESCRIPTION, MAX_CASE_NAME } from "../../service/cases/cases.ts";
import { CASE_DOCUMENT_STATUSES } from "../../service/runs/case-place.ts";
import { guidOf } from "./common.ts";
import { Pageable } from "./replies.ts";

/** Digits of ids that are read; larger ones are exact in no JSON reader. */
const ID_PATTERN = /^\d{1,15}$/;
/** Id of no case. */
const NO_CASE = 0;

/** A case's id in a path. A malformed one is answered like an unknown one, with 404. */
const caseId = z
  .string()
  .transform((text) => (ID_PATTERN.test(text) ? Number(text) : NO_CASE))
  .meta({ openapi: { type: "integer", description: "The case's id" } });

export const caseParams = z.object({ caseId });
export const caseDocumentParams = caseParams.extend({ documentId: guidOf("The document's id, a GUID") });

const nameFault = `must be a text of 1 to ${MAX_CASE_NAME} characters`;
const descriptionFault = `must be a text of at most ${MAX_CASE_DESCRIPTION.toLocaleString("en-US")} characters`;

const name = z
  .string({ error: nameFault })
  .max(MAX_CASE_NAME, { error: nameFault })
  .regex(/\S/, { error: nameFault })
  .transform((text) => text.trim());
const description = z.string({ error: descriptionFault }).max(MAX_CASE_DESCRIPTION, { error: descriptionFault });

export const CaseWish = z.looseObject({
  name,
  description: description.optional().describe("Empty: none"),
});

export const CaseChange = CaseWish.extend({
  description: description.optional().describe("Absent: as it is; empty: none"),
  updatedAt: z
    .string({ error: "must be the updatedAt of the case" })
    .max(40, { error: "must be the updatedAt of the case" })
    .optional()
    .describe("That of the case as it was read: 409 when it was changed since"),
});

const time = z.iso.datetime();

export const Case = z
  .looseObject({
    id: z.int(),
    organizationId: z.int(),
    userId: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    isKnowledgeBase: z.boolean(),
    embeddingMetadataVersion: z.int(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: "Case" });

export const CaseDocument = z
  .looseObject({
    id: z.int(),
    caseId: z.int(),
    organizationId: z.int(),
    documentId: z.string(),
    filename: z.string(),
    contentType: z.string(),
    sizeBytes: z.int(),
    blobPath: z.string(),
    metadata: z.looseObject({}),
    processingStatus: z.enum(CASE_DOCUMENT_STATUSES),
    processingJobId: z.string(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: "CaseDocument" });

export const CaseDocumentPage = z.looseObject({
  content: z.array(CaseDocument),
  pageable: Pageable,
  pageNumber: z.int(),
  offset: z.int(),
  size: z.int(),
  empty: z.boolean(),
  numberOfElements: z.int(),
  totalSize: z.int(),
  totalPages: z.int(),
});

export const CaseSummary = z
  .looseObject({
    documentId: z.string(),
    filename: z.string(),
    summary: z.looseObject({
      document_type: z.string(),
      title: z.string(),
      summary: z.string(),
      key_facts: z.array(z.string()),
    }),
  })
  .meta({ id: "DocumentSummary" });
