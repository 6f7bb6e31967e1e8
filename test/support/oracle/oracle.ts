/** Accepts or refuses a run by the language's description alone. */
import {
  build,
  candidatesOf,
  computes,
  dependenciesOf,
  type Ended,
  holds,
  idOf,
  maxNodesOf,
  nodesOf,
  same,
  type World,
} from "./language.ts";
import type { Json, JsonObject, NodeTrace, Scenario, Trace } from "./scenario.ts";

export const NO_FINAL = "Processing failed: no final node completed";

/**
 * The required end of a node unless something else ends the job earlier. UNREACHED: after a failure that ends the job.
 */
interface Fate extends Ended {
  failure?: string;
  /** Its failure ends the job. */
  fatal: boolean;
}

/** The outcomes that a definition and a script determine, whatever the timing. */
class Fates {
  readonly #scenario: Scenario;
  readonly #fates = new Map<string, Fate>();
  readonly nodes: ReadonlyMap<string, JsonObject>;
  readonly dependencies: ReadonlyMap<string, ReadonlySet<string>>;
  /** For each final node, the earlier candidates that it waits for. */
  readonly rivals = new Map<string, Set<string>>();

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    const { definition } = scenario;
    this.nodes = new Map(nodesOf(definition).map((node) => [idOf(node), node]));
    this.dependencies = new Map([...this.nodes].map(([id, node]) => [id, dependenciesOf(node, definition)]));
    const candidates = candidatesOf(definition);
    candidates.forEach((id, at) => {
      if (this.nodes.get(id)?.type !== "final") return;
      this.rivals.set(id, new Set(candidates.slice(0, at).filter((rival) => !this.#waits(rival, id))));
    });
  }

  /** Everything that must end before a node begins. */
  needs(id: string): string[] {
    return [...(this.dependencies.get(id) ?? []), ...(this.rivals.get(id) ?? [])];
  }

  #waits(id: string, target: string, seen = new Set<string>()): boolean {
    if (id === target) return true;
    if (seen.has(id)) return false;
    seen.add(id);
    return this.needs(id).some((need) => this.#waits(need, target, seen));
  }

  of(id: string): Fate {
    const known = this.#fates.get(id);
    if (known !== undefined) return known;
    const fate = this.#decide(id);
    this.#fates.set(id, fate);
    return fate;
  }

  #decide(id: string): Fate {
    const node = this.nodes.get(id) ?? {};
    const needs = this.needs(id).map((need) => this.of(need));
    if (needs.some(({ fatal, state }) => fatal || state === "UNREACHED")) return { state: "UNREACHED", fatal: false };
    const skipped: Fate = { state: "SKIPPED", fatal: false };
    const dependencies = [...(this.dependencies.get(id) ?? [])];
    if (dependencies.length > 0 && dependencies.every((one) => this.of(one).state === "SKIPPED")) return skipped;
    if ([...(this.rivals.get(id) ?? [])].some((one) => this.of(one).state === "COMPLETED")) return skipped;
    const world: World = { ...this.#scenario, ended: (other) => this.of(other) };
    if (!holds(node.when ?? null, world)) return skipped;
    const scripted = this.#scenario.script.get(id);
    if (scripted?.failure !== undefined) {
      return { state: "FAILED", failure: scripted.failure, fatal: node.onError !== "continue" };
    }
    return { state: "COMPLETED", result: this.#resultOf(node, world), fatal: false };
  }

  #resultOf(node: JsonObject, world: World): Json {
    if (node.type !== "final") return this.#scenario.script.get(idOf(node))?.result ?? null;
    const output = node.output ?? null;
    if (typeof output === "string" && this.nodes.has(output)) return this.of(output).result ?? null;
    return build(output, world);
  }
}

/** @returns the reason why a run does not fit the definition and script; undefined when it does */
export function objectionTo(trace: Trace, scenario: Scenario): string | undefined {
  const fates = new Fates(scenario);
  const fatal = [...fates.nodes.keys()].filter((id) => fates.of(id).fatal);
  for (const id of fates.nodes.keys()) {
    const own = trace.nodes.get(id);
    if (own === undefined) return `${id} has no state`;
    const objection = objectionToNode(id, own, fates, fatal.length > 0) ?? objectionToOrder(id, own, fates, trace);
    if (objection !== undefined) return objection;
  }
  return objectionToCrowd(scenario.definition, trace) ?? objectionToJob(scenario.definition, trace, fates, fatal);
}

function objectionToNode(
  id: string,
  { state, begin, end, runs, charges }: NodeTrace,
  fates: Fates,
  stopped: boolean,
): string | undefined {
  const fate = fates.of(id);
  const cutOff = stopped && (state === "PENDING" || (state === "CANCELLED" && fate.state !== "SKIPPED"));
  if (fate.state === "UNREACHED") {
    if (state !== "PENDING") return `${id} is ${state}, behind a failure that ends the job`;
  } else if (state !== fate.state && !cutOff) return `${id} is ${state} instead of ${fate.state}`;
  const ran = state === "COMPLETED" || state === "FAILED" || state === "CANCELLED";
  if (runs !== (ran ? 1 : 0)) return `${id} is ${state} and ran ${runs} times`;
  if (ran !== (begin !== undefined)) return `${id} is ${state} and ${ran ? "never began" : "began"}`;
  const ended = state === "COMPLETED" || state === "FAILED" || state === "SKIPPED";
  if (ended !== (end !== undefined)) return `${id} is ${state} and ${ended ? "never ended" : "ended"}`;
  const due = state === "COMPLETED" && !computes(fates.nodes.get(id) ?? {}) ? 1 : 0;
  return charges === due ? undefined : `${id} is ${state} and was charged ${charges} times`;
}

function objectionToOrder(id: string, { begin, end }: NodeTrace, fates: Fates, trace: Trace): string | undefined {
  const decided = begin ?? end;
  if (decided === undefined) return undefined;
  if (Math.max(decided, end ?? 0) > trace.settled) return `${id} went on after the job was settled`;
  const early = fates.needs(id).find((need) => (trace.nodes.get(need)?.end ?? Infinity) > decided);
  return early === undefined ? undefined : `${id} began before ${early} had ended`;
}

/** Never more nodes at once than the definition allows. */
function objectionToCrowd(definition: JsonObject, trace: Trace): string | undefined {
  const changes = nodesOf(definition)
    .filter((node) => !computes(node))
    .flatMap((node) => {
      const { begin, end = trace.settled } = trace.nodes.get(idOf(node)) ?? {};
      if (begin === undefined) return [];
      return [
        { at: begin, change: 1 },
        { at: end, change: -1 },
      ];
    })
    .sort((a, b) => a.at - b.at);
  let running = 0;
  let most = 0;
  for (const { change } of changes) {
    running += change;
    most = Math.max(most, running);
  }
  return most > maxNodesOf(definition) ? `${most} nodes ran at once` : undefined;
}

function objectionToJob(
  definition: JsonObject,
  { job, nodes }: Trace,
  fates: Fates,
  fatal: readonly string[],
): string | undefined {
  const shown = job.status === "FAILED" ? `FAILED: ${job.error}` : `COMPLETED with ${JSON.stringify(job.result)}`;
  if (fatal.length > 0) {
    const told = fatal.some(
      (id) => nodes.get(id)?.state === "FAILED" && job.status === "FAILED" && job.error === fates.of(id).failure,
    );
    return told ? undefined : `the job is ${shown}, but ${fatal.join(", ")} failed`;
  }
  for (const id of candidatesOf(definition)) {
    const { state, result, failure } = fates.of(id);
    if (state === "FAILED") {
      const isTold = job.status === "FAILED" && job.error === failure;
      return isTold ? undefined : `the job is ${shown}, but its candidate ${id} failed`;
    }
    if (state !== "COMPLETED") continue;
    const isRight = job.status === "COMPLETED" && same(job.result, result ?? null);
    return isRight ? undefined : `the job is ${shown} instead of COMPLETED with ${JSON.stringify(result)} of ${id}`;
  }
  return job.status === "FAILED" && job.error === NO_FINAL ? undefined : `the job is ${shown} instead of: ${NO_FINAL}`;
}
