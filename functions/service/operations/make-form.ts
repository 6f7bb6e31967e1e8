/** Writing of a form from definitions, and its files. */
import { formWriteTask } from "../../engine/tasks/form-write.ts";
import { JOB_SENTENCES, JobFailure } from "../../ports/errors.ts";
import { parseJsonBytes } from "../../ports/json.ts";
import { PDF } from "../../ports/media-types.ts";
import type { Organization } from "../organizations/organization.ts";
import { loadJob } from "../runs/job-store.ts";
import type { Material, Parameters } from "../runs/run-command.ts";
import type { OperationAnswer, OperationContext } from "./operation.ts";

/** The document of a material, as it was uploaded. @throws JobFailure when it is missing */
export async function loadDocument({ org, material }: Pick<OperationContext, "org" | "material">): Promise<Uint8Array> {
  const { source } = (await loadJob(org, material.guid)).value;
  const bytes = await org.blobs.get(source.key);
  if (bytes === undefined) throw new JobFailure(JOB_SENTENCES.corrupted);
  return bytes;
}

/** Pages of a material's document, where they are known. */
export async function pagesOf(org: Organization, { guid }: Material): Promise<number | undefined> {
  return (await loadJob(org, guid)).value.source.pageCount ?? undefined;
}

interface FormRequest {
  bytes: Uint8Array;
  /** UTF-8 JSON of a list. */
  definitions: Uint8Array;
  /** Values to fill in, UTF-8 JSON of an object. */
  values?: Uint8Array;
}

/** Writes the form and stores its files. @throws JobFailure; AppError for a PDF that cannot be written to */
export async function writeFormFiles(
  { org, material, deadline, files, progress }: OperationContext,
  request: FormRequest,
  { minConfidence, maxFieldsPerPage, pageRange }: Parameters,
): Promise<OperationAnswer> {
  const pages = await pagesOf(org, material);
  await progress("write", pages ?? 1, pages === undefined ? "document" : "page");
  const limits = {
    minConfidence: Number(minConfidence),
    maxFieldsPerPage: Number(maxFieldsPerPage),
    ...(Array.isArray(pageRange) ? { pageRange: pageRange.map(Number) } : {}),
  };
  const time = { deadline, ...(pages === undefined ? {} : { pages }) };
  const made = await org.engines.documents.run(formWriteTask, { ...request, limits }, time);
  return {
    result: parseJsonBytes(made.report),
    engine: "offline",
    keys: {
      formKey: await files.put("form", made.form, PDF),
      definitionsKey: await files.put("definitions", made.definitions),
      acroFormKey: await files.put("metadata", made.metadata),
    },
  };
}
