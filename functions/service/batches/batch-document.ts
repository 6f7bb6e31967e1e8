/** A document of a batch by its index, for what is asked of single jobs. */
import { NotFound } from "../../ports/errors.ts";
import type { Organization } from "../organizations/organization.ts";
import { TERMINAL_STATUSES } from "../runs/job-records.ts";
import { loadJob } from "../runs/job-store.ts";
import { findDocument } from "./batches.ts";

export interface Asked {
  guid: string;
  /** Of a job that is no batch it is not looked at. */
  batchIndex?: number | undefined;
  run?: number | undefined;
}

/**
 * Has `find` look at the job, or at the document of a batch: then in the run that the batch's list is served from,
 * unless `newest` asks for the newest run that has what is looked for.
 * @throws NotFound for a batch without an index, an index that it does not have, and what `find` does not find
 */
export async function batchDocument<T>(
  org: Organization,
  { guid, batchIndex, run }: Asked,
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
    // Nobody knows the document's own job.
    if (!(error instanceof NotFound)) throw error;
    throw new NotFound(error.message.replace(`Job ${document}`, `Document ${batchIndex} of batch ${guid}`));
  }
}
