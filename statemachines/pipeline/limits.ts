/**
 * What Step Functions refuses, counted before it does.
 * Source: "Quotas for state machine executions", AWS Step Functions Developer Guide.
 */
import { STEP_RETRY, type StateMachine } from "../asl.ts";
import type { PipelineDefinition } from "./definition.ts";
import type { Findings } from "./diagnostics.ts";
import type { Facts } from "./facts.ts";

const DEFINITION_BYTES = 1_048_576;
const PAYLOAD_BYTES = 262_144;
const HISTORY_EVENTS = 25_000;

/** Entered, scheduled, started, ended, left. */
const EVENTS_OF_TASK = 5;
/** Of a try that failed: scheduled, started, failed. */
const EVENTS_OF_RETRY = 3;
/** Choice, and the Task that marks a node skipped or failed. */
const EVENTS_AROUND = 2 + EVENTS_OF_TASK;
/** Begun and ended, of a branch and of what holds it. */
const EVENTS_OF_BRANCH = 4;
/** Reading, with looks at a recognition that goes on elsewhere until the run's time is over. */
const EVENTS_OF_READING = 1500;

/** A fact's longest text as JSON, with its name; and what is told of a node besides. */
const FACT_BYTES = 420;
const NODE_BYTES = 300;

/** Tells of the limits that a machine, or a run of it, could pass. */
export function checkLimits(
  machine: StateMachine,
  { nodes }: PipelineDefinition,
  facts: Facts,
  findings: Findings,
): void {
  const bytes = Buffer.byteLength(JSON.stringify(machine));
  const count = (number: number): string => number.toLocaleString("en-US");
  if (bytes > DEFINITION_BYTES) {
    const sentence = `The pipeline's state machine would have ${count(bytes)} bytes; Step Functions allows ${count(DEFINITION_BYTES)}: split its conditions over fewer nodes`;
    findings.fault("machine-too-large", "/nodes", sentence);
  }
  const read = [...facts.of.values()].reduce((sum, paths) => sum + paths.length, 0);
  const payload = nodes.length * NODE_BYTES + read * FACT_BYTES;
  if (payload > PAYLOAD_BYTES) {
    const sentence = `The conditions read ${count(read)} different paths, which could pass the ${count(PAYLOAD_BYTES)} bytes that Step Functions allows for a state's input: read fewer`;
    findings.fault("state-too-large", "/nodes", sentence);
  }
  const retries = Math.max(...STEP_RETRY.map(({ MaxAttempts = 3 }) => MaxAttempts));
  const events =
    EVENTS_OF_READING +
    nodes.length * (EVENTS_OF_TASK + retries * EVENTS_OF_RETRY + EVENTS_AROUND + 2 * EVENTS_OF_BRANCH);
  if (events > HISTORY_EVENTS) {
    const sentence = `A run could have ${count(events)} events; Step Functions allows ${count(HISTORY_EVENTS)}: use fewer nodes`;
    findings.fault("history-too-long", "/nodes", sentence);
  }
}
