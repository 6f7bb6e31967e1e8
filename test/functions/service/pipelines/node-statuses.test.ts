/** Statuses of a run's nodes, and the run's outcome, from the nodes' records. */
import { describe, expect, it } from "vitest";
import type { BegunNode, NodeOutcome, NodeOutput } from "../../../../functions/service/pipelines/node-records.ts";
import { pipelineOutcomeOf, type RunNodes, statusOf } from "../../../../functions/service/pipelines/node-statuses.ts";

const at = (second: number): string => `2026-01-02T03:04:0${second}.000Z`;
const done = (second: number, more: Partial<NodeOutput> = {}): NodeOutcome => ({
  v: 1,
  step: "node",
  outcome: "done",
  output: { status: "COMPLETED", startedAt: at(0), completedAt: at(second), ...more },
});
const skipped = (): NodeOutcome => done(1, { status: "SKIPPED" });
const failed = (second: number, sentence = `Failed at ${second}`): NodeOutcome => ({
  v: 1,
  step: "node",
  outcome: "failed",
  sentence,
  output: { completedAt: at(second) },
});

/** Recorded nodes a, b, c … */
function nodesOf(
  outcomes: Record<string, NodeOutcome | "begun" | "open">,
  finals: string[],
  goesOn: string[] = [],
): RunNodes {
  const entries = Object.entries(outcomes);
  const begun: [string, BegunNode][] = entries.flatMap(([id, one]) =>
    one === "begun" ? [[id, { v: 1, startedAt: at(0) }]] : [],
  );
  return {
    pipeline: {
      v: 1,
      version: "2026-05",
      warnings: [],
      nodes: entries.map(([id]) => ({
        id,
        type: "extract",
        onError: goesOn.includes(id) ? "continue" : "fail",
        timeoutSeconds: null,
      })),
      finals,
    },
    reading: undefined,
    begun: new Map(begun),
    done: new Map(entries.flatMap(([id, one]) => (typeof one === "string" ? [] : [[id, one]]))),
  };
}

describe("statusOf", () => {
  const nodes = nodesOf({ a: done(1), b: skipped(), c: failed(1), d: "begun", e: "open" }, ["a"]);

  it.each([
    ["PROCESSING", ["COMPLETED", "SKIPPED", "FAILED", "RUNNING", "PENDING"]],
    ["COMPLETED", ["COMPLETED", "SKIPPED", "FAILED", "CANCELLED", "PENDING"]],
    ["FAILED", ["COMPLETED", "SKIPPED", "FAILED", "CANCELLED", "PENDING"]],
    ["CANCELLED", ["COMPLETED", "SKIPPED", "FAILED", "CANCELLED", "PENDING"]],
  ] as const)("in a run that is %s", (run, states) => {
    expect(["a", "b", "c", "d", "e"].map((id) => statusOf(nodes, id, run))).toEqual(states);
  });
});

describe("a pipeline's outcome", () => {
  it("is the first final node that completed", () => {
    expect(pipelineOutcomeOf(nodesOf({ a: skipped(), b: done(2), c: done(1) }, ["a", "b", "c"]))).toMatchObject({
      chosenFinal: "b",
    });
    expect(pipelineOutcomeOf(nodesOf({ a: done(1), b: done(2) }, ["b", "a"]))).toMatchObject({ chosenFinal: "b" });
  });

  it("is a failure when a final node before it failed, but not when a later one did", () => {
    const own = { a: failed(1), b: done(2) };
    expect(pipelineOutcomeOf(nodesOf(own, ["a", "b"], ["a"]))).toMatchObject({ error: "Failed at 1" });
    expect(pipelineOutcomeOf(nodesOf(own, ["a", "b"], ["a"])).chosenFinal).toBeUndefined();
    expect(pipelineOutcomeOf(nodesOf(own, ["b", "a"], ["a"]))).toMatchObject({ chosenFinal: "b" });
  });

  it("is the error of the node that failed first in time", () => {
    const verdict = pipelineOutcomeOf(nodesOf({ a: failed(3), b: failed(1), c: failed(2), d: done(1) }, ["d"]));
    expect(verdict).toMatchObject({ fatalError: "Failed at 1", error: "Failed at 1" });
    expect(verdict.chosenFinal).toBeUndefined();
  });

  it("ignores failures with onError continue", () => {
    const verdict = pipelineOutcomeOf(nodesOf({ a: failed(1), b: done(2) }, ["b"], ["a"]));
    expect([verdict.fatalError, verdict.error, verdict.chosenFinal]).toEqual([undefined, undefined, "b"]);
  });

  it("is a failure when no final node completed", () => {
    const error = "Processing failed: no final node completed";
    expect(pipelineOutcomeOf(nodesOf({ a: skipped(), b: done(1) }, ["a"]))).toMatchObject({ error });
    expect(pipelineOutcomeOf(nodesOf({ a: "begun" }, ["a"]))).toMatchObject({ error });
  });

  it("has the chosen node's facts, and the model use of all nodes", () => {
    const use = { model: "m" } as unknown as NonNullable<NodeOutput["uses"]>[number];
    const chosen = done(2, { sourcesKey: "s", partial: true, confidence: 0.5, engine: "gpt" });
    const own = {
      a: done(1, { engine: "offline", confidence: 0.9, uses: [use] }),
      b: chosen,
      c: { ...failed(3), output: { uses: [use] } },
    };
    expect(pipelineOutcomeOf(nodesOf(own, ["b"], ["c"]))).toMatchObject({
      chosenFinal: "b",
      hasSources: true,
      partial: true,
      confidence: 0.5,
      engine: "gpt",
      uses: [use, use],
    });
  });
});
