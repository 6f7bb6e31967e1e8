/** Checks of schemas and definitions: short ones here, long ones in the engine, so that they hold up no other request. */
import { judgeSchema, type SchemaJudgement } from "../../engine/schema/judge-schema.ts";
import { judgeSchemaTask } from "../../engine/tasks/judge-schema.ts";
import type { Task } from "../../ports/engine.ts";
import type { Organization } from "../organizations/organization.ts";
import { callLimits } from "../organizations/request-limits.ts";

/** Time limit of a check in the engine; the checks take a second at most. */
const CHECK_TIMEOUT_MS = 20_000;

/**
 * Judges JSON of a request.
 * @param here judges it in this process
 * @throws UnprocessableEntity when the engine does not end the check; ServiceUnavailable when it cannot begin it
 */
export async function judgeJson<Judgement>(
  org: Organization,
  given: unknown,
  here: (given: unknown) => Judgement,
  task: Task<{ text: string }, Judgement>,
): Promise<Judgement> {
  const text = JSON.stringify(given) ?? "null";
  if (text.length <= org.config.inlineCheckChars) return here(given);
  return org.engines.documents.run(task, { text }, callLimits(org, CHECK_TIMEOUT_MS));
}

/** Judges a user's schema. @throws UnprocessableEntity, ServiceUnavailable */
export const checkSchema = (org: Organization, given: unknown): Promise<SchemaJudgement> =>
  judgeJson(org, given, judgeSchema, judgeSchemaTask);
