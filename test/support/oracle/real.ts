/**
 * Runs a scenario through the service's own steps on a platform in memory, with a scripted model. Nodes that ask
 * somebody become extract nodes whose work is scripted: everything around the work is under test.
 */

import { JobFailure } from "../../../functions/ports/errors.ts";
import type { RecordKey, RecordOperation, Records } from "../../../functions/ports/records.ts";
import { waitForEnd } from "../../../functions/service/lifecycle/views/wait-for-end.ts";
import { nodesPrefix } from "../../../functions/service/pipelines/node-records.ts";
import { loadNodes, viewPipeline } from "../../../functions/service/pipelines/node-statuses.ts";
import { TERMINAL_STATUSES } from "../../../functions/service/runs/job-records.ts";
import { directEngine, fakeEngine } from "../engines.ts";
import { fileOf, startPipeline } from "../pipeline-run.ts";
import { type TestPlatform, testPlatform } from "../platform.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  type NodeTrace,
  type Scenario,
  type Scripted,
  type Trace,
} from "./scenario.ts";

/** The real time of a scripted second. */
const MS_PER_SCRIPTED_SECOND = 2;
const RUN_TIMEOUT_SECONDS = 60;
const DOCUMENT = { bytes: Buffer.from("Invoice 7\nTotal 12.50\n"), mimeType: "text/plain" };
const COMPUTE_TYPES = new Set(["validate", "transform", "final"]);

/** Observations of a run, in the order of its records. */
class Watch {
  readonly nodes = new Map<string, NodeTrace>();
  settled = 0;
  #events = 0;

  of(id: string): NodeTrace {
    const known = this.nodes.get(id) ?? { state: "PENDING", runs: 0, charges: 0 };
    this.nodes.set(id, known);
    return known;
  }

  next(): number {
    this.#events += 1;
    return this.#events;
  }
}

/** The node of a record. */
function nodeIn({ sort }: RecordKey, name: "begun" | "done"): string | undefined {
  const prefix = `${nodesPrefix("", 1).sort}${name}/`;
  return sort.startsWith(prefix) ? sort.slice(prefix.length) : undefined;
}

export interface RealSteps extends AsyncDisposable {
  /** @returns the trace and its scenario: the results of compute nodes are the service's own */
  run(scenario: Scenario): Promise<{ trace: Trace; scenario: Scenario }>;
}

class Steps implements RealSteps {
  readonly #at: TestPlatform;
  #script: Scenario["script"] = new Map();
  #watch = new Watch();
  #ocr: Scenario["surroundings"]["ocr"] | undefined;

  constructor() {
    this.#at = testPlatform(
      fakeEngine(
        {
          extract: async ({ request: { prompt = "" } }) => {
            const { seconds = 0, result = null, failure }: Partial<Scripted> = this.#script.get(prompt) ?? {};
            this.#watch.of(prompt).runs += 1;
            await this.#at.platform.engines.clock.sleep(seconds * MS_PER_SCRIPTED_SECOND);
            if (failure !== undefined) throw new JobFailure(failure);
            const facts = { found: 1, unresolved: 0, confidence: 1 };
            const sources = { version: 1, granularity: "auto", pages: [], locations: {}, unresolved: [] };
            return {
              result: Buffer.from(JSON.stringify(result)),
              sources: Buffer.from(JSON.stringify(sources)),
              facts,
            };
          },
        },
        directEngine,
      ),
    );
    const { platform } = this.#at;
    Object.assign(platform, { records: this.#watching(platform.records) });
  }

  /** A step first reads whether its node is done; only writes count. */
  #watching(records: Records): Records {
    return {
      get: (key) => {
        const id = nodeIn(key, "done");
        if (id !== undefined) this.#watch.of(id).begin ??= this.#watch.next();
        return records.get(key);
      },
      put: async (key, value, options) => {
        const written = await records.put(key, value, options);
        this.#note([{ kind: "put", key, value }]);
        return written;
      },
      delete: (key, condition) => records.delete(key, condition),
      add: (key, amounts, floor) => records.add(key, amounts, floor),
      query: (query) => records.query(query),
      transact: async (operations, options) => {
        await records.transact(operations, options);
        this.#note(operations);
      },
    };
  }

  #note(operations: readonly RecordOperation[]): void {
    const watch = this.#watch;
    for (const operation of operations) {
      if (operation.kind !== "put") continue;
      const { key, value } = operation;
      const id = nodeIn(key, "done");
      if (id !== undefined) {
        watch.of(id).end = watch.next();
        if (isObject(value.output) && value.output.resultKey !== undefined) watch.of(id).charges += 1;
      }
      const isJob = key.sort === "job" && typeof value.status === "string";
      if (isJob && TERMINAL_STATUSES.has(value.status as "COMPLETED") && watch.settled === 0)
        watch.settled = watch.next();
    }
  }

  async run(given: Scenario): Promise<{ trace: Trace; scenario: Scenario }> {
    this.#ocr ??= await this.#probe();
    this.#script = given.script;
    this.#watch = new Watch();
    const definition = withRealNodes(given.definition);
    const { guid, status, error } = await this.#finish(definition, given.surroundings.metadata);
    const nodes = await loadNodes(this.#at.org, guid, 1);
    if (nodes === undefined) throw new Error("The run left no nodes");
    const script = new Map(given.script);
    const traced = new Map<string, NodeTrace>();
    for (const node of viewPipeline(nodes, status).nodes as { id: string; type: string; status: string }[]) {
      traced.set(node.id, this.#traceOf(node));
      if (!COMPUTE_TYPES.has(node.type)) continue;
      // Other tests cover computed values; here only the outcome matters.
      const { sentence } = nodes.done.get(node.id) ?? {};
      const result: Json = await fileOf(this.#at, guid, `pipeline/nodes/${node.id}/result.json`);
      script.set(node.id, { seconds: 0, result, ...(sentence === undefined ? {} : { failure: sentence }) });
    }
    const surroundings = {
      ocr: this.#ocr,
      document: { guid, fileName: null, mimeType: DOCUMENT.mimeType, pageCount: 1 },
      metadata: given.surroundings.metadata,
    };
    const job: Trace["job"] =
      status === "COMPLETED"
        ? { status, result: await fileOf(this.#at, guid, "result.json") }
        : { status: "FAILED", error: error ?? "" };
    return {
      trace: { nodes: traced, job, settled: this.#watch.settled },
      scenario: { definition, script, surroundings },
    };
  }

  #traceOf({ id, type, status }: { id: string; type: string; status: string }): NodeTrace {
    const { begin, end, runs, charges } = this.#watch.of(id);
    const ran = status !== "SKIPPED" && status !== "PENDING";
    const computes = COMPUTE_TYPES.has(type);
    return {
      state: status,
      // A node that was cut off may not have begun its work.
      runs: ran ? (computes || status === "CANCELLED" ? Math.max(1, runs) : runs) : runs,
      charges: computes ? 0 : charges,
      ...(ran && begin !== undefined ? { begin } : {}),
      ...(end === undefined ? {} : { end }),
    };
  }

  async #finish(definition: JsonObject, metadata: JsonObject) {
    const guid = await startPipeline(this.#at, DOCUMENT, definition, metadata);
    return waitForEnd(this.#at.org, guid, RUN_TIMEOUT_SECONDS);
  }

  /** The service's own text of the document. */
  async #probe(): Promise<Scenario["surroundings"]["ocr"]> {
    const output = { content: "$ocr.content", pages: "$ocr.pages", quality: "$ocr.quality" };
    const { guid } = await this.#finish({ nodes: [{ id: "f", type: "final", output }] }, {});
    return fileOf(this.#at, guid, "result.json");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#at.close();
  }
}

/**
 * For nodes that ask somebody, only the members that decide when they run; without a queue, which nobody consumes here.
 */
function withRealNodes({ execution: _, executionMode: __, ...definition }: JsonObject): JsonObject {
  const nodes = (Array.isArray(definition.nodes) ? definition.nodes : []).filter(isObject).map((node): JsonObject => {
    if (COMPUTE_TYPES.has(String(node.type))) return node;
    const { id = "", dependsOn, when, onError, source, input } = node;
    const kept = Object.entries({ dependsOn, when, onError }).filter(([, value]) => value !== undefined);
    const read = [source, input].flatMap((value) => (value === undefined ? [] : [value]));
    return { id, type: "extract", prompt: id, ...Object.fromEntries(kept), input: read };
  });
  return { ...definition, nodes };
}

/** A platform for scenarios, one after the other. */
export const openRealSteps = (): RealSteps => new Steps();
