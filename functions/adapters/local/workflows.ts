/**
 * Workflows on one machine: an interpreter of Amazon States Language runs state machines in this process; Records holds
 * their state. `resume` runs executions again from their beginning when the process died.
 */

import type { Clock } from "../../ports/clock.ts";
import { NotFound, ServiceUnavailable } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";
import type { Records } from "../../ports/records.ts";
import type { Execution, HistoryEvent, StateMachineDefinition, Step, Workflows } from "../../ports/workflows.ts";
import { checkName, checkStart, cutCause, cutName } from "../workflows-limits.ts";
import { FairQueue } from "./fair-queue.ts";
import { type Repeat, repeatAfterFault } from "./repeat-after-fault.ts";
import { loadInterpreter } from "./workflows-compile.ts";
import { executionExists, machineUnknown } from "./workflows-errors.ts";
import { bareHistory, type HistoryPage, historyPage, type Outcome } from "./workflows-journal.ts";
import { type Machines, openMachines } from "./workflows-machines.ts";
import { type Execute, type Run, startRun } from "./workflows-run.ts";
import { openWorkflowStore, type WorkflowStore } from "./workflows-store.ts";

export interface WorkflowsOptions {
  records: Records;
  clock: Clock;
  /** Steps by the name in a Task's `${name}`. */
  steps: Record<string, Step>;
  /** Most concurrent executions; others wait, and groups take turns. */
  concurrency: number;
  /** The group of an execution, by its input. Default: one group for all. */
  groupOf?: (input: Json) => string;
  /** Most concurrent executions of one group; default: `concurrency`. */
  groupConcurrency?: number;
  /** Called at least once for every end; called again after a restart when it threw. */
  onEnd?: (execution: Execution) => Promise<void>;
  /** Called with errors that no caller waits for. */
  onError?: (error: unknown) => void;
}

export interface LocalWorkflows extends Workflows {
  /**
   * Runs unfinished executions again from their beginning, and repeats unreported ends. Call once at the start of the
   * process. @returns the number of executions that run again
   */
  resume(): Promise<number>;
  /** Refuses new starts, waits up to `graceMs` for running executions, and leaves the rest to the next process. */
  drain(graceMs: number): Promise<void>;
  /** `drain` without waiting. Afterwards the records may be closed. */
  close(): Promise<void>;
  /** Number of running executions, without those that wait for a place. */
  running(): number;
}

/** One of the `concurrency` places, taken by an execution. */
interface Place {
  group: string;
  /** Undefined when there was nothing left to run. */
  begun: Promise<Run | undefined>;
  /** Resolves when the end is recorded. Never rejects. */
  done: Promise<void>;
}

/** Error of a Task that starts an execution of an unknown machine. */
const asTaskError = (machine: string) => (error: unknown) => {
  throw error instanceof NotFound ? machineUnknown(machine) : error;
};

const unknownExecution = () => new NotFound("There is no execution of that name.");

class RecordedWorkflows implements LocalWorkflows {
  readonly #options: WorkflowsOptions;
  readonly #store: WorkflowStore;
  readonly #machines: Machines;
  readonly #waiting = new FairQueue<string>();
  /** Groups of waiting executions, by name. */
  readonly #groups = new Map<string, string>();
  readonly #places = new Map<string, Place>();
  readonly #telling = new Map<string, Promise<void>>();
  /** Executions that wait for others, to which they yield their places. */
  readonly #parents = new Set<string>();
  readonly #awaited = new Map<string, ((ended: Execution) => void)[]>();
  readonly #repeat: Repeat;
  #draining = false;
  #left = false;

  constructor(options: WorkflowsOptions) {
    this.#options = options;
    this.#repeat = repeatAfterFault(
      () => this.#draining,
      (error) => options.onError?.(error),
    );
    this.#store = openWorkflowStore(options.records, options.clock);
    this.#machines = openMachines(this.#store, new Set(Object.keys(options.steps)));
  }

  ensureMachine(definition: StateMachineDefinition): Promise<string> {
    return this.#machines.ensure(definition);
  }

  removeMachine(machine: string): Promise<void> {
    return this.#machines.remove(machine);
  }

  async start(machine: string, name: string, input: Json): Promise<{ started: boolean }> {
    if (this.#draining) throw new ServiceUnavailable("The service is stopping and starts nothing more.");
    checkStart(name, input);
    await this.#machines.load(machine);
    const group = this.#options.groupOf?.(input) ?? "";
    const started = await this.#store.begin(machine, name, input, group);
    if (started && this.#enqueue(name, group)) this.#fillPlaces();
    return { started };
  }

  /** A machine's starts are recorded like any other, so nothing is reserved beforehand. */
  async reserve(machine: string, name: string): Promise<string> {
    checkName(name);
    return (await this.#store.execution(name))?.machine ?? machine;
  }

  describe(name: string): Promise<Execution | undefined> {
    return this.#store.execution(name);
  }

  async stop(name: string, error: string, cause: string): Promise<void> {
    const outcome: Outcome = { status: "ABORTED", error: cutName(error), cause: cutCause(cause) };
    const place = this.#places.get(name);
    (await this.#runOf(name))?.end(outcome);
    await place?.done;
    if (this.#groups.delete(name)) this.#waiting.remove(name);
    const execution = await this.#store.execution(name);
    if (execution === undefined) throw unknownExecution();
    if (execution.status === "RUNNING") {
      await this.#finish(name, outcome, bareHistory(execution, this.#options.clock, outcome));
    }
  }

  async history(name: string, { cursor }: { cursor?: string } = {}): Promise<HistoryPage> {
    const run = await this.#runOf(name);
    if (run !== undefined) return historyPage(run.journal.events, cursor);
    const execution = await this.#store.execution(name);
    if (execution === undefined) throw unknownExecution();
    if (execution.status === "RUNNING") return { events: bareHistory(execution, this.#options.clock) };
    return this.#store.history(name, cursor);
  }

  async resume(): Promise<number> {
    await loadInterpreter();
    for (const name of await this.#store.untold()) {
      const execution = await this.#store.execution(name);
      if (execution !== undefined) this.#tell(execution);
    }
    const begun = await this.#store.running();
    const resumed = begun.filter(({ name, group }) => this.#enqueue(name, group)).length;
    // Only after all are queued, so that groups take turns from the first one on.
    this.#fillPlaces();
    return resumed;
  }

  async drain(graceMs: number): Promise<void> {
    this.#draining = true;
    const { promise: graceOver, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, graceMs);
    await Promise.race([this.#idle(), graceOver]);
    clearTimeout(timer);
    this.#left = true;
    const places = [...this.#places];
    const runs = await Promise.all(places.map(([name]) => this.#runOf(name)));
    for (const run of runs) run?.end({ status: "LEFT" });
    await Promise.all(places.map(([, place]) => place.done));
  }

  close(): Promise<void> {
    return this.drain(0);
  }

  running(): number {
    return this.#places.size;
  }

  /** For a Task that starts an execution and waits for it. */
  async #execute(parent: string, machine: string, name: string, input: Json): Promise<Execution> {
    // Nothing starts any more: the parent is suspended in this Task, and the next process resumes it.
    if (this.#draining) return new Promise(() => undefined);
    checkStart(name, input);
    await this.#repeat(() => this.#machines.load(machine)).catch(asTaskError(machine));
    if (!this.#parents.has(parent)) {
      this.#parents.add(parent);
      this.#fillPlaces();
    }
    const { promise, resolve } = Promise.withResolvers<Execution>();
    const others = this.#awaited.get(name) ?? [];
    this.#awaited.set(name, [...others, resolve]);
    const group = this.#options.groupOf?.(input) ?? "";
    const begin = () => this.#store.begin(machine, name, input, group);
    if (await this.#repeat(begin).catch(asTaskError(machine))) {
      if (this.#enqueue(name, group)) this.#fillPlaces();
    } else if ((await this.#store.execution(name))?.status !== "RUNNING") throw executionExists(name);
    return promise;
  }

  /** Resolves when all running executions wait for others and every end is reported. */
  async #idle(): Promise<void> {
    const places = [...this.#places].filter(([name]) => !this.#parents.has(name));
    await Promise.all(places.map(([, place]) => place.done));
    await Promise.all(this.#telling.values());
  }

  #enqueue(name: string, group: string): boolean {
    if (this.#places.has(name) || this.#groups.has(name)) return false;
    this.#groups.set(name, group);
    this.#waiting.add(group, name);
    return true;
  }

  #fillPlaces(): void {
    const { concurrency, groupConcurrency = concurrency } = this.#options;
    const mayRun = (group: string): boolean => this.#runningOf(group) < groupConcurrency;
    while (!this.#draining && this.#places.size - this.#parents.size < concurrency) {
      const name = this.#waiting.take({ group: mayRun });
      if (name === undefined) return;
      const group = this.#groups.get(name) ?? "";
      this.#groups.delete(name);
      const begun = this.#begin(name);
      this.#places.set(name, { group, begun, done: this.#settle(name, begun) });
    }
  }

  #runningOf(wanted: string): number {
    let running = 0;
    for (const [name, { group }] of this.#places) if (group === wanted && !this.#parents.has(name)) running += 1;
    return running;
  }

  async #begin(name: string): Promise<Run | undefined> {
    const execution = await this.#repeat(() => this.#store.execution(name));
    if (execution?.status !== "RUNNING" || this.#left) return undefined;
    const { steps, clock } = this.#options;
    const execute: Execute = (...given) => this.#execute(...given);
    const load = () => this.#repeat(() => this.#machines.load(execution.machine));
    return startRun({ execution, load, steps, clock, execute });
  }

  async #settle(name: string, begun: Place["begun"]): Promise<void> {
    try {
      const run = await begun;
      const outcome = await run?.outcome;
      if (run !== undefined && outcome !== undefined && outcome.status !== "LEFT") {
        await this.#repeat(() => this.#finish(name, outcome, run.journal.events));
      }
    } catch (error) {
      // Still recorded as running, so the next process runs it again.
      this.#options.onError?.(error);
    } finally {
      this.#places.delete(name);
      this.#parents.delete(name);
      this.#fillPlaces();
    }
  }

  #runOf(name: string): Promise<Run | undefined> {
    return this.#places.get(name)?.begun.catch(() => undefined) ?? Promise.resolve(undefined);
  }

  async #finish(name: string, outcome: Outcome, events: readonly HistoryEvent[]): Promise<void> {
    const ended = await this.#store.finish(name, outcome, events, this.#options.onEnd !== undefined);
    if (ended === undefined) return;
    for (const resolve of this.#awaited.get(name) ?? []) resolve(ended);
    this.#awaited.delete(name);
    this.#tell(ended);
    await this.#store.forgetMachine(ended.machine);
  }

  #tell(execution: Execution): void {
    const { name } = execution;
    const { onEnd, onError } = this.#options;
    if (onEnd === undefined || this.#telling.has(name)) return;
    const told = async () => {
      try {
        await this.#repeat(() => onEnd(execution));
        await this.#repeat(() => this.#store.told(name));
      } catch (error) {
        onError?.(error);
      } finally {
        this.#telling.delete(name);
      }
    };
    this.#telling.set(name, told());
  }
}

/** @throws RangeError when `concurrency` is not an integer of at least 1 */
export function openWorkflows(options: WorkflowsOptions): LocalWorkflows {
  const { concurrency } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new RangeError(`concurrency must be a whole number of at least 1, not ${concurrency}`);
  }
  return new RecordedWorkflows(options);
}
