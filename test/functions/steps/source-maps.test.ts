/** Source locations lost by a correction's source map stay lost through all later nodes. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { waitForEnd } from "../../../functions/service/lifecycle/views/wait-for-end.ts";
import { modelPlatform } from "../../support/model-platform.ts";
import { answerJson, answerText, type ModelServer, startModelServer } from "../../support/model-server.ts";
import { fileOf, startPipeline } from "../../support/pipeline-run.ts";
import type { TestPlatform } from "../../support/platform.ts";

const TEXT = {
  bytes: Buffer.from("Harbour Street Library\n\nInvoice number: SH-2026-0117\nNet total: 431.00 EUR\n"),
  mimeType: "text/plain",
};
const SCHEMA = { invoice_number: "string", net_total: "number" };
const MAPS = ["preserve", "compress", "none"] as const;
type SourceMap = (typeof MAPS)[number];
const LOST = { preserve: null, compress: "compressed-upstream", none: "no-source-map" };

let server: ModelServer;
let at: TestPlatform;
beforeAll(async () => {
  server = await startModelServer();
});
beforeEach(() => {
  at = modelPlatform(server.url);
  server.play(({ user }) =>
    user.includes("Summarise")
      ? answerText("Invoice number SH-2026-0117, net total 431.00")
      : answerJson({ invoice_number: "SH-2026-0117", net_total: 431 }),
  );
});
afterEach(() => at.close());
afterAll(() => server.close());

type Node = { id: string } & Record<string, unknown>;

const correct = (id: string, sourceMap: SourceMap, source?: string) => ({
  id,
  type: "OCR_CORRECT",
  sourceMap,
  ...(source === undefined ? {} : { source }),
});
const extract = (id: string, source: string, more: object = {}) => ({
  id,
  type: "extract",
  schema: SCHEMA,
  source,
  ...more,
});
const transform = (id: string, kind: string, input: unknown, config: object) => ({
  id,
  type: "transform",
  transform: kind,
  input,
  config,
});
const final = (id: string, output: unknown) => ({ id, type: "final", output });

/** @returns for each reading node, why its values have no source location; null where all have one */
async function lossesOf(nodes: Node[], more: object = {}): Promise<Record<string, string | null>> {
  const guid = await startPipeline(at, TEXT, { ocr: { sourceLocations: true }, nodes, finals: ["read"], ...more });
  expect(await waitForEnd(at.org, guid, 20)).toMatchObject({ status: "COMPLETED", error: null });
  const reading = nodes
    .filter(({ id }) => id.startsWith("read"))
    .map(async ({ id }) => {
      const { locations, unresolved } = await fileOf(at, guid, `pipeline/nodes/${id}/result.sources.json`);
      const reasons = new Set<string>(unresolved.map(({ reason }: { reason: string }) => reason));
      const [reason = null] = reasons;
      // Either all values have a location, or none.
      expect([reasons.size, Object.keys(locations).length]).toEqual(reason === null ? [0, 2] : [1, 0]);
      return [id, reason] as const;
    });
  return Object.fromEntries(await Promise.all(reading));
}

const lossOf = async (nodes: Node[], more: object = {}): Promise<string | null> =>
  (await lossesOf(nodes, more)).read ?? null;

const TASK = { prompt: "Summarise" };

/** Nodes between a correction and an extraction, and the path that the extraction reads. */
const BETWEEN: [node: Node, path: string][] = [
  [transform("pick", "pick", "one", { fields: ["content"] }), "$nodes.pick.content"],
  [transform("rows", "pick", "$nodes.one.pages", { fields: ["content"] }), "$nodes.rows[0].content"],
  [transform("merge", "merge", [{ a: 1 }, "one"], {}), "$nodes.merge.content"],
  [transform("member", "template", "one", { text: "{{content}}" }), "member"],
  [{ ...transform("slot", "template", null, { text: "{{$nodes.one.content}}" }), dependsOn: ["one"] }, "slot"],
  [transform("sort", "sort", "$nodes.one.pages", { by: "pageNumber" }), "$nodes.sort[0].content"],
  [transform("dedupe", "dedupe", "$nodes.one.pages", { key: "content" }), "dedupe"],
  [transform("lookup", "lookup", "$nodes.one.content", { table: {}, default: "SH-2026-0117, 431.00" }), "lookup"],
  [transform("calculate", "calculate", "one", { formulas: { text: "{content}" } }), "$nodes.calculate.text"],
  [
    {
      id: "size",
      type: "validate",
      validator: "bucket",
      input: "$nodes.one.content",
      config: { buckets: [] },
    },
    "$nodes.size.value",
  ],
  [final("end", { text: "$nodes.one.content" }), "$nodes.end.text"],
  [final("input", ["$inputs.text"]), "$nodes.input[0]"],
  [extract("extract", "one"), "extract"],
  [
    { id: "task", type: "operation", operation: "generative-task", config: TASK, input: ["one"] },
    "$nodes.task.generated_text",
  ],
];
const readers = BETWEEN.map(([{ id }, path]) => extract(`read-${id}`, path));
const between = BETWEEN.map(([node]) => node);
const INPUTS = { inputs: { text: { kind: "nodeArtifact", nodeId: "one", pointer: "/content" } } };

it.each(MAPS)("sourceMap %s holds through every type of node", async (sourceMap) => {
  const nodes = [correct("one", sourceMap), ...between, ...readers, extract("read", "one")];
  const losses = await lossesOf(nodes, INPUTS);
  expect(losses).toEqual(
    Object.fromEntries(["read", ...readers.map(({ id }) => id)].map((id) => [id, LOST[sourceMap]])),
  );
});

it("the worse of two source maps on a path holds, also across a transformation", async () => {
  const pairs = MAPS.flatMap((first) => MAPS.map((second) => [first, second] as const));
  const nodes = pairs.flatMap(([first, second]) => {
    const id = `${first}-${second}`;
    return [
      correct(`two-${id}`, second, first),
      correct(`far-${id}`, second, `text-${first}`),
      extract(`read-${id}`, `two-${id}`),
      extract(`read-far-${id}`, `far-${id}`),
    ];
  });
  const firsts = MAPS.flatMap((first) => [
    correct(first, first),
    transform(`text-${first}`, "template", first, { text: "{{content}}" }),
  ]);
  const expected = pairs.flatMap(([first, second]) => {
    const worst = MAPS[Math.max(MAPS.indexOf(first), MAPS.indexOf(second))] ?? "none";
    return [`read-${first}-${second}`, `read-far-${first}-${second}`].map((id) => [id, LOST[worst]]);
  });
  const losses = await lossesOf([...firsts, ...nodes], { finals: ["read-none-none"] });
  expect(losses).toEqual(Object.fromEntries(expected));
});

it("values beside a corrected text keep their source locations", async () => {
  const both = final("both", { lost: "$nodes.one.content", kept: "$nodes.two.content" });
  const reading = [
    extract("read", "$nodes.both.kept"),
    extract("read-lost", "$nodes.both.lost"),
    extract("read-both", "both"),
  ];
  expect(await lossesOf([correct("one", "none"), correct("two", "preserve"), both, ...reading])).toEqual({
    read: null,
    "read-lost": "no-source-map",
    "read-both": "no-source-map",
  });
});

it("source locations are lost after nodes that did not request them", async () => {
  const nodes = [correct("one", "none"), extract("quiet", "one"), extract("read", "quiet", { sourceLocations: true })];
  expect(await lossOf(nodes, { ocr: {} })).toBe("no-source-map");
});

it("correcting operations lose the same source locations", async () => {
  const nodes = MAPS.flatMap((sourceMap) => [
    { id: sourceMap, type: "operation", operation: "ocr-correct", config: { sourceMap } },
    extract(`read-${sourceMap}`, `$nodes.${sourceMap}.content`),
  ]);
  expect(await lossesOf(nodes, { finals: ["read-none"] })).toEqual({
    "read-preserve": null,
    "read-compress": "compressed-upstream",
    "read-none": "no-source-map",
  });
});
