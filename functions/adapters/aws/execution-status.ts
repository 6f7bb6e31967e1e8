/**
 * The EventBridge event that Step Functions sends when the status of an execution changes.
 * Format: "Step Functions Execution Status Change" in the AWS Step Functions Developer Guide.
 */
import * as z from "zod";
import { BadRequest } from "../../ports/errors.ts";
import type { Execution, Workflows } from "../../ports/workflows.ts";
import { payloadOf, statusOf } from "./workflows-history.ts";

/** Milliseconds since 1970. */
const moment = z.number().transform((time) => new Date(time).toISOString());

const statusEvent = z.object({
  source: z.literal("aws.states"),
  "detail-type": z.literal("Step Functions Execution Status Change"),
  detail: z.object({
    stateMachineArn: z.string(),
    name: z.string(),
    status: z.string(),
    startDate: moment,
    stopDate: moment.nullish(),
    /** JSON text; absent when it is too large for an event. */
    input: z.string().nullish(),
    output: z.string().nullish(),
    error: z.string().nullish(),
    cause: z.string().nullish(),
  }),
});

/**
 * The ended execution of an event. An input too large for the event is fetched from the service.
 * @returns undefined when the execution still runs or belongs to another service
 * @throws BadRequest for any other event
 */
export async function endedExecution(
  event: unknown,
  workflows: Pick<Workflows, "describe">,
): Promise<Execution | undefined> {
  const parsed = statusEvent.safeParse(event);
  if (!parsed.success) throw new BadRequest("This is no event about an execution's status.", { cause: parsed.error });
  const { stateMachineArn, name, status, startDate, stopDate, input, output, error, cause } = parsed.data.detail;
  if (statusOf(status) === "RUNNING") return undefined;
  const given = typeof input === "string" ? payloadOf(input) : (await workflows.describe(name))?.input;
  if (given === undefined) return undefined;
  return {
    name,
    machine: stateMachineArn.slice(stateMachineArn.lastIndexOf(":") + 1),
    status: statusOf(status),
    input: given,
    ...(status === "SUCCEEDED" && typeof output === "string" ? { output: payloadOf(output) } : {}),
    ...(typeof error === "string" ? { error } : {}),
    ...(typeof cause === "string" ? { cause } : {}),
    startedAt: startDate,
    ...(typeof stopDate === "string" ? { stoppedAt: stopDate } : {}),
  };
}
