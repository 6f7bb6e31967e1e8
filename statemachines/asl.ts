/**
 * Amazon States Language, the part that our machines use (JSONPath only).
 * Source: https://states-language.net/spec.html
 */

export interface Retrier {
  ErrorEquals: string[];
  IntervalSeconds?: number;
  MaxAttempts?: number;
  BackoffRate?: number;
  MaxDelaySeconds?: number;
}

export interface Catcher {
  ErrorEquals: string[];
  ResultPath?: string | null;
  Next: string;
}

type NextOrEnd = { Next: string; End?: never } | { End: true; Next?: never };

export type TaskState = {
  Type: "Task";
  Comment?: string;
  /** The name of a step, as `${step}`; the driver replaces it with the function's name or ARN. */
  Resource: string;
  Parameters?: { [member: string]: unknown };
  ResultSelector?: { [member: string]: unknown };
  ResultPath?: string | null;
  OutputPath?: string | null;
  TimeoutSeconds?: number;
  Retry?: Retrier[];
  Catch?: Catcher[];
} & NextOrEnd;

/** A comparison, or a combination of them, of a state's input. */
export interface ChoiceTest {
  Variable?: string;
  StringEquals?: string;
  StringEqualsPath?: string;
  IsString?: boolean;
  IsPresent?: boolean;
  BooleanEquals?: boolean;
  And?: ChoiceTest[];
  Or?: ChoiceTest[];
  Not?: ChoiceTest;
}

export interface ChoiceRule extends ChoiceTest {
  Next: string;
}

export interface ChoiceState {
  Type: "Choice";
  Comment?: string;
  Choices: ChoiceRule[];
  Default: string;
}

/** Outputs a fixed value. */
export type PassState = { Type: "Pass"; Comment?: string; Result?: unknown; ResultPath?: string } & NextOrEnd;

/** Part of a machine: a branch of a Parallel, or the iteration of a Map. */
export interface InnerMachine {
  StartAt: string;
  States: Record<string, State>;
}

interface ContainerState {
  ResultSelector?: { [member: string]: unknown };
  ResultPath?: string | null;
  OutputPath?: string | null;
  Catch?: Catcher[];
}

export type ParallelState = { Type: "Parallel"; Branches: InnerMachine[] } & ContainerState & NextOrEnd;

export type MapState = {
  Type: "Map";
  Comment?: string;
  ItemsPath?: string;
  /** Source of the items of a distributed Map. */
  ItemReader?: { [member: string]: unknown };
  ItemSelector?: { [member: string]: unknown };
  ItemProcessor: InnerMachine & {
    ProcessorConfig: { Mode: "INLINE" } | { Mode: "DISTRIBUTED"; ExecutionType: "STANDARD" };
  };
  MaxConcurrency?: number;
  MaxConcurrencyPath?: string;
  ToleratedFailurePercentage?: number;
} & ContainerState &
  NextOrEnd;

export type WaitState = { Type: "Wait"; Comment?: string; Seconds: number } & NextOrEnd;

export interface FailState {
  Type: "Fail";
  Comment?: string;
  Error: string;
  Cause: string;
}

export type State = TaskState | ChoiceState | WaitState | PassState | FailState | ParallelState | MapState;

export interface StateMachine {
  Comment: string;
  StartAt: string;
  TimeoutSeconds: number;
  States: Record<string, State>;
}

/** The `Resource` of a step: the driver replaces it with the function's name or ARN. */
export const stepResource = (step: string): string => `\${${step}}`;

/**
 * Retries of every step: errors that steps declare retryable, and transient failures of Lambda. The waits, of 1, 2, 4, 8
 * and then 16 seconds each, add up to 303 seconds: longer than a run has, so that its deadline ends the retries and not
 * their number.
 */
export const STEP_RETRY: Retrier[] = [
  {
    ErrorEquals: [
      "RetryableStepError",
      "Lambda.ServiceException",
      "Lambda.AWSLambdaException",
      "Lambda.SdkClientException",
      "Lambda.TooManyRequestsException",
      // The connection broke or timed out; the function may have run, and steps are idempotent.
      "Lambda.ClientExecutionTimeoutException",
    ],
    IntervalSeconds: 1,
    MaxAttempts: 22,
    BackoffRate: 2,
    MaxDelaySeconds: 16,
  },
];

/**
 * Retry of a Task that sends a message: the queue is unreachable, busy or throttles. A message sent twice does its work
 * once, as only the newest token is awaited. Other errors of the Task are the work's own.
 * Source: "Send messages to an Amazon SQS queue", AWS Step Functions Developer Guide.
 */
export const SEND_RETRY: Retrier = {
  ErrorEquals: ["SQS.SdkClientException", "SQS.AmazonSQSException"],
  IntervalSeconds: 1,
  MaxAttempts: 4,
  BackoffRate: 2,
};

/**
 * Retry of a Task that starts another machine, when Step Functions throttles or cannot be reached: a minute in all, as
 * the documents of several batches refill the account's quota of starts together. A second start of the same name and
 * input is the first one.
 */
export const START_RETRY: Retrier = {
  ErrorEquals: [
    "StepFunctions.ThrottlingException",
    "StepFunctions.ExecutionLimitExceededException",
    "StepFunctions.ExecutionLimitExceeded",
    "StepFunctions.SdkClientException",
    "StepFunctions.AWSStepFunctionsException",
  ],
  IntervalSeconds: 1,
  MaxAttempts: 6,
  BackoffRate: 2,
};
