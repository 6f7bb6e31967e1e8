/** A long manual: read, written in all formats, and read page by page, within bounds of memory and size. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../functions/adapters/local/clock.ts";
import { openDocumentEngine } from "../../functions/adapters/local/documents.ts";
import { readLayoutHead, readLayoutPages } from "../../functions/core/documents/layout-file.ts";
import { drawPdf } from "../support/drawn-pdf.ts";

const PAGES = 400;
/** With 19 words each: a manual's page has 500 to 600. */
const LINES = 30;
const MOST_LAYOUT_BYTES = 40_000_000;
const LINE = "The valve on the pressure side must be closed before the pump is switched on again, see section";

let manual: Uint8Array;
const engine = openDocumentEngine({
  clock: systemClock(),
  jobTimeoutSeconds: 300,
  size: 1,
  // The pool ends what takes more.
  memoryLimitBytes: 512 * 2 ** 20,
});
beforeAll(async () => {
  manual = await drawPdf(
    Array.from({ length: PAGES }, (_, page) =>
      Array.from({ length: LINES }, (_one, line) => ({
        text: `${LINE} ${page + 1}.${line + 1}`,
        x: 60,
        y: 740 - 14 * line,
        size: 10,
      })),
    ),
  );
}, 120_000);
afterAll(() => engine.close());

it("400 pages are read and written in 512 MB, into less than 40 MB", async () => {
  const limits = { deadline: Date.now() + 250_000 };
  const { layout, facts } = await engine.read(manual, { mimeType: "application/pdf" }, limits);
  expect(facts.pageCount).toBe(PAGES);
  expect(facts.wordCount).toBe(PAGES * LINES * 19);
  expect(layout.length).toBeLessThan(MOST_LAYOUT_BYTES);
  for (const format of ["plain", "markdown", "jsonl"] as const) {
    const text = Buffer.from(await engine.transcribe(layout, format, limits)).toString("utf8");
    expect(text).toContain(`400.${LINES}`);
  }
  const read = async ({ start, end }: { start: number; end: number }) => layout.subarray(start, end + 1);
  expect((await readLayoutHead(read)).head.index).toHaveLength(PAGES);
  const [page] = await readLayoutPages(read, [273]);
  expect(page?.number).toBe(273);
}, 280_000);
