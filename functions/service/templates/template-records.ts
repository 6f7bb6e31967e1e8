/**
 * Records of templates. Partition `templates`: an entry for each name, which the list shows; `template/{guid}`: the
 * revisions and the pictures of one template. Files are under `templates/`: `templates/{guid}/` has those of a revision
 * or of a template's pictures. A template that is deleted and uploaded again has another GUID, so that what is left of
 * the first one is never read.
 */
import type { RecordKey, RecordValue } from "../../ports/records.ts";

/** Words of the service's own paths. */
const RESERVED_NAMES = ["list", "metadata", "fill"];

/** Pattern of names: clients put them into paths as they are, where "." and ".." are removed. */
export const TEMPLATE_NAME_PATTERN = new RegExp(`^(?!(?:\\.{1,2}|${RESERVED_NAMES.join("|")})$)[A-Za-z0-9._-]{1,128}$`);
export const TEMPLATE_NAME_DESCRIPTION = `1 to 128 of letters A to Z, digits, ".", "_" and "-"; not ${RESERVED_NAMES.join(", ")}, "." or ".."`;
export const isTemplateName = (name: string): boolean => TEMPLATE_NAME_PATTERN.test(name);

export interface TemplateEntry extends RecordValue {
  v: 1;
  /** GUID of the template: that of its first revision. */
  guid: string;
  name: string;
  /** Media type of the newest revision. */
  contentType: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  updatedAt: string;
  /** Number of the newest revision, from 1, and its GUID. */
  revision: number;
  revisionGuid: string;
}

/** An uploaded file of a template. Only `detection` is written after the upload. */
export interface TemplateRevision extends RecordValue {
  v: 1;
  revision: number;
  guid: string;
  createdAt: string;
  sizeBytes: number;
  contentType: string;
  /** Absent until the fields are known, or the file turned out to be no template. */
  detection?: { done: true } | { refused: string };
}

/** An uploaded picture. */
export interface TemplatePicture extends RecordValue {
  v: 1;
  /** File name as sent. */
  key: string;
  /** GUID in its file's key; another upload of the same name has another one. */
  guid: string;
  contentType: string;
  sizeBytes: number;
}

/** The due record of a revision whose fields are not known yet. */
export interface DueDetection extends RecordValue {
  v: 1;
  kind: "template-fields";
  organizationId: number;
  /** Of the revision. */
  guid: string;
  template: string;
  name: string;
  revision: number;
}

/** The due record of a template whose files and records are to be deleted. */
export interface DueTemplateDeletion extends RecordValue {
  v: 1;
  kind: "delete-template";
  organizationId: number;
  /** Of the template. */
  guid: string;
}

export const TEMPLATES_PARTITION = "templates";
export const templateKey = (name: string): RecordKey => ({ partition: TEMPLATES_PARTITION, sort: name });

export const templatePartition = (guid: string): string => `template/${guid}`;
export const REVISION_PREFIX = "revision/";
const REVISION_DIGITS = 6;
export const revisionKey = (template: string, revision: number): RecordKey => ({
  partition: templatePartition(template),
  sort: `${REVISION_PREFIX}${String(revision).padStart(REVISION_DIGITS, "0")}`,
});
export const PICTURE_PREFIX = "picture/";
export const pictureKey = (template: string, key: string): RecordKey => ({
  partition: templatePartition(template),
  sort: PICTURE_PREFIX + key,
});

export const detectionDue = (revisionGuid: string): string => `${revisionGuid}/template-fields`;
export const deletionDue = (template: string): string => `${template}/delete-template`;

/** The files of a revision, and of a template's pictures. */
export const filesOf = (guid: string): string => `templates/${guid}/`;
export const documentFile = (revisionGuid: string): string => `${filesOf(revisionGuid)}document`;
/** The fields as GET /template/metadata answers them, JSON. */
export const FIELDS_FILE = "fields.json";
export const fieldsFile = (revisionGuid: string): string => filesOf(revisionGuid) + FIELDS_FILE;
/** The schema and its example as GET /template/schema answers them, JSON. */
export const SCHEMA_FILE = "schema.json";
export const schemaFile = (revisionGuid: string): string => filesOf(revisionGuid) + SCHEMA_FILE;
export const pictureFile = (template: string, guid: string): string => `${filesOf(template)}pictures/${guid}`;
