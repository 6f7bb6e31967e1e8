/**
 * The machine of a batch's run: plan → a Map over the documents → settle. Each document runs the machine that a single
 * document would run, the document machine or a pipeline's, as a nested execution. Its iteration always succeeds, so
 * that no document stops another.
 *
 * In the cloud the Map is distributed over a list in the file store. On one machine the list is cut into parts, each a
 * nested execution with an inline Map, one part after the other: the history of an execution holds at most 25,000
 * events.
 */
import {
  type Catcher,
  type Retrier,
  START_RETRY,
  STEP_RETRY,
  type StateMachine,
  stepResource,
  type TaskState,
} from "./asl.ts";

/** Input of an execution of the batch machine. */
export interface BatchRunInput {
  organizationId: number;
  /** The batch's guid. */
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
 * The only limit of a batch's run: 10,000 documents one after another usually take some days. The steps of the
 * documents have their own timeouts.
 */
const BATCH_TIMEOUT_SECONDS = 2_000_000;

/** Documents in one part on one machine: each takes at most 10 of 25,000 events. */
export const MAX_PART_DOCUMENTS = 1_000;

/** Integrations are written for the partition `aws`; the driver puts the partition of its machines. */
const START_AND_WAIT = "arn:aws:states:::states:startExecution.sync:2";
/** Interval between two polls of a document that another execution has started. */
const POLL_SECONDS = 3;

const resource: (step: BatchStep) => string = stepResource;
/** The driver replaces this with the machine's ARN, and a path that holds a machine's name likewise. */
const machineNamed = (name: string): string => `\${machine:${name}}`;
const catchTo = (next: string): Catcher[] => [{ ErrorEquals: ["States.ALL"], ResultPath: "$.failure", Next: next }];

/**
 * Retry transient failures as long as a run would, and a few times any other error, a function's timeout included: these
 * steps are light and idempotent.
 */
const RETRY_ANY_ERROR: Retrier[] = [
  ...STEP_RETRY,
  { ErrorEquals: ["States.ALL"], IntervalSeconds: 1, MaxAttempts: 4, BackoffRate: 2 },
];

/** A pipeline's machine may be new, and Step Functions is eventually consistent. */
const RETRY_UNKNOWN_MACHINE: Retrier = {
  ErrorEquals: ["StepFunctions.StateMachineDoesNotExistException", "StepFunctions.StateMachineDoesNotExist"],
  IntervalSeconds: 1,
  MaxAttempts: 4,
  BackoffRate: 2,
};

/** Starts another machine and waits for its end; fails when it fails. */
const startAndWaitTask = (
  machine: { [member: string]: string },
  from: string,
): Pick<TaskState, "Type" | "Resource" | "Parameters"> => ({
  Type: "Task",
  Resource: START_AND_WAIT,
  Parameters: { ...machine, "Name.$": `${from}.name`, "Input.$": `${from}.input` },
});

/** One document: open its run, run its machine, and close the run if that failed. */
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
      Retry: [RETRY_UNKNOWN_MACHINE, START_RETRY],
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

/** Input of every iteration besides its index. `batch` is not named `guid`: it is not the input of a run. */
const iterationInput = (guid: string) => ({
  "organizationId.$": "$.organizationId",
  "batch.$": guid,
  "run.$": "$.run",
  "documentMachine.$": "$.documentMachine",
});

/** @param documents the state that processes all documents; it always goes on to `settle` */
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
          Retry: [START_RETRY],
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
