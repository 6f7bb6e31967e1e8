/** Jobs: status, list, results, deletion. */
import * as z from "zod";
import { findInDocument } from "../service/batches/batch-document.ts";
import { findAnyResult } from "../service/batches/batch-results.ts";
import { deleteJob } from "../service/lifecycle/delete-job.ts";
import { findDependency } from "../service/lifecycle/dependent-runs.ts";
import { cancelAnyJob } from "../service/lifecycle/settle-batch.ts";
import { type JobFilter, listJobs } from "../service/lifecycle/views/job-list.ts";
import { viewJob, viewListedJob } from "../service/lifecycle/views/job-view.ts";
import { waitForEnd } from "../service/lifecycle/views/wait-for-end.ts";
import { JOB_STATUSES } from "../service/runs/job-records.ts";
import { loadJob } from "../service/runs/job-store.ts";
import { findSourceLocations, findTrace } from "../service/runs/run-results.ts";
import { ok } from "./http/reply.ts";
import { route } from "./http/route.ts";
import { runCommandRoutes } from "./run-commands.ts";
import {
  documentQuery,
  enumerationList,
  guidParams,
  integerParameter,
  runQuery,
  timeParameter,
} from "./schemas/common.ts";
import { JobDependency, JobPage, JobsDeleted, ProcessingJob, SourceLocations, Trace } from "./schemas/replies.ts";
import { tableRoutes } from "./tables.ts";

const TAG = "Jobs";
/** Longest long poll, below the 30 s of an API gateway. */
const MAX_LONG_POLL_SECONDS = 25;
const MAX_PAGE_SIZE = 1000;

export const status = route({
  method: "GET",
  path: "/job/status/{guid}",
  scope: "read",
  weight: 0,
  tag: TAG,
  summary: "A job's status",
  description: `With waitSeconds the answer comes when the open run has ended, or after so many seconds (at most ${MAX_LONG_POLL_SECONDS}).`,
  params: guidParams,
  query: z.object({ waitSeconds: integerParameter(0, MAX_LONG_POLL_SECONDS).optional() }),
  errors: [400, 404],
  replies: { 200: { description: "The job", schema: ProcessingJob } },
  async run({ params, query }, { org }) {
    const job =
      query.waitSeconds === undefined
        ? (await loadJob(org, params.guid)).value
        : await waitForEnd(org, params.guid, query.waitSeconds);
    return ok(await viewJob(org, job));
  },
});

const sortParameter = z
  .string()
  .transform((text, context): JobFilter["sort"] => {
    const match = /^(createdAt|updatedAt|status)(?:[,:](asc|desc))?$/i.exec(text);
    const property = (["createdAt", "updatedAt", "status"] as const).find(
      (one) => one.toLowerCase() === match?.[1]?.toLowerCase(),
    );
    if (property !== undefined) return { property, direction: match?.[2]?.toLowerCase() === "asc" ? "ASC" : "DESC" };
    context.issues.push({
      code: "custom",
      message: "must be createdAt, updatedAt or status, then ,asc or ,desc",
      input: text,
    });
    return z.NEVER;
  })
  .meta({ openapi: { type: "string", pattern: "^(createdAt|updatedAt|status)([,:](asc|desc))?$" } });

export const list = route({
  method: "GET",
  path: "/job/list",
  scope: "read",
  tag: TAG,
  summary: "The organization's jobs, newest first",
  query: z.object({
    page: integerParameter(0, 1_000_000).optional(),
    size: integerParameter(1, MAX_PAGE_SIZE).optional(),
    sort: sortParameter.optional(),
    status: enumerationList(JOB_STATUSES).optional(),
    createdAtFrom: timeParameter().optional(),
    createdAtTo: timeParameter().optional(),
    cursor: z.string().max(200).optional(),
  }),
  errors: [400],
  replies: { 200: { description: "A page of jobs", schema: JobPage } },
  async run({ query }, { org }) {
    const { page = 0, size = 20, sort = { property: "createdAt", direction: "DESC" }, status: wanted, ...rest } = query;
    const found = await listJobs(org, {
      page,
      size,
      sort,
      ...(wanted === undefined ? {} : { statuses: wanted }),
      ...(rest.createdAtFrom === undefined ? {} : { createdAtFrom: rest.createdAtFrom }),
      ...(rest.createdAtTo === undefined ? {} : { createdAtTo: rest.createdAtTo }),
      ...(rest.cursor === undefined ? {} : { cursor: rest.cursor }),
    });
    const orderBy =
      query.sort === undefined
        ? []
        : [
            {
              property: sort.property,
              direction: sort.direction,
              ignoreCase: false,
              ascending: sort.direction === "ASC",
            },
          ];
    return ok({
      content: await Promise.all(found.jobs.map((job) => viewListedJob(org, job))),
      pageable: { orderBy, number: found.page, size, mode: "OFFSET", sort: { orderBy } },
      pageNumber: found.page,
      offset: found.page * size,
      size,
      empty: found.jobs.length === 0,
      numberOfElements: found.jobs.length,
      totalSize: found.totalSize,
      totalPages: Math.ceil(found.totalSize / size),
      ...(found.nextCursor === undefined ? {} : { nextCursor: found.nextCursor }),
    });
  },
});

export const result = route({
  method: "GET",
  path: "/job/result/{guid}",
  scope: "read",
  tag: TAG,
  summary: "A job's result as it was produced",
  description: "JSON or text; of a batch its list. The newest finished run's; earlier ones by `run`.",
  params: guidParams,
  query: runQuery,
  errors: [400, 404],
  replies: {
    200: {
      description: "Data as JSON, or text",
      contentTypes: ["application/json", "text/plain", "text/markdown", "application/jsonl"],
      schema: z.unknown(),
    },
  },
  async run({ params, query }, { org }) {
    return { kind: "blob", status: 200, blob: await findAnyResult(org, params.guid, query) };
  },
});

export const resultJson = route({
  method: "GET",
  path: "/job/result/{guid}/json",
  scope: "read",
  tag: TAG,
  summary: "A job's result as JSON",
  description:
    "A text result is one JSON string. Of a batch the list in upload order, from its creation on: each document's data, " +
    "an error string, or null while it is pending.",
  params: guidParams,
  query: runQuery,
  errors: [400, 404],
  replies: { 200: { description: "The result", schema: z.unknown() } },
  async run({ params, query }, { org }) {
    const blob = await findAnyResult(org, params.guid, { run: query.run, interim: true });
    if (blob.contentType === "application/json") return { kind: "blob", status: 200, blob };
    const bytes = await org.blobs.get(blob.key);
    return ok(Buffer.from(bytes ?? []).toString("utf8"));
  },
});

export const sourceLocations = route({
  method: "GET",
  path: "/job/result/{guid}/source-locations",
  scope: "read",
  tag: TAG,
  summary: "Where on the page each value stands",
  description: "Every leaf of the result is in exactly one of `locations` and `unresolved`.",
  params: guidParams,
  query: documentQuery,
  errors: [400, 404],
  replies: { 200: { description: "The source locations", schema: SourceLocations } },
  async run({ params, query }, { org }) {
    const find = (guid: string, run?: number) => findSourceLocations(org, guid, run);
    return { kind: "blob", status: 200, blob: await findInDocument(org, { ...params, ...query }, find) };
  },
});

export const trace = route({
  method: "GET",
  path: "/job/trace/{guid}",
  scope: "read",
  tag: TAG,
  summary: "What the model was asked and answered, and what a pipeline's nodes did",
  description:
    "Of a run with `trace: true`, also of one that failed. A pipeline's tells of every node, by its id as the name of its " +
    "events: what it took, how long it was and how large, or why it was skipped, failed or never began; `response` is JSON " +
    "text there. An extraction without a model tells of every field and list, by its pointer as the " +
    "name of its event, which rules were tried and which gave the value.",
  params: guidParams,
  query: documentQuery,
  errors: [400, 404],
  replies: { 200: { description: "The trace", schema: Trace } },
  async run({ params, query }, { org }) {
    const find = (guid: string, run?: number) => findTrace(org, guid, run);
    return { kind: "blob", status: 200, blob: await findInDocument(org, { ...params, ...query }, find) };
  },
});

export const remove = route({
  method: "DELETE",
  path: "/job/{guid}",
  scope: "write",
  tag: TAG,
  summary: "Delete a job with its files",
  description: "Usage records stay.",
  params: guidParams,
  errors: [404, 409],
  replies: {
    200: { description: "How many jobs were deleted", schema: JobsDeleted, example: { jobsDeleted: 1, errors: [] } },
  },
  async run({ params }, { org }) {
    await deleteJob(org, params.guid);
    return ok({ jobsDeleted: 1, errors: [] });
  },
});

export const cancel = route({
  method: "POST",
  path: "/job/{guid}/cancel",
  scope: "write",
  tag: TAG,
  summary: "Cancel a job",
  description:
    "Ends the open run, or a job that was never processed, as CANCELLED. What was used up to then stays recorded; jobs that depend on it fail.",
  params: guidParams,
  errors: [404, 409],
  replies: { 200: { description: "The job, CANCELLED", schema: ProcessingJob } },
  async run({ params }, { org }) {
    return ok(await viewListedJob(org, await cancelAnyJob(org, params.guid)));
  },
});

export const dependencies = route({
  method: "GET",
  path: "/job/dependencies/{guid}",
  scope: "read",
  tag: TAG,
  summary: "The job that a job depends on",
  description: "`dependencyStatus` is NONE, WAITING, SATISFIED, FAILED or CANCELLED.",
  params: guidParams,
  errors: [404],
  replies: { 200: { description: "The dependency, with the other job while it exists", schema: JobDependency } },
  async run({ params }, { org }) {
    const { guid, dependsOnGuid, dependencyStatus, parentJob } = await findDependency(org, params.guid);
    return ok({
      guid,
      dependsOnGuid,
      dependencyStatus,
      ...(parentJob === undefined ? {} : { parentJob: await viewListedJob(org, parentJob) }),
    });
  },
});

export const jobRoutes = [
  cancel,
  dependencies,
  status,
  list,
  result,
  resultJson,
  ...tableRoutes,
  ...runCommandRoutes,
  sourceLocations,
  trace,
  remove,
];
