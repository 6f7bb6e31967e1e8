/** Pictures of a job's pages: drawn when first asked for, then kept with the job's files. */
import { createHash } from "node:crypto";
import { type PageImageOptions, pageImageTask } from "../../../engine/tasks/page-image.ts";
import { JobFailure, NotFound, UnprocessableEntity } from "../../../ports/errors.ts";
import type { Organization } from "../../organizations/organization.ts";
import { artifactKey, type JobRecord } from "../../runs/job-records.ts";
import { loadJob } from "../../runs/job-store.ts";
import { findServedRun, findSourceLocations, type StoredAnswer } from "../../runs/run-results.ts";

/** Somebody waits, and a gateway's 30 s with them. */
const DRAWING_MS = 25_000;

const PNG = "image/png";
/** Of the drawing: a picture that an earlier release drew otherwise is drawn again. */
const DRAWING = 1;

/**
 * @param pageIndex from 0
 * @throws NotFound for no such job or page, or a format without pages to see; UnprocessableEntity for a page that
 * cannot be drawn
 */
export async function findPageImage(org: Organization, guid: string, pageIndex: number): Promise<StoredAnswer> {
  const job = (await loadJob(org, guid)).value;
  // Of the upload, whatever its runs: under the job, not under one of them.
  return drawn(org, job, `jobs/${guid}/pages/${pageIndex + 1}.png`, async () => ({ pageIndex }));
}

/**
 * The same with the places on it that a run's values were read from.
 * @param wanted `run`: absent, the newest finished one; `pointers`: which values, none named: all
 * @throws NotFound also where source locations were not asked for
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
    .update(JSON.stringify({ DRAWING, sourcesKey, pointers }))
    .digest("hex")
    .slice(0, 24);
  return drawn(org, job, artifactKey(guid, run, `pages/${pageIndex + 1}-${name}.png`), async () => {
    const sources = await org.blobs.get(sourcesKey);
    if (sources === undefined) throw new NotFound(`The source locations of job ${guid} are not there`);
    return { pageIndex, marks: { sources, pointers } };
  });
}

async function drawn(
  org: Organization,
  job: JobRecord,
  key: string,
  what: () => Promise<Omit<PageImageOptions, "mimeType">>,
): Promise<StoredAnswer> {
  const answer = { key, contentType: PNG };
  if ((await org.blobs.head(key)) !== undefined) return answer;
  const bytes = await org.blobs.get(job.source.key);
  if (bytes === undefined) throw new NotFound(`The document of job ${job.guid} is not there`);
  const options = { mimeType: job.source.mimeType, ...(await what()) };
  const limits = { deadline: org.engines.clock.now() + DRAWING_MS };
  const picture = await org.engines.documents.run(pageImageTask, { bytes, options }, limits).catch((error: unknown) => {
    if (!(error instanceof JobFailure)) throw error;
    throw new UnprocessableEntity(`The page could not be drawn: ${error.message}`);
  });
  await org.blobs.put(key, picture, { contentType: PNG });
  return answer;
}
