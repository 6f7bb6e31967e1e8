/**
 * A long manual: read, transcribed in all formats, and read page by page, within limits of memory and size; values
 * extracted, located and counted within the service's own limit.
 */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openEngine } from "../../functions/adapters/local/engine.ts";
import { readLayoutHead, readLayoutPages } from "../../functions/engine/layout/layout-file.ts";
import { pageWords } from "../../functions/engine/layout/page-words.ts";
import { extractTask } from "../../functions/engine/tasks/extract.ts";
import { locateTask } from "../../functions/engine/tasks/locate.ts";
import { readTask } from "../../functions/engine/tasks/read.ts";
import { receiptTask } from "../../functions/engine/tasks/receipt.ts";
import { transcribeTask } from "../../functions/engine/tasks/transcribe.ts";
import type { Engine } from "../../functions/ports/engine.ts";
import type { Page } from "../../functions/ports/layout.ts";

const PAGES = 400;
const MAX_LAYOUT_BYTES = 40_000_000;
const MAX_RESIDENT_BYTES = 512 * 2 ** 20;

/** The default limit of a document process, repeated here so that it does not grow unnoticed. */
const EXTRACT_MEMORY_BYTES = 768 * 2 ** 20;

/** Dense columns, and twelve pages of tables among 88. */
const MANUAL = resolve(import.meta.dirname, "../../../shared/corpus/long/irs-1040a-instructions-88p.pdf");
const present = existsSync(MANUAL);
if (!present) console.warn(`SKIPPED: there is no ${MANUAL}; no long manual was read`);

/** The pages of a PDF, repeated. */
async function repeated(bytes: Uint8Array, pages: number): Promise<{ pdf: Uint8Array; period: number }> {
  const source = await PDFDocument.load(bytes, { ignoreEncryption: true });
  const pdf = await PDFDocument.create();
  const indices = source.getPageIndices();
  for (let left = pages; left > 0; left -= indices.length) {
    for (const page of await pdf.copyPages(source, indices.slice(0, left))) pdf.addPage(page);
  }
  return { pdf: await pdf.save(), period: indices.length };
}

/** Scalars, a list of the tax table's rows, and a list of texts. */
const number = { type: "number" };
const rows = { at_least: number, but_less_than: number, single: number, married_filing_jointly: number };
const SCHEMA = {
  type: "object",
  properties: {
    title: { type: "string" },
    tax_year: { type: "integer" },
    brackets: { type: "array", items: { type: "object", properties: rows } },
    phones: { type: "array", items: { type: "string" } },
  },
};

const texts = (page: Page | undefined): string[] => (page === undefined ? [] : pageWords(page).map(({ text }) => text));

describe.skipIf(!present)("a manual of 400 pages", () => {
  let manual: Uint8Array;
  let period: number;
  let layout: Uint8Array;
  let peakBytes = 0;
  /** @param limit absent: the service's own */
  const open = (limit?: { memoryLimitBytes: number }): Engine =>
    openEngine({
      clock: systemClock(),
      jobTimeoutSeconds: 300,
      size: 1,
      ...limit,
      onEvent: (event) => {
        peakBytes = Math.max(peakBytes, event.peakBytes ?? 0);
      },
    });
  const engine = open();
  beforeAll(async () => {
    ({ pdf: manual, period } = await repeated(readFileSync(MANUAL), PAGES));
  }, 120_000);
  afterAll(() => engine.close());

  it("is read and transcribed in 512 MB, into less than 40 MB", async () => {
    const limits = { deadline: Date.now() + 250_000 };
    const { facts, ...reading } = await engine.run(
      readTask,
      { bytes: manual, options: { mimeType: "application/pdf" } },
      limits,
    );
    layout = reading.layout;
    expect(facts.pageCount).toBe(PAGES);
    expect(facts.wordCount).toBeGreaterThan(500 * PAGES);
    expect(layout.length).toBeLessThan(MAX_LAYOUT_BYTES);
    for (const format of ["plain", "markdown", "jsonl"] as const) {
      expect((await engine.run(transcribeTask, { layout, format }, limits)).length).toBeGreaterThan(
        facts.characterCount,
      );
    }

    const read = async ({ start, end }: { start: number; end: number }) => layout.subarray(start, end + 1);
    expect((await readLayoutHead(read)).head.index).toHaveLength(PAGES);
    const [first, again] = await readLayoutPages(read, [9, 9 + 3 * period]);
    expect(again?.number).toBe(9 + 3 * period);
    expect(texts(first).length).toBeGreaterThan(100);
    expect(texts(again)).toEqual(texts(first));

    await engine.close();
    console.info(
      `a manual of ${PAGES} pages: at most ${Math.round(peakBytes / 2 ** 20)} MB, a layout of ${layout.length / 1e6} MB`,
    );
    expect(peakBytes).toBeGreaterThan(0);
    expect(peakBytes).toBeLessThan(MAX_RESIDENT_BYTES);
  }, 280_000);

  it("gives its values and rows, located and counted, in a process of 768 MB", async () => {
    const limits = { deadline: Date.now() + 250_000 };
    const engine = open({ memoryLimitBytes: EXTRACT_MEMORY_BYTES });
    const seconds: string[] = [];
    const timed = async <T>(what: string, work: Promise<T>): Promise<T> => {
      const start = performance.now();
      const done = await work;
      seconds.push(`${what} ${((performance.now() - start) / 1_000).toFixed(1)} s`);
      return done;
    };
    peakBytes = 0;
    try {
      const request = { granularity: "word", schema: SCHEMA } as const;
      const found = await timed("extract", engine.run(extractTask, { layout, request }, limits));
      // About 5,000 before columns of figures were parted: 44 of 551 rows of the manual had numbers of four columns as one.
      expect(found.facts.found).toBeGreaterThan(3_000);
      const located = await timed("locate", engine.run(locateTask, { layout, result: found.result, request }, limits));
      expect(located.facts.found).toBeGreaterThan(0.9 * found.facts.found);
      const { result, sources } = found;
      const { receipt } = await timed("receipt", engine.run(receiptTask, { layout, result, sources, request }, limits));
      expect(receipt?.returned).toBeGreaterThan(1_000);
    } finally {
      await engine.close();
    }
    console.info(`values of ${PAGES} pages: ${seconds.join(", ")}, at most ${Math.round(peakBytes / 2 ** 20)} MB`);
    expect(peakBytes).toBeLessThan(EXTRACT_MEMORY_BYTES);
  }, 280_000);
});
