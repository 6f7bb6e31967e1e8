/**
 * Backs up the data folder while the service runs.
 *
 * Consistency: a file is written before the record that names it, and deleted after the record. So the records are
 * copied
 * first, in one step of SQLite's online backup, which sees one state between two transactions; then the files. Every
 * file
 * named in the copied records existed at that moment, and still does unless its job or its template was deleted since:
 * those are removed from the copy, as their owner wished. Files of jobs and templates that the copy does not know are
 * skipped. Files are
 * replaced
 * by rename, so none is copied half.
 *
 * The manifest is written last, in one rename: a folder without it is not a backup, whenever the process died.
 */
import { rename, rm, writeFile } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { Conflict } from "../../../ports/errors.ts";
import { type TalliedJob, tallyPlace } from "../../../ports/job-tally.ts";
import { directoryOf } from "../blobs-keys.ts";
import { blobsBelow } from "../blobs-list.ts";
import { makeFolder } from "../folders.ts";
import { checkOfDataDir } from "./backup-key.ts";
import { removeFolder, removeTemplates, templateFolderOf, templatesOf } from "./backup-templates.ts";
import {
  BLOBS_FOLDER,
  copyWithHash,
  hashOf,
  jobOfBlob,
  KEY_FILE,
  namesIn,
  openRecordsFile,
  RECORDS_FILE,
  syncFolder,
} from "./files.ts";

export const MANIFEST_FILE = "manifest.json";
/** In the format of `sha256sum --check`. */
export const CHECKSUMS_FILE = "SHA256SUMS";
/** Present while a backup runs, to tell an interrupted backup from a folder with other content. */
const UNFINISHED_FILE = "UNFINISHED";
/** All pages in one step: with several, a concurrent write would restart the backup. */
const ALL_PAGES = 2 ** 30;

export interface Manifest {
  v: 1;
  format: "sheaf-backup";
  /** The release that wrote the backup. */
  version: string;
  createdAt: string;
  files: number;
  bytes: number;
  /** SHA-256 of SHA256SUMS. */
  sums: string;
  /** Present when `server.key` was left out: a restore knows the key by it. */
  keyCheck?: string | undefined;
}

export interface BackupOptions {
  version: string;
  /** ISO 8601. */
  now: string;
  /** Leave `server.key` out. */
  withoutKey?: boolean;
}

/**
 * @param folder absent, empty, or the rest of an interrupted backup
 * @throws NotFound when there is no data or no key; Conflict when the folder holds anything else
 */
export async function backUp(
  dataDir: string,
  folder: string,
  { version, now, withoutKey = false }: BackupOptions,
): Promise<Manifest> {
  const target = resolve(folder);
  const inside = (path: string, other: string): boolean => `${path}${sep}`.startsWith(`${other}${sep}`);
  if (inside(target, resolve(dataDir)) || inside(resolve(dataDir), target)) {
    throw new Conflict("A backup and the data folder must not stand in each other");
  }
  using live = openRecordsFile(dataDir);
  const keyCheck = await checkOfDataDir(dataDir);
  await prepare(target);
  const sums: string[] = [];
  let bytes = 0;
  const note = (path: string, { sha256, size }: { sha256: string; size: number }): void => {
    sums.push(`${sha256}  ${relative(target, path).split(sep).join("/")}\n`);
    bytes += size;
  };
  const records = join(target, RECORDS_FILE);
  // SQLite would create it readable by others.
  await writeFile(records, "", { mode: 0o600 });
  await backup(live, records, { rate: ALL_PAGES });
  const key = join(target, KEY_FILE);
  if (!withoutKey) note(key, await copyWithHash(join(dataDir, KEY_FILE), key));
  {
    using copy = new DatabaseSync(records);
    // One file, without journal files beside it.
    copy.exec("PRAGMA journal_mode = DELETE");
    const gone = await copyBlobs(dataDir, target, { copy, live }, note);
    removeJobs(copy, gone.jobs);
    removeTemplates(copy, gone.templates);
  }
  note(records, await hashOf(records));
  await writeFile(join(target, CHECKSUMS_FILE), sums, { mode: 0o600, flush: true });
  const manifest: Manifest = {
    v: 1,
    format: "sheaf-backup",
    version,
    createdAt: now,
    files: sums.length,
    bytes,
    sums: (await hashOf(join(target, CHECKSUMS_FILE))).sha256,
    ...(withoutKey ? { keyCheck } : {}),
  };
  const temporary = join(target, `${MANIFEST_FILE}.tmp`);
  await writeFile(temporary, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(temporary, join(target, MANIFEST_FILE));
  await rm(join(target, UNFINISHED_FILE), { force: true });
  await syncFolder(target);
  return manifest;
}

async function prepare(target: string): Promise<void> {
  const names = (await namesIn(target)) ?? [];
  if (names.includes(MANIFEST_FILE)) throw new Conflict(`${target} holds a backup already; name another folder`);
  if (names.length > 0 && !names.includes(UNFINISHED_FILE)) {
    throw new Conflict(`${target} is not empty; name another folder`);
  }
  for (const name of names)
    if (name !== UNFINISHED_FILE) await rm(join(target, name), { recursive: true, force: true });
  makeFolder(target);
  await writeFile(join(target, UNFINISHED_FILE), "A backup is made here, or was not finished.\n", { mode: 0o600 });
}

interface Job {
  organizationId: string;
  guid: string;
}

/** Jobs visible to readers, by `{organization}/{guid}`. */
function jobsOf(database: DatabaseSync): Map<string, Job> {
  const jobs = new Map<string, Job>();
  const rows = database
    .prepare(
      `SELECT partition FROM records WHERE partition >= 'org/' AND partition < 'org0' AND partition LIKE 'org/%/job/%'
         AND sort = 'job' AND json_extract(value, '$.deleted') IS NULL`,
    )
    .iterate();
  for (const row of rows) {
    const [, organizationId = "", , guid = ""] = String(row.partition).split("/");
    jobs.set(`${organizationId}/${guid}`, { organizationId, guid });
  }
  return jobs;
}

/** Jobs and templates of the copy that were deleted meanwhile; their files are not in the backup. */
interface Gone {
  jobs: Job[];
  templates: Parameters<typeof removeTemplates>[1];
}

async function copyBlobs(
  dataDir: string,
  target: string,
  { copy, live }: { copy: DatabaseSync; live: DatabaseSync },
  note: (path: string, of: { sha256: string; size: number }) => void,
): Promise<Gone> {
  const known = jobsOf(copy);
  const templates = templatesOf(copy);
  const root = join(dataDir, BLOBS_FOLDER);
  const copied = new Map<string, { path: string; sha256: string; size: number }[]>();
  for await (const { key, path } of blobsBelow(root, "", undefined)) {
    const job = jobOfBlob(key);
    const folder = templateFolderOf(key);
    const id = job === undefined ? (folder ?? "") : `${job.organizationId}/${job.guid}`;
    if (job !== undefined && !known.has(id)) continue;
    if (folder !== undefined && !templates.has(folder)) continue;
    const to = join(target, BLOBS_FOLDER, relative(root, path));
    const seen = await copyWithHash(path, to).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (seen === undefined) continue;
    const files = copied.get(id) ?? [];
    files.push({ path: to, ...seen });
    copied.set(id, files);
  }
  // Read after the copying: a job still present was present all the time.
  const still = jobsOf(live);
  const gone = [...known].filter(([id]) => !still.has(id)).map(([, job]) => job);
  for (const { organizationId, guid } of gone) {
    copied.delete(`${organizationId}/${guid}`);
    const left = directoryOf(join(target, BLOBS_FOLDER), ["org", organizationId, "jobs", guid]);
    await rm(left, { recursive: true, force: true });
  }
  const stillThere = templatesOf(live);
  const goneTemplates = [...templates].filter(([id]) => !stillThere.has(id));
  for (const [id, place] of goneTemplates) {
    copied.delete(id);
    await removeFolder(target, place);
  }
  for (const files of copied.values()) for (const { path, ...seen } of files) note(path, seen);
  return { jobs: gone, templates: goneTemplates.map(([, place]) => place) };
}

/** Removes jobs from the records as a deletion does; usage stays. */
function removeJobs(records: DatabaseSync, jobs: readonly Job[]): void {
  const own = records.prepare("DELETE FROM records WHERE partition = ?");
  const entry = records.prepare(
    "DELETE FROM records WHERE partition >= ? AND partition < ? AND substr(sort, -36) = ? RETURNING value",
  );
  const tally = records.prepare(
    `UPDATE records SET version = version + 1,
       value = json_set(value, '$."' || ?1 || '"', json_extract(value, '$."' || ?1 || '"') - 1)
     WHERE partition = ?2 AND sort = ?3`,
  );
  const due = records.prepare(
    "DELETE FROM records WHERE partition >= 'sys/due/' AND partition < 'sys/due0' AND sort >= ? AND sort < ?",
  );
  records.exec("BEGIN");
  for (const { organizationId, guid } of jobs) {
    own.run(`org/${organizationId}/job/${guid}`);
    // Entries of an earlier release, which no counter counts.
    entry.all(`org/${organizationId}/jobs/`, `org/${organizationId}/jobs0`, guid);
    for (const { value } of entry.all(`org/${organizationId}/job-list/`, `org/${organizationId}/job-list0`, guid)) {
      const { key, member } = tallyPlace(JSON.parse(String(value)) as TalliedJob);
      tally.run(member, `org/${organizationId}/${key.partition}`, key.sort);
    }
    due.run(`${organizationId}/${guid}/`, `${organizationId}/${guid}0`);
  }
  records.exec("COMMIT");
}
