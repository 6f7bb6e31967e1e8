/** Pictures of a job's pages as an Office program draws them: another look beside the page that was read. */
import { pageImageTask } from "../../../engine/tasks/page-image.ts";
import { NotFound } from "../../../ports/errors.ts";
import { describeType, OFFICE_TYPES, PDF } from "../../../ports/media-types.ts";
import type { Organization } from "../../organizations/organization.ts";
import { callLimits } from "../../organizations/request-limits.ts";
import type { JobRecord } from "../../runs/job-records.ts";
import { loadJob } from "../../runs/job-store.ts";
import type { StoredAnswer } from "../../runs/run-results.ts";
import { DRAWING_TIMEOUT_MS, loadSource, PNG, storedPicture } from "./page-images.ts";

const PAGES_DRAWN = 1;
/** Time limit of a conversion. Most clients give a call 60 s, of which waiting for a turn may take 20. */
const CONVERSION_TIMEOUT_MS = 40_000;

/** Loads the document as PDF, converted at the first request and stored among the job's files. */
async function loadPdf(org: Organization, job: JobRecord): Promise<Uint8Array> {
  const { office } = org.engines;
  if (office === undefined) {
    throw new NotFound(
      "This service has no Office program; leave out rendered=office, and the page is drawn from its layout",
    );
  }
  const key = `jobs/${job.guid}/office.pdf`;
  const stored = await org.blobs.get(key);
  if (stored !== undefined) return stored;
  const source = await loadSource(org, job);
  const pdf = await office.toPdf(source, job.source.mimeType, callLimits(org, CONVERSION_TIMEOUT_MS));
  await org.blobs.put(key, pdf, { contentType: PDF });
  return pdf;
}

/**
 * Finds the picture of a page as an Office program draws it. Its pages are the program's, so that no box of the layout
 * fits them.
 * @param pageIndex from 0, of the program's pages
 * @throws NotFound for an unknown job or page, another type of document, and a service without such a program;
 * UnprocessableEntity for a document that the program cannot convert within its limits
 */
export async function findOfficeImage(org: Organization, guid: string, pageIndex: number): Promise<StoredAnswer> {
  const job = (await loadJob(org, guid)).value;
  const { mimeType } = job.source;
  if (!OFFICE_TYPES.has(mimeType)) {
    throw new NotFound(
      `The document is ${describeType(mimeType)}, which no Office program draws; leave out rendered=office`,
    );
  }
  const key = `jobs/${guid}/pages/${pageIndex + 1}-office.png`;
  return storedPicture(org, { key, contentType: PNG, rendered: "office" }, async () => {
    const payload = { bytes: await loadPdf(org, job), options: { mimeType: PDF, pageIndex } };
    return org.engines.documents.run(pageImageTask, payload, callLimits(org, DRAWING_TIMEOUT_MS, PAGES_DRAWN));
  });
}
