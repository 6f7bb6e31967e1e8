/**
 * The document machine: recognize → enrich, where more is asked for → extract, transcribe or describe, or chunk → each
 * chunk → reduce → settle; while text is recognised elsewhere it waits and collects what there is. One execution is one run of one job; its state
 * holds keys and facts only. Whatever fails is caught and settled, so that every run ends with a status.
 */
import { type Catcher, type MapState, STEP_RETRY, type StateMachine, type TaskState } from "./asl.ts";
import { readingStates } from "./reading.ts";

/** What an execution of the document machine is started with. */
export interface DocumentRunInput {
  organizationId: number;
  guid: string;
  run: number;
  /**
   * OCR: the text is the result; SIMPLE: data is extracted from it; MAP_REDUCE: the same by chunks; ANALYZE, SCHEMA: it
   * is described. A PIPELINE has a machine of its own, which is started with the same.
   */
  mode: "OCR" | "SIMPLE" | "MAP_REDUCE" | "PIPELINE" | "ANALYZE" | "SCHEMA";
}

/** The names of the steps that the machine calls; each is a file in functions/steps. */
export const DOCUMENT_STEPS = [
  "recognize",
  "collect",
  "enrich",
  "describe",
  "extract",
  "chunk",
  "extract-chunk",
  "reduce",
  "transcribe",
  "settle",
] as const;
export type DocumentStep = (typeof DOCUMENT_STEPS)[number];

/** Seconds after which Step Functions ends a run that nothing else ended: the 300 s of a run and half a minute. */
export const MACHINE_TIMEOUT_SECONDS = 330;

const catchToSettle: Catcher[] = [{ ErrorEquals: ["States.ALL"], ResultPath: "$.failure", Next: "settle" }];

/** The driver puts the function's name or ARN there. */
const resource = (name: DocumentStep): string => `\${${name}}`;

const step = (name: DocumentStep, next: string): TaskState => ({
  Type: "Task",
  Resource: resource(name),
  ResultPath: `$.${name}`,
  Retry: STEP_RETRY,
  Catch: catchToSettle,
  Next: next,
});

/**
 * The shares of a document's chunks, each an iteration. A chunk's failure is an outcome, which the step records; what
 * ends a step from outside is recorded by a second call of it. Only the end of the run itself ends the others.
 */
function chunksMap(): MapState {
  return {
    Type: "Map",
    ItemsPath: "$.chunk.shares",
    MaxConcurrencyPath: "$.chunk.concurrency",
    ItemSelector: {
      "organizationId.$": "$.organizationId",
      "guid.$": "$.guid",
      "run.$": "$.run",
      "share.$": "$$.Map.Item.Value",
    },
    ItemProcessor: {
      ProcessorConfig: { Mode: "INLINE" },
      StartAt: "extract-chunk",
      States: {
        "extract-chunk": {
          Type: "Task",
          Resource: resource("extract-chunk"),
          Retry: STEP_RETRY,
          Catch: [
            { ErrorEquals: ["JobFailure", "RunClosed"], Next: "run-over" },
            { ErrorEquals: ["States.ALL"], ResultPath: "$.failure", Next: "chunk-lost" },
          ],
          End: true,
        },
        "run-over": { Type: "Fail", Error: "RunOver", Cause: "The run has ended, or its time is over" },
        "chunk-lost": { Type: "Task", Resource: resource("extract-chunk"), Retry: STEP_RETRY, End: true },
      },
    },
    ResultPath: null,
    Catch: [{ ErrorEquals: ["States.ALL"], ResultPath: "$.failure", Next: "reduce" }],
    Next: "reduce",
  };
}

/** Builds the machine; the same bytes every time. */
export function documentMachine(): StateMachine {
  return {
    Comment: "One run of one document: recognize, then extract or transcribe, then settle",
    StartAt: "recognize",
    TimeoutSeconds: MACHINE_TIMEOUT_SECONDS,
    States: {
      ...readingStates({ prefix: "", next: "choose", catches: catchToSettle }),
      choose: {
        Type: "Choice",
        Choices: [
          { Variable: "$.mode", StringEquals: "OCR", Next: "transcribe" },
          { Variable: "$.mode", StringEquals: "MAP_REDUCE", Next: "chunk" },
          { Variable: "$.mode", StringEquals: "ANALYZE", Next: "describe" },
          { Variable: "$.mode", StringEquals: "SCHEMA", Next: "describe" },
        ],
        Default: "extract",
      },
      describe: step("describe", "settle"),
      transcribe: step("transcribe", "settle"),
      extract: step("extract", "settle"),
      chunk: step("chunk", "chunks"),
      chunks: chunksMap(),
      reduce: step("reduce", "settle"),
      settle: { Type: "Task", Resource: resource("settle"), Retry: STEP_RETRY, End: true },
    },
  };
}
