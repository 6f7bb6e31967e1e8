/** Pipelines: a definition checked without running it, and the nodes of a run. */

import { NotFound } from "../ports/errors.ts";
import { findInDocument } from "../service/batches/batch-document.ts";
import { validatePipeline } from "../service/pipelines/check-definition.ts";
import { loadNodes, viewResults } from "../service/pipelines/node-statuses.ts";
import { loadJob } from "../service/runs/job-store.ts";
import { findRun } from "../service/runs/open-run.ts";
import { ok } from "./http/reply.ts";
import { route } from "./http/route.ts";
import { documentQuery, guidParams } from "./schemas/common.ts";
import { PipelineBody, PipelineNodes, PipelineVerdict, readNodeTools } from "./schemas/pipelines.ts";
import { unknownTools } from "./submission.ts";

const TAG = "Pipelines";

const ROUTER = {
  nodes: [
    { id: "classify", type: "extract", schema: { document_type: "string" } },
    {
      id: "invoice",
      type: "extract",
      when: { eq: ["$nodes.classify.result.document_type", "invoice"] },
      schema: { invoice_number: "string", total: "number" },
    },
    { id: "invoice_final", type: "final", output: { data: "$nodes.invoice.result" } },
    { id: "other_final", type: "final", dependsOn: ["classify"], output: { data: null } },
  ],
  finals: [{ node: "invoice_final" }, { node: "other_final" }],
};

export const validate = route({
  method: "POST",
  path: "/pipeline/validate",
  scope: "read",
  tag: TAG,
  summary: "Check a pipeline's definition",
  description: "Tells every fault with its JSON path. Nothing is kept, and nothing runs.",
  body: { kind: "json", schema: PipelineBody, required: true, examples: { router: ROUTER } },
  errors: [400],
  replies: { 200: { description: "What is wrong with it, if anything is", schema: PipelineVerdict } },
  async run({ body }, { org }) {
    const { errors, warnings, outline } = await validatePipeline(org, body);
    if (outline === undefined) return ok({ valid: false, errors, warnings });
    // Continue as a submission does: only this step knows whether the tools' targets exist.
    const { tools, faults } = readNodeTools(outline);
    const unknown = [...faults, ...(await unknownTools(org, body, tools))];
    if (unknown.length > 0) {
      return ok({ valid: false, errors: unknown.map((fault) => ({ code: "invalid-tool", ...fault })), warnings: [] });
    }
    const { nodes, finals } = outline;
    return ok({ valid: true, errors, warnings, nodes, finals });
  },
});

export const nodes = route({
  method: "GET",
  path: "/job/pipeline/{guid}/nodes",
  scope: "read",
  tag: TAG,
  summary: "The nodes of a pipeline's run, with where their results lie",
  description:
    "Of the newest run, also while it is open; `run` asks for another. Of a batch, `batchIndex` names the document.",
  params: guidParams,
  query: documentQuery,
  errors: [400, 404],
  replies: { 200: { description: "The nodes in the order of the definition", schema: PipelineNodes } },
  async run({ params, query }, { org }) {
    const find = async (guid: string, wanted?: number) => {
      const job = (await loadJob(org, guid)).value;
      const run = findRun(job, wanted ?? job.lastRun);
      const found = run === undefined ? undefined : await loadNodes(org, guid, run.run);
      if (run === undefined || found === undefined) throw new NotFound(`Job ${guid} has no run of a pipeline`);
      return viewResults(found, run.status);
    };
    return ok(await findInDocument(org, { ...params, ...query }, find, { newest: true }));
  },
});

export const pipelineRoutes = [validate, nodes];
