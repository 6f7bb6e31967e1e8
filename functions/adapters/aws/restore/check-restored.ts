/** Compares restored jobs and templates with restored files: every file that one names must be there. */
import { isObject } from "../../../ports/json.ts";
import { type Item, seenRecord } from "../records-items.ts";

export interface Agreement {
  jobs: number;
  /** Files that jobs and templates name and that are not there, with the organization's prefix. */
  missing: string[];
  /** Files of no job: of uploads and deletions that were under way. They do no harm. */
  unowned: number;
}

const JOB_PARTITION = /^org\/(\d+)\/job\/([^/]+)$/;
const TEMPLATES_PARTITION = /^org\/(\d+)\/templates$/;
const REVISIONS_PARTITION = /^org\/(\d+)\/template\/([^/]+)$/;
const JOB_FILE = /^org\/(\d+)\/jobs\/([^/]+)\//;

/** The texts in a record that are keys of files. */
function* fileKeys(value: unknown): Generator<string> {
  if (typeof value === "string") {
    if (/^jobs\/[^/]+\/./.test(value)) yield value;
  } else if (Array.isArray(value)) {
    for (const item of value) yield* fileKeys(item);
  } else if (isObject(value)) {
    for (const member of Object.values(value)) yield* fileKeys(member);
  }
}

/** The record without the document that has not arrived yet. */
function withoutAwaited(value: Record<string, unknown>): Record<string, unknown> {
  const { source, ...rest } = value;
  return isObject(source) && source.sha256 === null ? rest : value;
}

/** @param items of a table @param files keys of its bucket */
export async function compareJobs(items: AsyncIterable<Item>, files: ReadonlySet<string>): Promise<Agreement> {
  const missing = new Set<string>();
  const jobs = new Set<string>();
  const templates = new Set<string>();
  const documents: { template: string; path: string }[] = [];
  for await (const item of items) {
    const { key, value } = seenRecord(item).record;
    const owner = TEMPLATES_PARTITION.exec(key.partition)?.[1];
    if (owner !== undefined) templates.add(`${owner}/${value.guid}`);
    const [, owning, template] = REVISIONS_PARTITION.exec(key.partition) ?? [];
    if (owning !== undefined && key.sort.startsWith("revision/")) {
      documents.push({ template: `${owning}/${template}`, path: `org/${owning}/templates/${value.guid}/document` });
    }
    const [, organization, guid] = JOB_PARTITION.exec(key.partition) ?? [];
    if (organization === undefined || key.sort !== "job" || value.deleted === true) continue;
    jobs.add(`${organization}/${guid}`);
    for (const file of fileKeys(withoutAwaited(value))) {
      const path = `org/${organization}/${file}`;
      if (!files.has(path)) missing.add(path);
    }
  }
  // A template without a name is being deleted, its files first.
  for (const { template, path } of documents) {
    if (templates.has(template) && !files.has(path)) missing.add(path);
  }
  const unowned = [...files].filter((file) => {
    const [, organization, guid] = JOB_FILE.exec(file) ?? [];
    return organization !== undefined && !jobs.has(`${organization}/${guid}`);
  });
  return { jobs: jobs.size, missing: [...missing].sort(), unowned: unowned.length };
}
