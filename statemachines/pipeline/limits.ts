/**
 * Quotas of Step Functions, checked before a machine is created.
 * Source: "Quotas for state machine executions", AWS Step Functions Developer Guide.
 */
import { STEP_RETRY, type StateMachine } from "../asl.ts";
import type { PipelineDefinition } from "./definition.ts";
import type { Findings } from "./diagnostics.ts";
import type { Facts, Producer } from "./facts.ts";
import { type Flow, outputsOfBranch } from "./flow.ts";

const MAX_DEFINITION_BYTES = 1_048_576;
const MAX_PAYLOAD_BYTES = 262_144;
const MAX_HISTORY_EVENTS = 25_000;

const MAX_TASK_RETRIES = Math.max(...STEP_RETRY.map(({ MaxAttempts = 3 }) => MaxAttempts));
/** Entered, scheduled, started, ended, left; for each failed try: scheduled, started, failed. */
const EVENTS_PER_TASK = 5 + 3 * MAX_TASK_RETRIES;
/** The Choice of a node, and the Task that marks it skipped or failed. */
const EVENTS_PER_GUARD = 2 + EVENTS_PER_TASK;
/**
 * A node has at most two branches of its own, each begun, chosen and ended, and one state that holds branches, with the
 * one that lists them.
 */
const BRANCH_EVENTS_PER_NODE = 2 * 4 + 6;
/** Reading, with polls of an asynchronous recognition until the run's deadline. */
const READING_EVENTS = 3000;

/** The longest fact, 200 characters of three bytes, as JSON with its name. */
const MAX_FACT_BYTES = 620;
/** The status of a node and the key of its result. */
const MAX_NODE_STATUS_BYTES = 400;
/** The run's keys, the facts of reading, and the error of a failed node, whose cause Step Functions truncates. */
const MAX_OTHER_STATE_BYTES = 65_536;

interface PayloadSize {
  /** In bytes. */
  largest: number;
  /** The producers whose facts are in the state at the end. */
  known: ReadonlySet<Producer>;
}

/** The largest payload of a flow. */
function largestPayload(
  flow: Flow,
  before: ReadonlySet<Producer>,
  sizeOf: (producer: Producer) => number,
): PayloadSize {
  const total = (known: Iterable<Producer>): number => [...known].reduce<number>((sum, one) => sum + sizeOf(one), 0);
  let known: ReadonlySet<Producer> = before;
  let largest = total(known);
  for (const step of flow) {
    if (step.kind === "node") {
      if (step.storesFacts) known = new Set([...known, step.node.index]);
    } else {
      const inside = step.branches.map((branch) => largestPayload(branch, known, sizeOf));
      const together = inside.reduce((sum, branch, at) => {
        const [first, second] = outputsOfBranch(step.carried, at);
        if (first === undefined) return sum;
        return sum + (second === undefined ? sizeOf(first.producer) : total(branch.known));
      }, 0);
      largest = Math.max(largest, together, ...inside.map((branch) => branch.largest));
      if (step.carried.length > 0) known = new Set(step.carried.map(({ producer }) => producer));
    }
    largest = Math.max(largest, total(known));
  }
  return { largest, known };
}

export interface LimitedMachine {
  machine: StateMachine;
  definition: PipelineDefinition;
  facts: Facts;
  flow: Flow;
}

/** Reports the quotas that the machine or a run of it could exceed. */
export function checkLimits({ machine, definition, facts, flow }: LimitedMachine, findings: Findings): void {
  const bytes = Buffer.byteLength(JSON.stringify(machine));
  const count = (number: number): string => number.toLocaleString("en-US");
  if (bytes > MAX_DEFINITION_BYTES) {
    const sentence = `The pipeline's state machine would have ${count(bytes)} bytes; Step Functions allows ${count(MAX_DEFINITION_BYTES)}: make its conditions shorter`;
    findings.fault("machine-too-large", "/nodes", sentence);
  }
  const sizeOf = (producer: Producer): number =>
    MAX_NODE_STATUS_BYTES + (facts.pathsByProducer.get(producer)?.length ?? 0) * MAX_FACT_BYTES;
  const payload = MAX_OTHER_STATE_BYTES + largestPayload(flow, new Set<Producer>(["begin"]), sizeOf).largest;
  if (payload > MAX_PAYLOAD_BYTES) {
    const read = [...facts.pathsByProducer.values()].reduce((sum, paths) => sum + paths.length, 0);
    const sentence = `The conditions read ${count(read)} different paths, so that a state's input could have ${count(payload)} bytes; Step Functions allows ${count(MAX_PAYLOAD_BYTES)}: read fewer`;
    findings.fault("state-too-large", "/nodes", sentence);
  }
  const perNode = EVENTS_PER_TASK + EVENTS_PER_GUARD + BRANCH_EVENTS_PER_NODE;
  const events = READING_EVENTS + definition.nodes.length * perNode;
  if (events > MAX_HISTORY_EVENTS) {
    const sentence = `A run could have ${count(events)} events; Step Functions allows ${count(MAX_HISTORY_EVENTS)}: use fewer nodes`;
    findings.fault("history-too-long", "/nodes", sentence);
  }
}
