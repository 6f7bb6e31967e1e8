/** Nodes that read a long document: to the service its layout is bytes, parsed in another process. */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeLayout } from "../../functions/engine/layout/layout-file.ts";
import type { Reading } from "../../functions/engine/tasks/reading-shapes.ts";
import type { Engine } from "../../functions/ports/engine.ts";
import { LAYOUT_VERSION, type Page } from "../../functions/ports/layout.ts";
import { waitForEnd } from "../../functions/service/lifecycle/views/wait-for-end.ts";
import { openBundledEngine } from "../support/engine-bundle.ts";
import { fakeEngine } from "../support/engines.ts";
import { fileOf, startPipeline } from "../support/pipeline-run.ts";
import { type TestPlatform, testPlatform } from "../support/platform.ts";

const PAGES = 400;
const MIN_LAYOUT_BYTES = 10_000_000;
/** Growth of the service's own heap; the layout's objects take over 200 MB. */
const MAX_HEAP_GROWTH_BYTES = 96 * 2 ** 20;

/** A recognised page of eighty lines of a dozen words; the first line has the page number. */
function page(number: number): Page {
  const lines = Array.from({ length: 80 }, (_, row) => {
    const [top, bottom] = [0.5 + row * 0.125, 0.6 + row * 0.125];
    const texts = Array.from({ length: 12 }, (_, at) => `word${(number * 31 + row * 7 + at) % 997}`);
    const words = (row === 0 ? ["Total:", `${number}.50`] : texts).map((text, at) => {
      const box = { left: 0.5 + at * 0.6, top, right: 1 + at * 0.6 + (number % 9) / 100, bottom };
      return { text, box, source: "ocr" as const, confidence: 0.9 - (at % 5) / 100 };
    });
    return { box: { left: 0.5, top, right: 8, bottom }, words };
  });
  const box = { left: 0.5, top: 0.5, right: 8, bottom: 10.5 };
  return {
    number,
    width: 8.5,
    height: 11,
    unit: "inch",
    rotation: 0,
    blocks: [{ kind: "paragraph", box, lines }],
  };
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

let engine: Engine;
let at: TestPlatform;
let layout: Uint8Array;
beforeAll(async () => {
  const pages = Array.from({ length: PAGES }, (_, index) => page(index + 1));
  layout = writeLayout({ v: LAYOUT_VERSION, provider: "test", logicalPages: false, pageCount: PAGES, pages });
  const reading: Reading = {
    layout,
    quality: Buffer.from("{}"),
    facts: { provider: "test", pageCount: PAGES, wordCount: 950 * PAGES, characterCount: 6_000 * PAGES },
    pending: [],
  };
  engine = await openBundledEngine({ jobTimeoutSeconds: 300 });
  at = testPlatform(fakeEngine({ read: async () => reading }, engine));
});
afterAll(async () => {
  await at.close();
  await engine.close();
});

it(`${PAGES} pages are corrected twice and read in parts with a small heap`, async () => {
  expect(layout.length).toBeGreaterThan(MIN_LAYOUT_BYTES);
  const schema = { total: "number" };
  const nodes = [
    { id: "one", type: "OCR_CORRECT", sourceMap: "preserve" },
    { id: "text", type: "transform", transform: "template", input: "one", config: { text: "{{content}}" } },
    { id: "two", type: "OCR_CORRECT", source: "text" },
    { id: "first", type: "extract", schema, source: "$ocr.pages[6]" },
    { id: "last", type: "extract", schema, source: "$nodes.one.pages[398].content", dependsOn: ["two"] },
    { id: "end", type: "final", output: ["$nodes.first.total", "$nodes.last.total"] },
  ];
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  let most = 0;
  const looks = setInterval(() => {
    most = Math.max(most, process.memoryUsage().heapUsed - before);
  }, 1);
  const guid = await startPipeline(at, { bytes: Buffer.from("%PDF-"), mimeType: "application/pdf" }, { nodes });
  const job = await waitForEnd(at.org, guid, 250);
  clearInterval(looks);
  console.info(`nodes over ${PAGES} pages: at most ${Math.round(most / 2 ** 20)} MB of heap`);
  expect(job).toMatchObject({ status: "COMPLETED", error: null });
  expect(await fileOf(at, guid, "result.json")).toEqual([7.5, 399.5]);
  const corrected = await fileOf(at, guid, "pipeline/nodes/two/result.json");
  expect(corrected.pages).toHaveLength(PAGES);
  expect(most).toBeLessThan(MAX_HEAP_GROWTH_BYTES);
}, 280_000);
