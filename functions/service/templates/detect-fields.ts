/**
 * Detection of a template's fields: work of the queue, recorded beside the upload, so that what a crash cut short is
 * done again. Its outcome is a fact of the revision: the fields, or why the file is no template.
 */
import { templateFieldsTask } from "../../engine/tasks/template-fields.ts";
import { AppError, ConditionFailed, UnprocessableEntity } from "../../ports/errors.ts";
import type { Organization } from "../organizations/organization.ts";
import { callLimits } from "../organizations/request-limits.ts";
import {
  type DueDetection,
  detectionDue,
  documentFile,
  fieldsFile,
  revisionKey,
  schemaFile,
  type TemplateRevision,
} from "./template-records.ts";

/** Most milliseconds of the work on a template, within 10 s of its answer: a longer one is hostile, or no form for people. */
export const TEMPLATE_WORK_MS = 9_000;

/** What is needed to detect the fields of a revision. */
export type DetectionPlace = Pick<DueDetection, "guid" | "template" | "name" | "revision">;

/** The refusal of a file that turned out to be no template. */
export const notATemplate = (sentence: string): UnprocessableEntity => new UnprocessableEntity(sentence);

/**
 * Detects the fields of a revision, and records the outcome; safe to repeat, also concurrently.
 * @throws AppError of the service: the outcome is open
 */
export async function detectFields(org: Organization, place: DetectionPlace): Promise<void> {
  const key = revisionKey(place.template, place.revision);
  const record = await org.records.get<TemplateRevision>(key);
  const isOpen = record !== undefined && record.value.guid === place.guid && record.value.detection === undefined;
  if (!isOpen) return forget(org, place.guid);
  const bytes = await org.blobs.get(documentFile(place.guid));
  // The template is being deleted.
  if (bytes === undefined) return forget(org, place.guid);
  const detection = await detect(org, place, bytes, record.value.contentType);
  try {
    await org.records.transact([
      { kind: "put", key, value: { ...record.value, detection }, condition: { ifVersion: record.version } },
      { kind: "due-delete", id: detectionDue(place.guid) },
    ]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // Another detection came first, or the template is deleted, and nothing of it may stay.
    if ((await org.records.get(key)) === undefined) await deleteFacts(org, place.guid);
    await forget(org, place.guid);
  }
}

/** The facts of a template's file: its fields and their schema, JSON. */
export interface TemplateFacts {
  fields: Uint8Array;
  schema: Uint8Array;
}

/** Reads the facts of a file. @throws UnprocessableEntity for one that cannot be filled; AppError of the service */
export function readFacts(
  org: Organization,
  name: string,
  bytes: Uint8Array,
  mimeType: string,
): Promise<TemplateFacts> {
  const payload = { bytes, mimeType, templateName: name };
  return org.engines.documents.run(templateFieldsTask, payload, callLimits(org, TEMPLATE_WORK_MS));
}

/** Stores the facts of a revision. */
export async function storeFacts(org: Organization, guid: string, { fields, schema }: TemplateFacts): Promise<void> {
  const contentType = "application/json";
  await org.blobs.put(fieldsFile(guid), fields, { contentType });
  await org.blobs.put(schemaFile(guid), schema, { contentType });
}

async function detect(
  org: Organization,
  { guid, name }: DetectionPlace,
  bytes: Uint8Array,
  mimeType: string,
): Promise<NonNullable<TemplateRevision["detection"]>> {
  try {
    await storeFacts(org, guid, await readFacts(org, name, bytes, mimeType));
    return { done: true };
  } catch (error) {
    if (!(error instanceof AppError) || error.retryable || !error.refusesRequest) throw error;
    return { refused: error.message };
  }
}

const forget = (org: Organization, guid: string): Promise<void> =>
  org.records.transact([{ kind: "due-delete", id: detectionDue(guid) }]);

/** Deletes the facts of a revision. */
export async function deleteFacts(org: Organization, guid: string): Promise<void> {
  await org.blobs.delete(fieldsFile(guid));
  await org.blobs.delete(schemaFile(guid));
}

/** Does a detection that the queue names; nothing when it is done. */
export async function detectQueued(org: Organization, guid: string): Promise<void> {
  const due = await org.records.due(detectionDue(guid));
  if (due !== undefined) await detectFields(org, due.value as DueDetection);
}
