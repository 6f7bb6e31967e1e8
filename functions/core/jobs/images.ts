/** Pictures of a job's pages: drawn when first asked for, then kept with the job's files. */
import { JobFailure, NotFound, UnprocessableEntity } from "../errors.ts";
import type { Organization } from "../organizations/organization.ts";
import { loadJob } from "./jobs.ts";
import type { StoredAnswer } from "./results.ts";

/** Somebody waits, and a gateway's 30 s with them. */
const DRAWING_MS = 25_000;

const PNG = "image/png";

/**
 * @param pageIndex from 0
 * @throws NotFound for no such job or page, or a format without pages to see; UnprocessableEntity for a page that
 * cannot be drawn
 */
export async function findPageImage(org: Organization, guid: string, pageIndex: number): Promise<StoredAnswer> {
  const job = (await loadJob(org, guid)).value;
  // Of the upload, whatever its runs: under the job, not under one of them.
  const key = `jobs/${guid}/pages/${pageIndex + 1}.png`;
  const answer = { key, contentType: PNG };
  if ((await org.blobs.head(key)) !== undefined) return answer;
  const bytes = await org.blobs.get(job.source.key);
  if (bytes === undefined) throw new NotFound(`The document of job ${guid} is not there`);
  const options = { mimeType: job.source.mimeType, pageIndex };
  const limits = { deadline: org.engines.clock.now() + DRAWING_MS };
  const picture = await org.engines.documents.pageImage(bytes, options, limits).catch((error: unknown) => {
    if (!(error instanceof JobFailure)) throw error;
    throw new UnprocessableEntity(`The page could not be drawn: ${error.message}`);
  });
  await org.blobs.put(key, picture, { contentType: PNG });
  return answer;
}
