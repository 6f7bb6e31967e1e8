/** Maps Step Functions' history and description of an execution to the port's types. */
import type { DescribeExecutionCommandOutput, HistoryEvent as ServiceEvent } from "@aws-sdk/client-sfn";
import type { Json } from "../../ports/json.ts";
import type { Execution, ExecutionStatus, HistoryEvent } from "../../ports/workflows.ts";
import { cutName } from "../workflows-limits.ts";

const STATUSES: ReadonlySet<string> = new Set<ExecutionStatus>([
  "RUNNING",
  "SUCCEEDED",
  "FAILED",
  "TIMED_OUT",
  "ABORTED",
]);

/** The service's status; PENDING_REDRIVE, which the port does not know, counts as running. */
export const statusOf = (status: string | undefined): ExecutionStatus =>
  status !== undefined && STATUSES.has(status) ? (status as ExecutionStatus) : "RUNNING";

const isoOf = (date: Date | undefined): string => (date ?? new Date(0)).toISOString();

/** Parses a payload's JSON text; the service stores only JSON. */
export const payloadOf = (text: string): Json => JSON.parse(text) as Json;

/**
 * Only a successful execution has an output.
 * @param machine the caller's name of the execution's machine
 */
export function executionOf(name: string, machine: string, found: DescribeExecutionCommandOutput): Execution {
  const { status, startDate, stopDate, input, output, error, cause } = found;
  return {
    name,
    machine,
    status: statusOf(status),
    input: input === undefined ? null : payloadOf(input),
    ...(output !== undefined && status === "SUCCEEDED" ? { output: payloadOf(output) } : {}),
    ...(error === undefined ? {} : { error }),
    ...(cause === undefined ? {} : { cause }),
    startedAt: isoOf(startDate),
    ...(stopDate === undefined ? {} : { stoppedAt: isoOf(stopDate) }),
  };
}

const errorOf = (event: ServiceEvent): string | undefined =>
  [
    event.executionFailedEventDetails,
    event.executionAbortedEventDetails,
    event.executionTimedOutEventDetails,
    event.lambdaFunctionFailedEventDetails,
    event.lambdaFunctionTimedOutEventDetails,
    event.lambdaFunctionScheduleFailedEventDetails,
    event.lambdaFunctionStartFailedEventDetails,
    event.taskFailedEventDetails,
    event.taskTimedOutEventDetails,
    event.taskStartFailedEventDetails,
    event.taskSubmitFailedEventDetails,
    event.activityFailedEventDetails,
    event.activityTimedOutEventDetails,
    event.activityScheduleFailedEventDetails,
    event.mapRunFailedEventDetails,
    event.evaluationFailedEventDetails,
  ].find((details) => details?.error !== undefined)?.error;

const ownState = (event: ServiceEvent): string | undefined =>
  [
    event.stateEnteredEventDetails,
    event.stateExitedEventDetails,
    event.mapIterationStartedEventDetails,
    event.mapIterationSucceededEventDetails,
    event.mapIterationFailedEventDetails,
    event.mapIterationAbortedEventDetails,
  ].find((details) => details?.name !== undefined)?.name;

/** Events without a state, and those that follow the last event of an inner machine. */
const STATELESS_EVENT = /^Execution|^ParallelState(Succeeded|Failed|Aborted)$/;

/**
 * Events with type, time, state and error; never a payload or a cause. An event without a state of its own (a
 * function's
 * start or failure) gets the state of the event before it, unless that is on an earlier page.
 */
export function historyOf(events: readonly ServiceEvent[]): HistoryEvent[] {
  const states = new Map<number, string>();
  return events.map((event) => {
    const { id = 0, type = "", timestamp, previousEventId = 0 } = event;
    const stateName = STATELESS_EVENT.test(type) ? undefined : (ownState(event) ?? states.get(previousEventId));
    if (stateName !== undefined) states.set(id, stateName);
    const error = errorOf(event);
    return {
      id,
      type,
      timestamp: isoOf(timestamp),
      ...(stateName === undefined ? {} : { stateName }),
      ...(error === undefined ? {} : { error: cutName(error) }),
    };
  });
}
