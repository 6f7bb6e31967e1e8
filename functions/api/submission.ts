/** Shared by the routes that take a document: its parts, its inspection, the run it starts. */
import { resolveMimeType, sniffDocument } from "../engine/readers/sniff-media-type.ts";
import { BadRequest, type MemberFault } from "../ports/errors.ts";
import { noSuchPages } from "../ports/page-range.ts";
import type { ToolRequest } from "../ports/tools.ts";
import { checkToolRequests } from "../service/knowledge/knowledge-requests.ts";
import type { Organization } from "../service/organizations/organization.ts";
import { admitPages } from "../service/organizations/page-quota.ts";
import type { JobRecord, JobStatus } from "../service/runs/job-records.ts";
import { createJob } from "../service/runs/job-store.ts";
import { openRun } from "../service/runs/open-run.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import { MAX_PASSWORD_CHARACTERS } from "../service/runs/run-password.ts";
import { inspectUpload } from "../service/runs/uploads.ts";
import type { FilePart } from "./http/multipart.ts";
import { ok, type Reply } from "./http/reply.ts";
import type { PartDocumentation, ReplyDocumentation, RouteInput } from "./http/route.ts";
import { Submitted } from "./schemas/replies.ts";

export const documentPart: PartDocumentation = {
  description: "The document, at most 10,000,000 bytes",
  required: true,
  file: true,
};
/** For routes without a command. A query would stand in logs, so it is a part. */
export const passwordPart: PartDocumentation = {
  description: "Opens a PDF that is encrypted with a password; never kept beyond the run, nor returned",
  required: false,
  file: false,
  maxLength: MAX_PASSWORD_CHARACTERS,
};
export const textPart = (description: string): PartDocumentation => ({ description, required: false, file: false });
const EXAMPLE = { guid: "019aa5c0-7d1e-7cc0-8a55-5f2f5a0f9d11", status: "PENDING" };
export const submittedReply = (description: string): ReplyDocumentation => ({
  description,
  makes: "job",
  schema: Submitted,
  example: EXAMPLE,
});
export const UPLOAD_ERRORS = [400, 413, 415, 422];

/**
 * Checks an uploaded file and makes its job.
 * @param command of a run that starts with it @throws the table of bad documents in the contract; BadRequest
 */
export async function accept(
  org: Organization,
  file: FilePart,
  guid: string,
  command: Pick<RunCommand, "pageRange"> = {},
): Promise<JobRecord> {
  const { mimeType, pageCount } = await inspectUpload(org, file);
  checkPageRange(command, pageCount);
  return createJob(org, { guid, bytes: file.bytes, mimeType, fileName: file.fileName ?? null, pageCount });
}

export const jobReply = ({ guid, status }: { guid: string; status: JobStatus }): Reply => ok({ guid, status });

/** Resolves the media type a job's document is read as. @throws UnsupportedMediaType when it cannot be that type */
export const mediaTypeOf = (job: JobRecord) => (wish: string | undefined) => resolveMimeType(job.source.mimeType, wish);

export type MultipartInput = Pick<RouteInput<unknown, unknown, unknown>, "multipart" | "newGuid" | "idempotencyKey">;

/**
 * Refuses a page range without a page of the document, where its pages were counted; otherwise the run finds out.
 * @throws BadRequest
 */
export function checkPageRange({ pageRange }: Pick<RunCommand, "pageRange">, pageCount?: number | null): void {
  if (pageRange === undefined || typeof pageCount !== "number") return;
  if (pageRange.some((page) => page <= pageCount)) return;
  const pages = pageCount === 1 ? "the only page, 1" : `one of the document's pages, 1 to ${pageCount}`;
  const errors = [{ path: "/pageRange", message: `must name ${pages}` }];
  throw new BadRequest(`Invalid body: ${noSuchPages(pageCount)}`, { errors });
}

/** @throws BadRequest naming each tool whose target does not exist */
export async function checkTools(
  org: Organization,
  { tools = [], nodeTools = {}, pipeline }: RunCommand,
): Promise<void> {
  if (tools.length > 0) await checkToolRequests(org, tools);
  const unknown = await unknownTools(org, pipeline, nodeTools);
  const [first] = unknown;
  if (first === undefined) return;
  const errors = unknown.map(({ path, message }) => ({ path: `/pipeline${path}`, message }));
  throw new BadRequest(`The pipeline cannot run: ${errors[0]?.path ?? ""} ${first.message}`, { errors });
}

/** Faults of the tools of pipeline nodes whose target does not exist, by paths below the definition. */
export async function unknownTools(
  org: Organization,
  pipeline: unknown,
  nodeTools: Readonly<Record<string, readonly ToolRequest[]>>,
): Promise<MemberFault[]> {
  const faults: MemberFault[] = [];
  for (const [id, wishes] of Object.entries(nodeTools)) {
    try {
      await checkToolRequests(org, wishes);
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      const { nodes } = pipeline as { nodes: { id: string }[] };
      const place = `/nodes/${nodes.findIndex((node) => node.id === id)}`;
      faults.push(...(error.errors ?? []).map(({ path, message }) => ({ path: `${place}${path}`, message })));
    }
  }
  return faults;
}

/** Uploads and starts a run in one call; stores nothing when the command is refused. */
export async function submit(
  org: Organization,
  { multipart, newGuid, idempotencyKey }: MultipartInput,
  toRun: (readAs: (wish: string | undefined) => string) => RunCommand | Promise<RunCommand>,
): Promise<{ guid: string; status: JobStatus }> {
  const file = multipart.document();
  const { mimeType } = sniffDocument(file.bytes, file.mimeType, file.fileName);
  const command = await toRun((wish) => resolveMimeType(mimeType, wish));
  await checkTools(org, command);
  await admitPages(org, command);
  const job = await accept(org, file, newGuid, command);
  return openRun(org, job.guid, command, idempotencyKey ?? newGuid);
}
