/** Pipelines as a user sees them; a deployed service shows the same. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drawInvoice } from "../../bin/demo/invoice.ts";
import { command, INVOICE_STATES, router, SAFETY_DATA_SHEET, SHEET_STATES, statesOf } from "../support/router.ts";
import { sharedTestService, type TestService } from "../support/service.ts";

const PDF = { name: "document.pdf", type: "application/pdf" };
const TEXT = { name: "sheet.txt", type: "text/plain" };

let target: TestService;

beforeAll(async () => {
  target = await sharedTestService();
});
afterAll(() => target.close());

const jsonOf = async (path: string) => (await target.api.get(path)).json;
const resultOf = (guid: string) => jsonOf(`/job/result/${guid}/json`);

describe("the router, offline", () => {
  it("sends an invoice down the invoice branch, and its values keep their places", async () => {
    const status = await target.api.processed(await drawInvoice(), command(router()), PDF);
    expect(status).toMatchObject({ status: "COMPLETED", error: null, jobMode: "PIPELINE", engine: "offline" });
    expect(statesOf(status.pipeline.nodes)).toEqual(INVOICE_STATES);
    expect(status.pipeline).toMatchObject({
      version: "2026-05",
      warnings: [],
      chosenFinal: "invoice_final",
      ocr: { status: "COMPLETED", effectiveOcrMode: "AUTO" },
    });
    const data = { invoice_number: "SH-2026-0117", net_total: 431 };
    expect(await resultOf(status.guid)).toEqual({ branch: "invoice", data });
    const { locations, unresolved } = await jsonOf(`/job/result/${status.guid}/source-locations`);
    expect(Object.keys(locations).sort()).toEqual(["/data/invoice_number", "/data/net_total"]);
    expect(unresolved).toEqual([{ pointer: "/branch", reason: "constant" }]);
    const nodes = await jsonOf(`/job/pipeline/${status.guid}/nodes`);
    expect(nodes[1]).toMatchObject({
      id: "extract_invoice",
      type: "extract",
      result: "pipeline/nodes/extract_invoice/result.json",
      sources: "pipeline/nodes/extract_invoice/result.sources.json",
    });
    expect(nodes[2]).toMatchObject({ id: "extract_sds", result: null, startedAt: null });
  });

  it("sends a safety data sheet down the other branch", async () => {
    const status = await target.api.processed(Buffer.from(SAFETY_DATA_SHEET), command(router()), TEXT);
    expect(statesOf(status.pipeline.nodes)).toEqual(SHEET_STATES);
    const { branch, data } = await resultOf(status.guid);
    expect(branch).toBe("safety_data_sheet");
    expect(data).toMatchObject({ product_name: "Lemon Cleaner 500" });
  });
});

describe("the router in queue mode", () => {
  it("has the same states and the same result, with its nodes on queues", async () => {
    const pipeline = { ...router(), execution: { mode: "queue" } };
    const status = await target.api.processed(await drawInvoice(), command(pipeline), PDF);
    expect(status).toMatchObject({ status: "COMPLETED", error: null, engine: "offline" });
    expect(statesOf(status.pipeline.nodes)).toEqual(INVOICE_STATES);
    expect(await resultOf(status.guid)).toMatchObject({ branch: "invoice", data: { invoice_number: "SH-2026-0117" } });
    const [classify, extract] = status.pipeline.nodes;
    for (const node of [classify, extract]) expect(node.queuedTaskId).toEqual(expect.stringMatching(/./));
  });
});

describe("nodes that compute", () => {
  const pipeline = {
    inputs: {
      rates: { kind: "literal", value: { EUR: "euro" } },
      number: { kind: "nodeArtifact", nodeId: "read", pointer: "/invoice_number" },
    },
    ocr: { sourceLocations: true },
    nodes: [
      {
        id: "read",
        type: "extract",
        schema: {
          type: "object",
          properties: {
            invoice_number: { type: "string" },
            net_total: { type: "number" },
            currency: { type: "string" },
          },
        },
      },
      {
        id: "size",
        type: "validate",
        validator: "bucket",
        input: "$nodes.read.result.net_total",
        config: {
          buckets: [
            { name: "small", max: 99.99 },
            { name: "large", min: 100 },
          ],
          default: "unknown",
        },
      },
      { id: "kept", type: "transform", transform: "pick", input: "read", config: { fields: ["net_total"] } },
      {
        id: "tax",
        type: "transform",
        transform: "calculate",
        input: "kept",
        config: { formulas: { vat: "ROUND({net_total} * 0.2, 2)" } },
      },
      { id: "all", type: "transform", transform: "merge", input: ["read", "tax"] },
      {
        id: "money",
        type: "transform",
        transform: "lookup",
        input: "$nodes.read.result.currency",
        config: { table: { EUR: "euro" }, default: "other" },
      },
      {
        id: "note",
        type: "transform",
        transform: "template",
        input: "read",
        config: { text: "No. {{invoice_number}} of {{$document.fileName}}" },
      },
      {
        id: "rows",
        type: "transform",
        transform: "sort",
        input: [
          { n: "$nodes.read.result.net_total", k: 1 },
          { n: 2, k: 2 },
        ],
        config: { by: "n" },
      },
      { id: "big", type: "final", when: { eq: ["$nodes.size.result.bucket", "small"] }, output: "small" },
      {
        id: "end",
        type: "final",
        output: {
          all: "$nodes.all.result",
          money: "$nodes.money.result",
          note: "$nodes.note.result",
          rows: "$nodes.rows.result",
          size: "$nodes.size",
          number: "$inputs.number",
          pages: "$document.pageCount",
          quality: "$ocr.quality.category",
          none: "$nodes.read.result.nothing",
          price: "$$5",
          who: "$.metadata.who",
        },
      },
    ],
    finals: ["big", "end"],
  };

  it("merge results, and every leaf is located or says why not", async () => {
    const status = await target.api.processed(await drawInvoice(), command(pipeline, { metadata: { who: "me" } }), PDF);
    expect(status).toMatchObject({ status: "COMPLETED", pipeline: { chosenFinal: "end" } });
    const result = await resultOf(status.guid);
    expect(result).toMatchObject({
      all: { invoice_number: "SH-2026-0117", net_total: 431, vat: 86.2 },
      note: "No. SH-2026-0117 of document.pdf",
      rows: [
        { n: 2, k: 2 },
        { n: 431, k: 1 },
      ],
      size: { bucket: "large", value: 431 },
      number: "SH-2026-0117",
      pages: 1,
      quality: "Very Confident",
      none: null,
      price: "$5",
      who: "me",
    });
    const { locations, unresolved } = await jsonOf(`/job/result/${status.guid}/source-locations`);
    expect(Object.keys(locations)).toEqual(
      expect.arrayContaining(["/all/invoice_number", "/all/net_total", "/rows/1/n", "/size/value", "/number"]),
    );
    const reasons = Object.fromEntries(
      unresolved.map(({ pointer, reason }: Record<string, string>) => [pointer, reason]),
    );
    expect(reasons).toMatchObject({
      "/all/vat": "derived",
      "/note": "derived",
      "/size/bucket": "derived",
      "/rows/0/n": "constant",
      "/pages": "derived",
      "/none": "null-value",
      "/price": "constant",
    });
  });
});

describe("the text quality in a pipeline", () => {
  const finalWhen = (id: string, category: string) => ({
    id,
    type: "final",
    when: { eq: ["$ocr.quality.category", category] },
    output: { category, score: "$ocr.quality.score", escalate: "$ocr.quality.escalate" },
  });
  const nodes = [
    finalWhen("sure", "Very Confident"),
    finalWhen("fair", "Confident"),
    finalWhen("doubtful", "Likely Handwriting Problems"),
    finalWhen("bad", "Many Problems"),
  ];

  it.each([
    ["A report of the year, with many words that one can read.", "sure"],
    ["\ufffd\ufffd\ufffd qxz \ufffd\ufffd\ufffd vkq \ufffd\ufffd\ufffd", "bad"],
  ])("chooses the branch, and is part of the job's status", async (text, chosen) => {
    const status = await target.api.processed(text, command({ nodes, finals: nodes.map(({ id }) => id) }));
    expect(status).toMatchObject({ status: "COMPLETED", pipeline: { chosenFinal: chosen } });
    const { qualityScore: score, qualityCategory: category } = status;
    expect(await resultOf(status.guid)).toEqual({ category, score, escalate: expect.any(Boolean) });
  });
});

describe("values given to a node beside its source", () => {
  it("fill missing fields before formulas, and are located where they were found", async () => {
    const number = { type: "number" };
    const read = { id: "read", type: "extract", schema: { invoice_number: "string" } };
    const more = {
      id: "more",
      type: "extract",
      input: {
        archive_number: "$nodes.read.result.invoice_number",
        sheet_count: "$document.pageCount",
        exchange_rate: 2,
        net_total: 1,
      },
      schema: {
        type: "object",
        properties: {
          net_total: number,
          archive_number: { type: "string" },
          sheet_count: { type: "integer" },
          exchange_rate: number,
          converted: { ...number, "x-calculated": { expression: "{net_total} * {exchange_rate}" } },
        },
      },
    };
    const pipeline = { ocr: { sourceLocations: true }, nodes: [read, more], finals: ["more"] };
    const { guid } = await target.api.processed(await drawInvoice(), command(pipeline), PDF);
    expect(await resultOf(guid)).toEqual({
      net_total: 431,
      archive_number: "SH-2026-0117",
      sheet_count: 1,
      exchange_rate: 2,
      converted: 862,
    });
    const { locations, unresolved } = await jsonOf(`/job/result/${guid}/source-locations`);
    expect(Object.keys(locations).sort()).toEqual(["/archive_number", "/net_total"]);
    expect(Object.fromEntries(unresolved.map((leaf: Record<string, string>) => [leaf.pointer, leaf.reason]))).toEqual({
      "/sheet_count": "derived",
      "/exchange_rate": "constant",
      "/converted": "derived",
    });
  });
});
