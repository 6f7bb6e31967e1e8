/** Erases an organization from a data folder that no service uses. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { directoryOf } from "../blobs-keys.ts";
import { BLOBS_FOLDER, openRecordsFile } from "./files.ts";

/** Records under `sys/` that name their organization: keys, due work, executions, queued work. */
const ORGANIZATION_CONDITION = `partition >= 'sys/' AND partition < 'sys0' AND ? IN (
  json_extract(value, '$.organizationId'), json_extract(value, '$.body.organizationId'),
  json_extract(value, '$.input.organizationId'))`;

/**
 * Erases an organization's records, files, keys and executions, down to the free pages of the records' file.
 * Repeatable:
 * another call completes an interrupted one.
 * @returns the number of records erased @throws NotFound when there is no data
 */
export function eraseOrganization(dataDir: string, organizationId: number): { records: number } {
  using database = openRecordsFile(dataDir);
  database.exec("PRAGMA secure_delete = ON");
  const records = eraseRecords(database, organizationId);
  const blobs = join(dataDir, BLOBS_FOLDER);
  rmSync(directoryOf(blobs, ["org", String(organizationId)]), { recursive: true, force: true });
  // Parts left by crashes: they belong to unknown organizations, and nobody is writing.
  for (const name of namesOf(join(blobs, ".tmp"))) rmSync(join(blobs, ".tmp", name), { recursive: true, force: true });
  database.exec("VACUUM");
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  return { records };
}

function namesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function eraseRecords(database: DatabaseSync, id: number): number {
  let erased = 0;
  const run = (sql: string, ...values: (string | number)[]): void => {
    erased += Number(database.prepare(sql).run(...values).changes);
  };
  database.exec("BEGIN IMMEDIATE");
  // Ended executions have only their name, which is their job's.
  database.exec("CREATE TEMP TABLE gone AS SELECT '' AS name WHERE false");
  database
    .prepare(
      `INSERT INTO gone SELECT sort FROM records
         WHERE partition = 'sys/executions' AND json_extract(value, '$.input.organizationId') = ?`,
    )
    .run(id);
  run("DELETE FROM records WHERE partition IN (SELECT 'sys/history/' || name FROM gone)");
  run("DELETE FROM records WHERE partition IN ('sys/running', 'sys/ended') AND sort IN (SELECT name FROM gone)");
  run(
    `DELETE FROM records WHERE partition = 'sys/executions'
       AND sort IN (SELECT name || '/input' FROM gone UNION SELECT name || '/output' FROM gone)`,
  );
  run("DELETE FROM records WHERE partition >= ? AND partition < ?", `org/${id}/`, `org/${id}0`);
  run(`DELETE FROM records WHERE ${ORGANIZATION_CONDITION}`, id);
  run("DELETE FROM records WHERE partition IN ('sys/organizations', 'sys/open-runs') AND sort = ?", String(id));
  run("DELETE FROM records WHERE partition = 'sys/tokens' AND sort >= ? AND sort < ?", `${id}/`, `${id}0`);
  database.exec("COMMIT; DROP TABLE gone");
  return erased;
}
