/**
 * What Step Functions refuses, counted before it does.
 * Source: "Quotas for state machine executions", AWS Step Functions Developer Guide.
 */
import { STEP_RETRY, type StateMachine } from "../asl.ts";
import type { PipelineDefinition } from "./definition.ts";
import type { Findings } from "./diagnostics.ts";
import type { Facts, Producer } from "./facts.ts";
import { carriedBy, type Flow } from "./flow.ts";

const DEFINITION_BYTES = 1_048_576;
const PAYLOAD_BYTES = 262_144;
const HISTORY_EVENTS = 25_000;

const RETRIES = Math.max(...STEP_RETRY.map(({ MaxAttempts = 3 }) => MaxAttempts));
/** Entered, scheduled, started, ended, left; and of each try that failed: scheduled, started, failed. */
const EVENTS_OF_TASK = 5 + 3 * RETRIES;
/** A node's condition, and the Task that marks it skipped or failed. */
const EVENTS_AROUND = 2 + EVENTS_OF_TASK;
/**
 * A node has at most two branches to itself, each begun, chosen and ended, and one state that holds branches, with the
 * one that lists them.
 */
const EVENTS_OF_BRANCHES = 2 * 4 + 6;
/** Reading, with looks at a recognition that goes on elsewhere until the run's time is over. */
const EVENTS_OF_READING = 3000;

/** A fact's longest text, 200 characters of three bytes, as JSON with its name. */
const FACT_BYTES = 620;
/** What else is told of a node: its state, and its result's key. */
const NODE_BYTES = 400;
/** Which run it is, what reading told, and the error of a node that failed, whose cause Step Functions cuts. */
const OTHER_BYTES = 65_536;

interface Payload {
  /** Bytes, at the most. */
  largest: number;
  /** Whose facts are in the state at the end. */
  known: ReadonlySet<Producer>;
}

/** The largest payload on the way through a flow. */
function payloadOf(flow: Flow, before: ReadonlySet<Producer>, sizeOf: (producer: Producer) => number): Payload {
  const total = (known: Iterable<Producer>): number => [...known].reduce<number>((sum, one) => sum + sizeOf(one), 0);
  let known: ReadonlySet<Producer> = before;
  let largest = total(known);
  for (const step of flow) {
    if (step.kind === "node") {
      if (step.kept) known = new Set([...known, step.node.index]);
    } else {
      const inside = step.branches.map((branch) => payloadOf(branch, known, sizeOf));
      const together = inside.reduce((sum, branch, at) => {
        const [first, second] = carriedBy(step.carried, at);
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

export interface Limited {
  machine: StateMachine;
  definition: PipelineDefinition;
  facts: Facts;
  flow: Flow;
}

/** Tells of the limits that a machine, or a run of it, could pass. */
export function checkLimits({ machine, definition, facts, flow }: Limited, findings: Findings): void {
  const bytes = Buffer.byteLength(JSON.stringify(machine));
  const count = (number: number): string => number.toLocaleString("en-US");
  if (bytes > DEFINITION_BYTES) {
    const sentence = `The pipeline's state machine would have ${count(bytes)} bytes; Step Functions allows ${count(DEFINITION_BYTES)}: make its conditions shorter`;
    findings.fault("machine-too-large", "/nodes", sentence);
  }
  const sizeOf = (producer: Producer): number => NODE_BYTES + (facts.of.get(producer)?.length ?? 0) * FACT_BYTES;
  const payload = OTHER_BYTES + payloadOf(flow, new Set<Producer>(["begin"]), sizeOf).largest;
  if (payload > PAYLOAD_BYTES) {
    const read = [...facts.of.values()].reduce((sum, paths) => sum + paths.length, 0);
    const sentence = `The conditions read ${count(read)} different paths, so that a state's input could have ${count(payload)} bytes; Step Functions allows ${count(PAYLOAD_BYTES)}: read fewer`;
    findings.fault("state-too-large", "/nodes", sentence);
  }
  const perNode = EVENTS_OF_TASK + EVENTS_AROUND + EVENTS_OF_BRANCHES;
  const events = EVENTS_OF_READING + definition.nodes.length * perNode;
  if (events > HISTORY_EVENTS) {
    const sentence = `A run could have ${count(events)} events; Step Functions allows ${count(HISTORY_EVENTS)}: use fewer nodes`;
    findings.fault("history-too-long", "/nodes", sentence);
  }
}
