import { describe, expect, test } from "vitest";
import { z } from "zod";
import { and, definePipeline, eq, exists, ne, not, or } from "../../client/index.ts";
import router from "../../docs/examples/router.json" with { type: "json" };
import { DEFINITION_CHECKS } from "../../functions/engine/nodes/definition-checks.ts";
import { compilePipeline } from "../../statemachines/pipeline/compile.ts";

const compiled = (pipeline: unknown) => compilePipeline(JSON.parse(JSON.stringify(pipeline)), DEFINITION_CHECKS);
const nodesOf = (pipeline: { definition: object }): unknown => (pipeline.definition as { nodes: unknown }).nodes;

const TYPES = ["invoice", "safety_data_sheet", "other"] as const;
const ROW = { type: "object", properties: { sku: { type: "string" }, net: { type: "number" } } } as const;

/** The pipeline of docs/examples/router.json. */
function buildRouter() {
  const p = definePipeline({
    description: "Routes invoices and safety data sheets",
    ocr: { mode: "AUTO", sourceLocations: true },
    maxNodes: 2,
  });
  const classify = p.extract("classify", {
    prompt: "What kind of document is this?",
    schema: { type: "object", properties: { document_type: { type: "string", enum: TYPES } } },
    tier: "nano",
  });
  const isInvoice = eq(classify.result.document_type, "invoice");
  const invoice = p.extract("invoice", {
    when: isInvoice,
    schema: { type: "object", properties: { invoice_number: { type: "string" }, total: { type: "number" } } },
  });
  const size = p.validate("size", {
    input: invoice.result.total,
    buckets: [{ name: "small", max: 1000 }],
    default: "large",
  });
  const invoiceFinal = p.final("invoice_final", {
    when: isInvoice,
    output: { branch: "invoice", size: size.result.bucket, data: invoice.result },
  });
  const otherFinal = p.final("other_final", { dependsOn: [classify], output: { branch: "other" } });
  return p.finalOrder(invoiceFinal, otherFinal);
}

/** A node of every type, and every kind of reference. */
function buildEverything() {
  const p = definePipeline({
    execution: "queue",
    inputs: { limit: 1000, names: ["a.b", "c"] },
    resources: [{ id: "kb", caseId: 7 }],
  });
  const corrected = p.correct("corrected", { sourceMap: "preserve", outputFormat: "markdown", tier: "mini" });
  const lines = p.extract("lines", {
    source: corrected.result.content,
    input: { limit: p.inputs.limit, name: p.document.fileName, who: p.metadata.customer ?? null },
    prompt: "$5 rows",
    schema: z.object({ rows: z.array(z.object({ sku: z.string(), net: z.number() })), "odd.name": z.string() }),
    tools: [{ type: "KNOWLEDGE_BASE_SEARCH", resource: "kb" }],
    when: or(
      not(eq(p.ocr.quality.category, "Many Problems")),
      and(exists(p.document.pageCount), ne(p.inputs.limit, 0)),
    ),
    onError: "continue",
    timeoutSeconds: 60,
  });
  const odd = p.transform("odd", {
    transform: "template",
    input: { odd: lines.result["odd.name"] },
    config: { text: "{{odd}}" },
  });
  const unique = p.transform("unique", { transform: "dedupe", input: lines.result.rows, config: { key: "sku" } });
  const sorted = p.transform("sorted", {
    transform: "sort",
    input: unique.result,
    config: { by: "net", order: "desc" },
  });
  const first = p.transform("first", { transform: "pick", input: sorted.result[0], config: { fields: ["sku"] } });
  const colour = p.transform("colour", {
    transform: "lookup",
    input: first.result.sku,
    config: { table: { A1: "red" }, default: "none" },
  });
  const taxed = p.transform("taxed", {
    transform: "calculate",
    input: unique.result[0],
    config: { formulas: { gross: "{net} * 1.19" } },
  });
  const merged = p.transform("merged", {
    transform: "merge",
    input: [first.result, taxed.result, { literal: "$ocr" }],
  });
  const text = p.transform("text", {
    transform: "template",
    config: { text: `{{${first.result.sku}}}: {{${colour.result}}}` },
  });
  const issues = p.operation("issues", { operation: "error-analysis", config: { confidence_threshold: 0.5 } });
  const end = p.final("end", {
    when: eq(lines.status, "COMPLETED"),
    output: {
      text: text.result,
      price: "$5",
      gross: taxed.result.gross,
      odd: odd.result,
      merged: merged.result,
      sure: issues.result.analysis.overall_confidence,
    },
  });
  return p.finalOrder(end, lines);
}

describe("definePipeline", () => {
  test("builds the definition of the documented example", () => {
    const { nodes, ...frame } = JSON.parse(JSON.stringify(buildRouter()));
    const { nodes: documented, ...documentedFrame } = router;
    expect(frame).toEqual(documentedFrame);
    expect(nodes).toEqual(documented);
  });

  test("builds definitions that the service's compiler accepts without a warning", () => {
    for (const pipeline of [buildRouter(), buildEverything()]) {
      const verdict = compiled(pipeline);
      expect("faults" in verdict ? verdict.faults : []).toEqual([]);
      expect(verdict).toMatchObject({ ok: true, pipeline: { warnings: [] } });
    }
  });

  test("makes a dependency of every reference, those of texts and conditions too", () => {
    const verdict = compiled(buildEverything());
    if (!verdict.ok) throw new Error(JSON.stringify(verdict.faults));
    const { definition, dependencies } = verdict.pipeline.graph;
    const ids = definition.nodes.map(({ id }) => id);
    const dependenciesOf = (id: string): string[] =>
      [...(dependencies[ids.indexOf(id)] ?? [])].map((index) => ids[index] ?? "").sort();
    expect(dependenciesOf("lines")).toEqual(["corrected"]);
    expect(dependenciesOf("text")).toEqual(["colour", "first"]);
    expect(dependenciesOf("end")).toContain("lines");
  });

  test("writes literal texts so that none is read as a path, and prompts as they are", () => {
    const nodes = nodesOf(buildEverything()) as { id: string; [member: string]: unknown }[];
    expect(nodes.find(({ id }) => id === "end")).toMatchObject({ output: { price: "$$5" } });
    expect(nodes.find(({ id }) => id === "lines")).toMatchObject({ prompt: "$5 rows" });
    const p = definePipeline();
    const classify = p.extract("classify", { schema: { kind: "string" } });
    const end = p.final("end", { when: eq(classify.result.kind, "$ocr"), output: "$ocr.content" });
    expect(nodesOf(p.finalOrder(end))).toMatchObject([
      { id: "classify" },
      { id: "end", when: { eq: ["$nodes.classify.result.kind", "$$ocr"] }, output: "$$ocr.content" },
    ]);
  });

  test("writes names that hold dots, brackets or quotes as the language needs them", () => {
    const p = definePipeline();
    const one = p.extract("one", { schema: { "a.b": "text", "it's": "text", "[0]": "text", "both'\"": "text" } });
    const end = p.final("end", { output: [one.result["a.b"], one.result["it's"], one.result["[0]"]] });
    const pipeline = p.finalOrder(end);
    expect(nodesOf(pipeline)).toMatchObject([
      {},
      { output: ["$nodes.one.result['a.b']", `$nodes.one.result["it's"]`, "$nodes.one.result['[0]']"] },
    ]);
    expect(compiled(pipeline).ok).toBe(true);
    expect(() => one.result["both'\""]).toThrow(TypeError);
  });

  test("takes JSON Schemas, shapes, JSON text and schemas of zod", () => {
    const p = definePipeline();
    p.extract("literal", { schema: ROW });
    p.extract("shape", { schema: { total: "number" } });
    p.extract("text", { schema: '{"type":"object"}' });
    const last = p.extract("zod", { schema: z.object({ total: z.number() }) });
    expect(nodesOf(p.finalOrder(last))).toMatchObject([
      { schema: ROW },
      { schema: { total: "number" } },
      { schema: '{"type":"object"}' },
      { schema: { type: "object", properties: { total: { type: "number" } } } },
    ]);
  });

  test("refuses an id that is taken, and a text that the service would read as a node", () => {
    const p = definePipeline();
    p.extract("invoice");
    expect(() => p.extract("invoice")).toThrow(new TypeError("There is a node invoice already"));
    const end = p.final("end", { output: "invoice" });
    expect(() => p.finalOrder(end)).toThrow("The text invoice of end would be read as the node invoice");
  });
});
