/** Long answers hold no other request: the layout of 400 pages, and tables of 10,000 rows, asked for and repeated. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answered } from "../../bench/list/client-thread.ts";
import { type HoldWatch, watchHolds } from "../../bench/support/thread-holds.ts";
import { openBlobs } from "../../functions/adapters/local/blobs.ts";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { writeLayout } from "../../functions/engine/layout/layout-file.ts";
import { LAYOUT_PARTS } from "../../functions/engine/layout/page-view.ts";
import { LAYOUT_VERSION, type Layout, type Page } from "../../functions/ports/layout.ts";
import { startTestService, type TestService } from "../support/service.ts";

const PAGES = 400;
const LINES = 60;
const WORDS = 10;
const ROWS = 10_000;
/** Milliseconds of computing for which no request may hold the thread. */
const MAX_HOLD_MS = 50;

function pageOf(number: number): Page {
  const lines = Array.from({ length: LINES }, (_, at) => {
    const top = 1 + at * 0.15;
    const words = Array.from({ length: WORDS }, (_word, place) => ({
      text: `word${number}x${at}x${place}`,
      box: { left: 1 + place * 0.6, top, right: 1.55 + place * 0.6, bottom: top + 0.12 },
    }));
    return { box: { left: 1, top, right: 7.5, bottom: top + 0.12 }, words };
  });
  const box = { left: 1, top: 1, right: 7.5, bottom: 10 };
  return { number, width: 8.5, height: 11, unit: "inch", rotation: 0, blocks: [{ kind: "paragraph", box, lines }] };
}

const resultOf = (): Buffer => {
  const rows = Array.from({ length: ROWS }, (_, at) => ({
    ...Object.fromEntries(Array.from({ length: 12 }, (_column, place) => [`c${place}`, `text ${at} of ${place}`])),
    amount: at * 1.25,
  }));
  return Buffer.from(JSON.stringify({ rows }));
};

describe("the thread of the API", () => {
  let service: TestService;
  let client: Worker;
  let watch: HoldWatch;
  let guid: string;
  const dataDir = mkdtempSync(join(tmpdir(), "sheaf-holds-"));

  beforeAll(async () => {
    service = await startTestService({ dataDir });
    guid = await service.api.upload("Total: 12.50 EUR", { name: "a.txt" });
    const schema = JSON.stringify({ type: "object", properties: { total: { type: "number" } } });
    await service.api.post(`/document/process/${guid}`, { json: { schema } });
    const { status, runs } = (await service.api.get(`/job/status/${guid}?waitSeconds=20`)).json;
    expect(status).toBe("COMPLETED");
    expect(runs).toHaveLength(1);
    const presign = { secret: new Uint8Array(32), baseUrl: () => "http://127.0.0.1" };
    const blobs = openBlobs(join(dataDir, "blobs"), { clock: systemClock(), presign });
    const files = (await blobs.list(`org/${service.keys.organizationId}/jobs/${guid}/1/`)).blobs.map(({ key }) => key);
    const pages = Array.from({ length: PAGES }, (_, at) => pageOf(at + 1));
    const layout = writeLayout({ v: LAYOUT_VERSION, provider: "test", logicalPages: false, pages } as Layout);
    const replaced = { "layout/ocr.json": layout, "result.json": resultOf() };
    for (const [name, bytes] of Object.entries(replaced)) {
      const key = files.find((file) => file.endsWith(name));
      expect(key, files.join()).toBeDefined();
      await blobs.put(key ?? "", bytes, { contentType: "application/json" });
    }
    client = new Worker(join(import.meta.dirname, "../../bench/list/client-thread.ts"));
    watch = watchHolds();
  }, 120_000);

  afterAll(async () => {
    watch.stop();
    await client.terminate();
    await service.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function held(path: string): Promise<{ hold: number; bytes: number; milliseconds: number }> {
    watch.read();
    client.postMessage({ url: `${service.url}${path}`, key: service.keys.one });
    const [answer] = (await once(client, "message")) as [Answered];
    const hold = watch.read().computed;
    expect(answer.status, answer.body.slice(0, 200)).toBe(200);
    console.log(
      `${path.slice(48)}: ${answer.body.length} characters in ${answer.milliseconds.toFixed(0)} ms, held ${hold.toFixed(1)} ms`,
    );
    return { hold, bytes: answer.body.length, milliseconds: answer.milliseconds };
  }

  it.each([
    ["layout", 20_000_000],
    [`layout?include=${LAYOUT_PARTS.join(",")}`, 50_000_000],
    ["layout?pages=7", 10_000],
    ["csv", 1_000_000],
    ["excel", 100_000],
  ])(
    "is never held for long by %s, nor when it is asked for again",
    async (path, least) => {
      for (const time of ["made", "stored"]) {
        const { hold, bytes } = await held(`/job/result/${guid}/${path}`);
        expect(bytes, time).toBeGreaterThan(least);
        expect(hold, time).toBeLessThan(MAX_HOLD_MS);
      }
    },
    120_000,
  );
});
