/**
 * Recognised pages among a run's files: a repeated step, and a later run of a document of which recognition could not
 * read all pages, recognise none of them again.
 */
import { encodeJson, parseJsonBytes } from "../../ports/json.ts";
import type { OcrLevel, OcrPage, OcrUse } from "../../ports/ocr.ts";
import { artifactKey } from "../runs/job-records.ts";
import type { StepRun } from "../runs/run-step.ts";

/** A recognised page with its use of the provider. */
export interface StoredPage {
  page: OcrPage;
  use: OcrUse;
}

/** The recognised pages of a document at one level. */
export interface StoredPages {
  /** Numbers of pages that earlier runs recognised. */
  earlier: ReadonlySet<number>;
  /** A page of an earlier run has no use: that run counted it. */
  find(page: number): Promise<StoredPage | undefined>;
  keep(page: number, recognised: StoredPage): Promise<void>;
}

const folderOf = (guid: string, run: number, level: OcrLevel): string =>
  artifactKey(guid, run, `ocr/${level.toLowerCase()}/`);

/** Keys of a run's pages by page number. */
async function keysOf({ org, job }: StepRun, run: number, level: OcrLevel): Promise<Map<number, string>> {
  const keys = new Map<number, string>();
  const folder = folderOf(job.guid, run, level);
  let cursor: string | undefined;
  do {
    const listed = await org.blobs.list(folder, cursor === undefined ? {} : { cursor });
    for (const { key } of listed.blobs) {
      const number = /^(\d+)\.json$/.exec(key.slice(folder.length))?.[1];
      if (number !== undefined) keys.set(Number(number), key);
    }
    cursor = listed.cursor;
  } while (cursor !== undefined);
  return keys;
}

/** Opens the recognised pages of a step's document. */
export async function openStoredPages(context: StepRun, level: OcrLevel): Promise<StoredPages> {
  const { org, job, run } = context;
  const own = await keysOf(context, run.run, level);
  const earlier = new Map<number, string>();
  for (const one of job.runs) {
    // A reading that lacks no page is reused as a whole, or was asked for in another way.
    if (one.unreadPages === undefined || one.readAs !== run.readAs || one.run === run.run) continue;
    for (const [page, key] of await keysOf(context, one.run, level)) earlier.set(page, key);
  }
  const load = async (key: string): Promise<StoredPage | undefined> => {
    const bytes = await org.blobs.get(key);
    return bytes && parseJsonBytes<StoredPage>(bytes);
  };
  return {
    earlier: new Set(earlier.keys()),
    async find(page) {
      const key = own.get(page);
      if (key !== undefined) return load(key);
      const other = earlier.get(page);
      const stored = other === undefined ? undefined : await load(other);
      return stored && { ...stored, use: { ...stored.use, pages: 0 } };
    },
    async keep(page, recognised) {
      const key = `${folderOf(job.guid, run.run, level)}${page}.json`;
      // A page that a power failure takes is recognised again.
      await org.blobs.put(key, encodeJson(recognised), { contentType: "application/json", later: true });
    },
  };
}
