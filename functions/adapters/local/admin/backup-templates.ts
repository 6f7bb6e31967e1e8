/** Templates in a backup: one that was deleted while its files were copied is removed from the copy. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { directoryOf } from "../blobs-keys.ts";
import { BLOBS_FOLDER } from "./files.ts";

/** The template of a folder of files: of a revision, or of its pictures. */
interface TemplatePlace {
  organizationId: string;
  name: string;
  /** GUID of the template, and of the folder. */
  template: string;
  guid: string;
}

const FILE_PATTERN = /^org\/(\d+)\/templates\/([0-9a-f-]{36})\//;

/** The folder that a template's file is in; undefined for other files. */
export function templateFolderOf(key: string): string | undefined {
  const [, organizationId, guid] = FILE_PATTERN.exec(key) ?? [];
  return organizationId === undefined ? undefined : `${organizationId}/templates/${guid}`;
}

/** Folders of the templates that have a name. */
export function templatesOf(database: DatabaseSync): Map<string, TemplatePlace> {
  const folders = new Map<string, TemplatePlace>();
  const entries = database
    .prepare(
      `SELECT partition, sort, json_extract(value, '$.guid') AS guid FROM records
         WHERE partition >= 'org/' AND partition < 'org0' AND partition LIKE 'org/%/templates'`,
    )
    .all();
  const revisions = database.prepare(
    `SELECT json_extract(value, '$.guid') AS guid FROM records WHERE partition = ? AND sort LIKE 'revision/%'`,
  );
  for (const { partition, sort, guid } of entries) {
    const [, organizationId = ""] = String(partition).split("/");
    const template = String(guid);
    const place = { organizationId, name: String(sort), template };
    const guids = revisions.all(`org/${organizationId}/template/${template}`).map((row) => String(row.guid));
    for (const one of new Set([template, ...guids])) {
      folders.set(`${organizationId}/templates/${one}`, { ...place, guid: one });
    }
  }
  return folders;
}

/** Removes templates from the records as a deletion does. */
export function removeTemplates(records: DatabaseSync, gone: readonly TemplatePlace[]): void {
  const entry = records.prepare("DELETE FROM records WHERE partition = ? AND sort = ?");
  const own = records.prepare("DELETE FROM records WHERE partition = ?");
  const due = records.prepare(
    "DELETE FROM records WHERE partition >= 'sys/due/' AND partition < 'sys/due0' AND sort >= ? AND sort < ?",
  );
  records.exec("BEGIN");
  for (const { organizationId, name, template, guid } of gone) {
    entry.run(`org/${organizationId}/templates`, name);
    own.run(`org/${organizationId}/template/${template}`);
    due.run(`${organizationId}/${guid}/`, `${organizationId}/${guid}0`);
  }
  records.exec("COMMIT");
}

/** Removes the files of a template from a backup. */
export async function removeFolder(target: string, { organizationId, guid }: TemplatePlace): Promise<void> {
  const folder = directoryOf(join(target, BLOBS_FOLDER), ["org", organizationId, "templates", guid]);
  await rm(folder, { recursive: true, force: true });
}
