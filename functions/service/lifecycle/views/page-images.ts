/** Pictures of a job's pages: drawn on the first request, then stored among the job's files. */
import { createHash } from "node:crypto";
import { type PageImageOptions, pageImageTask } from "../../../engine/tasks/page-image.ts";
import { JOB_SENTENCES, JobFailure, NotFound, UnprocessableEntity } from "../../../ports/errors.ts";
import type { Organization } from "../../organizations/organization.ts";
import { callLimits } from "../../organizations/request-limits.ts";
import { artifactKey, type JobRecord } from "../../runs/job-records.ts";
import { loadJob } from "../../runs/job-store.ts";
import { findServedRun, findSourceLocations, type StoredAnswer } from "../../runs/run-results.ts";

const PAGES_DRAWN = 1;
/** Time limit of drawing; the gateway waits 30 s. */
const DRAWING_TIMEOUT_MS = 25_000;

/** Its password is not kept, and neither is a plain copy of it. */
const LOCKED_SENTENCE =
  "The page could not be drawn: the document opens with a password, which the service erases when a run ends; its layout and results are there";

const PNG = "image/png";
/** Version of the drawing: pictures of other versions are drawn again. */
const DRAWING_VERSION = 1;

/**
 * Finds the picture of a page.
 * @param pageIndex from 0
 * @throws NotFound for an unknown job or page, or a format without visible pages; UnprocessableEntity for a page that
 * cannot be drawn
 */
export async function findPageImage(org: Organization, guid: string, pageIndex: number): Promise<StoredAnswer> {
  const job = (await loadJob(org, guid)).value;
  // The picture belongs to the upload: its blob is under the job, not under a run.
  return findOrDraw(org, job, `jobs/${guid}/pages/${pageIndex + 1}.png`, async () => ({ pageIndex }));
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
  const name = createHash("sha256")
    .update(JSON.stringify({ DRAWING: DRAWING_VERSION, sourcesKey, pointers }))
    .digest("hex")
    .slice(0, 24);
  return findOrDraw(org, job, artifactKey(guid, run, `pages/${pageIndex + 1}-${name}.png`), async () => {
    const sources = await org.blobs.get(sourcesKey);
    if (sources === undefined) throw new NotFound(`The source locations of job ${guid} are not there`);
    return { pageIndex, marks: { sources, pointers } };
  });
}

async function findOrDraw(
  org: Organization,
  job: JobRecord,
  key: string,
  loadOptions: () => Promise<Omit<PageImageOptions, "mimeType">>,
): Promise<StoredAnswer> {
  const answer = { key, contentType: PNG };
  if ((await org.blobs.head(key)) !== undefined) return answer;
  const bytes = await org.blobs.get(job.source.key);
  if (bytes === undefined) throw new NotFound(`The document of job ${job.guid} is not there`);
  const options = { mimeType: job.source.mimeType, ...(await loadOptions()) };
  const limits = callLimits(org, DRAWING_TIMEOUT_MS, PAGES_DRAWN);
  const picture = await org.engines.documents.run(pageImageTask, { bytes, options }, limits).catch((error: unknown) => {
    if (!(error instanceof JobFailure)) throw error;
    if (error.message === JOB_SENTENCES.password) throw new UnprocessableEntity(LOCKED_SENTENCE);
    throw new UnprocessableEntity(`The page could not be drawn: ${error.message}`);
  });
  await org.blobs.put(key, picture, { contentType: PNG });
  return answer;
}
