/** Sources, prompts, schemas, pictures and tools of nodes, as in the contract. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { drawInvoice } from "../../../bin/demo/invoice.ts";
import { checkTools } from "../../../functions/api/submission.ts";
import type { ToolBox, ToolRequest } from "../../../functions/ports/tools.ts";
import { waitForEnd } from "../../../functions/service/lifecycle/views/wait-for-end.ts";
import { loadNodes } from "../../../functions/service/pipelines/node-statuses.ts";
import { modelPlatform } from "../../support/model-platform.ts";
import { answerJson, type ModelServer, startModelServer } from "../../support/model-server.ts";
import { fileOf, startPipeline } from "../../support/pipeline-run.ts";
import type { TestPlatform } from "../../support/platform.ts";

let server: ModelServer;
/** A text, which is read quickly; a PDF only where pictures are needed. */
const TEXT = {
  bytes: Buffer.from("Harbour Street Library\n\nInvoice number: SH-2026-0117\nNet total: 431.00 EUR\n"),
  mimeType: "text/plain",
};
let at: TestPlatform;
const opened: ToolRequest[][] = [];
const toolBox: ToolBox = {
  check: async () => undefined,
  open: async (_organization, wishes) => {
    opened.push([...wishes]);
    return [];
  },
};

beforeAll(async () => {
  server = await startModelServer();
});
beforeEach(() => {
  at = modelPlatform(server.url, toolBox);
  server.requests.length = 0;
  opened.length = 0;
  server.play([answerJson({ invoice_number: "SH-2026-0117", net_total: 431 })]);
});
afterEach(() => at.close());
afterAll(() => server.close());

/** @returns the job with its result and source locations */
async function ended(nodes: object[], more: object = {}, document = TEXT) {
  const guid = await startPipeline(at, document, { ocr: { sourceLocations: true }, nodes, ...more });
  const job = await waitForEnd(at.org, guid, 20);
  expect(job).toMatchObject({ status: "COMPLETED", error: null });
  const { locations, unresolved } = await fileOf(at, guid, "result.sources.json");
  const reasons = unresolved.map(({ pointer, reason }: Record<string, string>) => [pointer, reason]);
  return { result: await fileOf(at, guid, "result.json"), locations, reasons };
}

const SCHEMA = { invoice_number: "string", net_total: "number" };
const read = (source: string, more: object = {}) => ({ id: "read", type: "extract", schema: SCHEMA, source, ...more });
const correct = (id: string, sourceMap: string, source?: string) => ({
  id,
  type: "OCR_CORRECT",
  sourceMap,
  ...(source === undefined ? {} : { source }),
});
const FINALS = { finals: ["read"] };

/** The document's text in a prompt. */
const asked = (): string => server.requests.at(-1)?.user ?? "";

/** Source locations of values read from the original document. */
let known: object | undefined;
async function direct(): Promise<object> {
  known ??= (await ended([read("$ocr.content")], FINALS)).locations;
  return known as object;
}

describe("source locations in corrected text", () => {
  const CHAINS: [string, object[], object, string | null][] = [
    ["preserve", [correct("one", "preserve"), read("one")], {}, null],
    ["preserve, preserve", [correct("one", "preserve"), correct("two", "preserve", "one"), read("two")], {}, null],
    [
      "compress, preserve",
      [correct("one", "compress"), correct("two", "preserve", "$nodes.one.result.content"), read("two")],
      {},
      "compressed-upstream",
    ],
    [
      "none, preserve",
      [correct("one", "none"), correct("two", "preserve", "one"), read("$nodes.two.content")],
      {},
      "no-source-map",
    ],
    [
      "preserve, compress",
      [correct("one", "preserve"), correct("two", "compress", "one"), read("two")],
      {},
      "compressed-upstream",
    ],
    ["none, compress", [correct("one", "none"), correct("two", "compress", "one"), read("two")], {}, "no-source-map"],
    ["preserve, a page of it", [correct("one", "preserve"), read("$nodes.one.result.pages[0].content")], {}, null],
    [
      "compress, a page of it",
      [correct("one", "compress"), read("$nodes.one.result.pages[0]")],
      {},
      "compressed-upstream",
    ],
    ["none, its pages", [correct("one", "none"), read("$nodes.one.result.pages")], {}, "no-source-map"],
    ["preserve of a page", [correct("one", "preserve", "$ocr.pages[0].content"), read("one")], {}, null],
    [
      "preserve, through an input",
      [correct("one", "preserve"), read("$inputs.text")],
      { inputs: { text: { kind: "nodeArtifact", nodeId: "one", pointer: "/content" } } },
      null,
    ],
    [
      "none, through an input",
      [correct("one", "none"), read("$inputs.text")],
      { inputs: { text: { kind: "nodeArtifact", nodeId: "one" } } },
      "no-source-map",
    ],
  ];

  it.each(CHAINS)("%s", async (_what, nodes, more, reason) => {
    const { result, locations, reasons } = await ended(nodes, { ...FINALS, ...more });
    expect(result).toEqual({ invoice_number: "SH-2026-0117", net_total: 431 });
    expect(asked()).toContain("Harbour Street");
    // The model gets the text, not the JSON around it.
    expect(asked()).not.toMatch(/"content"|"pages"|"changes"/);
    if (reason === null) {
      expect(locations).toEqual(await direct());
      expect(Object.keys(locations).sort()).toEqual(["/invoice_number", "/net_total"]);
    } else {
      expect(locations).toEqual({});
      expect(reasons.sort()).toEqual([
        ["/invoice_number", reason],
        ["/net_total", reason],
      ]);
    }
  });

  it("values of a text made of other nodes' results are located in the document", async () => {
    const text = { text: "No. {{invoice_number}}, net {{net_total}}" };
    const nodes = [
      { id: "first", type: "extract", schema: SCHEMA },
      { id: "note", type: "transform", transform: "template", input: "first", config: text },
      correct("fixed", "preserve", "note"),
      read("fixed"),
    ];
    const { locations } = await ended(nodes, FINALS);
    expect(asked()).toContain("No. SH-2026-0117, net 431");
    expect(locations["/invoice_number"].pageAnchors[0].pageNumber).toBe(1);
  });
});

describe("an extract node", () => {
  it("gets the pictures of the pages that it names, by either member", async () => {
    const invoice = { bytes: Buffer.from(await drawInvoice()), mimeType: "application/pdf" };
    const imagesOf = async (more: object, document = invoice) => {
      await ended([read("$ocr.content", more)], FINALS, document);
      return server.requests.at(-1)?.images.map(({ mimeType }) => mimeType);
    };
    expect(await imagesOf({})).toEqual([]);
    expect(await imagesOf({ imageIndices: [0, 7] })).toEqual(["image/png"]);
    expect(await imagesOf({ images: [0] })).toEqual(["image/png"]);
    // Pages without a picture are still sent as text.
    expect(await imagesOf({ imageIndices: [0] }, TEXT)).toEqual([]);
  });

  it("computes formulas, or requests their values from the model with calculatedFields false", async () => {
    const schema = {
      type: "object",
      properties: {
        net_total: { type: "number" },
        double: {
          type: "number",
          "x-docudevs": { fieldType: "calculated", formula: { lang: "excel", expression: "{net_total} * 2" } },
        },
      },
    };
    server.play([answerJson({ net_total: 431, double: 7 })]);
    const wanted = (): string => JSON.stringify(server.requests.at(-1)?.schema);
    for (const more of [{}, { calculatedFields: true }]) {
      expect((await ended([read("$ocr.content", { schema, ...more })], FINALS)).result).toEqual({
        net_total: 431,
        double: 862,
      });
      expect(wanted()).not.toContain("double");
    }
    const { result } = await ended([read("$ocr.content", { schema, calculatedFields: false })], FINALS);
    expect(result).toEqual({ net_total: 431, double: 7 });
    expect(wanted()).toContain("double");
  });

  it("uses its schema, also as text, its prompt, its input and its tier", async () => {
    await ended(
      [
        read("$ocr.pages[0].content", {
          schema: JSON.stringify({ type: "object", properties: { net_total: { type: "number" } } }),
          prompt: "Mind the pennies",
          input: { rate: "$inputs.rate", price: "$$5" },
        }),
      ],
      { ...FINALS, inputs: { rate: { kind: "literal", value: { "a/b": [0.2] }, pointer: "/a~1b/0" } } },
    );
    expect(asked()).toContain('{"rate":0.2,"price":"$5"}');
    expect(`${server.requests[0]?.system}${asked()}`).toContain("Mind the pennies");
    expect(JSON.stringify(server.requests[0]?.schema)).not.toContain("invoice_number");
  });
});

describe("tools of a node", () => {
  const search = (more: object = {}) => ({ type: "KNOWLEDGE_BASE_SEARCH", ...more });
  const resources = [
    { id: "kb", type: "case", caseId: 7, topK: 3 },
    { id: "other", config: { caseId: "8" } },
  ];

  it("merge their resource's settings with their own, which rank above", async () => {
    const tools = [
      search({ resource: "kb", topK: 5 }),
      search({ config: { resource: "other" } }),
      search({ caseId: 9 }),
    ];
    await ended([read("$ocr.content", { tools }), { id: "bare", type: "extract", schema: SCHEMA }], {
      ...FINALS,
      resources,
    });
    expect(opened).toEqual([
      [
        expect.objectContaining({ caseId: 7, topK: 5 }),
        expect.objectContaining({ caseId: 8 }),
        expect.objectContaining({ caseId: 9 }),
      ],
    ]);
  });

  it("use the node's resource when they name none", async () => {
    await ended([read("$ocr.content", { tools: [search()], resource: "kb" })], { ...FINALS, resources });
    expect(opened).toEqual([[expect.objectContaining({ type: "KNOWLEDGE_BASE_SEARCH", caseId: 7, topK: 3 })]]);
  });

  it("are refused at their path in the definition when their case is unknown", async () => {
    const without = modelPlatform(server.url);
    const wish = { type: "KNOWLEDGE_BASE_SEARCH", caseId: 7, topK: 3 } as const;
    const pipeline = { nodes: [{ id: "first" }, { id: "read" }] };
    const command = { v: 1, mode: "PIPELINE", pipeline, nodeTools: { read: [wish] } } as never;
    await expect(checkTools(without.org, command)).rejects.toMatchObject({
      kind: "BadRequest",
      errors: [{ path: "/pipeline/nodes/1/tools/0/config/caseId", message: expect.stringContaining("no case 7") }],
    });
    await without.close();
  });
});

it("an extract node warns of requested pages that the document does not have", async () => {
  const nodes = [
    read("$ocr.content", { imageIndices: [0, 7] }),
    read("$ocr.content", { id: "other", imageIndices: [0] }),
  ];
  const guid = await startPipeline(at, TEXT, { nodes, ...FINALS });
  expect(await waitForEnd(at.org, guid, 20)).toMatchObject({ status: "COMPLETED" });
  const done = (await loadNodes(at.org, guid, 1))?.done;
  expect(done?.get("read")?.output?.warnings).toEqual(["There is no page for the images 7: their indices begin at 0"]);
  expect(done?.get("other")?.output?.warnings).toBeUndefined();
});
