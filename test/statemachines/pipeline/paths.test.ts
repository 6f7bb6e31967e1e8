/** Path expressions, and their values in a run. */
import { describe, expect, it } from "vitest";
import { checkPipeline } from "../../../statemachines/pipeline/compile.ts";
import { factOf } from "../../../statemachines/pipeline/conditions.ts";
import {
  type EvaluationContext,
  evaluateTemplate,
  lookUpFacts,
  resolvePath,
} from "../../../statemachines/pipeline/lookup.ts";
import { isPathText, type Path, parsePath, unescapeDollar } from "../../../statemachines/pipeline/paths.ts";
import { CHECKS } from "../../support/oracle/checks.ts";
import type { Json } from "../../support/oracle/scenario.ts";

function path(text: string): Path {
  const read = parsePath(text);
  if (typeof read === "string") throw new Error(read);
  return read;
}

describe("parsePath", () => {
  it.each<[string, string, string, string[]]>([
    ["$ocr", "ocr", "", []],
    ["$ocr.content", "ocr", "", ["content"]],
    ["$ocr.pages", "ocr", "", ["pages"]],
    ["$ocr.pages[3].content", "ocr", "", ["pages", "3", "content"]],
    ["$ocr.pages.3.content", "ocr", "", ["pages", "3", "content"]],
    ["$ocr.quality.score", "ocr", "", ["quality", "score"]],
    ["$nodes.a-b_C", "node", "a-b_C", []],
    ["$nodes.a.result", "node", "a", []],
    ["$nodes.a.x.y", "node", "a", ["x", "y"]],
    ["$nodes.a.result.x[0].y", "node", "a", ["x", "0", "y"]],
    ["$nodes.a.result.x.0.y", "node", "a", ["x", "0", "y"]],
    ["$nodes.a.result['a.b'][\"c]\"]", "node", "a", ["a.b", "c]"]],
    ["$nodes.a.result.status", "node", "a", ["status"]],
    ["$nodes['a'].result.result", "node", "a", ["result"]],
    ["$inputs.limit", "inputs", "limit", []],
    ["$inputs['a.b'].c", "inputs", "a.b", ["c"]],
    ["$document.fileName", "document", "", ["fileName"]],
    ["$.metadata.channel", "metadata", "channel", []],
    ["$.metadata.tags[1]", "metadata", "tags", ["1"]],
  ])("parses %s", (text, root, name, steps) => {
    expect(path(text)).toMatchObject({ kind: "path", root, name, steps, text, part: "result" });
  });

  it("accepts the status of a node", () => {
    expect(path("$nodes.a.status")).toMatchObject({ part: "status", steps: [] });
  });

  it.each([
    "$",
    "$nodes",
    "$nodes.",
    "$nodes..a",
    "$nodes.a.",
    "$nodes.a[",
    "$nodes.a[x]",
    "$nodes.a['x",
    "$ocr.text",
    "$ocr.content.x",
    "$ocr.pages.first",
    "$ocr.pages[0].content.x",
    "$ocr.quality.x",
    "$ocr.quality.score.x",
    "$document",
    "$document.guid.x",
    "$inputs",
    "$.other.x",
    "$.metadata",
    "$node.a",
    "$12",
    "$nodes.a.status.x",
  ])("refuses %s", (text) => {
    expect(typeof parsePath(text)).toBe("string");
  });

  it("begins with a single dollar sign: isPathText", () => {
    expect(["$a", "$$a", "a$", "$"].map(isPathText)).toEqual([true, false, false, true]);
    expect(["$$a", "$$$a", "a$$"].map(unescapeDollar)).toEqual(["$a", "$$a", "a$$"]);
  });
});

const definition = {
  inputs: JSON.parse(
    '{"limit":{"kind":"literal","value":{"a/b":[1,{"~":2}]},"pointer":"/a~1b/1/~0"},"whole":{"kind":"literal","value":[1],"pointer":""},"seller":{"kind":"nodeArtifact","nodeId":"a","pointer":"/parties/0"},"bare":{"x":1},"__proto__":7}',
  ),
  nodes: [
    { id: "a", type: "extract" },
    { id: "s", type: "extract", when: { exists: "$nodes.a.x" } },
    { id: "f", type: "final", output: 1, dependsOn: ["s"] },
  ],
};

function worldOf(): EvaluationContext {
  const checked = checkPipeline(definition, CHECKS);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  const result: Json = { parties: [{ name: "A" }], total: 0, none: null, "a.b": "dot", empty: "" };
  return {
    definition: checked.pipeline.definition,
    ocr: async (part) => ({ content: "text", pages: [{ content: "p0" }], quality: undefined })[part],
    document: { fileName: "a.pdf", pageCount: 2 },
    metadata: JSON.parse('{"channel":"mail","tags":["x"],"__proto__":"p"}'),
    node: async (id) => (id === "a" ? { status: "COMPLETED", result } : { status: "SKIPPED", result: undefined }),
  };
}

describe("resolvePath", () => {
  it.each<[string, Json | undefined]>([
    ["$ocr", { content: "text", pages: [{ content: "p0" }], quality: null }],
    ["$ocr.content", "text"],
    ["$ocr.pages[0].content", "p0"],
    ["$ocr.pages[1].content", undefined],
    ["$ocr.quality", undefined],
    ["$ocr.quality.score", undefined],
    ["$document.pageCount", 2],
    ["$document.guid", undefined],
    ["$.metadata.channel", "mail"],
    ["$.metadata.tags.0", "x"],
    ["$.metadata.constructor", undefined],
    ["$.metadata.__proto__", "p"],
    ["$nodes.a.status", "COMPLETED"],
    ["$nodes.s.status", "SKIPPED"],
    ["$nodes.s.result", undefined],
    ["$nodes.a.parties.0.name", "A"],
    ["$nodes.a.parties[1].name", undefined],
    ["$nodes.a.parties.length", undefined],
    ["$nodes.a.toString", undefined],
    ["$nodes.a.empty.0", undefined],
    ["$nodes.a.total", 0],
    ["$nodes.a.none", null],
    ["$nodes.a.result['a.b']", "dot"],
    ["$inputs.limit", 2],
    ["$inputs.whole", [1]],
    ["$inputs.seller.name", "A"],
    ["$inputs.bare.x", 1],
    ["$inputs.__proto__", 7],
  ])("resolves %s", async (text, value) => {
    expect(await resolvePath(path(text), worldOf())).toEqual(value);
  });

  it("gives null in a template for a path that finds nothing", async () => {
    const checked = checkPipeline(
      {
        nodes: [
          {
            id: "f",
            type: "final",
            output: JSON.parse('{"__proto__":["$.metadata.channel","$$x"],"none":"$.metadata.no"}'),
          },
        ],
      },
      CHECKS,
    );
    const final = checked.ok ? checked.pipeline.definition.nodes[0] : undefined;
    if (final?.type !== "final") throw new Error("no final node");
    const built = await evaluateTemplate(final.output, worldOf());
    expect(JSON.stringify(built)).toBe('{"__proto__":["mail","$x"],"none":null}');
  });

  it("gives facts, numbered by the order of the paths", async () => {
    const paths = ["$nodes.a.total", "$nodes.a.none", "$nodes.a.missing", "$nodes.a.status"].map(path);
    expect(await lookUpFacts(paths, worldOf())).toEqual({ f0: "0", f1: "null", f2: null, f3: '"COMPLETED"' });
  });
});

describe("factOf", () => {
  it("gives the same text for equal values, however they are written", () => {
    expect(factOf({ b: [1, { d: null, c: "x" }], a: 1.0 })).toBe('{"a":1,"b":[1,{"c":"x","d":null}]}');
    expect(factOf(JSON.parse('{"b":1,"__proto__":2}'))).toBe('{"__proto__":2,"b":1}');
    expect(factOf("é")).toBe('"é"');
  });

  it("gives a hash for a long value", () => {
    expect(factOf("x".repeat(198))).toHaveLength(200);
    expect(factOf("x".repeat(199))).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(factOf("x".repeat(500))).not.toBe(factOf("x".repeat(501)));
  });
});
