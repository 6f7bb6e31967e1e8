/** Real documents: structure keeps all words, and every format can be written. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { transcribe } from "../../functions/engine/exports/transcription/transcribe.ts";
import { pageWords } from "../../functions/engine/layout/page-words.ts";
import { readDocument } from "../../functions/engine/readers/read-document.ts";
import { structureLayout } from "../../functions/engine/structure/structure-layout.ts";
import type { Layout, TextBlock } from "../../functions/ports/layout.ts";
import { PDF } from "../../functions/ports/media-types.ts";

const CORPUS = resolve(import.meta.dirname, "../../../shared/corpus");
const present = existsSync(join(CORPUS, "MANIFEST.json"));
if (!present) console.warn(`SKIPPED: the corpus is not at ${CORPUS}; no real document's structure was looked at`);

interface Entry {
  path: string;
  facts: { text_layer_chars?: number };
}
const manifest: { files: Entry[] } = present
  ? JSON.parse(readFileSync(join(CORPUS, "MANIFEST.json"), "utf8"))
  : { files: [] };
const readable = manifest.files.filter(
  ({ path, facts }) =>
    /^(?:invoices|acroforms|long|figures-barcodes)\/.*\.pdf$/.test(path) && facts.text_layer_chars !== 0,
);

const texts = (layout: Layout): string[][] => layout.pages.map((page) => pageWords(page).map((word) => word.text));

async function structured(path: string): Promise<{ before: Layout; after: Layout }> {
  const { layout } = await readDocument(readFileSync(join(CORPUS, path)), { mimeType: PDF });
  return { before: layout, after: structureLayout(layout) };
}

const textBlocks = (layout: Layout, kind: TextBlock["kind"]): TextBlock[] =>
  layout.pages.flatMap((page) => page.blocks.filter((block): block is TextBlock => block.kind === kind));

describe.skipIf(!present)("structure of real documents", () => {
  it.each(readable.map(({ path }) => path))("keeps the words of %s", async (path) => {
    let documents: Awaited<ReturnType<typeof structured>>;
    try {
      documents = await structured(path);
    } catch (error) {
      // Scans have no text.
      expect(String(error)).toContain("Text extraction failed");
      return;
    }
    const { before, after } = documents;
    expect(texts(after)).toEqual(texts(before));
    for (const heading of textBlocks(after, "heading")) expect([1, 2, 3, 4, 5, 6]).toContain(heading.level);
    for (const item of textBlocks(after, "list-item"))
      expect(item).toMatchObject({ marker: expect.stringMatching(/./), level: expect.any(Number) });
    expect(transcribe(after, "plain").split("\f")).toHaveLength(after.pages.length);
    const markers = transcribe(after, "markdown").match(/^<!-- page \d+ -->$/gm);
    expect(markers).toHaveLength(after.pages.length);
    for (const line of transcribe(after, "jsonl").trimEnd().split("\n"))
      expect(JSON.parse(line)).toHaveProperty("bbox");
  });

  it("finds page numbers, headings of several levels and hyphenated words in instructions of 88 pages", async () => {
    const { after } = await structured("long/irs-1040a-instructions-88p.pdf");
    const numbered = after.pages.filter((page) =>
      page.blocks.some(
        (block) =>
          block.kind === "footer" &&
          transcribe({ ...after, pages: [{ ...page, blocks: [block] }] }, "plain").includes(`-${page.number}-`),
      ),
    );
    expect(numbered.length).toBeGreaterThanOrEqual(80);
    expect(new Set(textBlocks(after, "heading").map((block) => block.level)).size).toBeGreaterThanOrEqual(3);
    const markdown = transcribe(after, "markdown");
    expect(markdown).toContain("any other developments affecting Form 1040A");
    expect(markdown).toMatch(/^#+ When and Where Should You File\?$/m);
  });
});
