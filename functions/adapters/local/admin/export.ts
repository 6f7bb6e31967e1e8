/**
 * Exports an organization as a zip for its owner: records as JSON, files unchanged.
 *
 *   organization.json          the organization and the counts of the export
 *   usage.json                 every usage event
 *   jobs/{guid}/job.json       the job with its runs
 *   jobs/{guid}/source/…       the document under its own name; beside it each run's files: results, layouts, traces …
 *   templates/{name}/…         the documents of a template by revision, and its pictures
 *   files/…                    files that belong to neither
 *   records.jsonl              every other record, one per line
 *
 * The records are read in one transaction, so they show one moment; files of jobs deleted meanwhile are skipped.
 */
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { NotFound } from "../../../ports/errors.ts";
import { openBlobFile } from "../blobs-file.ts";
import { blobsBelow } from "../blobs-list.ts";
import { TemplateNames } from "./export-templates.ts";
import { BLOBS_FOLDER, openRecordsFile } from "./files.ts";
import { ZipFile } from "./zip-file.ts";

/** Answers kept for a day for replays; the jobs contain all of their data. */
const SKIPPED_PARTITIONS = new Set(["idempotency"]);
/** Records read at a time. */
const PAGE_RECORDS = 500;

export interface Exported {
  organizationId: number;
  jobs: number;
  files: number;
  records: number;
  /** Paths of the zip files. */
  zips: string[];
}

interface Row {
  /** Partition below `org/{id}/`. */
  partition: string;
  sort: string;
  version: number;
  value: Record<string, unknown>;
}

function* rowsOf(database: DatabaseSync, organizationId: number, now: number): Generator<Row> {
  const prefix = `org/${organizationId}/`;
  const page = database.prepare(
    `SELECT partition, sort, version, value FROM records
       WHERE partition >= ? AND partition < ? AND (partition, sort) > (?, ?)
         AND (expires_at IS NULL OR expires_at > ?)
       ORDER BY partition, sort LIMIT ${PAGE_RECORDS}`,
  );
  let after: [string, string] = ["", ""];
  for (;;) {
    const rows = page.all(prefix, `org/${organizationId}0`, ...after, Math.floor(now / 1000));
    for (const row of rows) {
      const partition = String(row.partition).slice(prefix.length);
      const value = JSON.parse(String(row.value)) as Record<string, unknown>;
      yield { partition, sort: String(row.sort), version: Number(row.version), value };
    }
    const last = rows.at(-1);
    if (rows.length < PAGE_RECORDS || last === undefined) return;
    after = [String(last.partition), String(last.sort)];
  }
}

const jsonFile = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

/** A path segment of the zip that is safe on every system. */
const safeName = (name: string): string =>
  name
    .toWellFormed()
    .replace(/[\p{Cc}<>:"/\\|?*]/gu, "_")
    .replace(/^\.+/, "_");

/** @throws NotFound when the organization does not exist */
export async function exportOrganization(
  dataDir: string,
  organizationId: number,
  path: string,
  now: number,
): Promise<Exported> {
  using database = openRecordsFile(dataDir);
  database.exec("BEGIN");
  const zip = new ZipFile(path);
  const names = new Map<string, string | null>();
  const templates = new TemplateNames(safeName);
  const usage: unknown[] = [];
  const others: string[] = [];
  let records = 0;
  for (const { partition, sort, version, value } of rowsOf(database, organizationId, now)) {
    records += 1;
    templates.note({ partition, sort, value });
    const [kind = "", guid = ""] = partition.split("/");
    if (SKIPPED_PARTITIONS.has(kind)) continue;
    if (kind === "usage") usage.push(value);
    else if (kind === "job" && sort === "job") {
      if (value.deleted === true) continue;
      names.set(guid, (value.source as { fileName?: string | null } | undefined)?.fileName ?? null);
      zip.add(`jobs/${guid}/job.json`, jsonFile(value));
    } else others.push(`${JSON.stringify({ partition, sort, version, value })}\n`);
  }
  database.exec("COMMIT");
  if (records === 0) throw new NotFound(`There are no data of organization ${organizationId} in ${dataDir}`);
  zip.add("usage.json", jsonFile(usage));
  zip.add("records.jsonl", Buffer.from(others.join("")));
  const files = await addFiles(zip, join(dataDir, BLOBS_FOLDER), organizationId, { names, templates });
  const summary = { v: 1, organizationId, exportedAt: new Date(now).toISOString(), jobs: names.size, files, records };
  zip.add("organization.json", jsonFile(summary));
  return { organizationId, jobs: names.size, files, records, zips: zip.end() };
}

/** @param known file names of documents by job, where files of other jobs are skipped; and those of templates */
async function addFiles(
  zip: ZipFile,
  root: string,
  organizationId: number,
  { names, templates }: { names: ReadonlyMap<string, string | null>; templates: TemplateNames },
): Promise<number> {
  const prefix = `org/${organizationId}/`;
  let files = 0;
  for await (const { key, path } of blobsBelow(root, prefix, undefined)) {
    const own = key.slice(prefix.length);
    const [, guid, rest] = /^jobs\/([^/]+)\/(.+)$/.exec(own) ?? [];
    if (guid !== undefined && !names.has(guid)) continue;
    const blob = await openBlobFile(path, key);
    if (blob === undefined) continue;
    try {
      const source = rest === "source" ? `jobs/${guid}/source/${safeName(names.get(guid ?? "") ?? "document")}` : own;
      zip.add(guid === undefined ? (templates.pathOf(own) ?? `files/${own}`) : source, await blob.read());
      files += 1;
    } finally {
      await blob.close();
    }
  }
  return files;
}
