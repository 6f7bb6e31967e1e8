/** Reads of jobs that several calls share. */
import { parseAnswer, pathSegment, resultOf } from "./answers.ts";
import { SheafJobError } from "./errors.ts";
import type { Call, Connection } from "./http.ts";
import type { Json } from "./json.ts";
import type { CallOptions } from "./options.ts";
import type { JobResult, ProcessingJob } from "./types.ts";

/** A job's record; with `waitSeconds` the service answers when the job has ended, or after that time. */
export async function readStatus(
  connection: Connection,
  guid: string,
  { waitSeconds, signal }: CallOptions & { waitSeconds?: number | undefined } = {},
): Promise<ProcessingJob> {
  const answer = await connection.send({
    method: "GET",
    path: `/job/status/${pathSegment(guid)}`,
    query: { waitSeconds },
    signal,
    heldMs: (waitSeconds ?? 0) * 1000,
  });
  return parseAnswer<ProcessingJob>(answer);
}

/** A job's result, parsed when it is JSON. */
export const readResult = async (
  connection: Connection,
  path: string,
  { signal }: CallOptions = {},
  query: Call["query"] = {},
): Promise<JobResult> => resultOf(await connection.send({ method: "GET", path, query, signal }));

/** The data of a job that has ended; a text as a string. @throws SheafJobError when it has none */
export async function readData(connection: Connection, job: ProcessingJob, options?: CallOptions): Promise<Json> {
  if (job.status === "FAILED" || job.status === "CANCELLED") throw new SheafJobError(job);
  const result = await readResult(connection, `/job/result/${pathSegment(job.guid)}`, options);
  return result.kind === "json" ? result.json : result.text;
}
