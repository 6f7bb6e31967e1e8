/** Parsing of well-formed nodes. */
import { describe, expect, it } from "vitest";
import { FINAL, node, read } from "./parse.support.ts";

describe("parseDefinition: a node", () => {
  it("of the type extract gets its defaults", () => {
    expect(node({ type: "extract" }).node).toMatchObject({
      source: { kind: "path", root: "ocr", steps: ["content"] },
      input: null,
      prompt: null,
      schema: null,
      tools: [],
      imageIndices: null,
      tier: "default",
      sourceLocations: false,
      granularity: "auto",
      calculatedFields: true,
    });
  });

  it.each([
    [{ llm: { tier: "NANO" } }, "nano"],
    [{ llm_tier: "mini" }, "mini"],
    [{ llm: { tier: "high" }, llm_tier: "mini" }, "high"],
    [{ llm: { model: "x" }, llm_tier: "mini" }, "mini"],
  ])("reads its tier from %j", (own, tier) => {
    expect(node({ type: "extract", ...own }).node).toMatchObject({ tier });
  });

  it("accepts a schema as a text of JSON, and both names of the image indices", () => {
    expect(node({ type: "extract", schema: '{"type":"object"}' }).node).toMatchObject({ schema: { type: "object" } });
    expect(node({ type: "extract", schema: " " }).node).toMatchObject({ schema: null });
    expect(node({ type: "extract", images: [0, 2] }).node).toMatchObject({ imageIndices: [0, 2] });
    expect(node({ type: "extract", imageIndices: [1] }).node).toMatchObject({ imageIndices: [1] });
  });

  it("merges a resource into its tools; the tool's own members win", () => {
    const resources = [
      { id: "kb", type: "case", config: { caseId: 7, topK: 3 }, note: "resource" },
      { id: "other", caseId: "8" },
    ];
    const search = { type: "KNOWLEDGE_BASE_SEARCH" };
    const tools = [
      { ...search, resource: "kb", note: "tool", config: { topK: 9 } },
      search,
      { ...search, config: { resource: "kb" } },
    ];
    expect(node({ type: "extract", resource: "other", tools }, { resources }).node).toMatchObject({
      tools: [
        { type: "KNOWLEDGE_BASE_SEARCH", resource: "kb", config: { caseId: 7, topK: 9 }, note: "tool" },
        { type: "KNOWLEDGE_BASE_SEARCH", caseId: "8" },
        { type: "KNOWLEDGE_BASE_SEARCH", config: { caseId: 7, topK: 3 } },
      ],
    });
    const own = { ...search, knowledgeBaseId: 5 };
    expect(node({ type: "extract", tools: [own] }, { resources }).node).toMatchObject({ tools: [own] });
  });

  it("takes nothing else over from a resource, however large it is", () => {
    const members = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`m${at}`, at]));
    const tools = Array.from({ length: 20 }, () => ({ type: "KNOWLEDGE_BASE_SEARCH", resource: "kb" }));
    const read = node({ type: "extract", tools }, { resources: [{ id: "kb", caseId: 7, ...members }] });
    expect(JSON.stringify(read.node).length).toBeLessThan(5_000);
  });

  it("accepts types and other enumerations in any case", () => {
    expect(node({ type: "ocr-correct", sourceMap: "COMPRESS" }).node).toMatchObject({
      type: "OCR_CORRECT",
      source: null,
      sourceMap: "compress",
      outputFormat: "plain",
    });
    expect(node({ type: "operation", operation: "OCR_CORRECT" }).node).toMatchObject({ operation: "ocr-correct" });
  });

  it("accepts buckets and default in the configuration or beside it", () => {
    const buckets = [
      { name: "low", max: 3 },
      { name: "high", min: 3.5 },
    ];
    const read = [
      { name: "low", min: null, max: 3 },
      { name: "high", min: 3.5, max: null },
    ];
    const validate = { type: "validate", validator: "bucket", input: 1 };
    expect(node({ ...validate, config: { buckets, default: "?" } }).node).toMatchObject({
      buckets: read,
      otherwise: "?",
    });
    expect(node({ ...validate, buckets, default: "?" }).node).toMatchObject({ buckets: read, otherwise: "?" });
    expect(node({ ...validate, config: { buckets } }).node).toMatchObject({ buckets: read, otherwise: null });
    const both = node({ ...validate, config: { buckets, default: 1 }, default: 2, buckets: [] });
    expect(both).toMatchObject({
      node: { buckets: read, otherwise: 1 },
      warnings: [/"buckets"/, /"default"/].map((one) => expect.stringMatching(one)),
    });
  });

  it("cuts a long timeout to the time of a run", () => {
    expect(node({ type: "extract", timeoutSeconds: 3600 }).node).toMatchObject({ timeoutSeconds: 300 });
    expect(node({ type: "extract", timeoutSeconds: 12 }).node).toMatchObject({ timeoutSeconds: 12 });
  });

  it("resolves a bare id in source, in input and as a whole output, and keeps it as a text deeper", () => {
    const nodes = [
      { id: "a", type: "extract" },
      { id: "b", type: "extract", source: "a", input: ["a", "x", { of: "a" }] },
      { id: "c", type: "OCR_CORRECT", input: "a" },
      { id: "d", type: "final", output: "a" },
      { id: "e", type: "final", output: { branch: "a", list: ["a"] } },
    ];
    const path = expect.objectContaining({ kind: "path", root: "node", name: "a", steps: [] });
    const text = (value: string) => ({ kind: "literal", value });
    const { definition } = read({ nodes });
    expect(definition.nodes).toMatchObject([
      {},
      {
        source: path,
        input: { kind: "list", items: [path, text("x"), { kind: "object", members: [["of", text("a")]] }] },
      },
      { source: path, sourceMember: "input" },
      { output: path },
      {
        output: {
          kind: "object",
          members: [
            ["branch", text("a")],
            ["list", { kind: "list", items: [text("a")] }],
          ],
        },
      },
    ]);
  });

  it("unescapes a doubled dollar sign", () => {
    expect(read({ nodes: [{ ...FINAL, output: { price: "$$12" } }] }).definition.nodes[0]).toMatchObject({
      output: { members: [["price", { kind: "literal", value: "$12" }]] },
    });
  });
});
