/** Compute nodes with very many values block nobody: they run in a process of their own. */

import { afterAll, beforeAll, expect, it } from "vitest";
import type { Engine } from "../../functions/ports/engine.ts";
import { waitForEnd } from "../../functions/service/lifecycle/views/wait-for-end.ts";
import { openBundledEngine } from "../support/engine-bundle.ts";
import { fakeEngine } from "../support/engines.ts";
import { fileOf, startPipeline } from "../support/pipeline-run.ts";
import { type TestPlatform, testPlatform } from "../support/platform.ts";

const ROWS = 60_000;
/**
 * The longest turn of this process's event loop: /health must answer within 100 ms, and threads of the collector and
 * the compiler count as well. Inside this process any one of the nodes would take over a second.
 */
const MAX_EVENT_LOOP_TURN_MS = 200;

const rows = Array.from({ length: ROWS }, (_, at) => ({ sku: `SKU-${(at * 7919) % ROWS}`, total: at }));
const place = (at: number) => ({
  resolution: "word",
  sourceRefs: [`p1/w${at}`],
  pageAnchors: [{ pageNumber: 1, unit: "inch", bbox: { left: 1, top: 2, right: 3, bottom: 4 }, polygons: [] }],
  confidence: 0.9,
});
const places = rows.flatMap((_, at) => ["sku", "total"].map((name) => [`/${at}/${name}`, place(at)]));
const extracted = {
  result: Buffer.from(JSON.stringify(rows)),
  sources: Buffer.from(
    JSON.stringify({
      version: 1,
      granularity: "word",
      pages: [],
      locations: Object.fromEntries(places),
      unresolved: [],
    }),
  ),
  facts: { found: ROWS, unresolved: 0, confidence: 0.9 },
};

let engine: Engine;
let at: TestPlatform;
beforeAll(async () => {
  engine = await openBundledEngine({ jobTimeoutSeconds: 300 });
  at = testPlatform(fakeEngine({ extract: async () => extracted }, engine));
});
afterAll(async () => {
  await at.close();
  await engine.close();
});

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

it(`${2 * ROWS} values are sorted, picked and placed without blocking other work`, async () => {
  const step = (id: string, transform: string, input: string, config: object) => ({
    id,
    type: "transform",
    transform,
    input,
    config,
  });
  const nodes = [
    { id: "read", type: "extract" },
    step("sorted", "sort", "read", { by: "sku" }),
    step("once", "dedupe", "sorted", { key: "sku" }),
    step("some", "pick", "once", { fields: ["sku", "total"] }),
    { id: "end", type: "final", output: { rows: "$nodes.some" } },
  ];
  const document = { bytes: Buffer.from("Invoice number: 7\n"), mimeType: "text/plain" };
  const guid = await startPipeline(at, document, { ocr: { sourceLocations: true }, nodes });
  let longest = 0;
  let before = cpuMs();
  const turns = setInterval(() => {
    const now = cpuMs();
    longest = Math.max(longest, now - before);
    before = now;
  }, 1);
  const job = await waitForEnd(at.org, guid, 200);
  clearInterval(turns);
  expect(job).toMatchObject({ status: "COMPLETED", error: null });
  expect(longest).toBeLessThan(MAX_EVENT_LOOP_TURN_MS);
  const result = await fileOf(at, guid, "result.json");
  expect([result.rows.length, result.rows[0]]).toEqual([ROWS, { sku: "SKU-0", total: 0 }]);
  const { locations, unresolved } = await fileOf(at, guid, "result.sources.json");
  expect([Object.keys(locations).length, unresolved.length]).toEqual([2 * ROWS, 0]);
});
