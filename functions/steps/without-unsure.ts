/** The threshold of a result: values below it are null. */

import { MIN_OFFLINE_CONFIDENCE } from "../engine/confidence/withhold-unsure.ts";
import type { ReducedForm } from "../engine/extraction/chunks/recalculate.ts";
import { withholdTask } from "../engine/tasks/withhold.ts";
import type { Json } from "../ports/json.ts";
import { modelOf } from "../service/organizations/engines.ts";
import type { RunCommand } from "../service/runs/run-command.ts";
import type { StepRun } from "../service/runs/run-step.ts";
import type { LocatedResult } from "./with-receipt.ts";

/** The task reads values, and no page. */
const PAGES_READ_TO_WITHHOLD = 0;

/**
 * Withholds the values of a result that are less sure than the command asks for; by default only values that were read
 * without a model are held to a threshold.
 * @param options `schema`: of the result, for its formulas; `given`: values for fields that the document does not have;
 *   `reduced`: the form of a result of chunks
 * @throws JobFailure
 */
export async function withoutUnsure(
  { org, deadline }: StepRun,
  command: Pick<RunCommand, "minConfidence" | "llm">,
  { result, sources, facts }: LocatedResult,
  options: { schema?: Json; given?: Json; reduced?: ReducedForm },
): Promise<LocatedResult & { filled?: [string, string][] }> {
  const minConfidence =
    command.minConfidence ?? (modelOf(org.engines, command.llm) === null ? MIN_OFFLINE_CONFIDENCE : undefined);
  const isOpen = minConfidence === undefined || (minConfidence === 0 && options.given === undefined);
  if (isOpen) return { result, sources, facts };
  const request = { minConfidence, ...options };
  const limits = { deadline, pages: PAGES_READ_TO_WITHHOLD };
  const sure = await org.engines.documents.run(withholdTask, { result, sources, request }, limits);
  return { facts, ...sure };
}
