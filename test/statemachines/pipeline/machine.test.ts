/** Emitted machines: the same bytes every time, quickly, within the quotas of Step Functions. */
import { describe, expect, it } from "vitest";
import { groupOf } from "../../../functions/service/organizations/engine-group.ts";
import type { State, StateMachine } from "../../../statemachines/asl.ts";
import { type CompiledPipeline, compilePipeline } from "../../../statemachines/pipeline/compile.ts";
import { Findings } from "../../../statemachines/pipeline/diagnostics.ts";
import { stateName } from "../../../statemachines/pipeline/emit.ts";
import { checkLimits } from "../../../statemachines/pipeline/limits.ts";
import { leastCpu } from "../../support/cpu.ts";
import { CHECKS } from "../../support/oracle/checks.ts";
import { generateScenario } from "../../support/oracle/generate.ts";
import { objectionTo } from "../../support/oracle/oracle.ts";
import { runPipeline } from "../../support/oracle/run.ts";
import type { Json, JsonObject, Scenario } from "../../support/oracle/scenario.ts";

const SURROUNDINGS: Scenario["surroundings"] = {
  ocr: { content: "", pages: [], quality: null },
  document: {},
  metadata: {},
};

function compiled(definition: JsonObject): CompiledPipeline {
  const compilation = compilePipeline(definition, CHECKS);
  if (!compilation.ok) throw new Error(JSON.stringify(compilation.faults));
  return compilation.pipeline;
}

function* statesOf(machine: Pick<StateMachine, "States">): Generator<[string, State]> {
  for (const [name, state] of Object.entries(machine.States)) {
    yield [name, state];
    if (state.Type === "Parallel") for (const branch of state.Branches) yield* statesOf(branch);
    if (state.Type === "Map") yield* statesOf(state.ItemProcessor);
  }
}

const extract = (id: string, more: JsonObject = {}): JsonObject => ({ id, type: "extract", ...more });
const FINAL: JsonObject = { id: "f", type: "final", output: 1 };
const range = <T>(count: number, of: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => of(at));

describe("compilePipeline", () => {
  it("gives the same bytes for the same definition, and does not change the definition", () => {
    for (let seed = 1; seed <= 30; seed += 1) {
      const { definition } = generateScenario(seed);
      const before = JSON.stringify(definition);
      const machine = JSON.stringify(compiled(definition).machine);
      expect(JSON.stringify(compiled(JSON.parse(before)).machine)).toBe(machine);
      expect(JSON.stringify(definition)).toBe(before);
    }
  });

  it("keeps prompts, schemas and configurations out of the machine, so that equal shapes share one", () => {
    const machine = (word: string) =>
      JSON.stringify(
        compiled({
          description: word,
          nodes: [
            extract("a", { prompt: word, schema: { type: "object", title: word }, input: word }),
            { id: "t", type: "transform", transform: "pick", input: "a", config: { fields: [word] } },
            { ...FINAL, output: { of: "$nodes.t.x", text: word } },
          ],
        }).machine,
      );
    expect(machine("secret")).toBe(machine("other"));
    expect(machine("secret")).not.toContain("secret");
  });

  const LARGE: Record<string, JsonObject> = {
    "a router": {
      maxNodes: 2,
      nodes: [
        extract("c"),
        ...range(49, (at) => extract(`e${at}`, { when: { eq: ["$nodes.c.kind", `k${at}`] } })),
        ...range(50, (at) => ({ ...FINAL, id: `f${at}`, output: at < 49 ? `$nodes.e${at}.result` : 1 })),
      ],
    },
    "a net": {
      maxNodes: 4,
      nodes: [
        ...range(99, (at) =>
          extract(`e${at}`, {
            dependsOn: range(99, (one) => one)
              .filter((one) => one < at && (one * 7 + at * 5) % 23 === 0)
              .map((one) => `e${one}`),
          }),
        ),
        FINAL,
      ],
    },
    "finals alone": { nodes: range(100, (at) => ({ ...FINAL, id: `f${at}`, when: { exists: "$.metadata.x" } })) },
  };

  it.each(Object.entries(LARGE))("takes at most 50 ms for 100 nodes: %s", (_what, definition) => {
    expect(leastCpu(7, 50, () => compiled(definition))).toBeLessThan(50);
  });
});

describe("emitMachine", () => {
  it("gives states unique names of at most 80 characters", () => {
    const long = "x".repeat(127);
    const nodes = [
      ...["a", "b", "c"].map((end) => extract(`${long}${end}`, { onError: "continue", when: { exists: "$ocr" } })),
      FINAL,
    ];
    const names = [...statesOf(compiled({ maxNodes: 2, nodes }).machine)].map(([name]) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(80);
    expect(stateName(`${long}a`)).toMatch(/^x{35}~[0-9a-f]{24}$/);
    expect(stateName("x".repeat(60))).toBe("x".repeat(60));
  });

  it("outputs nothing from a branch that no later state reads", () => {
    const nodes = [
      extract("a"),
      extract("b"),
      extract("c", { when: { eq: ["$nodes.a.x", 1] } }),
      { ...FINAL, dependsOn: ["b", "c"] },
    ];
    const { machine } = compiled({ nodes });
    const states = new Map(statesOf(machine));
    expect(states.get("b")).toMatchObject({ ResultPath: null, OutputPath: null, End: true });
    expect(states.get("a")).toMatchObject({ ResultPath: "$.n.n0", Next: "c?" });
    expect(states.get("c")).toMatchObject({ OutputPath: null });
    expect(states.get("a, b together")).toMatchObject({ ResultPath: null });
  });

  it("queues only extract nodes in queue mode", () => {
    const nodes = [extract("a"), { id: "o", type: "OCR_CORRECT" }, { ...FINAL, dependsOn: ["a", "o"] }];
    const states = new Map(statesOf(compiled({ nodes, execution: { mode: "queue" } }).machine));
    expect(["a", "o", "f"].map((name) => states.get(name))).toMatchObject([
      {
        Resource: "${queued-node}",
        Parameters: { "group.$": `States.Format('${groupOf(7).replace("7", "{}")}', $.organizationId)` },
      },
      { Resource: "${correct-node}" },
      { Resource: "${compute-node}" },
    ]);
    expect(new Map(statesOf(compiled({ nodes }).machine)).get("a")).toMatchObject({ Resource: "${extract-node}" });
  });

  it("puts the concurrency limit on the state that holds the branches", () => {
    const nodes = [...range(5, (at) => extract(`e${at}`)), FINAL];
    const maps = [...statesOf(compiled({ nodes, maxNodes: 2 }).machine)].filter(([, { Type }]) => Type === "Map");
    expect(maps).toMatchObject([["2 of e0, e1, e2, e3, e4 together", { MaxConcurrency: 2 }]]);
  });
});

describe("checkLimits", () => {
  const faultsOf = (definition: JsonObject): string[] => {
    const compilation = compilePipeline(definition, CHECKS);
    return compilation.ok ? [] : compilation.faults.map(({ code, message }) => `${code}: ${message}`);
  };

  it("refuses a machine that is too large, and names the quota", () => {
    // A backslash has four characters in the machine's text.
    const texts = range(49, (at) => ({ eq: ["$ocr.content", `${at}`.padEnd(98, "\\")] }));
    const nodes = [...range(40, (at) => extract(`e${at}`, { when: { or: texts } })), FINAL];
    expect(faultsOf({ nodes })).toEqual([expect.stringMatching(/^machine-too-large: .*1,048,576/)]);
  });

  /** Many parallel nodes, each with facts that a last node reads. */
  const reading = (facts: number): JsonObject => ({
    nodes: [
      ...range(20, (at) => extract(`e${at}`)),
      extract("last", {
        when: { and: range(20, (at) => ({ or: range(facts, (fact) => ({ exists: `$nodes.e${at}.m${fact}` })) })) },
      }),
      FINAL,
    ],
  });

  it("refuses a state that could be too large, and accepts all that cannot be", async () => {
    const most = range(40, (facts) => facts + 1).findLast((facts) => faultsOf(reading(facts)).length === 0) ?? 0;
    expect(most).toBeGreaterThan(5);
    expect(faultsOf(reading(most + 1))).toEqual([expect.stringMatching(/^state-too-large: .*262,144/)]);
    // The longest facts: the interpreter enforces Step Functions' limit on every payload.
    const result: Json = Object.fromEntries(range(most, (fact) => [`m${fact}`, "漢".repeat(198)]));
    const definition = reading(most);
    const script = new Map([...range(20, (at) => `e${at}`), "last"].map((id) => [id, { seconds: 1, result }]));
    const scenario: Scenario = { definition, script, surroundings: SURROUNDINGS };
    expect(objectionTo(await runPipeline(compiled(definition), scenario), scenario)).toBeUndefined();
  });

  it("refuses a run that could have too many events; 100 nodes never have", () => {
    const { machine, definition, facts, flow } = compiled({ nodes: [extract("a"), FINAL] });
    const codesFor = (count: number): string[] => {
      const findings = new Findings();
      const nodes = range(count, () => definition.nodes[0] ?? []).flat();
      checkLimits({ machine, definition: { ...definition, nodes }, facts, flow }, findings);
      return findings.faults.map(({ code, message }) => `${code} ${message.match(/allows ([\d,]+)/)?.[1]}`);
    };
    expect(codesFor(100)).toEqual([]);
    expect(codesFor(1000)).toEqual(["history-too-long 25,000"]);
  });

  it("accepts the widest router", () => {
    const when = (at: number) => ({ and: [{ eq: ["$nodes.c.kind", `k${at}`] }, { exists: "$nodes.c.total" }] });
    const nodes = [
      extract("c"),
      ...range(98, (at) => extract(`e${at}`, { when: when(at) })),
      { ...FINAL, dependsOn: range(98, (at) => `e${at}`) },
    ];
    expect(faultsOf({ nodes })).toEqual([]);
  });
});
