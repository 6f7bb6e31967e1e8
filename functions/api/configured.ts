/**
 * Resolves saved configurations: merges a command with the configuration it names, or sends a named one as the command.
 */
import type { ZodType } from "zod";
import { resolveConfiguration } from "../service/configurations/configurations.ts";
import type { Organization } from "../service/organizations/organization.ts";
import { pinOf } from "../service/runs/configuration-use.ts";
import { openRun } from "../service/runs/open-run.ts";
import { loadDocument } from "../service/runs/uploads.ts";
import { route } from "./http/route.ts";
import { check } from "./http/validate.ts";
import { nonBlank, runOfUploadCommand, UploadCommand } from "./schemas/commands.ts";
import { guidParams } from "./schemas/common.ts";
import { nameParams, presentMembers } from "./schemas/configurations.ts";
import { checkPageRange, checkTools, jobReply, mediaTypeOf, submittedReply } from "./submission.ts";

/**
 * Merges a command with the configuration it names; the command's own members win, and its `configuration` names the
 * revision.
 * @param schema the command's schema @param name the configuration's name; overrides the name in the command
 * @throws NotFound when the configuration or the revision does not exist
 */
export async function configured<C extends UploadCommand>(
  org: Organization,
  schema: ZodType<C>,
  command: C,
  name = nonBlank(command.configuration),
): Promise<C> {
  if (name === undefined) return command;
  const { configuration: _, ...own } = presentMembers(command);
  const { command: saved, use } = await resolveConfiguration(org, name);
  return check(schema, { ...saved, ...own, configuration: pinOf(use) }, "command");
}

export const processWithConfiguration = route({
  method: "POST",
  path: "/document/process/{guid}/with-configuration/{name}",
  scope: "write",
  gate: "tokens",
  tag: "Documents",
  summary: "Process an uploaded document as a saved configuration says",
  description: "Opens a new run of the job with the command that the configuration holds now; the run keeps it.",
  idempotent: true,
  params: guidParams.extend(nameParams.shape),
  errors: [400, 404, 409, 415, 422],
  replies: { 200: submittedReply("The run has been started") },
  async run({ params: { guid, name }, idempotencyKey }, { org }) {
    const job = await loadDocument(org, guid);
    const asked = await configured(org, UploadCommand, {}, name);
    const command = await runOfUploadCommand(org, asked, mediaTypeOf(job));
    checkPageRange(command, job.source.pageCount);
    await checkTools(org, command);
    return jobReply(await openRun(org, job.guid, command, idempotencyKey));
  },
});
