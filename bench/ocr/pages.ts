/** The pages of the bench: drawn from PDFs with a text layer, clean and degraded like a poor scan. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import sharp from "sharp";
import { blockLines } from "../../functions/engine/layout/page-words.ts";
import { withPdf } from "../../functions/engine/readers/pdf/pdf-document.ts";
import { readPdfPage } from "../../functions/engine/readers/pdf/read-pdf-page.ts";
import { renderPage } from "../../functions/engine/readers/pdf/render-page.ts";
import type { OcrFrame } from "../../functions/ports/ocr.ts";
import type { TextLayerTruth } from "./score.ts";

export interface BenchPage {
  name: string;
  frame: OcrFrame;
  truth: TextLayerTruth;
  /** PNG. */
  clean: Uint8Array;
  /** JPEG. */
  scan: Uint8Array;
}

interface Entry {
  path: string;
  pages: number | null;
  facts: { text_layer_chars?: number | null; language?: string };
}

export const CLEAN_DPI = 200;
/** Pages with fewer words are left out. */
const MIN_PAGE_WORDS = 40;
/** Degradation: degrees clockwise, pixels of blur, noise of 255, JPEG quality. */
export const SCAN_DEGRADATION = { angle: 1.2, blur: 0.8, noise: 14, quality: 50 };

/** Reproducible noise: a linear congruential generator (Numerical Recipes, 7.1), the sum of three draws. */
function addNoise(pixels: Uint8Array, amount: number): void {
  let state = 20_240_501;
  const draw = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
  for (let at = 0; at < pixels.length; at += 1) {
    pixels[at] = Math.min(Math.max(Math.round((pixels[at] ?? 0) + amount * (draw() + draw() + draw())), 0), 255);
  }
}

/** @param picture in any format that sharp opens @returns a JPEG of the same size */
export async function degradeLikeScan(picture: Uint8Array, degradation = SCAN_DEGRADATION): Promise<Uint8Array> {
  const { width = 0, height = 0 } = await sharp(picture).metadata();
  const turned = await sharp(picture).greyscale().rotate(degradation.angle, { background: "white" }).png().toBuffer();
  const size = await sharp(turned).metadata();
  const { data, info } = await sharp(turned)
    .extract({
      left: Math.floor((size.width - width) / 2),
      top: Math.floor((size.height - height) / 2),
      width,
      height,
    })
    .blur(degradation.blur)
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const pixels = new Uint8Array(data);
  addNoise(pixels, degradation.noise);
  return sharp(pixels, { raw: { width: info.width, height: info.height, channels: 1 } })
    .jpeg({ quality: degradation.quality })
    .toBuffer();
}

/** Inches on the scan → inches on the upright page; the scan is rotated about its centre. */
export function toUpright(x: number, y: number, frame: OcrFrame): { x: number; y: number } {
  const angle = (-SCAN_DEGRADATION.angle * Math.PI) / 180;
  const [dx, dy] = [x - frame.width / 2, y - frame.height / 2];
  return {
    x: frame.width / 2 + dx * Math.cos(angle) - dy * Math.sin(angle),
    y: frame.height / 2 + dx * Math.sin(angle) + dy * Math.cos(angle),
  };
}

async function readBenchPage(file: string, name: string, index: number): Promise<BenchPage | undefined> {
  const bytes = new Uint8Array(await readFile(file));
  const page = await withPdf(bytes, (document) => document.withPage(index, (open) => readPdfPage(open, index + 1)));
  const lines = page.blocks.flatMap(blockLines).map(({ box, words }) => ({ box, words }));
  if (lines.flatMap(({ words }) => words).length < MIN_PAGE_WORDS) return undefined;
  const { width, height, rgba } = await renderPage(bytes, index, CLEAN_DPI);
  const clean = await sharp(rgba, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png()
    .toBuffer();
  const frame = { width: page.width, height: page.height };
  return { name: `${name} p${index + 1}`, frame, truth: { lines }, clean, scan: await degradeLikeScan(clean) };
}

/**
 * English pages with a text layer: the first page of every document, then middle pages, until there are enough.
 * @param corpus its folder
 */
export async function* benchPages(corpus: string, most: number): AsyncGenerator<BenchPage> {
  const manifest = JSON.parse(await readFile(path.join(corpus, "MANIFEST.json"), "utf8")) as { files: Entry[] };
  const english = manifest.files.filter(
    ({ path: file, pages, facts }) =>
      /^(acroforms|invoices|long|figures-barcodes)\/.*\.pdf$/.test(file) &&
      (pages ?? 0) > 0 &&
      facts.text_layer_chars !== 0 &&
      (facts.language ?? "en") === "en" &&
      !/^invoices\/(?!us-)/.test(file),
  );
  const candidates = [
    ...english.map((entry) => ({ entry, index: 0 })),
    ...english.filter(({ pages }) => (pages ?? 0) > 2).map((entry) => ({ entry, index: (entry.pages ?? 0) >> 1 })),
  ];
  const step = Math.max(1, Math.floor(candidates.length / most));
  const order = Array.from({ length: step }, (_, first) => candidates.filter((_one, at) => at % step === first)).flat();
  let given = 0;
  for (const { entry, index } of order) {
    if (given === most) return;
    const page = await readBenchPage(path.join(corpus, entry.path), entry.path, index);
    if (page === undefined) continue;
    given += 1;
    yield page;
  }
}
