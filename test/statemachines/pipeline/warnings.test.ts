/** Warnings about a definition. */
import { describe, expect, it } from "vitest";
import { checkPipeline } from "../../../statemachines/pipeline/compile.ts";
import { CHECKS } from "../../support/oracle/checks.ts";
import type { Json, JsonObject } from "../../support/oracle/scenario.ts";

const FINAL: JsonObject = { id: "f", type: "final", output: 1 };

function read(given: Json): { warnings: readonly string[] } {
  const checked = checkPipeline(given, CHECKS);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  return checked.pipeline;
}

describe("warnings", () => {
  it("name a node's id that stays a text, only in objects", () => {
    const own = { type: "extract", input: { previous: "f", list: ["f"], other: "$nodes.b" } };
    const around = { nodes: [{ id: "a", ...own }, { id: "b", type: "extract", input: ["b2"] }, FINAL], finals: ["f"] };
    expect(read(around).warnings).toEqual([
      '"f" at /nodes/0/input/previous stays a text; the node\'s result is $nodes.f.result',
      '"f" at /nodes/0/input/list/0 stays a text; the node\'s result is $nodes.f.result',
    ]);
    // A branch often has the id of a node.
    const named = {
      nodes: [
        { id: "a", type: "extract" },
        { id: "f", type: "final", output: { branch: "a" } },
      ],
    };
    expect(read(named).warnings).toEqual([]);
  });

  it("report a timeout that is cut, and the number of warnings left out", () => {
    const cut = { nodes: [{ id: "a", type: "extract", timeoutSeconds: 900 }, FINAL] };
    expect(read(cut).warnings).toEqual([
      "The node has 300 seconds, as its run has, not the 900 of /nodes/0/timeoutSeconds",
    ]);
    const unknown = Object.fromEntries(Array.from({ length: 203 }, (_, at) => [`m${at}`, 1]));
    const { warnings } = read({ nodes: [FINAL], ...unknown });
    expect([warnings.length, warnings.at(-1)]).toEqual([201, "There are 3 more warnings"]);
  });

  it("are cut to a stored length", () => {
    const { warnings } = read({ nodes: [{ id: "a", type: "extract", input: { ["x".repeat(400_000)]: "f" } }, FINAL] });
    expect(warnings.map(({ length }) => length)).toEqual([400]);
  });
});
