/** Random pipelines, compiled and run, checked by the oracle; and the oracle itself, checked with faulty runs. */
import { describe, expect, it } from "vitest";
import type { StateMachine } from "../../../statemachines/asl.ts";
import { type CompiledPipeline, compilePipeline } from "../../../statemachines/pipeline/compile.ts";
import { CHECKS } from "../../support/oracle/checks.ts";
import { generateScenario } from "../../support/oracle/generate.ts";
import { candidatesOf, nodesOf } from "../../support/oracle/language.ts";
import { NO_FINAL, objectionTo } from "../../support/oracle/oracle.ts";
import { explain, refusalOf, refusalOfReal, SCENARIOS_PER_REAL_RUN } from "../../support/oracle/prove.ts";
import { openRealSteps } from "../../support/oracle/real.ts";
import { runPipeline, runScenario } from "../../support/oracle/run.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  type NodeTrace,
  type Scenario,
  type Trace,
} from "../../support/oracle/scenario.ts";
import { shrink } from "../../support/oracle/shrink.ts";

const RANDOM_PIPELINES = 500;

describe("a random pipeline", () => {
  it(`runs as the language says, ${RANDOM_PIPELINES} times`, { timeout: 120_000 }, async () => {
    for (let seed = 1; seed <= RANDOM_PIPELINES; seed += 1) {
      const reason = await refusalOf(generateScenario(seed));
      if (reason !== undefined) throw new Error(await explain(seed, reason));
    }
  });
});

/** Random scenarios in which a candidate that may fail fails. */
function* failingCandidates(): Generator<number> {
  for (let seed = 1; ; seed += 1) {
    const { definition, script } = generateScenario(seed);
    const candidates = new Set(candidatesOf(definition));
    const fails = nodesOf(definition).some(
      ({ id, onError, type }) =>
        onError === "continue" &&
        type === "extract" &&
        candidates.has(String(id)) &&
        script.get(String(id))?.failure !== undefined,
    );
    if (fails) yield seed;
  }
}

describe("the service's own steps", () => {
  it("run random pipelines as the language says, 12 of them", { timeout: 120_000 }, async () => {
    await using steps = openRealSteps();
    const share = Array.from({ length: 8 }, (_, at) => (at + 1) * SCENARIOS_PER_REAL_RUN);
    for (const seed of [...share, ...failingCandidates().take(4)]) {
      expect(await refusalOfReal(steps, generateScenario(seed)), `seed ${seed}`).toBeUndefined();
    }
  });
});

function compiled(definition: JsonObject): CompiledPipeline | undefined {
  const compilation = compilePipeline(definition, CHECKS);
  return compilation.ok ? compilation.pipeline : undefined;
}

const withNodes =
  (change: (node: JsonObject) => JsonObject) =>
  (definition: JsonObject): JsonObject => ({
    ...definition,
    nodes: (Array.isArray(definition.nodes) ? definition.nodes : []).filter(isObject).map(change),
  });

const dropped = (member: string) => withNodes(({ [member]: _dropped, ...rest }) => rest);

/** Rewrites every object of a machine. */
const rewritten = (value: Json, change: (one: JsonObject) => JsonObject): Json => {
  if (Array.isArray(value)) return value.map((item) => rewritten(item, change));
  if (!isObject(value)) return value;
  return change(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, rewritten(one, change)])));
};

/** Removes the rules of Choices whose text contains this. */
const withoutRules =
  (text: string) =>
  (state: JsonObject): JsonObject => {
    if (state.Type !== "Choice" || !Array.isArray(state.Choices)) return state;
    const Choices = state.Choices.filter((rule) => !JSON.stringify(rule).includes(text));
    // A Choice needs a rule: this one never holds.
    const never = { Variable: "$.guid", IsPresent: false, Next: state.Default ?? null };
    return { ...state, Choices: Choices.length === 0 ? [never] : Choices };
  };

/** Faulty compilers. */
const FAULTY_COMPILERS: Record<string, (scenario: Scenario) => CompiledPipeline | undefined> = {
  "forgets dependsOn": ({ definition }) => compiled(dropped("dependsOn")(definition)),
  "forgets conditions": ({ definition }) => compiled(dropped("when")(definition)),
  "forgets onError": ({ definition }) => compiled(dropped("onError")(definition)),
  "goes on after every error": ({ definition }) =>
    compiled(withNodes((node) => ({ ...node, onError: "continue" }))(definition)),
  "forgets finals": ({ definition: { finals: _finals, finalOrder: _order, ...rest } }) => compiled(rest),
  "forgets the limit": ({ definition: { maxNodes: _most, ...rest } }) =>
    compiled({ ...rest, concurrency: { maxNodes: 99 } }),
  "takes eq for ne": ({ definition }) =>
    compiled(
      withNodes((node) => ({
        ...node,
        ...(node.when === undefined
          ? {}
          : { when: rewritten(node.when, ({ ne, ...rest }) => (ne === undefined ? rest : { eq: ne })) }),
      }))(definition),
    ),
  "forgets that skipping spreads": slippedMachine(withoutRules('"SKIPPED"')),
  "runs every candidate": slippedMachine(withoutRules('"COMPLETED"},{')),
  "lets a pool grow": slippedMachine((state) => (state.Type === "Map" ? { ...state, MaxConcurrency: 40 } : state)),
};

function slippedMachine(change: (state: JsonObject) => JsonObject) {
  return ({ definition }: Scenario): CompiledPipeline | undefined => {
    const pipeline = compiled(definition);
    if (pipeline === undefined) return undefined;
    const machine = rewritten(JSON.parse(JSON.stringify(pipeline.machine)), change);
    return { ...pipeline, machine: machine as unknown as StateMachine };
  };
}

/** The first run of a few hundred that the oracle refuses. */
async function firstRefusal(slip: (scenario: Scenario) => CompiledPipeline | undefined): Promise<string | undefined> {
  for (let seed = 1; seed <= 300; seed += 1) {
    const scenario = generateScenario(seed);
    const pipeline = slip(scenario);
    const objection = pipeline && objectionTo(await runPipeline(pipeline, scenario), scenario);
    if (objection !== undefined) return objection;
  }
  return undefined;
}

describe("the oracle", () => {
  it.each(Object.entries(FAULTY_COMPILERS))(
    "refuses runs of a compiler that %s",
    { timeout: 60_000 },
    async (_what, slip) => {
      expect(await firstRefusal(slip)).toBeDefined();
    },
  );

  const scenario: Scenario = {
    definition: {
      maxNodes: 1,
      nodes: [
        { id: "a", type: "extract" },
        { id: "b", type: "extract", when: { eq: ["$nodes.a.result.kind", "letter"] } },
        { id: "c", type: "extract", dependsOn: ["a"] },
        { id: "f", type: "final", output: { of: "$nodes.c.result.total", none: "$nodes.b.result" } },
      ],
    },
    script: new Map([
      ["a", { seconds: 1, result: { kind: "invoice" } }],
      ["b", { seconds: 1, result: 1 }],
      ["c", { seconds: 1, result: { total: 3 } }],
    ]),
    surroundings: { ocr: { content: "", pages: [], quality: null }, document: {}, metadata: {} },
  };

  const changed = (trace: Trace, id: string, change: Partial<NodeTrace>): Trace => {
    const own = trace.nodes.get(id);
    if (own === undefined) throw new RangeError(id);
    return { ...trace, nodes: new Map([...trace.nodes, [id, { ...own, ...change }]]) };
  };

  it("accepts the recorded run, and refuses it after any change", async () => {
    const trace = await runScenario(scenario);
    expect(objectionTo(trace, scenario)).toBeUndefined();
    expect(trace.job).toEqual({ status: "COMPLETED", result: { of: 3, none: null } });
    const [a, c] = [trace.nodes.get("a"), trace.nodes.get("c")];
    const wrong: [Trace, string][] = [
      [changed(trace, "c", { state: "SKIPPED" }), "c is SKIPPED instead of COMPLETED"],
      [changed(trace, "b", { state: "COMPLETED" }), "b is COMPLETED instead of SKIPPED"],
      [changed(trace, "c", { state: "PENDING" }), "c is PENDING instead of COMPLETED"],
      [changed(trace, "a", { runs: 2 }), "a is COMPLETED and ran 2 times"],
      [changed(trace, "b", { runs: 1 }), "b is SKIPPED and ran 1 times"],
      [changed(trace, "a", { charges: 2 }), "a is COMPLETED and was charged 2 times"],
      [changed(trace, "f", { charges: 1 }), "f is COMPLETED and was charged 1 times"],
      [changed(trace, "c", { begin: (a?.end ?? 0) - 0.5 }), "c began before a had ended"],
      [changed(trace, "a", { end: (c?.begin ?? 0) + 0.5 }), "began before a had ended"],
      [changed(trace, "f", { end: trace.settled + 1 }), "f went on after the job was settled"],
      [{ ...trace, job: { status: "COMPLETED", result: 4 } }, "the job is COMPLETED with 4 instead of"],
      [{ ...trace, job: { status: "FAILED", error: NO_FINAL } }, `the job is FAILED: ${NO_FINAL}`],
    ];
    for (const [changedTrace, reason] of wrong) expect(objectionTo(changedTrace, scenario)).toContain(reason);
    const without = new Map([...trace.nodes].filter(([id]) => id !== "c"));
    expect(objectionTo({ ...trace, nodes: without }, scenario)).toBe("c has no state");
  });

  it("counts the nodes that run at once", async () => {
    const { definition, script, surroundings } = scenario;
    const apart: Scenario = { definition: dropped("dependsOn")(dropped("when")(definition)), script, surroundings };
    const two = compiled({ ...apart.definition, maxNodes: 2 });
    if (two === undefined) throw new Error("refused");
    expect(objectionTo(await runPipeline(two, apart), apart)).toBe("2 nodes ran at once");
  });

  it("demands the failure of the node that failed", async () => {
    const failing: Scenario = {
      ...scenario,
      script: new Map([...scenario.script, ["c", { seconds: 1, result: null, failure: "No" }]]),
    };
    const trace = await runScenario(failing);
    expect(trace.job).toEqual({ status: "FAILED", error: "No" });
    expect(trace.nodes.get("f")?.state).toBe("PENDING");
    expect(objectionTo(trace, failing)).toBeUndefined();
    expect(objectionTo({ ...trace, job: { status: "FAILED", error: "Yes" } }, failing)).toContain("but c failed");
    expect(objectionTo(changed(trace, "f", { state: "SKIPPED" }), failing)).toContain("behind a failure");
  });

  it("shrinks a failing scenario", async () => {
    const small = await shrink(scenario, async ({ definition }) => JSON.stringify(definition).includes('"b"'));
    expect(small.definition).toEqual({ nodes: [{ id: "b", type: "extract", input: 1 }] });
  });
});
