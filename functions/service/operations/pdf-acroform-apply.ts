/** The operation pdf-acroform-apply: reviewed definitions of fields become a form; nothing is detected again. */
import { parameterReaderOf } from "../../engine/nodes/parameter-specs.ts";
import { formRequestTask } from "../../engine/tasks/form-request.ts";
import { JobFailure, NotFound } from "../../ports/errors.ts";
import { encodeJson, isObject } from "../../ports/json.ts";
import type { Organization } from "../organizations/organization.ts";
import { callLimits } from "../organizations/request-limits.ts";
import { loadJob } from "../runs/job-store.ts";
import { loadDocument, pagesOf, writeFormFiles } from "./make-form.ts";
import type { Operation } from "./operation.ts";
import { requirePdf } from "./pdf-acroform.ts";

/** Time for reading definitions while the caller waits. */
const READING_TIMEOUT_MS = 20_000;
/** Pages of a document whose pages nobody counted: as many as a page number can name. */
const MAX_UNCOUNTED_PAGES = 999_999;
/** Characters of a GUID that are read; the keys of a store have a limit. */
const MAX_GUID_CHARACTERS = 128;

const FORM_TYPES: ReadonlySet<string | undefined> = new Set(["pdf-acroform", "pdf-acroform-apply"]);

/** @throws NotFound unless the GUID is of an operation on the job that made a form */
async function checkSourceOperation(org: Organization, parent: string, guid: string): Promise<void> {
  const id = guid.slice(0, MAX_GUID_CHARACTERS).toLowerCase();
  const job = (await loadJob(org, id)).value;
  if (job.operation?.parent === parent && FORM_TYPES.has(job.operation.type)) return;
  throw new NotFound(`Job ${id} is no pdf-acroform operation on job ${parent}; leave out sourceOperationGuid`);
}

export const pdfAcroFormApply: Operation = {
  type: "pdf-acroform-apply",
  withoutModel: true,
  summary:
    "a form of reviewed definitions, without looking for fields again (fieldDefinitions, sourceOperationGuid, " +
    "minConfidence, maxFieldsPerPage); best sent by POST /job/{parentJobGuid}/pdf-acroform/apply",
  read: parameterReaderOf("pdf-acroform-apply"),
  require: requirePdf,
  async prepare({ org, material, parent, parameters, body, files }) {
    const request = {
      body: body ?? encodeJson(parameters),
      pageCount: (await pagesOf(org, material)) ?? MAX_UNCOUNTED_PAGES,
    };
    const limits = callLimits(org, READING_TIMEOUT_MS);
    const { definitions, parameters: read } = await org.engines.documents.run(formRequestTask, request, limits);
    const found = isObject(read) ? read : {};
    const { sourceOperationGuid } = found;
    if (typeof sourceOperationGuid === "string") await checkSourceOperation(org, parent, sourceOperationGuid);
    await files.put("sent", definitions);
    return found;
  },
  async run(context, parameters) {
    const definitions = await context.files.get("sent");
    if (definitions === undefined)
      throw new JobFailure("Processing failed: The field definitions are gone; send them again");
    return writeFormFiles(context, { bytes: await loadDocument(context), definitions }, parameters);
  },
};
