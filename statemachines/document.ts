/**
 * The document machine: recognize → enrich, when the run needs it → extract, transcribe, describe, or chunk → each
 * chunk → reduce → settle. During asynchronous text recognition it waits and polls with collect. One execution is one
 * run of one job; its state holds keys and facts only. Every failure is caught and settled, so that every run ends with
 * a status.
 */
import {
  type Catcher,
  type ChoiceRule,
  type MapState,
  STEP_RETRY,
  type StateMachine,
  stepResource,
  type TaskState,
} from "./asl.ts";
import { readingStates } from "./reading.ts";

/** Input of an execution of the document machine. */
export interface DocumentRunInput {
  organizationId: number;
  guid: string;
  run: number;
  /**
   * OCR: the result is the text; SIMPLE: data is extracted; MAP_REDUCE: data is extracted by chunks; ANALYZE, SCHEMA:
   * the document is described; SUMMARY: it is summarised. PIPELINE: a machine of its own, with the same input.
   */
  mode: "OCR" | "SIMPLE" | "MAP_REDUCE" | "PIPELINE" | "ANALYZE" | "SCHEMA" | "SUMMARY";
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

/** Net behind the 300 s of a run: Step Functions ends a run that nothing else ended. */
export const MACHINE_TIMEOUT_SECONDS = 330;

const catchToSettle: Catcher[] = [{ ErrorEquals: ["States.ALL"], ResultPath: "$.failure", Next: "settle" }];

const resource: (step: DocumentStep) => string = stepResource;

const step = (name: DocumentStep, next: string): TaskState => ({
  Type: "Task",
  Resource: resource(name),
  ResultPath: `$.${name}`,
  Retry: STEP_RETRY,
  Catch: catchToSettle,
  Next: next,
});

/**
 * A Map over the shares of a document's chunks. The step records a chunk's failure as an outcome; when the step itself
 * is ended from outside, a second call records that. Only the end of the run ends the other iterations.
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

const modeChoice = (mode: DocumentRunInput["mode"], Next: DocumentStep): ChoiceRule => ({
  Variable: "$.mode",
  StringEquals: mode,
  Next,
});
/** The ways of the modes that do not simply extract. */
const MODE_CHOICES = [
  modeChoice("OCR", "transcribe"),
  modeChoice("MAP_REDUCE", "chunk"),
  modeChoice("ANALYZE", "describe"),
  modeChoice("SCHEMA", "describe"),
  modeChoice("SUMMARY", "describe"),
];

/** Builds the machine; every call gives the same bytes. */
export function documentMachine(): StateMachine {
  return {
    Comment: "One run of one document: recognize, then extract or transcribe, then settle",
    StartAt: "recognize",
    TimeoutSeconds: MACHINE_TIMEOUT_SECONDS,
    States: {
      ...readingStates({ prefix: "", ways: { choices: MODE_CHOICES, otherwise: "extract" }, catches: catchToSettle }),
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
