/** Pictures of a job's pages: drawn on the first request, then stored among the job's files. */
import { createHash } from "node:crypto";
import { blobRangeReader, readLayoutHead, readLayoutPages } from "../../../engine/layout/layout-file.ts";
import { packPage } from "../../../engine/layout/packed-pages.ts";
import { layoutPageImageTask } from "../../../engine/tasks/layout-page-image.ts";
import { type PageImageOptions, pageImageTask } from "../../../engine/tasks/page-image.ts";
import { JOB_SENTENCES, JobFailure, NotFound, UnprocessableEntity } from "../../../ports/errors.ts";
import { OFFICE_TYPES, TEXT_TYPES } from "../../../ports/media-types.ts";
import type { Organization } from "../../organizations/organization.ts";
import { callLimits } from "../../organizations/request-limits.ts";
import { artifactKey, type JobRecord, type RunSummary, TERMINAL_STATUSES } from "../../runs/job-records.ts";
import { loadJob } from "../../runs/job-store.ts";
import { findServedRun, findSourceLocations, type StoredAnswer } from "../../runs/run-results.ts";

const PAGES_DRAWN = 1;
/** Time limit of drawing; the gateway waits 30 s. */
export const DRAWING_TIMEOUT_MS = 25_000;

/** Its password is not kept, and neither is a plain copy of it. */
const LOCKED_SENTENCE =
  "The page could not be drawn: the document opens with a password, which the service erases when a run ends; its layout and results are there";

export const PNG = "image/png";
/** Version of the drawing: pictures of other versions are drawn again. */
const DRAWING_VERSION = 1;
/** The same of pages that are drawn from their layout. */
const LAYOUT_DRAWING_VERSION = 1;

/** True for types without pictures of their pages: these are drawn from the layout. */
const isDrawnFromLayout = ({ source }: JobRecord): boolean =>
  OFFICE_TYPES.has(source.mimeType) || TEXT_TYPES.has(source.mimeType);

type Options = Omit<PageImageOptions, "mimeType">;

/** A picture that is wanted. */
interface WantedPicture {
  job: JobRecord;
  /** The run whose layout is drawn; absent: the newest finished one that has the page. */
  run?: number | undefined;
  /** The picture's file; by default it depends on page and layout only. */
  key?: string;
  options: Options;
}

/**
 * Finds the picture of a page.
 * @param pageIndex from 0 @param run whose layout is drawn, for types without page images of their own
 * @throws NotFound for an unknown job or page; UnprocessableEntity for a page that cannot be drawn
 */
export async function findPageImage(
  org: Organization,
  guid: string,
  pageIndex: number,
  run?: number,
): Promise<StoredAnswer> {
  const job = (await loadJob(org, guid)).value;
  return findOrDraw(org, { job, run, options: { pageIndex } });
}

/**
 * Finds the picture of a page with the source locations of a run's values marked.
 * @param wanted `run`: absent, the newest finished one; `pointers`: the values to mark, none: all
 * @throws NotFound also when source locations were not requested
 */
export async function findMarkedPageImage(
  org: Organization,
  guid: string,
  pageIndex: number,
  wanted: { run?: number; pointers: readonly string[] },
): Promise<StoredAnswer> {
  const job = (await loadJob(org, guid)).value;
  const { key: sourcesKey } = await findSourceLocations(org, guid, wanted.run);
  const { run } = await findServedRun(org, guid, wanted.run);
  const pointers = [...new Set(wanted.pointers)].sort();
  const version = isDrawnFromLayout(job) ? { LAYOUT: LAYOUT_DRAWING_VERSION } : {};
  const name = createHash("sha256")
    .update(JSON.stringify({ DRAWING: DRAWING_VERSION, ...version, sourcesKey, pointers }))
    .digest("hex")
    .slice(0, 24);
  const key = artifactKey(guid, run, `pages/${pageIndex + 1}-${name}.png`);
  const rendered = isDrawnFromLayout(job) ? ({ rendered: "layout" } as const) : {};
  if ((await org.blobs.head(key)) !== undefined) return { key, contentType: PNG, ...rendered };
  const sources = await org.blobs.get(sourcesKey);
  if (sources === undefined) throw new NotFound(`The source locations of job ${guid} are not there`);
  return findOrDraw(org, { job, run, key, options: { pageIndex, marks: { sources, pointers } } });
}

const findOrDraw = (org: Organization, wanted: WantedPicture): Promise<StoredAnswer> =>
  isDrawnFromLayout(wanted.job) ? findLayoutPicture(org, wanted) : findDocumentPicture(org, wanted);

/** Loads the uploaded document. @throws NotFound */
export async function loadSource(org: Organization, { source, guid }: JobRecord): Promise<Uint8Array> {
  const bytes = await org.blobs.get(source.key);
  if (bytes === undefined) throw new NotFound(`The document of job ${guid} is not there`);
  return bytes;
}

/** Returns the stored picture, or draws and stores it. @throws UnprocessableEntity for a page that cannot be drawn */
export async function storedPicture(
  org: Organization,
  answer: StoredAnswer,
  draw: () => Promise<Uint8Array>,
): Promise<StoredAnswer> {
  if ((await org.blobs.head(answer.key)) !== undefined) return answer;
  const picture = await draw().catch((error: unknown) => {
    if (!(error instanceof JobFailure)) throw error;
    if (error.message === JOB_SENTENCES.password) throw new UnprocessableEntity(LOCKED_SENTENCE);
    throw new UnprocessableEntity(`The page could not be drawn: ${error.message}`);
  });
  await org.blobs.put(answer.key, picture, { contentType: answer.contentType });
  return answer;
}

function findDocumentPicture(org: Organization, { job, key, options }: WantedPicture): Promise<StoredAnswer> {
  // The picture belongs to the upload: its blob is under the job, not under a run.
  const answer = { key: key ?? `jobs/${job.guid}/pages/${options.pageIndex + 1}.png`, contentType: PNG };
  return storedPicture(org, answer, async () => {
    const payload = { bytes: await loadSource(org, job), options: { mimeType: job.source.mimeType, ...options } };
    return org.engines.documents.run(pageImageTask, payload, callLimits(org, DRAWING_TIMEOUT_MS, PAGES_DRAWN));
  });
}

/** The run whose layout is drawn; undefined when none has been read. @throws NotFound for an unknown run */
async function runOfLayout(
  org: Organization,
  job: JobRecord,
  run: number | undefined,
): Promise<RunSummary | undefined> {
  if (run !== undefined) return findServedRun(org, job.guid, run);
  return job.runs.findLast(({ status, layoutKey }) => TERMINAL_STATUSES.has(status) && layoutKey !== undefined);
}

/** Loads a page of a stored layout, packed as JSON; undefined when the run did not read it. */
async function loadPackedPage(
  org: Organization,
  layoutKey: string,
  pageIndex: number,
): Promise<Uint8Array | undefined> {
  const read = blobRangeReader(org.blobs, layoutKey);
  const [page] = await readLayoutPages(read, [pageIndex + 1], await readLayoutHead(read));
  return page && Buffer.from(JSON.stringify(packPage(page)));
}

/** A page that no run has read is read from the document. */
async function findLayoutPicture(org: Organization, { job, run, key, options }: WantedPicture): Promise<StoredAnswer> {
  const { guid, source } = job;
  const name = `pages/${options.pageIndex + 1}-layout-${LAYOUT_DRAWING_VERSION}.png`;
  const facts = { contentType: PNG, rendered: "layout" } as const;
  const limits = callLimits(org, DRAWING_TIMEOUT_MS, PAGES_DRAWN);
  const served = await runOfLayout(org, job, run);
  if (served?.layoutKey !== undefined) {
    const answer = { key: key ?? artifactKey(guid, served.run, name), ...facts };
    if ((await org.blobs.head(answer.key)) !== undefined) return answer;
    const page = await loadPackedPage(org, served.layoutKey, options.pageIndex);
    if (page !== undefined) {
      return storedPicture(org, answer, () =>
        org.engines.documents.run(layoutPageImageTask, { page, options }, limits),
      );
    }
  }
  return storedPicture(org, { key: key ?? `jobs/${guid}/${name}`, ...facts }, async () => {
    const document = { bytes: await loadSource(org, job), mimeType: source.mimeType };
    return org.engines.documents.run(layoutPageImageTask, { document, options }, limits);
  });
}
