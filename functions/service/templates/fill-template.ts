/** Filling of a template with values, which are read, checked and filled in by the engine. */
import { templateFillTask } from "../../engine/tasks/template-fill.ts";
import { templateRequestTask } from "../../engine/tasks/template-request.ts";
import { NotFound, UnprocessableEntity } from "../../ports/errors.ts";
import type { Organization } from "../organizations/organization.ts";
import { callLimits } from "../organizations/request-limits.ts";
import { findResult } from "../runs/run-results.ts";
import { TEMPLATE_WORK_MS } from "./detect-fields.ts";
import { checkDetection } from "./template-facts.ts";
import { picturesAt } from "./template-pictures.ts";
import { documentFile } from "./template-records.ts";
import { loadRevision } from "./templates.ts";

export interface FillOptions {
  /** Default: the newest. */
  revision?: number | undefined;
  /** Makes the values part of the pages, and leaves no field. */
  flatten: boolean;
  /** Refuses values that leave fields out. */
  missingIsError: boolean;
  /** Passes over values that the template has no field for. */
  ignoreUnknown: boolean;
}

export interface FilledDocument {
  bytes: Uint8Array;
  contentType: string;
  /** Names of values that the template has no field for. */
  unknownFields: string[];
  /** True when restrictions of the template's owner are gone from the document. */
  restrictionsDropped: boolean;
}

/** The values of a job's result, JSON. @throws NotFound; UnprocessableEntity for a text, and for a list */
async function fieldsOfJob(org: Organization, guid: string): Promise<Uint8Array> {
  const { key, contentType } = await findResult(org, guid.slice(0, MAX_GUID_CHARS).toLowerCase());
  if (!contentType.startsWith("application/json")) {
    throw new UnprocessableEntity(`The result of job ${guid} is a text; fill a template from a job that extracts data`);
  }
  const result = await org.blobs.get(key);
  if (result === undefined) throw new NotFound("The result's file is gone");
  const { fields } = await org.engines.documents.run(
    templateRequestTask,
    { result },
    callLimits(org, TEMPLATE_WORK_MS),
  );
  return fields ?? result;
}

/** Characters of a GUID that are read; none has so many, and the keys of a store have a limit. */
const MAX_GUID_CHARS = 128;

/**
 * Fills a template.
 * @param body of the request, UTF-8 JSON: `{fields}` or `{fromJob}`
 * @throws NotFound for an unknown template, revision or job; BadRequest for values that the template does not take;
 *   UnprocessableEntity for a file that turned out to be no template; ServiceUnavailable when no work can start in time
 */
export async function fillTemplate(
  org: Organization,
  name: string,
  body: Uint8Array,
  { revision: wanted, ...options }: FillOptions,
): Promise<FilledDocument> {
  const { template, revision } = await loadRevision(org, name, wanted);
  checkDetection(revision);
  const limits = () => callLimits(org, TEMPLATE_WORK_MS);
  const read = await org.engines.documents.run(templateRequestTask, { body }, limits());
  const fields = read.fields ?? (await fieldsOfJob(org, read.fromJob ?? ""));
  const images = await picturesAt(org, template, read.images);
  const bytes = await org.blobs.get(documentFile(revision.guid));
  if (bytes === undefined) throw new NotFound("The template's file is gone");
  const { contentType: mimeType } = revision;
  return org.engines.documents.run(
    templateFillTask,
    { bytes, mimeType, request: { fields, images, ...options } },
    limits(),
  );
}
