/** Runs one execution in memory from its beginning to its end. The caller records it. */
import { setImmediate as tick } from "node:timers/promises";
import type { Clock } from "../../ports/clock.ts";
import { AppError } from "../../ports/errors.ts";
import type { Json, JsonObject } from "../../ports/json.ts";
import type { Execution, Step } from "../../ports/workflows.ts";
import { jsonBytes, MAX_PAYLOAD_BYTES } from "../workflows-json.ts";
import { cutCause, cutName } from "../workflows-limits.ts";
import type { CompiledMachine, CompiledTask } from "./workflows-compile.ts";
import { dataLimitError, runtimeError, scopeOver, stepError, taskFailed } from "./workflows-errors.ts";
import { endEvent, type Journal, keepJournal, type Outcome, openJournal } from "./workflows-journal.ts";
import { EXECUTION_MEMBER } from "./workflows-rewrite.ts";
import { makeScope, type Scope } from "./workflows-scope.ts";

export interface Run {
  readonly journal: Journal;
  /** Resolves with the end of the run; never rejects. */
  readonly outcome: Promise<Outcome>;
  /** Ends the run from outside; no effect after its end. */
  end(outcome: Outcome): void;
}

export interface RunOptions {
  execution: Execution;
  load: () => Promise<CompiledMachine>;
  steps: Readonly<Record<string, Step>>;
  clock: Clock;
  execute: Execute;
}

/**
 * Starts an execution for the execution `parent` and waits for its end. @throws Step Functions' error for a second
 * start
 */
export type Execute = (parent: string, machine: string, name: string, input: Json) => Promise<Execution>;

interface Surroundings {
  name: string;
  execute: Execute;
  steps: Readonly<Record<string, Step>>;
  journal: Journal;
  context: JsonObject;
  fail(error: Error): void;
}

const failure = (error: Error): Outcome => ({
  status: "FAILED",
  ...(error.name === "" ? {} : { error: cutName(error.name) }),
  ...(error.message === "" ? {} : { cause: cutCause(error.message) }),
});

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : runtimeError(String(thrown)));

function contextOf({ name, machine, input, startedAt }: Execution): JsonObject {
  const arn = (kind: string, rest: string) => `arn:aws:states:us-east-1:000000000000:${kind}:${rest}`;
  return {
    [EXECUTION_MEMBER]: { Id: arn("execution", `${machine}:${name}`), Name: name, Input: input, StartTime: startedAt },
    StateMachine: { Id: arn("stateMachine", machine), Name: machine },
  };
}

/** Runs an execution from its beginning. `startedAt` is the time of its first start, also in a later run. */
export function startRun({ execution, load, steps, clock, execute }: RunOptions): Run {
  const scope = makeScope();
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const fail = (error: Error) => end(failure(error));
  const journal = openJournal(clock, fail);
  journal.add("ExecutionStarted", { at: Date.parse(execution.startedAt) });

  function end(outcome: Outcome): void {
    if (scope.over) return;
    scope.end();
    const event = endEvent(outcome);
    if (event !== undefined) journal.add(event.type, event);
    journal.close();
    resolve(outcome);
  }

  async function work(): Promise<void> {
    const machine = await load();
    if (scope.over) return;
    // The timeout applies to the run: waiting for a free place and time while the service was off do not count.
    if (machine.timeout !== undefined) {
      const timeOut = () => end({ status: "TIMED_OUT", error: "States.Timeout" });
      const timer = setTimeout(timeOut, machine.timeout);
      scope.onEnd(() => clearTimeout(timer));
    }
    const around = { name: execution.name, execute, steps, journal, context: contextOf(execution), fail };
    end({ status: "SUCCEEDED", output: await runMachine(machine, execution.input, scope, around) });
  }

  work().catch((error) => fail(error instanceof AppError ? runtimeError(error.message) : asError(error)));
  return { journal, outcome: promise, end };
}

/** Runs a machine, a branch or an iteration. @throws the error of its failure */
async function runMachine(machine: CompiledMachine, input: Json, scope: Scope, around: Surroundings): Promise<Json> {
  const handlers = Object.fromEntries(
    [...machine.tasks].map(([name, task]) => [name, (given: Json) => runTask(name, task, given, scope, around)]),
  );
  const run = machine.interpreter.run(input, {
    overrides: { taskResourceLocalHandlers: handlers },
    context: around.context,
    noThrowOnAbort: true,
  });
  const release = scope.onEnd(run.abort);
  const logged = keepJournal(around.journal, machine, run.eventLogs, around.fail);
  try {
    const output = await run.result;
    await logged;
    if (scope.over) throw scopeOver();
    return output;
  } catch (error) {
    await logged;
    throw error instanceof Error && error.cause instanceof Error ? error.cause : error;
  } finally {
    release();
  }
}

async function runTask(
  state: string,
  task: CompiledTask,
  input: Json,
  scope: Scope,
  around: Surroundings,
): Promise<Json> {
  // The interpreter retries a state once more when aborted while it waits for a retry.
  if (scope.over) throw scopeOver();
  if (task.kind === "step") return runStep(state, task.step, input, scope, around);
  if (task.kind === "execution") return runExecution(state, task.machine, input as JsonObject, scope, around);
  // Let the journal record the state's start before the events inside it.
  await tick();
  const group = scope.inner();
  try {
    if (task.kind === "map") return await runItems(state, task, input as JsonObject, group, around);
    return await runConcurrently(group, task.branches, (branch) => runMachine(branch, input, group, around));
  } finally {
    group.end();
  }
}

async function runStep(state: string, step: string, input: Json, scope: Scope, around: Surroundings): Promise<Json> {
  const text = JSON.stringify(input);
  if (Buffer.byteLength(text) > MAX_PAYLOAD_BYTES) throw dataLimitError(`The input of ${state}`);
  const work = around.steps[step];
  if (work === undefined) throw runtimeError(`There is no step "${step}".`);
  const result = await scope.until(callStep(work, JSON.parse(text), around.name));
  if (jsonBytes(result) > MAX_PAYLOAD_BYTES) throw dataLimitError(`The output of ${state}`);
  return result;
}

/** Calls a step as Lambda would: input and output are JSON copies. */
async function callStep(work: Step, input: Json, executionName: string): Promise<Json> {
  try {
    const result: Json | undefined = await work(input, { executionName });
    return JSON.parse(JSON.stringify(result ?? null));
  } catch (error) {
    throw stepError(error);
  }
}

/** Runs another machine to its end. @throws States.TaskFailed with the execution's description when it fails */
async function runExecution(
  state: string,
  known: string | null,
  { StateMachineArn: named, Name: name, Input: input = {} }: JsonObject,
  scope: Scope,
  around: Surroundings,
): Promise<Json> {
  const machine = known ?? named;
  if (typeof machine !== "string") throw runtimeError(`The machine that ${state} starts is not named by a text.`);
  if (typeof name !== "string") throw runtimeError(`The name of the execution that ${state} starts is not a text.`);
  if (jsonBytes(input) > MAX_PAYLOAD_BYTES) throw dataLimitError(`The input of ${state}`);
  const { status, output, error, cause } = await scope.until(around.execute(around.name, machine, name, input));
  const told = { Name: name, Status: status };
  if (status === "SUCCEEDED") return { ...told, Output: output ?? null };
  const why = { ...(error === undefined ? {} : { Error: error }), ...(cause === undefined ? {} : { Cause: cause }) };
  throw taskFailed(JSON.stringify({ ...told, ...why }));
}

type MapTask = Extract<CompiledTask, { kind: "map" }>;

function runItems(state: string, task: MapTask, given: JsonObject, group: Scope, around: Surroundings): Promise<Json> {
  const { items, input = null, concurrency = task.concurrency } = given;
  if (!Array.isArray(items)) throw runtimeError(`The items of ${state} are not a list.`);
  if (typeof concurrency !== "number" || !Number.isInteger(concurrency) || concurrency < 0) {
    throw runtimeError(`The concurrency of ${state} is not a whole number.`);
  }
  const runItem = async (value: Json, index: number) => {
    const context = { ...around.context, Map: { Item: { Index: index, Value: value } } };
    around.journal.add("MapIterationStarted", { stateName: state });
    try {
      const output = await runMachine(task.item, task.selects ? input : value, group, { ...around, context });
      around.journal.add("MapIterationSucceeded", { stateName: state });
      return output;
    } catch (error) {
      if (!group.over) around.journal.add("MapIterationFailed", { stateName: state, error: asError(error).name });
      throw error;
    }
  };
  return runConcurrently(group, items, runItem, concurrency || task.concurrency);
}

/**
 * Runs all jobs with limited concurrency. The first failure ends the scope: others are abandoned, and no more start.
 */
async function runConcurrently<T>(
  group: Scope,
  inputs: readonly T[],
  run: (input: T, index: number) => Promise<Json>,
  concurrency = inputs.length,
): Promise<Json[]> {
  const outputs = new Array<Json>(inputs.length);
  const queue = inputs.entries();
  let failed: { error: unknown } | undefined;
  const worker = async () => {
    for (const [index, input] of queue) {
      if (group.over) return;
      try {
        outputs[index] = await run(input, index);
      } catch (error) {
        failed ??= { error };
        group.end();
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, inputs.length) }, worker));
  if (failed !== undefined) throw failed.error;
  if (group.over) throw scopeOver();
  return outputs;
}
