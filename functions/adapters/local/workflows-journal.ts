import type { Clock } from "../../ports/clock.ts";
import type { Json } from "../../ports/json.ts";
import type { Execution, ExecutionStatus, HistoryEvent } from "../../ports/workflows.ts";
import { jsonBytes, MAX_PAYLOAD_BYTES } from "../workflows-json.ts";
import { cutName } from "../workflows-limits.ts";
import type { CompiledMachine } from "./workflows-compile.ts";
import { dataLimitError, runtimeError } from "./workflows-errors.ts";

/** Step Functions' quota for the events of an execution. */
const MAX_EVENTS = 25_000;

/** Events of one page and of one record; at most 300 KB. */
export const MAX_PAGE_EVENTS = 250;

/** The end of an execution. LEFT: not ended, but suspended to run again later. */
export interface Outcome {
  status: Exclude<ExecutionStatus, "RUNNING"> | "LEFT";
  output?: Json;
  error?: string;
  cause?: string;
}

const END_EVENTS = {
  SUCCEEDED: "ExecutionSucceeded",
  FAILED: "ExecutionFailed",
  TIMED_OUT: "ExecutionTimedOut",
  ABORTED: "ExecutionAborted",
} as const;

export const END_TYPES: ReadonlySet<string> = new Set(Object.values(END_EVENTS));

/** The event of an end; undefined for a suspended run. */
export function endEvent({ status, error }: Outcome): { type: string; error?: string } | undefined {
  if (status === "LEFT") return undefined;
  return { type: END_EVENTS[status], ...(error === undefined ? {} : { error }) };
}

export interface HistoryPage {
  events: HistoryEvent[];
  cursor?: string;
}

/** One page of events in memory. */
export function historyPage(events: readonly HistoryEvent[], cursor: string | undefined): HistoryPage {
  const index = Number(cursor ?? 0);
  const end = (index + 1) * MAX_PAGE_EVENTS;
  const page = events.slice(index * MAX_PAGE_EVENTS, end);
  return end < events.length ? { events: page, cursor: String(index + 1) } : { events: page };
}

/** The history of an execution that ran no step, with its end if it has one. */
export function bareHistory(execution: Execution, clock: Clock, outcome?: Outcome): HistoryEvent[] {
  const journal = openJournal(clock, () => {});
  journal.add("ExecutionStarted", { at: Date.parse(execution.startedAt) });
  const event = outcome === undefined ? undefined : endEvent(outcome);
  if (event !== undefined) journal.add(event.type, event);
  return [...journal.events];
}

export interface Journal {
  readonly events: readonly HistoryEvent[];
  add(type: string, details?: { stateName?: string; error?: string; at?: number }): void;
  /** Drops later events: the last event is the execution's end. */
  close(): void;
}

/** @param onFull called once, when the service would end the execution for its number of events */
export function openJournal(clock: Clock, onFull: (error: Error) => void): Journal {
  const events: HistoryEvent[] = [];
  let closed = false;
  return {
    events,
    close() {
      closed = true;
    },
    add(type, { stateName, error, at } = {}) {
      if (closed) return;
      events.push({
        id: events.length + 1,
        type,
        timestamp: new Date(at ?? clock.now()).toISOString(),
        ...(stateName === undefined ? {} : { stateName }),
        ...(error === undefined ? {} : { error: cutName(error) }),
      });
      if (events.length === MAX_EVENTS) onFull(runtimeError(`The execution passed ${MAX_EVENTS} events.`));
    },
  };
}

/** The members of the interpreter's events used here; inputs and other members are dropped. */
interface LoggedEvent {
  type: string;
  state?: { name: string; output?: Json };
  Error?: string;
}

const FAILURE_TYPES: Record<string, string> = {
  Task: "LambdaFunctionFailed",
  Map: "MapStateFailed",
  Parallel: "ParallelStateFailed",
};

function failureType(stateType: string, error: string | undefined): string | undefined {
  if (stateType === "Task" && error === "States.Timeout") return "LambdaFunctionTimedOut";
  return FAILURE_TYPES[stateType];
}

/**
 * Copies one machine's event log into the journal, under Step Functions' names, until the run ends.
 * @param onTooLarge called when a state's output exceeds the quota
 */
export async function keepJournal(
  journal: Journal,
  machine: CompiledMachine,
  log: AsyncIterable<LoggedEvent>,
  onTooLarge: (error: Error) => void,
): Promise<void> {
  for await (const { type, state, Error: error } of log) {
    const stateType = state === undefined ? undefined : machine.types.get(state.name);
    if (state === undefined || stateType === undefined) continue;
    const details = { stateName: state.name };
    if (type === "StateEntered") journal.add(`${stateType}StateEntered`, details);
    else if (type === "StateFailed") {
      const failed = failureType(stateType, error);
      if (failed !== undefined) journal.add(failed, error === undefined ? details : { ...details, error });
    } else if (type === "StateExited") {
      if (jsonBytes(state.output ?? null) > MAX_PAYLOAD_BYTES)
        onTooLarge(dataLimitError(`The output of ${state.name}`));
      journal.add(`${stateType}StateExited`, details);
    }
  }
}
