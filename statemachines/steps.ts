/** The steps of all machines. */
import { BATCH_STEPS, type BatchStep } from "./batch.ts";
import { DOCUMENT_STEPS, type DocumentStep } from "./document.ts";
import { OPERATION_STEPS, type OperationStep } from "./operation.ts";
import { PIPELINE_STEPS, type PipelineStep } from "./pipeline/emit.ts";

/** Puts work on a queue instead of calling a function. */
export const QUEUED_STEP = "queued-node";

type CalledStep = Exclude<PipelineStep, typeof QUEUED_STEP>;
export type StepName = DocumentStep | BatchStep | OperationStep | CalledStep;

const isCalled = (step: PipelineStep): step is CalledStep => step !== QUEUED_STEP;

/** Each is a file in functions/steps and a Lambda function. */
export const STEPS: readonly StepName[] = [
  ...new Set([...DOCUMENT_STEPS, ...BATCH_STEPS, ...OPERATION_STEPS, ...PIPELINE_STEPS.filter(isCalled)]),
];
