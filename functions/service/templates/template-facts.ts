/** What is known of a template after its detection: its fields, and a schema of them. */
import type { Organization } from "../organizations/organization.ts";
import type { StoredAnswer } from "../runs/run-results.ts";
import { detectFields, notATemplate } from "./detect-fields.ts";
import { fieldsFile, schemaFile, type TemplateRevision } from "./template-records.ts";
import { loadRevision } from "./templates.ts";

const asJson = (key: string): StoredAnswer => ({ key, contentType: "application/json" });

/** @throws UnprocessableEntity for a file that turned out to be no template */
export function checkDetection({ detection }: TemplateRevision): void {
  if (detection !== undefined && "refused" in detection) throw notATemplate(detection.refused);
}

/**
 * Finds the fields of a template's revision, by default the newest; undefined while they are being detected.
 * @throws NotFound; UnprocessableEntity for a file that turned out to be no template
 */
export async function findFields(org: Organization, name: string, wanted?: number): Promise<StoredAnswer | undefined> {
  const { revision } = await loadRevision(org, name, wanted);
  checkDetection(revision);
  return revision.detection === undefined ? undefined : asJson(fieldsFile(revision.guid));
}

/**
 * Finds the schema of a template's revision, by default the newest; detects its fields first, where that is not done.
 * @throws NotFound; UnprocessableEntity for a file that turned out to be no template
 */
export async function findSchema(org: Organization, name: string, wanted?: number): Promise<StoredAnswer> {
  const { template, revision } = await loadRevision(org, name, wanted);
  const { guid, revision: number, detection } = revision;
  if (detection !== undefined) checkDetection(revision);
  else {
    await detectFields(org, { guid, template, name, revision: number });
    checkDetection((await loadRevision(org, name, number)).revision);
  }
  return asJson(schemaFile(guid));
}
