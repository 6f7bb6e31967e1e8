/** Views of a run's command: its parameters, and the schema of its result. */
import * as z from "zod";
import { NotFound } from "../ports/errors.ts";
import type { Organization } from "../service/organizations/organization.ts";
import { loadJob } from "../service/runs/job-store.ts";
import { findRun, loadCommand } from "../service/runs/open-run.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import { ok } from "./http/reply.ts";
import { route } from "./http/route.ts";
import { guidParams, runQuery } from "./schemas/common.ts";
import { RunParameters, runParameters } from "./schemas/run-parameters.ts";

const TAG = "Jobs";

/** The command of the requested run, else of the newest. @throws NotFound for an unknown job or run, or without a run */
async function findCommand(
  org: Organization,
  guid: string,
  wanted: number | undefined,
): Promise<{ run: number; command: RunCommand }> {
  const { value: job } = await loadJob(org, guid);
  const summary = findRun(job, wanted ?? job.lastRun);
  if (summary !== undefined) return { run: summary.run, command: await loadCommand(org, summary) };
  throw new NotFound(wanted === undefined ? `Job ${guid} was never processed` : `Job ${guid} has no run ${wanted}`);
}

export const params = route({
  method: "GET",
  path: "/job/params/{guid}",
  scope: "read",
  tag: TAG,
  summary: "What a job's run was asked for",
  description:
    "The command of the newest run, or of `run`, with what a saved configuration said in it; members at their defaults may be left out. Of an operation, its type and parameters.",
  params: guidParams,
  query: runQuery,
  errors: [400, 404],
  replies: { 200: { description: "The command", schema: RunParameters } },
  async run({ params: { guid }, query }, { org }) {
    const { run, command } = await findCommand(org, guid, query.run);
    return ok(runParameters(guid, run, command));
  },
});

export const schema = route({
  method: "GET",
  path: "/job/result/{guid}/schema",
  scope: "read",
  tag: TAG,
  summary: "The JSON Schema that a job's result was asked for by",
  description:
    "Of the newest run, or of `run`; a shape is answered as the schema that was made of it. In chunks it is that of the records.",
  params: guidParams,
  query: runQuery,
  errors: [400, 404],
  replies: { 200: { description: "The schema", schema: z.unknown() } },
  async run({ params: { guid }, query }, { org }) {
    const { run, command } = await findCommand(org, guid, query.run);
    if (command.schema === undefined) throw new NotFound(`Run ${run} of job ${guid} was given no schema`);
    return ok(command.schema);
  },
});

export const runCommandRoutes = [params, schema];
