/** Locations of values in combined results: through chains of transformations and finals. */
import { describe, expect, it } from "vitest";
import type {
  SourceLocation,
  SourceLocations,
  UnresolvedLeaf,
} from "../../../../functions/engine/layout/source-locations.ts";
import { DEFINITION_CHECKS } from "../../../../functions/engine/nodes/definition-checks.ts";
import { computeBucket, computeFinal, computeTransform } from "../../../../functions/engine/nodes/node-values.ts";
import { composeSources, nowhere, trailOf, withoutLocations } from "../../../../functions/engine/nodes/provenance.ts";
import { checkPipeline } from "../../../../statemachines/pipeline/compile.ts";
import type { Json, JsonObject } from "../../../../statemachines/pipeline/diagnostics.ts";
import { type EvaluationContext, evaluateTemplate, resolvePath } from "../../../../statemachines/pipeline/lookup.ts";
import { Chance } from "../../../support/oracle/random.ts";

/** A place that can be told from every other. */
const at = (name: string): SourceLocation => ({ sourceRefs: [name] }) as unknown as SourceLocation;

const sourcesOf = (names: Record<string, string>, unresolved: UnresolvedLeaf[] = []): SourceLocations => ({
  version: 1,
  granularity: "word",
  pages: [{ pageNumber: 1 }] as unknown as SourceLocations["pages"],
  locations: Object.fromEntries(Object.entries(names).map(([pointer, name]) => [pointer, at(name)])),
  unresolved,
});

interface Node {
  result: Json;
  sources: SourceLocations;
}

/** Works out the computing nodes of a definition whose extract nodes are done. @returns the last one's */
async function through(read: Record<string, Node>, nodes: JsonObject[], more: JsonObject = {}): Promise<Node> {
  const extracts = Object.keys(read).map((id) => ({ id, type: "extract" }));
  const checked = checkPipeline({ nodes: [...extracts, ...nodes], ...more }, DEFINITION_CHECKS);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  const { definition } = checked.pipeline;
  const done = new Map(Object.entries(read));
  const world: EvaluationContext = {
    definition,
    ocr: async () => "text",
    document: { fileName: "a.pdf" },
    metadata: {},
    node: async (id) => ({ status: "COMPLETED", result: done.get(id)?.result }),
  };
  let last: Node = { result: null, sources: sourcesOf({}) };
  for (const node of definition.nodes) {
    if (node.type !== "transform" && node.type !== "final" && node.type !== "validate") continue;
    const template = node.type === "final" ? node.output : node.input;
    const value = await evaluateTemplate(template, world);
    const { result, moves } =
      node.type === "final"
        ? computeFinal(value)
        : node.type === "validate"
          ? computeBucket(node, value)
          : await computeTransform(node, value, (path) => resolvePath(path, world));
    const sources = new Map([...done].map(([id, one]) => [id, one.sources]));
    const trail = trailOf(template, definition);
    last = { result, sources: composeSources({ result, moves, trail, granularity: "word", sources }) };
    done.set(node.id, last);
  }
  return last;
}

const told = ({ sources }: Node) => ({
  found: Object.fromEntries(
    Object.entries(sources.locations).map(([pointer, { sourceRefs }]) => [pointer, sourceRefs[0]]),
  ),
  not: Object.fromEntries(sources.unresolved.map(({ pointer, reason }) => [pointer, reason])),
});

const READ = {
  result: {
    number: "A-1",
    net: 431,
    none: null,
    empty: "",
    missed: "x",
    rows: [
      { k: 2, t: "b" },
      { k: 1, t: "a" },
    ],
    no: [],
  },
  sources: sourcesOf(
    { "/number": "number", "/net": "net", "/rows/0/k": "k2", "/rows/0/t": "b", "/rows/1/k": "k1", "/rows/1/t": "a" },
    [
      { pointer: "/none", reason: "null-value" },
      { pointer: "/empty", reason: "empty" },
      { pointer: "/missed", reason: "not-found" },
      { pointer: "/no", reason: "empty" },
    ],
  ),
};

const transform = (id: string, kind: string, input: Json, config: JsonObject = {}): JsonObject => ({
  id,
  type: "transform",
  transform: kind,
  input,
  config,
});
const end = (output: Json): JsonObject => ({ id: "end", type: "final", output });

describe("source locations of nodes", () => {
  it("are copied for an unchanged result", async () => {
    const whole = await through({ read: READ }, [end("$nodes.read.result")]);
    expect(whole.sources).toEqual(READ.sources);
    expect(told(await through({ read: READ }, [end({ a: ["$nodes.read.rows[1].t", "$nodes.read.rows.0"] })]))).toEqual({
      found: { "/a/0": "a", "/a/1/k": "k2", "/a/1/t": "b" },
      not: {},
    });
  });

  it("have a reason for every unlocated leaf", async () => {
    const output = {
      file: "$document.fileName",
      text: "$ocr.content",
      literal: "$$x",
      number: 7,
      nothing: "$nodes.read.absent",
      blank: " ",
      list: [],
      missed: "$nodes.read.missed",
      state: "$nodes.read.status",
    };
    expect(told(await through({ read: READ }, [end(output)]))).toEqual({
      found: {},
      not: {
        "/file": "derived",
        "/text": "derived",
        "/literal": "constant",
        "/number": "constant",
        "/nothing": "null-value",
        "/blank": "empty",
        "/list": "empty",
        "/missed": "not-found",
        "/state": "derived",
      },
    });
  });

  it("follow inputs and their pointers", async () => {
    const inputs = {
      rows: { kind: "nodeArtifact", nodeId: "read", pointer: "/rows" },
      fixed: { kind: "literal", value: { a: ["x"] }, pointer: "/a" },
    };
    const output = { first: "$inputs.rows[0]", fixed: "$inputs.fixed.0" };
    expect(told(await through({ read: READ }, [end(output)], { inputs }))).toEqual({
      found: { "/first/k": "k2", "/first/t": "b" },
      not: { "/fixed": "constant" },
    });
  });

  it("follow pick, merge, sort and dedupe in a chain", async () => {
    const nodes = [
      transform("sorted", "sort", "$nodes.read.rows", { by: "k" }),
      transform("unique", "dedupe", ["$nodes.read.rows[0]", "$nodes.sorted.result[0]", "$nodes.sorted[1]"], {
        key: "k",
      }),
      transform("texts", "pick", "unique", { fields: ["t"] }),
      transform("head", "pick", "read", { fields: ["number", "net", "missed"] }),
      transform("all", "merge", ["head", { rows: "$nodes.texts.result", net: 1 }]),
      end({ data: "$nodes.all.result" }),
    ];
    const done = await through({ read: READ }, nodes);
    expect(done.result).toEqual({ data: { number: "A-1", net: 1, missed: "x", rows: [{ t: "b" }, { t: "a" }] } });
    expect(told(done)).toEqual({
      found: { "/data/number": "number", "/data/rows/0/t": "b", "/data/rows/1/t": "a" },
      not: { "/data/net": "constant", "/data/missed": "not-found" },
    });
  });

  it("of deeply merged objects are those of their members", async () => {
    const other = { result: { o: { a: 1, b: 2 } }, sources: sourcesOf({ "/o/a": "other a", "/o/b": "other b" }) };
    const more = { result: { o: { b: 3, c: 4 } }, sources: sourcesOf({ "/o/b": "more b", "/o/c": "more c" }) };
    const nodes = [transform("all", "merge", ["other", "more"], { deep: true }), end("$nodes.all")];
    expect(told(await through({ other, more }, nodes))).toEqual({
      found: { "/o/a": "other a", "/o/b": "more b", "/o/c": "more c" },
      not: {},
    });
    const shallow = [transform("all", "merge", ["other", "more"]), end("$nodes.all")];
    expect(told(await through({ other, more }, shallow)).found).toEqual({ "/o/b": "more b", "/o/c": "more c" });
  });

  it("end at computed values", async () => {
    const nodes = [
      transform("note", "template", "read", { text: "No. {{number}}" }),
      transform("money", "lookup", "$nodes.read.number", { table: { "A-1": "one" } }),
      transform("more", "calculate", "read", { formulas: { double: "{net} * 2", net: "1 + 1" } }),
      {
        id: "size",
        type: "validate",
        validator: "bucket",
        input: "$nodes.read.net",
        config: { buckets: [{ name: "all" }] },
      },
      end({ note: "$nodes.note", money: "$nodes.money", more: "$nodes.more", size: "$nodes.size" }),
    ];
    const { found, not } = told(await through({ read: READ }, nodes));
    expect(found).toMatchObject({ "/more/number": "number", "/more/rows/0/k": "k2", "/size/value": "net" });
    expect(not).toMatchObject({
      "/note": "derived",
      "/money": "derived",
      "/more/double": "derived",
      "/more/net": "derived",
      "/size/bucket": "derived",
    });
  });

  it("work for names with slashes, tildes and dots", async () => {
    const odd = { result: { "a/b": { "c~d.e": 1 } }, sources: sourcesOf({ "/a~1b/c~0d.e": "odd" }) };
    const nodes = [
      transform("inner", "pick", "odd", { fields: ["a/b"] }),
      end({ "x/y": "$nodes.inner.result['a/b']['c~d.e']" }),
    ];
    expect(told(await through({ odd }, nodes))).toEqual({ found: { "/x~1y": "odd" }, not: {} });
  });

  it("are dropped for one reason", () => {
    const gone = withoutLocations(READ.sources, "compressed-upstream");
    const reasons = Object.fromEntries(gone.unresolved.map(({ pointer, reason }) => [pointer, reason]));
    expect(gone.locations).toEqual({});
    expect(reasons).toMatchObject({
      "/number": "compressed-upstream",
      "/missed": "compressed-upstream",
      "/none": "null-value",
      "/empty": "empty",
    });
    const none = nowhere({ a: 1, b: null, c: "", d: [], e: [2] }, "not-requested", "word");
    expect(none.unresolved).toEqual([
      { pointer: "/a", reason: "not-requested" },
      { pointer: "/b", reason: "null-value" },
      { pointer: "/c", reason: "empty" },
      { pointer: "/d", reason: "empty" },
      { pointer: "/e/0", reason: "not-requested" },
    ]);
  });
});

/** Leaves with their pointers. */
const leavesOf = (value: Json, pointer = ""): [string, Json][] =>
  typeof value !== "object" || value === null
    ? [[pointer, value]]
    : Object.entries(value).flatMap(([name, one]) => leavesOf(one, `${pointer}/${name}`));

describe("source locations in random chains", () => {
  /** A node over the rows of the one before. */
  const next = (id: string, before: string, chance: Chance): JsonObject => {
    const rows = `$nodes.${before}.result`;
    const kind = chance.of(["pick", "sort", "dedupe", "list"] as const);
    if (kind === "pick") return transform(id, kind, rows, { fields: ["a", "o", "o.x", chance.of(["b", "none"])] });
    if (kind === "sort")
      return transform(id, kind, rows, { by: chance.of(["a", "o.x", "none"]), order: chance.of(["asc", "desc"]) });
    if (kind === "dedupe") return transform(id, kind, rows, { key: chance.of(["a", "g", "none"]) });
    const list = chance.shuffle([`${rows}[0]`, `${rows}.1`, `${rows}[2]`]);
    return transform(id, "dedupe", list, { key: "none" });
  };

  it("lead to the first finding, and list every leaf once", async () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const chance = new Chance(seed);
      const rows = Array.from({ length: 3 + chance.below(6) }, (_, row) => ({
        a: chance.below(1000) * 10 + row,
        b: `b${row}`,
        g: `g${row}`,
        o: { x: `x${chance.below(1000)}-${row}`, y: null },
      }));
      const leaves = leavesOf(rows);
      const names = leaves.flatMap(([pointer, value]) => (value === null ? [] : [[pointer, String(value)]]));
      const nulls = leaves.filter(([, value]) => value === null);
      const sources = sourcesOf(
        Object.fromEntries(names),
        nulls.map(([pointer]) => ({ pointer, reason: "null-value" })),
      );
      const chain = Array.from({ length: 1 + chance.below(5) }, (_, step) =>
        next(`n${step}`, step === 0 ? "read" : `n${step - 1}`, chance),
      );
      const last = `$nodes.n${chain.length - 1}.result`;
      const merged = transform("m", "merge", [{ rows: last }, { one: `${last}[0]` }], { deep: chance.is(0.5) });
      const done = await through({ read: { result: rows, sources } }, [...chain, merged, end({ data: "$nodes.m" })]);
      const { found, not } = told(done);
      for (const [pointer, value] of leavesOf(done.result)) {
        const expected = value === null ? undefined : String(value);
        expect([seed, pointer, found[pointer]]).toEqual([seed, pointer, expected]);
        if (value === null) expect([seed, pointer, not[pointer]]).toEqual([seed, pointer, "null-value"]);
      }
      expect(Object.keys(found).filter((pointer) => pointer in not)).toEqual([]);
    }
  });
});
