/** Lookup of a batch's document by its index, for requests about single jobs. */
import { NotFound } from "../../ports/errors.ts";
import type { Organization } from "../organizations/organization.ts";
import { TERMINAL_STATUSES } from "../runs/job-records.ts";
import { loadJob } from "../runs/job-store.ts";
import { findDocument } from "./batches.ts";

export interface DocumentRequest {
  guid: string;
  /** Ignored for a job that is not a batch. */
  batchIndex?: number | undefined;
  run?: number | undefined;
}

/**
 * Calls `find` with the job, or with a document of a batch and the run whose results the batch serves; with `newest`,
 * without a run, so that `find` chooses the newest suitable one.
 * @throws NotFound for a batch without an index or with an unknown one; the errors of `find`
 */
export async function findInDocument<T>(
  org: Organization,
  { guid, batchIndex, run }: DocumentRequest,
  find: (guid: string, run: number | undefined) => Promise<T>,
  { newest = false }: { newest?: boolean } = {},
): Promise<T> {
  const { documents, runs } = (await loadJob(org, guid)).value;
  if (documents === undefined) return find(guid, run);
  if (batchIndex === undefined) {
    throw new NotFound(`Job ${guid} is a batch; name one of its documents by batchIndex, from 0`);
  }
  const { guid: document } = await findDocument(org, guid, batchIndex);
  const served = newest ? undefined : runs.findLast(({ status }) => TERMINAL_STATUSES.has(status))?.run;
  try {
    return await find(document, run ?? served);
  } catch (error) {
    // Callers do not know the document's own job.
    if (!(error instanceof NotFound)) throw error;
    throw new NotFound(error.message.replace(`Job ${document}`, `Document ${batchIndex} of batch ${guid}`));
  }
}
