/** Figures on scans of real pages, and none on pages without figures. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { figuresOn } from "../../functions/engine/imaging/figure-regions/figures-on-page.ts";
import { area, overlapArea } from "../../functions/engine/layout/geometry.ts";
import { readDocument } from "../../functions/engine/readers/read-document.ts";
import { sniffDocument } from "../../functions/engine/readers/sniff-media-type.ts";
import { run as picture } from "../../functions/engine/tasks/picture.run.ts";
import { PDF } from "../../functions/ports/media-types.ts";
import type { OcrPage } from "../../functions/ports/ocr.ts";
import { ocrPage, pageOf } from "../support/pages.ts";

const CORPUS = resolve(import.meta.dirname, "../../../shared/corpus");
const present = existsSync(join(CORPUS, "MANIFEST.json"));
if (!present) console.warn(`SKIPPED: the corpus is not at ${CORPUS}; no figure was looked for on a real scan`);

const load = (path: string): Uint8Array => new Uint8Array(readFileSync(join(CORPUS, path)));

const viewOf = (bytes: Uint8Array, mimeType: string, pageNumber: number) =>
  picture.run({ bytes, options: { mimeType, pageNumber, level: "DEFAULT", maxBytes: 60_000_000 } });

/** The page's words, as if all had been recognised. */
async function readPage(bytes: Uint8Array, number: number): Promise<OcrPage> {
  const { layout } = await readDocument(bytes, { mimeType: PDF, ocr: "NONE", pageRange: [number] });
  const [page = pageOf([], number)] = layout.pages;
  return ocrPage({ ...page, blocks: page.blocks.filter(({ kind }) => kind !== "figure" && kind !== "barcode") });
}

const MANUAL = "long/irs-1040a-instructions-88p.pdf";
const TALES = "long/pd-kids-fairy-tales-55p.pdf";

describe.skipIf(!present)("figures on scans of real documents", () => {
  it.each([
    ["figures-barcodes/two-captioned-figures.pdf", 1],
    ["figures-barcodes/figure-table-checkmarks.pdf", 1],
    [TALES, 2],
    [TALES, 9],
    [TALES, 33],
    [TALES, 41],
    ["invoices/us-stanford-plumbing-1.pdf", 1],
  ])("equal those of the file: %s, page %i", async (path, number) => {
    const bytes = load(path);
    const { layout } = await readDocument(bytes, { mimeType: PDF, ocr: "NONE", pageRange: [number] });
    const [truth] = layout.pages.flatMap(({ blocks }) => blocks.filter(({ kind }) => kind === "figure"));
    const found = figuresOn(await readPage(bytes, number), (await viewOf(bytes, PDF, number)).ink);
    expect(found).toHaveLength(1);
    const [one = truth?.box, other = one] = [found[0], truth?.box];
    if (one === undefined || other === undefined) throw new RangeError("The file has a figure");
    const both = overlapArea(one, other);
    expect(both / (area(one) + area(other) - both)).toBeGreaterThan(0.6);
  });

  const bare: [string, number][] = [
    ...[2, 3, 7, 18, 25, 30, 45, 60].map((number): [string, number] => [MANUAL, number]),
    [TALES, 3],
    ["acroforms/irs-f1040-2024.pdf", 1],
    ["acroforms/de-prozesskostenhilfe.pdf", 1],
    ["acroforms/mi-dhs1426-health-coverage.pdf", 2],
    ["long/warn-report-16p-one-table.pdf", 1],
    ["invoices/de-autovermietung-6-lines.pdf", 1],
  ];
  it.each(bare)("are absent from pages without any: %s, page %i", async (path, number) => {
    const bytes = load(path);
    expect(figuresOn(await readPage(bytes, number), (await viewOf(bytes, PDF, number)).ink)).toEqual([]);
  });

  it.each([
    "scans/employment-application.png",
    "scans/handwritten-health-intake-stained.tiff",
    "scans/medical-report-3p.pdf",
    "scans/meditations-book-page.jpg",
    "scans/multipage-2p.tif",
    "scans/photo-amazon-four-lines.jpg",
    "scans/phototest.tif",
    "invoices/es-contoso-ticket-photo.png",
    "invoices/us-google-invoice-scan.pdf",
  ])(
    "are not found in text, handwriting or the surroundings of the paper, even without recognised words: %s",
    async (path) => {
      const bytes = load(path);
      const { frame, ink } = await viewOf(bytes, sniffDocument(bytes, undefined, path).mimeType, 1);
      expect(figuresOn(ocrPage({ ...pageOf([]), ...frame, rotation: 0 }), ink)).toEqual([]);
    },
  );
});
