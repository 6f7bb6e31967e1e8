/** Runs a scenario: the compiler, the interpreter of local workflows, and scripted steps. */
import { compileDefinition } from "../../../functions/adapters/local/workflows-compile.ts";
import { startRun } from "../../../functions/adapters/local/workflows-run.ts";
import type { Execution, Step } from "../../../functions/ports/workflows.ts";
import { type CompiledPipeline, compilePipeline } from "../../../statemachines/pipeline/compile.ts";
import { PIPELINE_STEPS } from "../../../statemachines/pipeline/emit.ts";
import type { Producer } from "../../../statemachines/pipeline/facts.ts";
import {
  type EvaluationContext,
  evaluateTemplate,
  lookUpFacts,
  type NodeStatus,
} from "../../../statemachines/pipeline/lookup.ts";
import { computes } from "../../../statemachines/pipeline/nodes/kinds.ts";
import { eagerClock } from "../eager-clock.ts";
import { CHECKS } from "./checks.ts";
import { NO_FINAL } from "./oracle.ts";
import { isObject, type Json, type NodeTrace, type Scenario, type Trace } from "./scenario.ts";
import { IdleTime } from "./time.ts";

/** A running node, with its place in the trace. */
interface Entry extends NodeTrace {
  state: NodeStatus;
  result?: Json;
  failure?: string;
}

class NodeFailure extends Error {
  override name = "NodeFailure";
}

/** One run, with the records that a service's steps would keep. */
class ScriptedRun {
  readonly #pipeline: CompiledPipeline;
  readonly #scenario: Scenario;
  readonly #entries: Map<string, Entry>;
  readonly #world: EvaluationContext;
  readonly time = new IdleTime();
  #events = 0;
  #trace: Trace | undefined;

  constructor(pipeline: CompiledPipeline, scenario: Scenario) {
    this.#pipeline = pipeline;
    this.#scenario = scenario;
    const { definition } = pipeline;
    this.#entries = new Map(definition.nodes.map(({ id }) => [id, { state: "PENDING", runs: 0, charges: 0 }]));
    const { ocr, document, metadata } = scenario.surroundings;
    this.#world = {
      definition,
      document,
      metadata,
      ocr: async (part) => ocr[part],
      node: async (id) => {
        const { state, result } = this.#entry(id);
        return { status: state, result: state === "COMPLETED" ? result : undefined };
      },
    };
  }

  /** Undefined until the run is settled. */
  get trace(): Trace | undefined {
    return this.#trace;
  }

  steps(): Record<string, Step> {
    const work: Step = (input) => this.#work(idIn(input));
    const own: Record<string, Step> = {
      recognize: async () => ({}),
      "begin-nodes": async () => ({ begin: { status: "COMPLETED", facts: await this.#facts("begin") } }),
      "mark-node": (input) => this.#mark(input),
      settle: async (input) => this.#settle(input),
    };
    return Object.fromEntries(PIPELINE_STEPS.map((step) => [step, own[step] ?? work]));
  }

  #entry(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry === undefined) throw new RangeError(`There is no node ${id}`);
    return entry;
  }

  #facts(producer: Producer): Promise<Record<string, string | null>> {
    return lookUpFacts(this.#pipeline.facts.pathsByProducer.get(producer) ?? [], this.#world);
  }

  #next(): number {
    this.time.stir();
    this.#events += 1;
    return this.#events;
  }

  async #work(id: string): Promise<Json> {
    const node = this.#pipeline.definition.nodes.find((one) => one.id === id);
    if (node === undefined) throw new RangeError(`There is no node ${id}`);
    const entry = this.#entry(id);
    entry.begin = this.#next();
    entry.state = "RUNNING";
    entry.runs += 1;
    const scripted = this.#scenario.script.get(id);
    const result =
      node.type === "final" ? await evaluateTemplate(node.output, this.#world) : (scripted?.result ?? null);
    await this.time.sleep(computes(node) ? 0 : (scripted?.seconds ?? 0));
    // The run is over: later results do not count.
    if (this.#trace !== undefined) return null;
    entry.end = this.#next();
    if (scripted?.failure !== undefined) {
      entry.failure = scripted.failure;
      if (node.onError === "fail") entry.state = "FAILED";
      throw new NodeFailure(scripted.failure);
    }
    entry.state = "COMPLETED";
    entry.result = result;
    if (!computes(node)) entry.charges += 1;
    return { status: "COMPLETED", result: `pipeline/nodes/${id}/result.json`, facts: await this.#facts(node.index) };
  }

  async #mark(input: Json): Promise<Json> {
    const id = idIn(input);
    const status = isObject(input) && input.status === "FAILED" ? "FAILED" : "SKIPPED";
    const entry = this.#entry(id);
    const node = this.#pipeline.definition.nodes.find((one) => one.id === id);
    if (this.#trace !== undefined) return null;
    if (isObject(input) && input.status === "ENDED") throw new NodeFailure(entry.failure ?? "");
    if (status === "SKIPPED") entry.end = this.#next();
    entry.state = status;
    return { status, facts: await this.#facts(node?.index ?? -1) };
  }

  #settle(input: Json): Json {
    const failure = isObject(input) ? input.failure : undefined;
    const settled = this.#next();
    for (const entry of this.#entries.values()) {
      if (entry.state !== "RUNNING") continue;
      entry.state = "CANCELLED";
      delete entry.end;
    }
    const job = isObject(failure) ? failed(causeOf(failure.Cause)) : this.#publicResult();
    this.#trace = { nodes: this.#entries, job, settled };
    return null;
  }

  #publicResult(): Trace["job"] {
    const { graph, definition } = this.#pipeline;
    for (const candidate of graph.finals) {
      const { state, result, failure } = this.#entry(definition.nodes[candidate]?.id ?? "");
      if (state === "COMPLETED") return { status: "COMPLETED", result: result ?? null };
      if (state === "FAILED") return failed(failure ?? "");
    }
    return failed(NO_FINAL);
  }
}

const failed = (error: string): Trace["job"] => ({ status: "FAILED", error });
const idIn = (input: Json): string => (isObject(input) ? String(input.node) : "");

/** The sentence in a Cause, which is JSON as from Lambda. */
function causeOf(cause: Json | undefined): string {
  const read = JSON.parse(String(cause));
  return isObject(read) ? String(read.errorMessage) : "";
}

const START_TIME = "2026-01-02T03:04:05.000Z";

/** @throws Error with the faults of a refused definition, or the error that ended the machine */
export async function runScenario(scenario: Scenario): Promise<Trace> {
  const compilation = compilePipeline(scenario.definition, CHECKS);
  if (!compilation.ok) throw new Error(`refused: ${JSON.stringify(compilation.faults)}`);
  return runPipeline(compilation.pipeline, scenario);
}

/** Runs a pipeline that may have been tampered with. @throws Error that ended the machine */
export async function runPipeline(pipeline: CompiledPipeline, scenario: Scenario): Promise<Trace> {
  const scripted = new ScriptedRun(pipeline, scenario);
  const definition = JSON.parse(JSON.stringify(pipeline.machine));
  const input = { organizationId: "org", guid: "guid", run: 1 };
  const execution: Execution = { name: "guid-1", machine: "machine", status: "RUNNING", input, startedAt: START_TIME };
  const load = () => compileDefinition(definition);
  // No pipeline's machine starts another one.
  const execute = () => Promise.reject(new Error("An execution was started"));
  const run = startRun({ execution, load, steps: scripted.steps(), clock: eagerClock(), execute });
  const outcome = await scripted.time.until(run.outcome);
  if (outcome.status !== "SUCCEEDED" || scripted.trace === undefined) {
    throw new Error(`the machine ended otherwise: ${JSON.stringify(outcome)}`);
  }
  return scripted.trace;
}
