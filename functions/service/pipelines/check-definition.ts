/** Submitted pipeline definitions: judged before a run starts with one. */
import { type Compilation, type CompiledPipeline, compilePipeline } from "../../../statemachines/pipeline/compile.ts";
import { DEFINITION_CHECKS } from "../../engine/nodes/definition-checks.ts";
import { judgePipeline, type PipelineJudgement, type PipelineOutline } from "../../engine/nodes/judge-pipeline.ts";
import { judgePipelineTask } from "../../engine/tasks/judge-pipeline.ts";
import { BadRequest, type MemberFault } from "../../ports/errors.ts";
import type { Organization } from "../organizations/organization.ts";
import { judgeJson } from "../runs/judge-json.ts";

/** Judges a user's definition; executes nothing. @throws UnprocessableEntity, ServiceUnavailable */
export const validatePipeline = (org: Organization, given: unknown): Promise<PipelineJudgement> =>
  judgeJson(org, given, judgePipeline, judgePipelineTask);

/**
 * Checks a submitted definition.
 * @throws BadRequest naming every fault by its path below `/pipeline`
 */
export async function acceptPipeline(org: Organization, given: unknown): Promise<PipelineOutline> {
  const { outline, errors } = await validatePipeline(org, given);
  if (outline !== undefined) return outline;
  const members: MemberFault[] = errors.map(({ path, message }) => ({ path: `/pipeline${path}`, message }));
  throw new BadRequest(`The pipeline cannot run: ${members.map(({ message }) => message).join("; ")}`, {
    errors: members,
  });
}

/** Compiles a user's definition, or returns its faults. */
export const compileDefinition = (given: unknown): Compilation<CompiledPipeline> =>
  compilePipeline(given, DEFINITION_CHECKS);
