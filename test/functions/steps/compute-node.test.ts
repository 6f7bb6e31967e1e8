/** Computing nodes: small tasks in the step, large ones in the document engine, with equal results. */
import { expect, it } from "vitest";
import { type ComputeTask, computeValue } from "../../../functions/engine/nodes/compute-node.ts";
import { waitForEnd } from "../../../functions/service/lifecycle/views/wait-for-end.ts";
import { fileOf, startPipeline } from "../../support/pipeline-run.ts";
import { testPlatform } from "../../support/platform.ts";

const DOCUMENT = { bytes: Buffer.from("Invoice number: 7\n"), mimeType: "text/plain" };

/** @returns ids of the nodes that the engine computed, and the run's result */
async function run(rows: object[], more: object[] = []) {
  const taken: string[] = [];
  const computeNodeValue = async (task: ComputeTask) => {
    taken.push(task.node.id);
    return computeValue(task);
  };
  const result = Buffer.from(JSON.stringify(rows));
  const locations = Object.fromEntries(rows.map((_, at) => [`/${at}/k`, { sourceRefs: [`w${at}`] }]));
  const sources = Buffer.from(
    JSON.stringify({ version: 1, granularity: "word", pages: [], locations, unresolved: [] }),
  );
  const facts = { found: 1, unresolved: 0, confidence: 1 };
  const at = testPlatform({ computeNodeValue, extract: async () => ({ result, sources, facts }) });
  const nodes = [
    { id: "read", type: "extract" },
    { id: "sorted", type: "transform", transform: "sort", input: "read", config: { by: "k" } },
    { id: "first", type: "transform", transform: "pick", input: "$nodes.sorted[0]", config: { fields: ["k"] } },
    {
      id: "end",
      type: "final",
      when: { eq: ["$nodes.first.k", 1] },
      output: { first: "$nodes.first", as: "$nodes.sorted.status" },
    },
    ...more,
  ];
  const guid = await startPipeline(at, DOCUMENT, { ocr: { sourceLocations: true }, nodes });
  expect(await waitForEnd(at.org, guid, 20)).toMatchObject({ status: "COMPLETED", error: null });
  const found = await fileOf(at, guid, "result.sources.json");
  const end = await fileOf(at, guid, "result.json");
  await at.close();
  return { taken, end, locations: found.locations, unresolved: found.unresolved };
}

it("compute-node computes small tasks itself, large ones by the engine, with equal results", async () => {
  const little = await run([{ k: 2 }, { k: 1 }]);
  const expected = {
    end: { first: { k: 1 }, as: "COMPLETED" },
    locations: { "/first/k": { sourceRefs: ["w1"] } },
    unresolved: [{ pointer: "/as", reason: "derived" }],
  };
  expect(little).toEqual({ taken: [], ...expected });
  const much = await run([{ k: 2 }, { k: 1 }, { k: 3, long: "x".repeat(600_000) }]);
  expect(much).toEqual({ taken: ["sorted", "first", "end"], ...expected });
});

it("compute-node counts a small value that is used often as large", async () => {
  const input = Array(400).fill("$nodes.read");
  const often = { id: "often", type: "validate", validator: "bucket", input, config: { buckets: [] } };
  const { taken } = await run(
    Array.from({ length: 20 }, () => ({ k: 1 })),
    [often],
  );
  expect(taken).toEqual(["often"]);
});
