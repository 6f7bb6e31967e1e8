/** Templates of an organization: uploading, listing and deleting them. */
import { sniffDocument } from "../../engine/readers/sniff-media-type.ts";
import {
  ConcurrentModification,
  ConditionFailed,
  Conflict,
  NotFound,
  UnsupportedMediaType,
} from "../../ports/errors.ts";
import { describeType, OFFICE_TYPES, PDF } from "../../ports/media-types.ts";
import type { StoredRecord } from "../../ports/records.ts";
import type { Organization } from "../organizations/organization.ts";
import { enqueue } from "../queue/enqueue.ts";
import { nowIso } from "../runs/job-store.ts";
import { inspectUpload } from "../runs/uploads.ts";
import { deleteFacts, readFacts, storeFacts } from "./detect-fields.ts";
import {
  type DueDetection,
  type DueTemplateDeletion,
  deletionDue,
  detectionDue,
  documentFile,
  isTemplateName,
  REVISION_PREFIX,
  revisionKey,
  TEMPLATES_PARTITION,
  type TemplateEntry,
  type TemplateRevision,
  templateKey,
  templatePartition,
} from "./template-records.ts";

/** Most templates of an organization: few enough for one page of a query. Concurrent uploads may exceed it slightly. */
export const MAX_TEMPLATES = 500;
/** Most revisions of a template: few enough for one page of a query, and for one answer. */
export const MAX_REVISIONS = 500;
const PAGE_SIZE = 1000;
const MAX_WRITE_ATTEMPTS = 8;

const NAME_TAKEN = "Template name already exists";

export const unknownTemplate = (name: string): NotFound =>
  new NotFound(`There is no template ${JSON.stringify(name.slice(0, 128))}`);

/** Lists templates by name. */
export async function listTemplates(org: Organization): Promise<TemplateEntry[]> {
  const { items } = await org.records.query<TemplateEntry>({ partition: TEMPLATES_PARTITION, limit: PAGE_SIZE });
  return items.map(({ value }) => value);
}

/** @throws NotFound */
export async function loadTemplate(org: Organization, name: string): Promise<StoredRecord<TemplateEntry>> {
  // An invalid name could be an invalid key of the store.
  const record = isTemplateName(name) ? await org.records.get<TemplateEntry>(templateKey(name)) : undefined;
  if (record === undefined) throw unknownTemplate(name);
  return record;
}

/**
 * Loads a revision of a template, by default the newest.
 * @returns it with the GUID of its template @throws NotFound
 */
export async function loadRevision(
  org: Organization,
  name: string,
  number?: number,
): Promise<{ template: string; revision: TemplateRevision }> {
  const { guid: template, revision } = (await loadTemplate(org, name)).value;
  const wanted = number ?? revision;
  const record = await org.records.get<TemplateRevision>(revisionKey(template, wanted));
  if (record !== undefined) return { template, revision: record.value };
  // Deleted meanwhile, or never there.
  if (number === undefined) throw unknownTemplate(name);
  throw new NotFound(`The template ${name} has no revision ${wanted}; GET /template/${name}/revisions lists them`);
}

/** Lists the revisions of a template, newest first. @throws NotFound */
export async function listRevisions(org: Organization, name: string): Promise<TemplateRevision[]> {
  const { guid } = (await loadTemplate(org, name)).value;
  const query = { partition: templatePartition(guid), prefix: REVISION_PREFIX, descending: true, limit: PAGE_SIZE };
  const { items } = await org.records.query<TemplateRevision>(query);
  return items.map(({ value }) => value);
}

export interface TemplateUpload {
  name: string;
  /** Of the revision; the same for every try of one request. */
  guid: string;
  file: { bytes: Uint8Array; mimeType: string | undefined; fileName: string | undefined };
  /** Makes the next revision of a template that has the name. */
  replace: boolean;
}

/**
 * Stores a template whole or not at all, and has its fields detected.
 * @param upload with a valid name
 * @throws Conflict when the name is taken, or there are too many; UnsupportedMediaType, UnprocessableEntity for a file
 *   that is no template, of an Office file also for tags with faults
 */
export async function uploadTemplate(org: Organization, upload: TemplateUpload): Promise<TemplateEntry> {
  const { name, guid, file } = upload;
  // Also before the file is stored, as most refusals are known by then.
  const done = await findPlace(org, upload);
  if (done.entry?.value.revisionGuid === guid) return done.entry.value;
  const contentType = templateTypeOf(file);
  await inspectUpload(org, file);
  const detection = await detectAtOnce(org, upload, contentType);
  await org.blobs.put(documentFile(guid), file.bytes, { contentType });
  for (let attempt = 0; attempt < MAX_WRITE_ATTEMPTS; attempt += 1) {
    const { entry: before } = await findPlace(org, upload).catch(async (error: unknown) => {
      // Another upload has the name. After any other error this one may have it.
      if (error instanceof Conflict) await deleteFiles(org, guid);
      throw error;
    });
    if (before?.value.revisionGuid === guid) return before.value;
    const at = nowIso(org);
    const revision = (before?.value.revision ?? 0) + 1;
    const entry: TemplateEntry = {
      v: 1,
      guid: before?.value.guid ?? guid,
      name,
      contentType,
      createdAt: before?.value.createdAt ?? at,
      updatedAt: at,
      revision,
      revisionGuid: guid,
    };
    try {
      await insertRevision(org, entry, before, { sizeBytes: file.bytes.length, ...detection });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      continue;
    }
    if (detection.detection === undefined) await enqueue(org, { kind: "detect-fields", guid });
    org.observer.count("templates_uploaded_total");
    return entry;
  }
  throw new ConcurrentModification("the template");
}

/**
 * Detects the fields of an Office file before it is stored: its tags are few, and a fault of one is told at once. The
 * fields of a form may take seconds.
 * @throws UnprocessableEntity for a file that cannot be filled
 */
async function detectAtOnce(
  org: Organization,
  { name, guid, file }: TemplateUpload,
  contentType: string,
): Promise<Pick<TemplateRevision, "detection">> {
  if (!OFFICE_TYPES.has(contentType)) return {};
  await storeFacts(org, guid, await readFacts(org, name, file.bytes, contentType));
  return { detection: { done: true } };
}

/** The files of an upload that is refused. */
async function deleteFiles(org: Organization, guid: string): Promise<void> {
  await org.blobs.delete(documentFile(guid));
  await deleteFacts(org, guid);
}

async function insertRevision(
  org: Organization,
  entry: TemplateEntry,
  before: StoredRecord<TemplateEntry> | undefined,
  facts: Pick<TemplateRevision, "sizeBytes" | "detection">,
): Promise<void> {
  const { guid: template, name, revision, revisionGuid: guid, updatedAt: createdAt, contentType } = entry;
  const stored: TemplateRevision = { v: 1, revision, guid, createdAt, contentType, ...facts };
  const due: DueDetection = { v: 1, kind: "template-fields", organizationId: org.id, guid, template, name, revision };
  const condition = before === undefined ? ({ ifAbsent: true } as const) : { ifVersion: before.version };
  await org.records.transact([
    { kind: "put", key: templateKey(name), value: entry, condition },
    { kind: "put", key: revisionKey(template, revision), value: stored, condition: { ifAbsent: true } },
    ...(facts.detection === undefined ? [{ kind: "due-put" as const, id: detectionDue(guid), value: due }] : []),
  ]);
}

/**
 * Finds the template that an upload replaces; none for a new name.
 * @throws Conflict for a name that is taken, and at the limits
 */
async function findPlace(
  org: Organization,
  { name, guid, replace }: TemplateUpload,
): Promise<{ entry?: StoredRecord<TemplateEntry> }> {
  const entry = await org.records.get<TemplateEntry>(templateKey(name));
  if (entry === undefined) {
    if ((await listTemplates(org)).length < MAX_TEMPLATES) return {};
    throw new Conflict(`An organization keeps at most ${MAX_TEMPLATES} templates; delete one first`);
  }
  // An earlier try of this request stored it.
  if (entry.value.revisionGuid === guid) return { entry };
  if (!replace) throw new Conflict(NAME_TAKEN);
  if (entry.value.revision >= MAX_REVISIONS) {
    throw new Conflict(
      `A template keeps at most ${MAX_REVISIONS} revisions; delete ${name}, and upload it anew or under another name`,
    );
  }
  return { entry };
}

/**
 * The media type of a file that can be a template.
 * @throws UnsupportedMediaType for another one; UnprocessableEntity for an empty or damaged file
 */
function templateTypeOf({ bytes, mimeType, fileName }: TemplateUpload["file"]): string {
  const { mimeType: found } = sniffDocument(bytes, mimeType, fileName);
  if (found === PDF || OFFICE_TYPES.has(found)) return found;
  throw new UnsupportedMediaType(
    `The document is ${describeType(found)}; a template is a PDF form, or a document of Word, PowerPoint or Excel`,
  );
}

/** Deletes a template: its name is free at once, its files and records are deleted afterwards. @throws NotFound */
export async function deleteTemplate(org: Organization, name: string): Promise<void> {
  const { guid } = (await loadTemplate(org, name)).value;
  for (let attempt = 0; attempt < MAX_WRITE_ATTEMPTS; attempt += 1) {
    const { value, version } = await loadTemplate(org, name);
    // Deleted by another request, and uploaded again: that one is another template.
    if (value.guid !== guid) throw unknownTemplate(name);
    const due: DueTemplateDeletion = { v: 1, kind: "delete-template", organizationId: org.id, guid };
    try {
      await org.records.transact([
        { kind: "delete", key: templateKey(name), condition: { ifVersion: version } },
        { kind: "due-put", id: deletionDue(guid), value: due },
      ]);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      continue;
    }
    await enqueue(org, { kind: "delete-template", guid });
    org.observer.count("templates_deleted_total");
    return;
  }
  throw new ConcurrentModification("the template");
}
