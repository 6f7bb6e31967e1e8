/** The frame of every step: its work is done once, its outcome recorded, and only while the run is open. */
import { AppError, ConditionFailed, JobFailure, timeoutSentence } from "../../ports/errors.ts";
import { describeError } from "../../ports/observer.ts";
import type { RecordKey, RecordOperation } from "../../ports/records.ts";
import { RecordedAnswers } from "../extraction/recorded-answers.ts";
import type { Organization } from "../organizations/organization.ts";
import { withOwnProviders } from "../providers/run-providers.ts";
import {
  artifactKey,
  filesOf,
  type JobRecord,
  type RunSummary,
  runId,
  type StepOutcome,
  stepKey,
} from "./job-records.ts";
import { loadJob } from "./job-store.ts";
import { memoize } from "./once.ts";
import { beginRun, findRun, loadCommand } from "./open-run.ts";
import type { RunCommand } from "./run-command.ts";
import { INTERNAL_SENTENCE, RetryableStepError, RunClosed, stepErrorOf } from "./step-errors.ts";
import { loadOutcomes, type RunOutcomes } from "./step-outcomes.ts";

export interface StepRun {
  /** With the run's own providers; the organization that the step was called with has none. */
  org: Organization;
  job: JobRecord;
  run: RunSummary;
  /** Milliseconds since 1970. */
  deadline: number;
  /** Facts recorded with the outcome, also of a failure: usage, above all. */
  recordedFacts: StepFacts;
  /** Recorded answers of models and tools, also from before a crash. */
  answers: RecordedAnswers;
  /** The run's command; read once a step. */
  readCommand(): Promise<RunCommand>;
  /** The outcomes of the steps before this one; read once a step. */
  readOutcomes(): Promise<RunOutcomes>;
}

export type StepFacts = Record<string, unknown>;

/** The key of an outcome, for steps with several outcomes in a run, and what is written with a failure. */
export interface OutcomePlace {
  key: RecordKey;
  onFailure: RecordOperation[];
  /** An outcome that was recorded concurrently stays. */
  keepFirst?: boolean;
}

/** True when the job's files that an outcome names outlasted a power failure; otherwise the step makes them again. */
async function hasItsFiles(org: Organization, guid: string, { output = {} }: StepOutcome): Promise<boolean> {
  const isFile = (value: unknown): value is string => typeof value === "string" && value.startsWith(filesOf(guid));
  const whole = await Promise.all(
    Object.values(output)
      .filter(isFile)
      .map((key) => org.blobs.isWhole(key)),
  );
  return !whole.includes(false);
}

/**
 * Runs a step's work unless its outcome is already recorded; records the outcome while the run is open.
 * @param work gives the facts to record, and operations to write with them; with `again`, the step is not done yet:
 * nothing is recorded, and the machine calls it again with these facts
 * @throws RunClosed for a run that has ended; JobFailure for a final failure; RetryableStepError for a transient one
 */
export async function runStep(
  org: Organization,
  input: { guid: string; run: number },
  step: string,
  work: (context: StepRun) => Promise<{ facts: StepFacts; also?: RecordOperation[]; again?: boolean }>,
  place: OutcomePlace = { key: stepKey(input.guid, input.run, step), onFailure: [] },
): Promise<StepFacts> {
  const { key } = place;
  const recorded = (await org.records.get<StepOutcome>(key))?.value;
  if (recorded?.outcome === "failed") throw new JobFailure(recorded.sentence ?? INTERNAL_SENTENCE);
  if (recorded !== undefined && (await hasItsFiles(org, input.guid, recorded))) return recorded.output ?? {};

  const deadline = await beginRun(org, input.guid, input.run);
  if (deadline === undefined) throw new RunClosed();
  const job = (await loadJob(org, input.guid)).value;
  const run = findRun(job, input.run);
  if (run === undefined) throw new RunClosed();

  const [started, recordedFacts]: [number, StepFacts] = [org.engines.clock.now(), {}];
  const answers = new RecordedAnswers(org.blobs, artifactKey(input.guid, input.run, `answers/${step}`));
  let outcome: StepOutcome;
  let also: RecordOperation[] = [];
  try {
    const readCommand = memoize(() => loadCommand(org, run));
    const readOutcomes = memoize(() => loadOutcomes(org, input.guid, input.run));
    const about = { org: await withOwnProviders(org, run.providers), job, run, deadline };
    const done = await work({ ...about, recordedFacts, answers, readCommand, readOutcomes });
    if (done.again === true) return done.facts;
    outcome = { v: 1, step, outcome: "done", output: { ...recordedFacts, ...done.facts } };
    also = done.also ?? [];
  } catch (error) {
    outcome = {
      v: 1,
      step,
      outcome: "failed",
      sentence: failureSentence(org, { ...input, step, deadline }, error),
      output: recordedFacts,
    };
    also = place.onFailure;
  }
  org.observer.time(
    "step_seconds",
    { step: step.replace(/\/.*/, ""), outcome: outcome.outcome },
    (org.engines.clock.now() - started) / 1000,
  );
  try {
    await org.records.transact([
      { kind: "due-check", id: runId(input.guid, input.run) },
      { kind: "put", key, value: outcome, ...(place.keepFirst === true ? { condition: { ifAbsent: true } } : {}) },
      ...also,
    ]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const other = error.failed.includes(0) ? undefined : (await org.records.get<StepOutcome>(key))?.value;
    if (other === undefined) throw new RunClosed();
    outcome = other;
  }
  if (outcome.outcome === "failed") throw new JobFailure(outcome.sentence ?? INTERNAL_SENTENCE);
  return outcome.output ?? {};
}

/**
 * The sentence of a final failure. @throws RetryableStepError for a transient failure, as long as the run has time
 */
function failureSentence(
  org: Organization,
  { guid, run, step, deadline }: { guid: string; run: number; step: string; deadline: number },
  thrown: unknown,
): string {
  const error = stepErrorOf(thrown);
  if (error instanceof JobFailure) return error.message;
  const transient = error instanceof RetryableStepError;
  if (!transient || !(thrown instanceof AppError)) {
    const level = transient ? "warn" : "error";
    org.observer.log(level, "step failed", { organization: org.id, job: guid, run, step, ...describeError(thrown) });
  }
  if (transient) {
    if (org.engines.clock.now() < deadline) throw error;
    return timeoutSentence(org.config.jobTimeoutSeconds);
  }
  if (error instanceof AppError && error.refusesRequest) return `Processing failed: ${error.message}`;
  return INTERNAL_SENTENCE;
}
