/**
 * The machine of a batch's run: plan → a Map over the documents → settle. Each document runs the machine that a single
 * document would run, the document machine or a pipeline's, as an execution of its own; whatever becomes of it, its
 * iteration ends well, so that no document stops another.
 *
 * In the cloud the Map is distributed over a list in the file store. On one machine it is inline, over parts of the list
 * one after another, each an execution of its own: an execution's history holds 25,000 events.
 */
import { type Catcher, type Retrier, STEP_RETRY, type StateMachine, type TaskState } from "./asl.ts";

/** What an execution of the batch machine is started with. */
export interface BatchRunInput {
  organizationId: number;
  /** Of the batch. */
  guid: string;
  run: number;
  mode: "BATCH";
  /** The name of the machine that every document runs. */
  documentMachine: string;
}

/** The names of the steps that the machine calls; each is a file in functions/steps. */
export const BATCH_STEPS = ["batch-plan", "batch-open", "batch-close", "batch-settle"] as const;
export type BatchStep = (typeof BATCH_STEPS)[number];

/**
 * Ten thousand documents one after another take some days at the usual pace; nothing ends such a run but this. The steps
 * of its documents have times of their own.
 */
const BATCH_TIMEOUT_SECONDS = 2_000_000;

/** Documents of one part on one machine: at most ten events each, of 25,000. */
export const MAX_PART_DOCUMENTS = 1_000;

const START_AND_WAIT = "arn:aws:states:::states:startExecution.sync:2";
/** Between two looks at a document that somebody else has started. */
const POLL_SECONDS = 3;

const resource = (name: BatchStep): string => `\${${name}}`;
/** The driver puts the machine's ARN there, as it does where a path leads to a machine's name. */
const machineNamed = (name: string): string => `\${machine:${name}}`;
const catchTo = (next: string): Catcher[] => [{ ErrorEquals: ["States.ALL"], ResultPath: "$.failure", Next: next }];

/** These steps are light and may be done again: whatever fails them, a function's end by time included, may pass. */
const RETRY_ANY_ERROR: Retrier[] = [
  { ErrorEquals: ["States.ALL"], IntervalSeconds: 1, MaxAttempts: 4, BackoffRate: 2 },
];

/** A pipeline's machine may have been made just now, and is not known everywhere at once. */
const RETRY_UNKNOWN_MACHINE: Retrier[] = [
  {
    ErrorEquals: ["StepFunctions.StateMachineDoesNotExistException", "StepFunctions.StateMachineDoesNotExist"],
    IntervalSeconds: 1,
    MaxAttempts: 4,
    BackoffRate: 2,
  },
];

/** Runs another machine and waits for its end; fails when that does. */
const startAndWaitTask = (
  machine: { [member: string]: string },
  from: string,
): Pick<TaskState, "Type" | "Resource" | "Parameters"> => ({
  Type: "Task",
  Resource: START_AND_WAIT,
  Parameters: { ...machine, "Name.$": `${from}.name`, "Input.$": `${from}.input` },
});

/** One document: its run is opened, carried out by its machine, and closed should that have ended badly. */
const documentIteration = (): Pick<StateMachine, "StartAt" | "States"> => ({
  StartAt: "open",
  States: {
    open: {
      Type: "Task",
      Resource: resource("batch-open"),
      ResultPath: "$.opened",
      Retry: RETRY_ANY_ERROR,
      Catch: catchTo("close"),
      Next: "opened",
    },
    opened: {
      Type: "Choice",
      Choices: [{ Variable: "$.opened.open", BooleanEquals: true, Next: "document" }],
      Default: "passed",
    },
    document: {
      ...startAndWaitTask({ "StateMachineArn.$": "$.opened.machine" }, "$.opened"),
      ResultPath: null,
      Retry: RETRY_UNKNOWN_MACHINE,
      Catch: catchTo("close"),
      Next: "passed",
    },
    close: {
      Type: "Task",
      Resource: resource("batch-close"),
      ResultPath: "$.closed",
      Retry: RETRY_ANY_ERROR,
      Catch: catchTo("passed"),
      Next: "closed",
    },
    closed: {
      Type: "Choice",
      Choices: [{ Variable: "$.closed.open", BooleanEquals: true, Next: "look" }],
      Default: "passed",
    },
    look: { Type: "Wait", Seconds: POLL_SECONDS, Next: "close" },
    passed: { Type: "Pass", Result: {}, End: true },
  },
});

/** What every iteration is given besides its index: not named like a run's input, which it is none. */
const iterationInput = (guid: string) => ({
  "organizationId.$": "$.organizationId",
  "batch.$": guid,
  "run.$": "$.run",
  "documentMachine.$": "$.documentMachine",
});

/** @param documents the state that has all documents done; it ends in `settle` whatever happens */
const batchMachine = (documents: StateMachine["States"][string]): StateMachine => ({
  Comment: "One run of a batch: plan, all documents, settle",
  StartAt: "plan",
  TimeoutSeconds: BATCH_TIMEOUT_SECONDS,
  States: {
    plan: {
      Type: "Task",
      Resource: resource("batch-plan"),
      ResultPath: "$.plan",
      Retry: STEP_RETRY,
      Catch: catchTo("settle"),
      Next: "documents",
    },
    documents,
    settle: { Type: "Task", Resource: resource("batch-settle"), Retry: RETRY_ANY_ERROR, End: true },
  },
});

export function distributedBatchMachine(): StateMachine {
  const { StartAt, States } = documentIteration();
  return batchMachine({
    Type: "Map",
    MaxConcurrencyPath: "$.plan.maxConcurrency",
    ItemReader: {
      Resource: "arn:aws:states:::s3:getObject",
      ReaderConfig: { InputType: "JSON" },
      Parameters: { Bucket: "${bucket}", "Key.$": "$.plan.list" },
    },
    ItemSelector: { ...iterationInput("$.guid"), "index.$": "$$.Map.Item.Value.index" },
    ItemProcessor: { ProcessorConfig: { Mode: "DISTRIBUTED", ExecutionType: "STANDARD" }, StartAt, States },
    ToleratedFailurePercentage: 100,
    ResultPath: null,
    Catch: catchTo("settle"),
    Next: "settle",
  });
}

export const batchPartMachine = (): StateMachine => ({
  Comment: "Some of a batch's documents",
  StartAt: "documents",
  TimeoutSeconds: BATCH_TIMEOUT_SECONDS,
  States: {
    documents: {
      Type: "Map",
      ItemsPath: "$.indexes",
      MaxConcurrencyPath: "$.maxConcurrency",
      ItemSelector: { ...iterationInput("$.batch"), "index.$": "$$.Map.Item.Value" },
      ItemProcessor: { ProcessorConfig: { Mode: "INLINE" }, ...documentIteration() },
      ResultPath: null,
      End: true,
    },
  },
});

/** @param partMachine the name of the machine of a part */
export const inlineBatchMachine = (partMachine: string): StateMachine =>
  batchMachine({
    Type: "Map",
    ItemsPath: "$.plan.parts",
    MaxConcurrency: 1,
    ItemProcessor: {
      ProcessorConfig: { Mode: "INLINE" },
      StartAt: "part",
      States: {
        part: {
          ...startAndWaitTask({ StateMachineArn: machineNamed(partMachine) }, "$"),
          ResultPath: null,
          Catch: catchTo("partEnded"),
          Next: "partEnded",
        },
        partEnded: { Type: "Pass", Result: {}, End: true },
      },
    },
    ResultPath: null,
    Catch: catchTo("settle"),
    Next: "settle",
  });
