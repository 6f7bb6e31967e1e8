/**
 * Real Office files and zip archives, each read in its own process like an upload: open ones give their text, hostile
 * ones the manifest's outcome, all within limits of time and memory.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { pageWords } from "../../functions/engine/layout/page-words.ts";
import { docxPictures } from "../../functions/engine/readers/office/docx/docx-pictures.ts";
import { readDocument } from "../../functions/engine/readers/read-document.ts";
import { sniffDocument } from "../../functions/engine/readers/sniff-media-type.ts";
import { JOB_SENTENCES } from "../../functions/ports/errors.ts";
import type { Layout } from "../../functions/ports/layout.ts";
import { MARKDOWN } from "../../functions/ports/media-types.ts";
import type { Outcome } from "../support/corpus-reader.ts";

const CORPUS = resolve(import.meta.dirname, "../../../shared/corpus");
const present = existsSync(join(CORPUS, "MANIFEST.json"));
if (!present) console.warn(`SKIPPED: the corpus is not at ${CORPUS}; no real Office file was read`);

interface Entry {
  path: string;
  facts: Record<string, unknown>;
}
const manifest: { files: Entry[] } = present
  ? JSON.parse(readFileSync(join(CORPUS, "MANIFEST.json"), "utf8"))
  : { files: [] };

const OFFICE_EXTENSION = /\.(?:do[ct]x|xl[st]x|p[po]tx)$/;
const hostile = manifest.files.filter(
  ({ path }) => path.startsWith("hostile/") && (OFFICE_EXTENSION.test(path) || /\bzip-/.test(path)),
);
const open = manifest.files.filter(({ path }) => !path.startsWith("hostile/") && OFFICE_EXTENSION.test(path));

const MAX_READING_MS = 10_000;
const MAX_MEMORY_BYTES = 512 * 2 ** 20;

let child: ChildProcess | undefined;
afterEach(() => {
  child?.kill("SIGKILL");
  child = undefined;
});

/** Peak resident memory of a process; undefined when the system does not report it. */
function peakBytes(pid: number | undefined): number | undefined {
  try {
    const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

/** Reads a file in a new process. */
async function readContained(path: string): Promise<Outcome & { ms: number; peak: number | undefined }> {
  const own = fork(new URL("../support/corpus-reader-process.ts", import.meta.url));
  child = own;
  await once(own, "spawn");
  const started = performance.now();
  own.send(join(CORPUS, path));
  const ended = once(own, "exit").then(() => undefined);
  const answer = await Promise.race([once(own, "message"), ended]);
  const outcome = (answer?.[0] as Outcome | undefined) ?? {
    pages: 0,
    words: 0,
    message: "the process ended",
    defect: true,
  };
  return { ...outcome, ms: performance.now() - started, peak: peakBytes(own.pid) };
}

/** The outcome of a hostile file, by its manifest entry. */
function outcomeOf(expected: string, path: string): RegExp | undefined {
  if (expected === "open") return undefined;
  if (path.includes("enc-")) return new RegExp(JOB_SENTENCES.password);
  return /^(?:Processing failed: |The document )/;
}

describe.skipIf(!present)("hostile Office files and archives", () => {
  it("are at hand", () => expect(hostile.length).toBeGreaterThan(5));

  it.each(hostile.map((entry) => [entry.path, String(entry.facts.expect)]))(
    "end as expected: %s: %s",
    async (path, expected) => {
      const { message, defect, words, ms, peak } = await readContained(path);
      expect(defect, message).toBe(false);
      const sentence = outcomeOf(expected, path);
      if (sentence === undefined) expect([message, words > 0]).toEqual([undefined, true]);
      else expect(message).toMatch(sentence);
      expect(ms).toBeLessThan(MAX_READING_MS);
      expect(peak ?? 0).toBeLessThan(MAX_MEMORY_BYTES);
    },
  );
});

const layouts = new Map<string, Layout>();
async function layoutOf(path: string): Promise<Layout> {
  const bytes = new Uint8Array(readFileSync(join(CORPUS, path)));
  const { mimeType } = sniffDocument(bytes, undefined, path);
  const layout = layouts.get(path) ?? (await readDocument(bytes, { mimeType })).layout;
  layouts.set(path, layout);
  return layout;
}

describe.skipIf(!present)("open Office files", () => {
  it.each(open.map(({ path }) => path))("give the text of %s", async (path) => {
    const { message, defect, words, ms, peak } = await readContained(path);
    expect([message, defect]).toEqual([undefined, false]);
    expect(words).toBeGreaterThan(0);
    expect(ms).toBeLessThan(MAX_READING_MS);
    expect(peak ?? 0).toBeLessThan(MAX_MEMORY_BYTES);
  });

  it.each(open.map(({ path }) => path))("have every box on its page and every cell in its table: %s", async (path) => {
    const layout = await layoutOf(path);
    for (const page of layout.pages) {
      for (const { box } of pageWords(page)) {
        const inside = box.left >= 0 && box.top >= 0 && box.right > box.left && box.bottom > box.top;
        expect(
          inside && box.right <= page.width + 0.01 && box.bottom <= page.height + 0.01,
          `${path} page ${page.number}`,
        ).toBe(true);
      }
      for (const block of page.blocks) {
        if (block.kind !== "table") continue;
        const places = new Set<string>();
        for (const cell of block.cells) {
          expect([cell.row + cell.rowSpan <= block.rows, cell.column + cell.columnSpan <= block.columns]).toEqual([
            true,
            true,
          ]);
          for (let row = cell.row; row < cell.row + cell.rowSpan; row += 1) {
            for (let column = cell.column; column < cell.column + cell.columnSpan; column += 1)
              places.add(`${row}/${column}`);
          }
        }
        // No place is covered twice.
        expect(places.size).toBe(block.cells.reduce((sum, cell) => sum + cell.rowSpan * cell.columnSpan, 0));
      }
    }
  });

  it.each(
    open
      .filter(({ facts }) => Number(facts.tables) > 0)
      .map(({ path, facts }) => [path, facts.tables as number] as const),
  )("%s has its tables (%i)", async (path, count) => {
    const tables = (await layoutOf(path)).pages.flatMap((page) =>
      page.blocks.filter((block) => block.kind === "table" && !block.continued),
    );
    // Word also counts tables within cells, which here are text of their cell.
    expect(tables.length).toBeGreaterThan(0.9 * count);
    expect(tables.length).toBeLessThanOrEqual(count);
  });

  it("have the pictures of the file", () => {
    for (const { path, facts } of open.filter((entry) => entry.path.startsWith("figures-barcodes/"))) {
      const pictures = docxPictures(new Uint8Array(readFileSync(join(CORPUS, path))));
      expect(new Set(pictures.map(({ name }) => name)).size).toBe(facts.media_files);
    }
  });
});

describe.skipIf(!present)("Markdown of Office files", () => {
  const texts = manifest.files.filter(({ path }) => path.endsWith(".md"));

  it.each(texts.map(({ path, facts }) => [path, Number(facts.headings), Number(facts.table_rows)] as const))(
    "has its headings and table rows: %s (%i, %i)",
    async (path, headings, rows) => {
      const bytes = new Uint8Array(readFileSync(join(CORPUS, path)));
      const { layout } = await readDocument(bytes, { mimeType: MARKDOWN });
      const blocks = layout.pages.flatMap((page) => page.blocks);
      const found = blocks.filter((block) => block.kind === "heading").length;
      const foundRows = blocks.reduce((sum, block) => (block.kind === "table" ? sum + block.rows : sum), 0);
      // The manifest counted lines that begin with a sign: also those in code, and the rules below the heads of tables.
      expect(found / headings).toBeGreaterThan(0.9);
      expect(found / headings).toBeLessThanOrEqual(1);
      expect(foundRows / rows).toBeGreaterThan(0.75);
    },
  );
});
